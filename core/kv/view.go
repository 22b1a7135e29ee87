package kv

import "iter"

// PrefixRange returns the range of the keys that begin with prefix.
func PrefixRange(prefix []byte) Range { return Range{Start: prefix, End: PrefixEnd(prefix)} }

// PrefixEnd returns the first key after all keys that begin with prefix: "tokeo" for
// "token". It returns nil, the end of a store, if no key comes after them, which is so
// for an empty prefix and for one of 0xff bytes alone.
func PrefixEnd(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return end
		}
	}
	return nil
}

// PrefixedReader returns a reader of the records of r whose keys begin with prefix. Its
// keys are those of r without the prefix. The prefix must not be changed afterwards.
func PrefixedReader(r Reader, prefix []byte) Reader {
	// If r itself is the result of such a call, both prefixes are joined, so that a
	// record passes one view and not two.
	switch outer := r.(type) {
	case prefixedReader:
		return PrefixedReader(outer.base, concat(outer.prefix, prefix))
	case prefixedTxn:
		return PrefixedReader(outer.base, concat(outer.prefix, prefix))
	}
	return prefixedReader{base: r, prefix: prefix}
}

// PrefixedTxn returns a transaction on the records of t whose keys begin with prefix. Its
// keys are those of t without the prefix, which it adds to every key that it writes. The
// limit [MaxKey] includes the prefix. The prefix must not be changed afterwards.
func PrefixedTxn(t Txn, prefix []byte) Txn {
	if outer, ok := t.(prefixedTxn); ok {
		return PrefixedTxn(outer.base, concat(outer.prefix, prefix))
	}
	return prefixedTxn{base: t, prefix: prefix}
}

// PrefixedWriter returns a writer that puts prefix before every key and passes the record
// on to w. It copies the keys. The prefix must not be changed afterwards.
func PrefixedWriter(w Writer, prefix []byte) Writer { return prefixedWriter{base: w, prefix: prefix} }

// prefixedReader is the result of [PrefixedReader].
type prefixedReader struct {
	base   Reader
	prefix []byte
}

func (v prefixedReader) Get(key []byte) ([]byte, bool, error) {
	return v.base.Get(concat(v.prefix, key))
}

func (v prefixedReader) Scan(r Range) iter.Seq2[Pair, error] { return scanBelow(v.base, v.prefix, r) }

// scanBelow yields the records of base whose keys begin with prefix and continue with a
// key in the range r. It removes the prefix from the keys that it yields.
func scanBelow(base Reader, prefix []byte, r Range) iter.Seq2[Pair, error] {
	r.Start = concat(prefix, r.Start)
	if r.End == nil {
		r.End = PrefixEnd(prefix)
	} else {
		r.End = concat(prefix, r.End)
	}
	records := base.Scan(r)
	prefixSize := len(prefix)
	return func(yield func(Pair, error) bool) {
		records(func(p Pair, err error) bool {
			if err == nil {
				p.Key = p.Key[prefixSize:]
			}
			return yield(p, err)
		})
	}
}

// prefixedWriter is the result of [PrefixedWriter].
type prefixedWriter struct {
	base   Writer
	prefix []byte
}

func (v prefixedWriter) Set(key, value []byte) error { return v.base.Set(concat(v.prefix, key), value) }

func (v prefixedWriter) Delete(key []byte) error { return v.base.Delete(concat(v.prefix, key)) }

// prefixedTxn is the result of [PrefixedTxn].
type prefixedTxn struct {
	base   Txn
	prefix []byte
}

func (v prefixedTxn) Get(key []byte) ([]byte, bool, error) { return v.base.Get(concat(v.prefix, key)) }

func (v prefixedTxn) Scan(r Range) iter.Seq2[Pair, error] { return scanBelow(v.base, v.prefix, r) }

func (v prefixedTxn) Set(key, value []byte) error { return v.base.Set(concat(v.prefix, key), value) }

func (v prefixedTxn) Delete(key []byte) error { return v.base.Delete(concat(v.prefix, key)) }

// concat returns prefix and key, one after the other, in a new slice.
func concat(prefix, key []byte) []byte {
	both := make([]byte, len(prefix)+len(key))
	copy(both, prefix)
	copy(both[len(prefix):], key)
	return both
}
