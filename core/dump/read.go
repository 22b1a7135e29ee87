package dump

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"ephemera/core/kv"
)

// Pages is a dump that is being read. A chain prints the storage of a large contract in pages,
// each with a next_key, which is the key of the first record on the next page.
type Pages struct {
	Contract           string // the contract to read, for a genesis with several; "" for the only one
	AllowsMissingPages bool   // a missing page is no error

	readers         []io.Reader
	firstKeys       map[string]bool // the keys of the first records of the pages read so far
	nextKeys        []string        // the next_keys of the pages read so far
	note            []byte          // the result of [Pages.Note]
	genesisContract *string         // the contract that was read from a genesis; nil if none was
}

// Error reports a page that is not a dump, and what was expected there.
type Error struct {
	Page   string // such as "state.json" or "page 2"
	Record int    // the number of the record at fault, from 1; 0 if no record is
	Text   string // the fault, such as `key: expected hex, got "_"`
}

// Error returns a text such as "state.json: record 3: …".
func (e *Error) Error() string {
	if e.Record > 0 {
		return fmt.Sprintf("%s: record %d: %s", e.Page, e.Record, e.Text)
	}
	return e.Page + ": " + e.Text
}

// Read returns the dump in pages, one reader for each page, in any order, which [Pages.Records]
// reads. Errors name a page by the method Name of its reader, which a file has, or else by its
// number.
func Read(pages ...io.Reader) *Pages { return &Pages{readers: pages} }

// Records yields the records of all pages, once, because it reads the readers to their ends. It
// skips members of the JSON or YAML that it does not know.
//
// An error is the last that it yields: an [*Error] if a page is not a dump, or if one is missing
// and AllowsMissingPages is false, and otherwise the reader's own.
func (p *Pages) Records() iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		err := p.readAll(yield)
		if err != nil && err != errStopped {
			yield(kv.Pair{}, err)
		}
	}
}

// readAll fails with errStopped if yield returns false, and otherwise as [Pages.Records] does.
func (p *Pages) readAll(yield func(kv.Pair, error) bool) error {
	p.firstKeys = map[string]bool{}
	for i, r := range p.readers {
		page := &page{name: p.pageName(i), pages: p, yield: yield}
		if err := page.read(r); err != nil {
			return err
		}
	}
	if p.HasMissingPage() && !p.AllowsMissingPages {
		return &Error{Page: "the dump", Text: "a next_key says that more pages follow, expected them too"}
	}
	return nil
}

// HasMissingPage reports whether a page names a next page that was not read. Call it after
// [Pages.Records] has ended.
func (p *Pages) HasMissingPage() bool {
	return slices.ContainsFunc(p.nextKeys, func(nextKey string) bool { return !p.firstKeys[nextKey] })
}

// Note returns the note that [Write] wrote into the dump, a JSON value; nil if there is
// none. It is known as soon as [Pages.Records] has yielded the first record.
func (p *Pages) Note() []byte { return p.note }

// pageName returns the name of a page for errors: that of its file, "page 1", or "the dump" if it
// has a single page.
func (p *Pages) pageName(i int) string {
	if named, ok := p.readers[i].(interface{ Name() string }); ok {
		return named.Name()
	}
	if len(p.readers) == 1 {
		return "the dump"
	}
	return fmt.Sprintf("page %d", i+1)
}

// Peek passes the values of the first records to isEnough until that returns true, for instance
// because a value contains an address. records yields all records, including these first ones,
// although standard input can be read only once. Unless Peek fails, the caller must call stop
// when it needs no more records.
func (p *Pages) Peek(
	isEnough func(value []byte) bool,
) (records iter.Seq2[kv.Pair, error], stop func(), err error) {
	next, stop := iter.Pull2(p.Records())
	var peeked []kv.Pair // the records read so far
	for {
		record, err, ok := next()
		if err != nil {
			stop()
			return nil, nil, err
		}
		if !ok {
			break
		}

		peeked = append(peeked, kv.Pair{Key: bytes.Clone(record.Key), Value: bytes.Clone(record.Value)})
		if isEnough(record.Value) {
			break
		}
	}

	records = func(yield func(kv.Pair, error) bool) {
		for _, record := range peeked {
			if !yield(record, nil) {
				return
			}
		}
		for {
			record, err, ok := next()
			if !ok || !yield(record, err) {
				return
			}
		}
	}
	return records, stop, nil
}
