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

// errStopped is the error if the caller of [Pages.Records] has left its loop.
var errStopped = errors.New("stopped")

// page is a page that is being read, in JSON or in YAML.
type page struct {
	name  string                    // the page's name in errors, such as "state.json"
	pages *Pages                    // the dump to which the page belongs
	yield func(kv.Pair, error) bool // passes a record to the caller of [Pages.Records]

	hasRecords       bool                              // a list of records was found, perhaps an empty one
	hasOtherContract bool                              // the records of another contract were skipped
	recordNumber     int                               // the current record's number, from 1; 0 for none
	previousKey      []byte                            // nil before the first record
	decodeKeyText    func(text string) ([]byte, error) // from hex or base64, by the first key of the list
}

// The first bytes of a page, by which its form is recognized.
var (
	gzipMagic = []byte{0x1f, 0x8b}
	utf8BOM   = []byte("\ufeff") // a byte order mark, which some editors put before a text
)

// read reads a page, which gzip may have packed, and yields its records. A page that begins with
// a brace or a bracket is read as JSON, and any other as YAML.
func (p *page) read(input io.Reader) error {
	reader := bufio.NewReader(input)
	if magic, _ := reader.Peek(len(gzipMagic)); bytes.Equal(magic, gzipMagic) {
		unpacked, err := gzip.NewReader(reader)
		if err != nil {
			return p.readError(err)
		}
		reader = bufio.NewReader(unpacked)
	}

	if start, _ := reader.Peek(len(utf8BOM)); bytes.Equal(start, utf8BOM) {
		_, _ = reader.Discard(len(utf8BOM)) // Peek has buffered these bytes
	}

	// The first visible character tells JSON from YAML.
	start, peekErr := reader.Peek(reader.Size())
	visibleText := bytes.TrimLeft(start, " \t\r\n")
	isEmpty := len(visibleText) == 0
	switch {
	case isEmpty && peekErr == io.EOF:
		return p.fail(`it is empty, expected {"models":[…]}`)
	case isEmpty && peekErr != nil:
		return p.readError(peekErr)
	case bytes.IndexAny(visibleText, "{[") == 0:
		return readJSON(p, reader)
	}
	return readYAML(p, reader)
}

// readError returns an [*Error] for a gzip file that is damaged or cut short, and otherwise err,
// which comes from the page's reader.
func (p *page) readError(err error) error {
	switch {
	case errors.As(err, new(flate.CorruptInputError)), errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return p.fail("it cannot be unpacked: %v", err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return p.fail("it ends too early, expected the rest of the packed file")
	}
	return err
}

// beginRecords begins a list of records, of which a page may have several.
func (p *page) beginRecords() {
	p.hasRecords = true
	p.recordNumber = 0
	p.previousKey = nil
}

// checkHasRecords fails if no list of records was found, of the wanted contract in a genesis.
func (p *page) checkHasRecords() error {
	if p.hasRecords {
		return nil
	}
	if p.hasOtherContract {
		return p.fail(
			"it holds no contract %q, expected the address of one that it holds",
			p.pages.Contract,
		)
	}
	return p.fail(`it has no "models", expected {"models":[{"key":HEX,"value":BASE64},…]}`)
}

// yieldRecord decodes a record and yields it. key and value are the texts in the page, or nil. It
// fails with an [*Error] if one is nil or cannot be decoded, or if the previous record has the
// same key, and with errStopped.
func (p *page) yieldRecord(key, value *string) error {
	if key == nil {
		return p.fail(`it has no key, expected "key":HEX`)
	}
	if value == nil {
		return p.fail(`it has no value, expected "value":BASE64`)
	}
	decodedKey, err := p.decodeKey(*key)
	if err != nil {
		return err
	}
	decodedValue, err := base64.StdEncoding.DecodeString(*value)
	if err != nil {
		return p.fail("value: expected base64, got %s", quoteStart(*value))
	}

	// Chains print the records in the order of their keys, so equal keys are neighbours.
	if bytes.Equal(decodedKey, p.previousKey) {
		return p.fail("its key %X is that of the record before, expected every key once", decodedKey)
	}

	// The first keys of the pages tell later whether a page of the dump is missing.
	if p.previousKey == nil {
		p.pages.firstKeys[string(decodedKey)] = true
	}
	p.previousKey = decodedKey

	if !p.yield(kv.Pair{Key: decodedKey, Value: decodedValue}, nil) {
		return errStopped
	}
	return nil
}

// decodeKey decodes the key of the current record. Some tools print keys in hex, others in
// base64. If the first key of a list is not hex, all keys of the list are taken for base64.
// That is safe, because the key of a cw721 record in base64 is never valid hex.
func (p *page) decodeKey(text string) ([]byte, error) {
	if p.recordNumber == 1 {
		p.decodeKeyText = hex.DecodeString
		if _, err := hex.DecodeString(text); err != nil {
			p.decodeKeyText = base64.StdEncoding.DecodeString
		}
	}
	key, err := p.decodeKeyText(text)
	if err != nil {
		return nil, p.fail("key: expected hex, or base64 in all records, got %s", quoteStart(text))
	}
	if len(key) == 0 {
		return nil, p.fail("its key is empty, expected at least a byte")
	}
	return key, nil
}

// addNextKey stores the next_key of the page, the first key of the next page in base64. If it is
// empty, no page follows. A text that is not base64 is stored as it is. No page begins with such
// a key, so the next page counts as missing.
func (p *page) addNextKey(text string) {
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		key = []byte(text)
	}
	if len(key) > 0 {
		p.pages.nextKeys = append(p.pages.nextKeys, string(key))
	}
}

// fail returns an [*Error] about the current record, or about the page if no record is
// being read.
func (p *page) fail(format string, args ...any) error {
	return &Error{Page: p.name, Record: p.recordNumber, Text: fmt.Sprintf(format, args...)}
}

func quoteStart(text string) string {
	if len(text) > 40 {
		return fmt.Sprintf("%q…", text[:40])
	}
	return fmt.Sprintf("%q", text)
}

// maxValueBytes limits a value in a page, so that one that does not end does not fill the memory.
// It is larger than the limit of records, because a genesis also contains the code of contracts,
// which is skipped.
const maxValueBytes = 64 * kv.MaxValue

var errTooLong = errors.New("a value is too long")
