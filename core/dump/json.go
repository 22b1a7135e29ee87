package dump

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

// jsonPage is a page in JSON that is being read, token by token. Its records are the value
// of a member "models", or of "contract_state" in the genesis of a chain, at any depth.
type jsonPage struct {
	*page
	tokenizer *jsontext.Decoder // splits the page into tokens
	source    *boundedReader    // what tokenizer reads from
	// lastContract is the last contract_address, which in a genesis comes before the records of
	// the contract.
	lastContract string
}

func readJSON(page *page, r io.Reader) error {
	// The source also knows the decoder that reads from it, to limit what that has in memory.
	source := &boundedReader{input: r}
	source.tokenizer = jsontext.NewDecoder(source)
	p := jsonPage{page: page, source: source, tokenizer: source.tokenizer}
	for p.tokenizer.PeekKind() != jsontext.KindInvalid {
		if err := p.readMember(""); err != nil {
			return err
		}
	}

	// Nothing is left, or it is not JSON.
	if _, err := p.tokenizer.ReadToken(); err != io.EOF {
		return p.jsonError(err)
	}
	return p.checkHasRecords()
}

// readMember reads the value of a member, and yields the records that are nested in it. name is
// "" for an element of an array and for the whole page.
func (p *jsonPage) readMember(name string) error {
	kind := p.tokenizer.PeekKind()
	switch {
	case name == noteName && p.hasRecords: // the caller must have the note before the first record
		return p.fail("%s: expected it before the records", noteName)
	case name == noteName:
		note, err := p.tokenizer.ReadValue()
		p.pages.note = note.Clone()
		return p.jsonError(err)
	case name == "models" || name == "contract_state":
		return p.readRecords(name, kind)
	case kind == jsontext.KindBeginObject, kind == jsontext.KindBeginArray:
		return p.readEachValue(p.readMember)
	}

	// No other value can have records in it. Two texts matter: the key of a next page, and the
	// address of a contract.
	token, err := p.tokenizer.ReadToken()
	if err != nil {
		return p.jsonError(err)
	}
	switch {
	case kind != jsontext.KindString:
	case name == "next_key" || name == "nextKey":
		p.addNextKey(token.String())
	case name == "contract_address":
		p.lastContract = token.String()
	}
	return nil
}

// readRecords reads a list of records, the value of the member name. A chain prints null for an
// empty list.
func (p *jsonPage) readRecords(name string, kind jsontext.Kind) error {
	if kind == jsontext.KindNull {
		p.hasRecords = true
		return p.jsonError(p.tokenizer.SkipValue())
	}

	// Reading an array returns the error of unreadable text, which has no kind.
	if kind != jsontext.KindBeginArray && kind != jsontext.KindInvalid {
		return p.fail("%s: expected an array of records, got %s", name, wire.KindName(kind))
	}
	if name == "contract_state" {
		return p.readContractRecords()
	}
	return p.readRecordList()
}

// readContractRecords reads the list of a contract in a genesis, but skips it if [Pages.Contract]
// names another. If that is "", it fails after the list of another contract.
func (p *jsonPage) readContractRecords() error {
	wantedContract := p.pages.Contract
	if wantedContract != "" && p.lastContract != wantedContract {
		p.hasOtherContract = true
		return p.jsonError(p.tokenizer.SkipValue())
	}

	// Remember the contract for the lists that follow.
	earlierContract := p.pages.genesisContract
	if earlierContract != nil && *earlierContract != p.lastContract {
		return p.fail(
			"it holds the state of several contracts, %s and %s, expected one of them in --contract",
			*earlierContract,
			p.lastContract,
		)
	}
	p.pages.genesisContract = new(p.lastContract)
	return p.readRecordList()
}

func (p *jsonPage) readRecordList() error {
	p.beginRecords()
	if err := p.readEachValue(p.readRecord); err != nil {
		return err
	}
	p.recordNumber = 0 // no record is being read any more
	return nil
}

// readRecord reads the next record, such as {"key":"6E616D65","value":"Ym9i"}, and yields
// it. It skips other members.
func (p *jsonPage) readRecord(string) error {
	p.recordNumber++
	var record struct {
		Key   *string `json:"key"`
		Value *string `json:"value"`
	}
	err := json.UnmarshalDecode(p.tokenizer, &record)
	if typeError, ok := errors.AsType[*json.SemanticError](err); ok {
		return p.typeError(typeError.JSONPointer.LastToken(), typeError.JSONKind)
	}
	if err != nil {
		return p.jsonError(err)
	}
	return p.yieldRecord(record.Key, record.Value)
}

// typeError returns the error for a value of the wrong kind: the member "key" or "value", or the
// record itself for any other name.
func (p *jsonPage) typeError(memberName string, gotKind jsontext.Kind) error {
	kindName := wire.KindName(gotKind)
	switch memberName {
	case "key":
		return p.fail("key: expected hex in a string, got %s", kindName)
	case "value":
		return p.fail("value: expected base64 in a string, got %s", kindName)
	}
	return p.fail(`expected {"key":HEX,"value":BASE64}, got %s`, kindName)
}

// readEachValue reads an object or an array. It calls readValue, which must read the value, for
// each in it. name is "" in an array.
func (p *jsonPage) readEachValue(readValue func(name string) error) error {
	isObject := p.tokenizer.PeekKind() == jsontext.KindBeginObject
	if _, err := p.tokenizer.ReadToken(); err != nil {
		return p.jsonError(err)
	}
	for {
		kind := p.tokenizer.PeekKind()

		if kind == jsontext.KindEndObject || kind == jsontext.KindEndArray {
			_, err := p.tokenizer.ReadToken()
			return p.jsonError(err)
		}

		name := ""
		if isObject {
			token, err := p.tokenizer.ReadToken()
			if err != nil {
				return p.jsonError(err)
			}
			name = token.String()
		}
		if err := readValue(name); err != nil {
			return err
		}
	}
}

// jsonError converts an error of the decoder: into an [*Error] if the JSON is broken or cut short,
// or a value is too long, and into the error of the page's reader if that has failed.
func (p *jsonPage) jsonError(err error) error {
	switch {
	case err == nil:
		return nil
	case p.source.readErr != nil:
		return p.readError(p.source.readErr)
	case errors.Is(err, errTooLong):
		return p.fail("a value is longer than %d MiB, expected records of a chain", maxValueBytes>>20)
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return p.fail(
			"it ends too early, after %d bytes, expected the rest of the JSON",
			p.source.bytesRead,
		)
	case errors.As(err, new(*jsontext.SyntacticError)):
		return p.fail("%s", wire.DescribeJSONError(err))
	}
	return fmt.Errorf("%s: %w", p.name, err)
}

// boundedReader fails with errTooLong if the decoder that reads from it, which keeps the value
// that it is reading in memory, holds more than maxValueBytes.
type boundedReader struct {
	input     io.Reader
	tokenizer *jsontext.Decoder // the decoder that reads from this reader
	bytesRead int64             // how many bytes were read from input
	readErr   error             // the error of input, other than its end; nil if there was none
}

// Read keeps an error of the input in readErr, because the decoder hides it in one of its own.
func (b *boundedReader) Read(buffer []byte) (int, error) {
	bytesInMemory := b.bytesRead - b.tokenizer.InputOffset()
	if bytesInMemory > maxValueBytes {
		return 0, errTooLong
	}
	n, err := b.input.Read(buffer)
	b.bytesRead += int64(n)
	switch err {
	case nil, io.EOF, io.ErrUnexpectedEOF:
		return n, err
	}
	b.readErr = err
	return n, err
}
