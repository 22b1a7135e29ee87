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

// errStopped ends the reading of a page because the caller of [Pages.Records] has left
// its loop.
var errStopped = errors.New("stopped")

// page is a page that is being read, in JSON or in YAML.
type page struct {
	name             string // for errors, such as "state.json"
	pages            *Pages
	yield            func(kv.Pair, error) bool // passes a record to the caller of [Pages.Records]
	hasRecords       bool                      // a list of records was found, perhaps an empty one
	hasOtherContract bool                      // the records of another contract were skipped
	recordNumber     int                       // of the current record, from 1; 0 outside of the records
	previousKey      []byte                    // of the record before; nil at the first one
	hasBase64Keys    bool                      // the keys are in base64, as the first one shows
}

// The first bytes of a page, by which its form is recognized.
var (
	gzipMagic = []byte{0x1f, 0x8b}
	utf8BOM   = []byte("\ufeff") // a byte order mark, which some editors put before a text
)

// read reads a page from r. It unpacks the page if it is packed with gzip, and reads it as
// JSON if it begins with a brace or a bracket, otherwise as YAML.
func (p *page) read(r io.Reader) error {
	text, err := unpack(bufio.NewReader(r))
	if err != nil {
		return p.readError(err)
	}

	// Some tools write a byte order mark first, which is no part of the text.
	if start, _ := text.Peek(len(utf8BOM)); bytes.Equal(start, utf8BOM) {
		_, _ = text.Discard(len(utf8BOM)) // Peek has buffered these bytes
	}

	// The first visible character tells JSON from YAML.
	start, err := text.Peek(text.Size())
	start = bytes.TrimLeft(start, " \t\r\n")
	isEmpty := len(start) == 0 && err != nil
	switch {
	case isEmpty && err == io.EOF:
		return p.fail(`it is empty, expected {"models":[…]}`)
	case isEmpty:
		return p.readError(err)
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		return readJSON(p, text)
	}
	return readYAML(p, text)
}

// unpack returns a reader of the text of a page that may be packed with gzip. For a page that
// is not packed, it returns the same reader.
func unpack(file *bufio.Reader) (*bufio.Reader, error) {
	magic, _ := file.Peek(len(gzipMagic))
	if !bytes.Equal(magic, gzipMagic) {
		return file, nil
	}
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return bufio.NewReader(unpacked), nil
}

// readError returns the error for a page that could not be read to its end. If the gzip
// file is damaged or cut short, the error is an [*Error] about the page. Otherwise err
// comes from the page's reader, and readError returns it unchanged.
func (p *page) readError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return p.fail("it cannot be unpacked: %v", err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return p.fail("it ends too early, expected the rest of the packed file")
	}
	return err
}

// beginRecords prepares for the first record of a list. A page may have several lists.
func (p *page) beginRecords() {
	p.hasRecords = true
	p.recordNumber = 0
	p.previousKey = nil
}

// checkHasRecords fails if the page, which was read to its end, has no list of records of
// the contract that is read.
func (p *page) checkHasRecords() error {
	if p.hasRecords {
		return nil
	}
	if p.hasOtherContract {
		return p.fail("it holds no contract %q, expected the address of one that it holds", p.pages.Contract)
	}
	return p.fail(`it has no "models", expected {"models":[{"key":HEX,"value":BASE64},…]}`)
}

// yieldRecord decodes a record and yields it. key and value are as in the page, in hex or
// base64; nil means that the record lacks the member. yieldRecord fails with an [*Error]
// if a member is missing or cannot be decoded, or if the record before has the same key,
// and with errStopped if the caller of [Pages.Records] has left its loop.
func (p *page) yieldRecord(key, value *string) error {
	if key == nil {
		return p.fail(`it has no key, expected "key":HEX`)
	}
	if value == nil {
		return p.fail(`it has no value, expected "value":BASE64`)
	}
	var pair kv.Pair
	var err error
	if pair.Key, err = p.decodeKey(*key); err != nil {
		return err
	}
	if pair.Value, err = base64.StdEncoding.DecodeString(*value); err != nil {
		return p.fail("value: expected base64, got %s", quoteStart(*value))
	}

	// Chains print the records in the order of their keys.
	if bytes.Equal(pair.Key, p.previousKey) {
		return p.fail("its key %X is that of the record before, expected every key once", pair.Key)
	}

	// The first keys tell whether a page of the dump is missing.
	isFirst := p.previousKey == nil
	if isFirst {
		p.pages.firstKeys[string(pair.Key)] = true
	}
	p.previousKey = pair.Key
	if !p.yield(pair, nil) {
		return errStopped
	}
	return nil
}

// decodeKey decodes the key of the current record. Some tools print keys in hex, others
// in base64. The first key of a list decides for the whole list: if it is not hex, all
// keys are in base64. The key of a cw721 record in base64 is never valid hex, so the
// decision is right.
func (p *page) decodeKey(text string) ([]byte, error) {
	key, err := hex.DecodeString(text)
	if p.recordNumber == 1 {
		p.hasBase64Keys = err != nil
	}
	if p.hasBase64Keys {
		key, err = base64.StdEncoding.DecodeString(text)
	}
	if err != nil {
		return nil, p.fail("key: expected hex, or base64 in all records, got %s", quoteStart(text))
	}
	if len(key) == 0 {
		return nil, p.fail("its key is empty, expected at least a byte")
	}
	return key, nil
}

// addNextKey notes the next_key of the page, the first key of the page after it in base64.
// An empty one means that no page follows. One that is not base64 is noted as it is: no
// page begins with such a key, so [Pages.HasMissingPage] reports the next page missing.
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

// quoteStart quotes the first 40 bytes of a text for an error, and adds "…" if the text is
// longer.
func quoteStart(s string) string {
	const maxQuoted = 40
	if len(s) > maxQuoted {
		return fmt.Sprintf("%q…", s[:maxQuoted])
	}
	return fmt.Sprintf("%q", s)
}

// maxValueBytes is the size of the longest value that a page may contain, so that a value
// without an end does not fill the memory. It is larger than any record's, because a
// genesis also contains the code of contracts, which is skipped.
const maxValueBytes = 64 * kv.MaxValue

// errTooLong is the error for a value that is longer than maxValueBytes.
var errTooLong = errors.New("a value is too long")
