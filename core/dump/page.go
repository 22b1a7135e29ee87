package dump

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"ephemera/core/kv"
)

// errStopped tells that nobody wants more records.
var errStopped = errors.New("stopped")

// page is one page being read.
type page struct {
	name   string
	all    *Pages
	yield  func(kv.Pair, error) bool
	found  bool // the page has records, or an empty list of them
	passed bool // it has the state of a contract that is not asked for
	record int
	last   []byte // the key before
	base64 bool   // how the keys are written; the first one shows it
}

// What begins a page that is packed, or one in JSON.
var (
	gzipMagic = []byte{0x1f, 0x8b}
	utf8BOM   = []byte("\ufeff") // which some editors write before a text
	jsonStart = "{["
)

func (p *page) read(r io.Reader) error {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(len(gzipMagic)); bytes.Equal(magic, gzipMagic) {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return p.unpacking(err)
		}
		in = bufio.NewReader(unpacked)
	}
	if start, _ := in.Peek(len(utf8BOM)); bytes.Equal(start, utf8BOM) {
		_, _ = in.Discard(len(utf8BOM))
	}
	for {
		switch c, err := in.ReadByte(); {
		case err == io.EOF:
			return p.fail(`it is empty, expected {"models":[…]}`)
		case err != nil:
			return p.unpacking(err)
		case bytes.IndexByte([]byte(" \t\r\n"), c) >= 0:
			continue
		case bytes.IndexByte([]byte(jsonStart), c) >= 0:
			_ = in.UnreadByte() // it follows a read
			return readJSON(p, in)
		}
		_ = in.UnreadByte()
		return readYAML(p, in)
	}
}

// unpacking tells a packed page that is broken from a reader that failed.
func (p *page) unpacking(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return p.fail("it cannot be unpacked: %v", err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return p.fail("it ends too early, expected the rest of the packed file")
	}
	return err
}

// begin starts a list of records.
func (p *page) begin() {
	p.found = true
	p.record = 0
	p.last = nil
}

// whole fails for a page that ended without a list of records.
func (p *page) whole() error {
	if p.found {
		return nil
	}
	if p.passed {
		return p.fail("it holds no contract %q, expected the address of one that it holds", p.all.Contract)
	}
	return p.fail(`it has no "models", expected {"models":[{"key":HEX,"value":BASE64},…]}`)
}

// add takes one record as the page spells it; nil is what it does not have.
func (p *page) add(key, value *string) error {
	switch {
	case key == nil:
		return p.fail(`it has no key, expected "key":HEX`)
	case value == nil:
		return p.fail(`it has no value, expected "value":BASE64`)
	}
	var pair kv.Pair
	var err error
	if pair.Key, err = p.key(*key); err != nil {
		return err
	}
	if pair.Value, err = base64.StdEncoding.DecodeString(*value); err != nil {
		return p.fail("value: expected base64, got %s", short(*value))
	}
	if bytes.Equal(pair.Key, p.last) {
		return p.fail("its key %X is that of the record before, expected every key once", pair.Key)
	}
	if p.last == nil {
		p.all.firsts[string(pair.Key)] = true
	}
	p.last = pair.Key
	if !p.yield(pair, nil) {
		return errStopped
	}
	return nil
}

// key reads a key in hex, or in base64 where the page's first key is no hex. No
// key of a cw721's records would pass for hex in base64.
func (p *page) key(text string) ([]byte, error) {
	key, err := hex.DecodeString(text)
	if p.record == 1 {
		p.base64 = err != nil
	}
	if p.base64 {
		key, err = base64.StdEncoding.DecodeString(text)
	}
	if err != nil {
		return nil, p.fail("key: expected hex, or base64 in all records, got %s", short(text))
	}
	if len(key) == 0 {
		return nil, p.fail("its key is empty, expected at least a byte")
	}
	return key, nil
}

// next notes where the next page begins.
func (p *page) next(text string) {
	next, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		next = []byte(text) // it names something, and that is what counts
	}
	if len(next) > 0 {
		p.all.nexts = append(p.all.nexts, string(next))
	}
}

func (p *page) fail(format string, args ...any) error {
	return &Error{p.name, p.record, fmt.Sprintf(format, args...)}
}

// short quotes a text, or its beginning when it is long.
func short(s string) string {
	const most = 40
	if len(s) > most {
		return fmt.Sprintf("%q…", s[:most])
	}
	return fmt.Sprintf("%q", s)
}

// longest is how much one value can take: a store's limit, and what may stand
// around a value that is passed over, such as code in a genesis.
const longest = 64 * kv.MaxValue

var errTooLong = errors.New("a value is too long")
