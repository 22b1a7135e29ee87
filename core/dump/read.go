package dump

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/kv"
)

// Pages is a dump in one or more pages, as it is being read.
type Pages struct {
	readers []io.Reader
	firsts  map[string]bool // the first key of every page
	nexts   []string        // where pages say that the next one begins
}

// Error says where a dump is not one, and what was expected there.
type Error struct {
	// Page is the name of the page, for people.
	Page string
	// Record counts the page's records from 1; 0 outside of them.
	Record int
	Text   string
}

func (e *Error) Error() string {
	if e.Record > 0 {
		return fmt.Sprintf("%s: record %d: %s", e.Page, e.Record, e.Text)
	}
	return e.Page + ": " + e.Text
}

// Read takes the pages of a dump, one reader a page. Errors call a page by the
// Name of its reader, as a file has it, or else by its number. Nothing is read
// before [Pages.Records] is walked.
func Read(pages ...io.Reader) *Pages { return &Pages{readers: pages} }

// Records walks the records of all pages, once. Members that are not known are
// passed over, so that "pagination", or an answer around the page, does no
// harm. It ends with an [*Error] where a page is not a dump, and with the
// reader's own error where that fails.
func (p *Pages) Records() iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		p.firsts, p.nexts = map[string]bool{}, nil
		for i, r := range p.readers {
			page := &page{name: p.name(i), all: p, yield: yield}
			page.open(r)
			if err := page.read(); err != nil {
				if err != errStopped {
					yield(kv.Pair{}, err)
				}
				return
			}
		}
	}
}

// Missing tells, after the walk, that a page names a next one that was not among
// the pages: the last of them, or one between two others.
func (p *Pages) Missing() bool {
	return slices.ContainsFunc(p.nexts, func(next string) bool { return !p.firsts[next] })
}

func (p *Pages) name(i int) string {
	if named, ok := p.readers[i].(interface{ Name() string }); ok {
		return named.Name()
	}
	if len(p.readers) == 1 {
		return "the dump"
	}
	return fmt.Sprintf("page %d", i+1)
}

// errStopped tells that nobody wants more records.
var errStopped = errors.New("stopped")

// page is one page being read.
type page struct {
	name   string
	all    *Pages
	yield  func(kv.Pair, error) bool
	tokens *jsontext.Decoder
	source *bounded
	found  bool // the page has records, or an empty list of them
	record int
	last   []byte // the key before
}

func (p *page) open(r io.Reader) {
	p.source = &bounded{r: r}
	p.tokens = jsontext.NewDecoder(p.source)
	p.source.tokens = p.tokens
}

func (p *page) read() error {
	for n := 0; ; n++ {
		if p.tokens.PeekKind() == jsontext.KindInvalid {
			_, err := p.tokens.ReadToken()
			switch {
			case err == io.EOF && p.found:
				return nil
			case err == io.EOF && n == 0:
				return p.fail("it is empty, expected {\"models\":[…]}")
			case err == io.EOF:
				return p.fail("it has no \"models\", expected {\"models\":[{\"key\":HEX,\"value\":BASE64},…]}")
			}
			return p.broken(err)
		}
		if err := p.search(""); err != nil {
			return err
		}
	}
}

// search looks for records in a value of any shape, which is called name.
func (p *page) search(name string) error {
	switch p.tokens.PeekKind() {
	case jsontext.KindBeginObject:
		return p.object(p.search)
	case jsontext.KindBeginArray:
		if name == "models" {
			return p.models()
		}
		return p.array(func() error { return p.search("") })
	case jsontext.KindString:
		if name == "next_key" {
			return p.nextKey()
		}
	}
	if name == "models" && p.tokens.PeekKind() != jsontext.KindNull {
		return p.fail("models: expected an array of records, got %s", kindName(p.tokens.PeekKind()))
	}
	p.found = p.found || name == "models"
	return p.broken(p.tokens.SkipValue())
}

func (p *page) models() error {
	p.found, p.record, p.last = true, 0, nil
	err := p.array(func() error {
		p.record++
		return p.model()
	})
	p.record = 0
	return err
}

func (p *page) model() error {
	if k := p.tokens.PeekKind(); k != jsontext.KindBeginObject && k != jsontext.KindInvalid {
		return p.fail("expected {\"key\":HEX,\"value\":BASE64}, got %s", kindName(k))
	}
	var pair kv.Pair
	err := p.object(func(name string) (err error) {
		switch name {
		case "key":
			pair.Key, err = p.bytes("key: expected hex", hex.DecodeString)
		case "value":
			pair.Value, err = p.bytes("value: expected base64", base64.StdEncoding.DecodeString)
		default:
			err = p.broken(p.tokens.SkipValue())
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case len(pair.Key) == 0:
		return p.fail("it has no key, expected \"key\":HEX")
	case pair.Value == nil:
		return p.fail("it has no value, expected \"value\":BASE64")
	case bytes.Equal(pair.Key, p.last):
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

func (p *page) nextKey() error {
	t, err := p.tokens.ReadToken()
	if err != nil {
		return p.broken(err)
	}
	next, err := base64.StdEncoding.DecodeString(t.String())
	if err != nil {
		next = []byte(t.String()) // it names something, and that is what counts
	}
	if len(next) > 0 {
		p.all.nexts = append(p.all.nexts, string(next))
	}
	return nil
}

func (p *page) bytes(expected string, decode func(string) ([]byte, error)) ([]byte, error) {
	if k := p.tokens.PeekKind(); k != jsontext.KindString && k != jsontext.KindInvalid {
		return nil, p.fail("%s in a string, got %s", expected, kindName(k))
	}
	t, err := p.tokens.ReadToken()
	if err != nil {
		return nil, p.broken(err)
	}
	b, err := decode(t.String())
	if err != nil {
		return nil, p.fail("%s, got %s", expected, short(t.String()))
	}
	return b, nil
}
