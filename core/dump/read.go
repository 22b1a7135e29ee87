package dump

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"ephemera/core/kv"
)

// Pages is a dump in one or more pages, as it is being read.
type Pages struct {
	// Contract is the address of the contract whose records are wanted, where a
	// genesis holds several; empty takes the only one.
	Contract string
	// Partial takes what there is where a page names a next one that is not among
	// the pages; else the walk ends with an error then.
	Partial bool

	readers []io.Reader
	firsts  map[string]bool // the first key of every page
	nexts   []string        // where pages say that the next one begins
	note    []byte
	taken   *string // the contract whose records came from a genesis
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

// Read takes the pages of a dump, one reader a page, in any order. Errors call a
// page by the Name of its reader, as a file has it, or else by its number.
// Nothing is read before [Pages.Records] is walked.
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
			if err := page.read(r); err != nil {
				if err != errStopped {
					yield(kv.Pair{}, err)
				}
				return
			}
		}
		if p.HasMissingPage() && !p.Partial {
			yield(kv.Pair{}, &Error{Page: "the dump", Text: "a next_key says that more pages follow, expected them too"})
		}
	}
}

// HasMissingPage tells, after the walk, that a page names a next one that was not among
// the pages: the last of them, or one between two others.
func (p *Pages) HasMissingPage() bool {
	return slices.ContainsFunc(p.nexts, func(next string) bool { return !p.firsts[next] })
}

// Note gives what [Write] was told to note, nil where there is nothing. It is
// there as soon as the first record is.
func (p *Pages) Note() []byte { return p.note }

func (p *Pages) name(i int) string {
	if named, ok := p.readers[i].(interface{ Name() string }); ok {
		return named.Name()
	}
	if len(p.readers) == 1 {
		return "the dump"
	}
	return fmt.Sprintf("page %d", i+1)
}

// Peek reads records until enough is content with one's value, and gives the
// walk over all of them from its beginning. Nothing is read twice, as stdin
// cannot be. stop ends the walk; it must be called unless Peek fails.
func (p *Pages) Peek(enough func(value []byte) bool) (records iter.Seq2[kv.Pair, error], stop func(), err error) {
	next, stop := iter.Pull2(p.Records())
	var held []kv.Pair
	for {
		record, err, ok := next()
		if err != nil {
			stop()
			return nil, nil, err
		}
		if !ok {
			break
		}
		held = append(held, kv.Pair{Key: bytes.Clone(record.Key), Value: bytes.Clone(record.Value)})
		if enough(record.Value) {
			break
		}
	}
	return func(yield func(kv.Pair, error) bool) {
		for _, record := range held {
			if !yield(record, nil) {
				return
			}
		}
		for {
			if record, err, ok := next(); !ok || !yield(record, err) {
				return
			}
		}
	}, stop, nil
}
