package dump

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/kv"
)

// object reads an object and calls member for each name; member reads the
// value.
func (p *page) object(member func(name string) error) error {
	if _, err := p.tokens.ReadToken(); err != nil {
		return p.broken(err)
	}
	for p.tokens.PeekKind() != jsontext.KindEndObject {
		t, err := p.tokens.ReadToken()
		if err != nil {
			return p.broken(err)
		}
		if err := member(t.String()); err != nil {
			return err
		}
	}
	_, err := p.tokens.ReadToken()
	return p.broken(err)
}

// array reads an array; element reads one of its values.
func (p *page) array(element func() error) error {
	if _, err := p.tokens.ReadToken(); err != nil {
		return p.broken(err)
	}
	for p.tokens.PeekKind() != jsontext.KindEndArray {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := p.tokens.ReadToken()
	return p.broken(err)
}

func (p *page) fail(format string, args ...any) error {
	return &Error{p.name, p.record, fmt.Sprintf(format, args...)}
}

// broken tells broken JSON from a reader that failed.
func (p *page) broken(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case p.source.failed != nil:
		return p.source.failed
	case errors.Is(err, errTooLong):
		return p.fail("a value is longer than %d MiB, expected records of a chain", longest>>20)
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return p.fail("it ends too early, after %d bytes, expected the rest of the JSON", p.source.read)
	case errors.As(err, &syntax):
		return p.fail("it is not JSON at byte %d: %v", syntax.ByteOffset, syntax.Err)
	}
	return fmt.Errorf("%s: %w", p.name, err)
}

// kindName says in words what kind of value stands somewhere.
func kindName(k jsontext.Kind) string {
	switch k {
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "an array"
	case jsontext.KindNull, jsontext.KindTrue, jsontext.KindFalse:
		return k.String()
	}
	return "a " + k.String()
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
// around a value that is passed over.
const longest = 16 * kv.MaxValue

var errTooLong = errors.New("a value is too long")

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
