package kv

import "iter"

// PrefixRange returns the range of the keys that begin with prefix.
func PrefixRange(prefix []byte) Range { return Range{Start: prefix, End: PrefixEnd(prefix)} }

// PrefixEnd returns the first key after all keys that begin with prefix. It returns nil
// if no key comes after them: for a prefix of 0xff bytes alone, or an empty one.
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

// PrefixedReader shows the records of r whose keys begin with prefix as a
// store of their own, with the prefix stripped. The prefix must not be changed
// afterwards.
func PrefixedReader(r Reader, prefix []byte) Reader {
	// A view of a view is one view with a longer prefix: one step less for
	// every record that passes.
	switch outer := r.(type) {
	case prefixedReader:
		return PrefixedReader(outer.base, join(outer.prefix, prefix))
	case prefixedTxn:
		return PrefixedReader(outer.base, join(outer.prefix, prefix))
	}
	return prefixedReader{base: r, prefix: prefix}
}

// Prefixed shows the records of t whose keys begin with prefix as a store of
// their own, with the prefix stripped. The limit on a key counts the prefix,
// which must not be changed afterwards.
func Prefixed(t Txn, prefix []byte) Txn {
	if outer, ok := t.(prefixedTxn); ok {
		return Prefixed(outer.base, join(outer.prefix, prefix))
	}
	return prefixedTxn{base: t, prefix: prefix}
}

// PrefixedWriter writes records to w with prefix before their keys, which it
// copies. The prefix must not be changed afterwards.
func PrefixedWriter(w Writer, prefix []byte) Writer { return prefixedWriter{base: w, prefix: prefix} }

type prefixedReader struct {
	base   Reader
	prefix []byte
}

func (v prefixedReader) Get(key []byte) ([]byte, bool, error) {
	return v.base.Get(join(v.prefix, key))
}

func (v prefixedReader) Scan(r Range) iter.Seq2[Pair, error] { return scanBelow(v.base, v.prefix, r) }

// scanBelow walks a range of the records behind a prefix.
func scanBelow(base Reader, prefix []byte, r Range) iter.Seq2[Pair, error] {
	r.Start = join(prefix, r.Start)
	if r.End == nil {
		r.End = PrefixEnd(prefix)
	} else {
		r.End = join(prefix, r.End)
	}
	inner := base.Scan(r)
	n := len(prefix)
	return func(yield func(Pair, error) bool) {
		inner(func(p Pair, err error) bool {
			if err == nil {
				p.Key = p.Key[n:]
			}
			return yield(p, err)
		})
	}
}

type prefixedWriter struct {
	base   Writer
	prefix []byte
}

func (v prefixedWriter) Set(key, value []byte) error { return v.base.Set(join(v.prefix, key), value) }

func (v prefixedWriter) Delete(key []byte) error { return v.base.Delete(join(v.prefix, key)) }

type prefixedTxn struct {
	base   Txn
	prefix []byte
}

func (v prefixedTxn) Get(key []byte) ([]byte, bool, error) { return v.base.Get(join(v.prefix, key)) }

func (v prefixedTxn) Scan(r Range) iter.Seq2[Pair, error] { return scanBelow(v.base, v.prefix, r) }

func (v prefixedTxn) Set(key, value []byte) error { return v.base.Set(join(v.prefix, key), value) }

func (v prefixedTxn) Delete(key []byte) error { return v.base.Delete(join(v.prefix, key)) }

// join gives prefix and key as one new slice, which nobody else can change.
func join(prefix, key []byte) []byte {
	both := make([]byte, len(prefix)+len(key))
	copy(both, prefix)
	copy(both[len(prefix):], key)
	return both
}
