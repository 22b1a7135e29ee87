package kv

import (
	"iter"
	"slices"
)

// PrefixRange returns the range of the keys that begin with prefix.
func PrefixRange(prefix []byte) Range { return Range{Start: prefix, End: PrefixEnd(prefix)} }

// PrefixEnd returns the first key after all keys that begin with prefix: "tokeo" for "token".
// For an empty prefix, and for one of 0xff bytes alone, it returns nil, which means the end of
// the store.
func PrefixEnd(prefix []byte) []byte {
	// Increase the last byte that can be increased, and drop those after it.
	for i, lastByte := range slices.Backward(prefix) {
		if lastByte < 0xff {
			end := slices.Clone(prefix[:i])
			return append(end, lastByte+1)
		}
	}
	return nil
}

// PrefixedReader returns a reader of the records whose keys begin with prefix, under their keys
// without it. The prefix must not be changed afterwards.
func PrefixedReader(reader Reader, prefix []byte) Reader {
	return prefixedReader{reader, prefix}
}

// PrefixedWriter returns a writer that puts prefix before every key, in a copy. The prefix must
// not be changed afterwards.
func PrefixedWriter(writer Writer, prefix []byte) Writer {
	return prefixedWriter{writer, prefix}
}

// PrefixedTxn is [PrefixedReader] and [PrefixedWriter] in one. The limit [MaxKey] includes the
// prefix.
func PrefixedTxn(txn Txn, prefix []byte) Txn {
	type prefixedTxn struct {
		prefixedReader
		prefixedWriter
	}
	return prefixedTxn{prefixedReader{txn, prefix}, prefixedWriter{txn, prefix}}
}

type prefixedReader struct {
	base   Reader
	prefix []byte
}

func (r prefixedReader) Get(key []byte) ([]byte, bool, error) {
	return r.base.Get(concat(r.prefix, key))
}

func (r prefixedReader) Scan(keyRange Range) iter.Seq2[Pair, error] {
	keyRange.Start = concat(r.prefix, keyRange.Start)
	if keyRange.End == nil {
		keyRange.End = PrefixEnd(r.prefix)
	} else {
		keyRange.End = concat(r.prefix, keyRange.End)
	}

	return Convert(r.base.Scan(keyRange), func(pair Pair) (Pair, error) {
		pair.Key = pair.Key[len(r.prefix):]
		return pair, nil
	})
}

type prefixedWriter struct {
	base   Writer
	prefix []byte
}

func (w prefixedWriter) Set(key, value []byte) error {
	return w.base.Set(concat(w.prefix, key), value)
}

func (w prefixedWriter) Delete(key []byte) error { return w.base.Delete(concat(w.prefix, key)) }

// concat returns prefix and key in a new slice, which is never nil.
func concat(prefix, key []byte) []byte {
	joinedKey := make([]byte, len(prefix)+len(key))
	copy(joinedKey[copy(joinedKey, prefix):], key)
	return joinedKey
}
