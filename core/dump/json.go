package dump

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

// jsonPage is a page in JSON: records in a member "models", or in
// "contract_state" as a genesis has them, at any depth.
type jsonPage struct {
	*page
	tokens   *jsontext.Decoder
	source   *bounded
	contract string // the last contract_address, which stands before its state
}

func readJSON(page *page, r io.Reader) error {
	p := jsonPage{page: page, source: &bounded{r: r}}
	p.tokens = jsontext.NewDecoder(p.source)
	p.source.tokens = p.tokens
	for p.tokens.PeekKind() != jsontext.KindInvalid {
		if err := p.search(""); err != nil {
			return err
		}
	}
	if _, err := p.tokens.ReadToken(); err != io.EOF {
		return p.broken(err)
	}
	return p.whole()
}

// search looks for records in a value of any shape, which is called name.
func (p *jsonPage) search(name string) error {
	kind := p.tokens.PeekKind()
	switch {
	case name == noteName:
		return p.keepNote()
	case name == "models" || name == "contract_state":
		return p.list(name, kind)
	case kind == jsontext.KindBeginObject, kind == jsontext.KindBeginArray:
		return p.each(p.search)
	case kind == jsontext.KindString && (name == "next_key" || name == "nextKey"):
		t, err := p.tokens.ReadToken()
		if err != nil {
			return p.broken(err)
		}
		p.next(t.String())
		return nil
	case kind == jsontext.KindString && name == "contract_address":
		t, err := p.tokens.ReadToken()
		p.contract = t.String()
		return p.broken(err)
	}
	return p.broken(p.tokens.SkipValue())
}

// list reads a list of records. Of a genesis, which has one for each contract,
// it takes the one that is asked for.
func (p *jsonPage) list(name string, kind jsontext.Kind) error {
	switch kind {
	case jsontext.KindNull:
		p.found = true
		return p.broken(p.tokens.SkipValue())
	case jsontext.KindBeginArray, jsontext.KindInvalid:
	default:
		return p.fail("%s: expected an array of records, got %s", name, wire.KindName(kind))
	}
	if name == "contract_state" {
		switch all := p.all; {
		case all.Contract != "" && p.contract != all.Contract:
			p.passed = true
			return p.broken(p.tokens.SkipValue())
		case all.taken != nil && *all.taken != p.contract:
			return p.fail("it holds the state of several contracts, %s and %s, expected one of them in --contract", *all.taken, p.contract)
		default:
			all.taken = new(p.contract)
		}
	}
	p.begin()
	err := p.each(func(string) error {
		p.record++
		return p.model()
	})
	if err == nil {
		p.record = 0
	}
	return err
}

func (p *jsonPage) model() error {
	if k := p.tokens.PeekKind(); k != jsontext.KindBeginObject && k != jsontext.KindInvalid {
		return p.fail(`expected {"key":HEX,"value":BASE64}, got %s`, wire.KindName(k))
	}
	var key, value *string
	err := p.each(func(name string) (err error) {
		switch name {
		case "key":
			key, err = p.text("key: expected hex")
		case "value":
			value, err = p.text("value: expected base64")
		default:
			err = p.broken(p.tokens.SkipValue())
		}
		return err
	})
	if err != nil {
		return err
	}
	return p.add(key, value)
}

func (p *jsonPage) text(expected string) (*string, error) {
	if k := p.tokens.PeekKind(); k != jsontext.KindString && k != jsontext.KindInvalid {
		return nil, p.fail("%s in a string, got %s", expected, wire.KindName(k))
	}
	t, err := p.tokens.ReadToken()
	if err != nil {
		return nil, p.broken(err)
	}
	text := t.String()
	return &text, nil
}

func (p *jsonPage) keepNote() error {
	if p.found {
		return p.fail("%s: it stands behind the records, expected it before them", noteName)
	}
	note, err := p.tokens.ReadValue()
	p.all.note = note.Clone()
	return p.broken(err)
}

// each reads an object or an array; value reads one of its values, with its name
// in an object.
func (p *jsonPage) each(value func(name string) error) error {
	object := p.tokens.PeekKind() == jsontext.KindBeginObject
	if _, err := p.tokens.ReadToken(); err != nil {
		return p.broken(err)
	}
	for k := p.tokens.PeekKind(); k != jsontext.KindEndObject && k != jsontext.KindEndArray; k = p.tokens.PeekKind() {
		name := ""
		if object {
			t, err := p.tokens.ReadToken()
			if err != nil {
				return p.broken(err)
			}
			name = t.String()
		}
		if err := value(name); err != nil {
			return err
		}
	}
	_, err := p.tokens.ReadToken()
	return p.broken(err)
}

// broken tells broken JSON from a reader that failed.
func (p *jsonPage) broken(err error) error {
	switch {
	case err == nil:
		return nil
	case p.source.failed != nil:
		return p.unpacking(p.source.failed)
	case errors.Is(err, errTooLong):
		return p.fail("a value is longer than %d MiB, expected records of a chain", longest>>20)
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return p.fail("it ends too early, after %d bytes, expected the rest of the JSON", p.source.read)
	case errors.As(err, new(*jsontext.SyntacticError)):
		return p.fail("%s", wire.Problem(err))
	}
	return fmt.Errorf("%s: %w", p.name, err)
}

// bounded reads only so far ahead of what was understood: what holds one
// endless value must not fill the memory.
type bounded struct {
	r      io.Reader
	tokens *jsontext.Decoder
	read   int64
	failed error // what the reader itself said
}

func (b *bounded) Read(into []byte) (int, error) {
	if b.read-b.tokens.InputOffset() > longest {
		return 0, errTooLong
	}
	n, err := b.r.Read(into)
	b.read += int64(n)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		b.failed = err
	}
	return n, err
}
