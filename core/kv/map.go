package kv

import (
	"bytes"
	"iter"
)

// Map is a set of records under one namespace, ordered by the bytes of their
// keys, in the layout of cw-storage-plus (spec §1.1).
type Map[K, V any] struct {
	prefix []byte
	key    Key[K]
	codec  Codec[V]
}

// NewMap names a map. A record's key is the length of the namespace in two bytes
// (big-endian), the namespace, and what key writes: for [Text] the raw bytes, for
// [Two] the first part with its length in two bytes in front, then the second.
// Its value is what the codec writes.
func NewMap[K, V any](namespace string, key Key[K], codec Codec[V]) Map[K, V] {
	return Map[K, V]{AppendPart(nil, namespace), key, codec}
}

// Key gives the whole key of a record.
func (m Map[K, V]) Key(k K) []byte {
	return m.key.Encode(append(make([]byte, 0, len(m.prefix)+64), m.prefix...), k)
}

// Cut gives the map's key in a whole key; ok is false when the record is not
// one of this map.
func (m Map[K, V]) Cut(key []byte) (k K, ok bool, err error) {
	rest, ok := bytes.CutPrefix(key, m.prefix)
	if !ok {
		return k, false, nil
	}
	k, err = m.key.Decode(rest)
	return k, err == nil, err
}

// Decode reads a value of the map.
func (m Map[K, V]) Decode(value []byte) (V, error) { return m.codec.Decode(value) }

// Load reads the record under k; ok is false when there is none.
func (m Map[K, V]) Load(r Reader, k K) (value V, ok bool, err error) {
	return load(r, m.Key(k), m.codec)
}

// Has tells whether there is a record under k, without decoding it.
func (m Map[K, V]) Has(r Reader, k K) (bool, error) {
	_, ok, err := r.Get(m.Key(k))
	return ok, err
}

// Save writes the record under k.
func (m Map[K, V]) Save(w Writer, k K, value V) error { return w.Set(m.Key(k), m.codec.Encode(value)) }

// Remove deletes the record under k; there need not be one.
func (m Map[K, V]) Remove(w Writer, k K) error { return w.Delete(m.Key(k)) }

// Bounds narrows a walk over a map.
type Bounds struct {
	// Within keeps to the keys that begin with these bytes, behind the
	// namespace: the encoded first part of a composite key.
	Within []byte
	// After is the key, behind Within, past which the walk starts; there need be
	// none of it. nil: at the first key, and in reverse at the last.
	After []byte
	// From is like After, but the walk starts at it; it is used when After is
	// nil.
	From    []byte
	Reverse bool // walk down
}

func (b Bounds) span(prefix []byte) Range {
	whole := append(append(make([]byte, 0, len(prefix)+len(b.Within)+len(b.After)+1), prefix...), b.Within...)
	r := Range{Start: whole, End: PrefixEnd(whole), Reverse: b.Reverse}
	edge := func(key []byte, past bool) []byte {
		k := append(append(make([]byte, 0, len(whole)+len(key)+1), whole...), key...)
		if past {
			k = append(k, 0) // the next key there can be
		}
		return k
	}
	switch {
	case b.After != nil && b.Reverse:
		r.End = edge(b.After, false)
	case b.After != nil:
		r.Start = edge(b.After, true)
	case b.From != nil && b.Reverse:
		r.End = edge(b.From, true)
	case b.From != nil:
		r.Start = edge(b.From, false)
	}
	return r
}

// Record is one record of a map.
type Record[K, V any] struct {
	Key   K
	Value V
}

// corrupt names the record whose key or value did not decode.
func corrupt(key []byte, err error) error {
	if err == nil {
		return nil
	}
	return &CorruptError{Key: bytes.Clone(key), Err: err}
}

// All walks the records within bounds. An error ends the walk; it is a
// [*CorruptError] for a record that does not decode.
func (m Map[K, V]) All(r Reader, b Bounds) iter.Seq2[Record[K, V], error] {
	return func(yield func(Record[K, V], error) bool) {
		for p, err := range r.Scan(b.span(m.prefix)) {
			var rec Record[K, V]
			if err == nil {
				if rec.Key, err = m.key.Decode(p.Key[len(m.prefix):]); err == nil {
					rec.Value, err = m.codec.Decode(p.Value)
				}
				err = corrupt(p.Key, err)
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Keys walks the keys within bounds without reading any value, which is
// several times faster on disk. It fails as [Map.All] does.
func (m Map[K, V]) Keys(r Reader, b Bounds) iter.Seq2[K, error] {
	return func(yield func(K, error) bool) {
		span := b.span(m.prefix)
		span.KeysOnly = true
		for p, err := range r.Scan(span) {
			var k K
			if err == nil {
				k, err = m.key.Decode(p.Key[len(m.prefix):])
				err = corrupt(p.Key, err)
			}
			if !yield(k, err) || err != nil {
				return
			}
		}
	}
}
