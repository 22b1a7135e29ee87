package dump

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

// jsonPage is a page in JSON that is being read, token by token. Its records are in a
// member "models", or in a member "contract_state" in the genesis of a chain, at any
// depth.
type jsonPage struct {
	*page
	tokens *jsontext.Decoder
	source *boundedReader // from which tokens reads
	// contract is the last contract_address. A genesis has it before the state of the
	// contract.
	contract string
}

// readJSON reads a page that consists of one or more JSON values.
func readJSON(page *page, r io.Reader) error {
	p := jsonPage{page: page, source: &boundedReader{r: r}}
	p.tokens = jsontext.NewDecoder(p.source)
	p.source.tokens = p.tokens
	for p.tokens.PeekKind() != jsontext.KindInvalid {
		if err := p.readMember(""); err != nil {
			return err
		}
	}
	if _, err := p.tokens.ReadToken(); err != io.EOF {
		return p.jsonError(err)
	}
	return p.checkHasRecords()
}

// readMember reads the value of a member of an object, and looks for records in it. name
// is the name of the member; "" for an element of an array and for the whole page.
func (p *jsonPage) readMember(name string) error {
	kind := p.tokens.PeekKind()
	isString := kind == jsontext.KindString
	switch {
	case name == noteName:
		return p.readNote()
	case name == "models" || name == "contract_state":
		return p.readRecords(name, kind)
	case kind == jsontext.KindBeginObject, kind == jsontext.KindBeginArray:
		return p.readEach(p.readMember)
	case isString && (name == "next_key" || name == "nextKey"):
		t, err := p.tokens.ReadToken()
		if err != nil {
			return p.jsonError(err)
		}
		p.addNextKey(t.String())
		return nil
	case isString && name == "contract_address":
		t, err := p.tokens.ReadToken()
		p.contract = t.String()
		return p.jsonError(err)
	}
	return p.jsonError(p.tokens.SkipValue())
}

// readRecords reads a list of records, the value of a member with a name. A chain prints
// null for an empty list. A genesis has the lists of several contracts: readRecords skips
// those that [Pages.Contract] does not name, and fails at the second one if it names none.
func (p *jsonPage) readRecords(name string, kind jsontext.Kind) error {
	switch kind {
	case jsontext.KindNull:
		p.hasRecords = true
		return p.jsonError(p.tokens.SkipValue())
	case jsontext.KindBeginArray:
	case jsontext.KindInvalid: // readEach returns the error
	default:
		return p.fail("%s: expected an array of records, got %s", name, wire.KindName(kind))
	}

	// This is a list in an exported genesis, which can hold several contracts.
	if name == "contract_state" {
		wanted := p.pages.Contract
		isOther := wanted != "" && p.contract != wanted
		if isOther {
			p.hasOtherContract = true
			return p.jsonError(p.tokens.SkipValue())
		}
		if err := p.noteContract(); err != nil {
			return err
		}
	}

	p.beginRecords()
	err := p.readEach(func(string) error {
		p.recordNumber++
		return p.readRecord()
	})
	if err == nil {
		p.recordNumber = 0
	}
	return err
}

// noteContract remembers which contract's records are being read from a genesis, which can
// hold many contracts. It fails if records of another contract were read before.
func (p *jsonPage) noteContract() error {
	found := p.pages.foundContract
	isSecond := found != nil && *found != p.contract
	if isSecond {
		return p.fail("it holds the state of several contracts, %s and %s, expected one of them in --contract", *found, p.contract)
	}
	p.pages.foundContract = new(p.contract)
	return nil
}

// readRecord reads a record such as {"key":"6E616D65","value":"Ym9i"} and yields it. It
// skips other members.
func (p *jsonPage) readRecord() error {
	var record struct {
		Key   *string `json:"key"`
		Value *string `json:"value"`
	}
	err := json.UnmarshalDecode(p.tokens, &record)
	if typeError, ok := errors.AsType[*json.SemanticError](err); ok {
		return p.typeError(typeError.JSONPointer.LastToken(), typeError.JSONKind)
	}
	if err != nil {
		return p.jsonError(err)
	}
	return p.yieldRecord(record.Key, record.Value)
}

// typeError returns the error for a value of the wrong kind in a record. name is the name of
// the member that has this value. Any other name means the record itself.
func (p *jsonPage) typeError(name string, got jsontext.Kind) error {
	expected := `expected {"key":HEX,"value":BASE64}`
	switch name {
	case "key":
		expected = "key: expected hex in a string"
	case "value":
		expected = "value: expected base64 in a string"
	}
	return p.fail("%s, got %s", expected, wire.KindName(got))
}

// readNote reads the note of [Write], for [Pages.Note]. It fails if the note comes after
// records, because the caller must have the note before the first record.
func (p *jsonPage) readNote() error {
	if p.hasRecords {
		return p.fail("%s: expected it before the records", noteName)
	}
	note, err := p.tokens.ReadValue()
	p.pages.note = note.Clone()
	return p.jsonError(err)
}

// readEach reads an object or an array. For each value in it, it calls read, which must
// read this value. name is the name of the member in an object, and "" in an array.
func (p *jsonPage) readEach(read func(name string) error) error {
	isObject := p.tokens.PeekKind() == jsontext.KindBeginObject
	if _, err := p.tokens.ReadToken(); err != nil {
		return p.jsonError(err)
	}
	for {
		kind := p.tokens.PeekKind()

		// The end of the object or array ends the loop.
		isEnd := kind == jsontext.KindEndObject || kind == jsontext.KindEndArray
		if isEnd {
			_, err := p.tokens.ReadToken()
			return p.jsonError(err)
		}
		name := ""
		if isObject {
			t, err := p.tokens.ReadToken()
			if err != nil {
				return p.jsonError(err)
			}
			name = t.String()
		}
		if err := read(name); err != nil {
			return err
		}
	}
}

// jsonError returns the error for JSON that could not be read, or nil if err is nil. If
// the JSON is broken or cut short, or a value in it is too long, the error is an [*Error]
// about the page. If the page's reader failed, it is the reader's error.
func (p *jsonPage) jsonError(err error) error {
	switch {
	case err == nil:
		return nil
	case p.source.readErr != nil:
		return p.readError(p.source.readErr)
	case errors.Is(err, errTooLong):
		return p.fail("a value is longer than %d MiB, expected records of a chain", maxValueBytes>>20)
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return p.fail("it ends too early, after %d bytes, expected the rest of the JSON", p.source.bytesRead)
	case errors.As(err, new(*jsontext.SyntacticError)):
		return p.fail("%s", wire.Problem(err))
	}
	return fmt.Errorf("%s: %w", p.name, err)
}

// boundedReader passes the bytes of r on to a JSON decoder, which keeps the bytes of the
// value that it is reading in memory. It fails with errTooLong when the decoder has more
// than maxValueBytes in memory.
type boundedReader struct {
	r         io.Reader
	tokens    *jsontext.Decoder // the decoder that reads from it
	bytesRead int64
	readErr   error // the error of r, except for its end; nil so far
}

// Read reads from r, and keeps an error of r in readErr: the decoder would wrap it as an
// error of its own.
func (b *boundedReader) Read(into []byte) (int, error) {
	bytesInMemory := b.bytesRead - b.tokens.InputOffset()
	if bytesInMemory > maxValueBytes {
		return 0, errTooLong
	}
	n, err := b.r.Read(into)
	b.bytesRead += int64(n)
	isEnd := err == io.EOF || err == io.ErrUnexpectedEOF
	if err != nil && !isEnd {
		b.readErr = err
	}
	return n, err
}
