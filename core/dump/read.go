package dump

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"ephemera/core/kv"
)

// Pages is a dump that is being read. A chain prints a large contract's storage in pages:
// each has some of the records, and a next_key with the key of the first record of the
// next page.
type Pages struct {
	// Contract is the address of the contract to read, for a genesis that holds several.
	// "" reads the only one.
	Contract string
	// Partial permits a dump without some of its pages. If it is false,
	// [Pages.Records] ends with an error if a page is missing.
	Partial bool

	readers       []io.Reader
	firstKeys     map[string]bool // the key of the first record of every page read so far
	nextKeys      []string        // the next_keys of the pages read so far
	note          []byte          // see [Pages.Note]
	foundContract *string         // the contract of a genesis that was read; nil if none was
}

// Error reports a page that is not a dump, and what was expected there.
type Error struct {
	// Page names the page, such as "state.json" or "page 2".
	Page string
	// Record is the number of the record at fault, from 1; 0 if no record is.
	Record int
	// Text is the fault, such as `key: expected hex, got "_"`.
	Text string
}

// Error names the page and the record, if its number is known, and says what is wrong there:
// "state.json: record 3: …".
func (e *Error) Error() string {
	if e.Record > 0 {
		return fmt.Sprintf("%s: record %d: %s", e.Page, e.Record, e.Text)
	}
	return e.Page + ": " + e.Text
}

// Read returns the dump in pages, one reader for each page, in any order. It reads
// nothing itself: [Pages.Records] does. Errors name a page by the method Name of its
// reader, which a file has, or else by its number.
func Read(pages ...io.Reader) *Pages { return &Pages{readers: pages} }

// Records yields the records of all pages. It can be used once, as it reads the readers
// to their ends. It skips members that it does not know. It yields an error last and
// ends: an [*Error] if a page is not a dump, or if one is missing and Partial is false,
// and the reader's own error if reading fails.
func (p *Pages) Records() iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		err := p.readAll(yield)
		if err != nil && err != errStopped {
			yield(kv.Pair{}, err)
		}
	}
}

// readAll reads all pages and passes their records to yield. It fails with errStopped if
// yield returns false, and otherwise as [Pages.Records] does.
func (p *Pages) readAll(yield func(kv.Pair, error) bool) error {
	p.firstKeys = map[string]bool{}
	p.nextKeys = nil
	for i, r := range p.readers {
		page := &page{name: p.pageName(i), pages: p, yield: yield}
		if err := page.read(r); err != nil {
			return err
		}
	}
	if p.HasMissingPage() && !p.Partial {
		return &Error{Page: "the dump", Text: "a next_key says that more pages follow, expected them too"}
	}
	return nil
}

// HasMissingPage reports whether the next_key of a page is the first key of no page that
// was read. The missing page may be the last one, or one between two others. Call it
// after [Pages.Records] has ended.
func (p *Pages) HasMissingPage() bool {
	return slices.ContainsFunc(p.nextKeys, func(key string) bool { return !p.firstKeys[key] })
}

// Note returns the note that [Write] wrote into the dump, a JSON value; nil if there is
// none. It is known as soon as [Pages.Records] has yielded the first record.
func (p *Pages) Note() []byte { return p.note }

// pageName returns the name of the page with the index i, from 0, for errors: the name of
// its file, or "page 1", or "the dump" if it has a single page.
func (p *Pages) pageName(i int) string {
	if named, ok := p.readers[i].(interface{ Name() string }); ok {
		return named.Name()
	}
	if len(p.readers) == 1 {
		return "the dump"
	}
	return fmt.Sprintf("page %d", i+1)
}

// Peek reads records until isEnough returns true for the value of one, for instance
// because it contains an address. It returns all records of the dump, those already read
// included. It reads no record twice, because standard input can be read only once. The
// caller must call stop when it needs no more records, unless Peek fails.
func (p *Pages) Peek(isEnough func(value []byte) bool) (records iter.Seq2[kv.Pair, error], stop func(), err error) {
	next, stop := iter.Pull2(p.Records())
	var peeked []kv.Pair
	for {
		record, err, ok := next()
		if err != nil {
			stop()
			return nil, nil, err
		}
		if !ok {
			break
		}

		// Keep a copy: the reader uses the bytes again.
		peeked = append(peeked, kv.Pair{Key: bytes.Clone(record.Key), Value: bytes.Clone(record.Value)})
		if isEnough(record.Value) {
			break
		}
	}
	return joinRecords(peeked, next), stop, nil
}

// joinRecords yields the first records, and then those that next returns.
func joinRecords(first []kv.Pair, next func() (kv.Pair, error, bool)) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		for _, record := range first {
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
}
