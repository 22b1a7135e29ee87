package kv

import (
	"bytes"
	"iter"
)

// Item is one record under a fixed key, stored without a prefix as
// cw-storage-plus does (spec §1.1).
type Item[T any] struct {
	key   []byte
	codec Codec[T]
}

// NewItem names an item. Its key is the bare text of key, without a length, as
// cw-storage-plus has it; its value is what the codec writes.
func NewItem[T any](key string, codec Codec[T]) Item[T] {
	return Item[T]{[]byte(key), codec}
}

// Key gives the record's key. It must not be changed.
func (i Item[T]) Key() []byte { return i.key }

// Decode reads a value of the item.
func (i Item[T]) Decode(value []byte) (T, error) { return i.codec.Decode(value) }

// Load reads the item; ok is false when there is none. It fails with a
// [*CorruptError] when the record does not decode.
func (i Item[T]) Load(r Reader) (value T, ok bool, err error) {
	return load(r, i.key, i.codec)
}

// Save writes the item.
func (i Item[T]) Save(w Writer, value T) error { return w.Set(i.key, i.codec.Encode(value)) }

// Remove deletes the item; there need not be one.
func (i Item[T]) Remove(w Writer) error { return w.Delete(i.key) }

func load[T any](r Reader, key []byte, codec Codec[T]) (value T, ok bool, err error) {
	raw, ok, err := r.Get(key)
	if err != nil || !ok {
		return value, false, err
	}
	value, err = codec.Decode(raw)
	return value, err == nil, corrupt(key, err)
}

// Map is a set of records under one namespace, ordered by the bytes of their
// keys, in the layout of cw-storage-plus (spec §1.1).
type Map[K, V any] struct {
	prefix []byte
	key    Key[K]
	codec  Codec[V]
}

// NewMap names a map. A record's key is the length of the namespace in two bytes
// (big-endian), the namespace, and what key writes: for [TextKey] the raw bytes, for
// [TwoTextsKey] the first part with its length in two bytes in front, then the second.
// Its value is what the codec writes.
func NewMap[K, V any](namespace string, key Key[K], codec Codec[V]) Map[K, V] {
	return Map[K, V]{AppendPart(nil, namespace), key, codec}
}

// Key gives the whole key of a record.
func (m Map[K, V]) Key(k K) []byte {
	return m.key.Encode(append(make([]byte, 0, len(m.prefix)+64), m.prefix...), k)
}

// DecodeKey gives the map's key in a whole key; ok is false when the record is not
// one of this map.
func (m Map[K, V]) DecodeKey(key []byte) (k K, ok bool, err error) {
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

// span gives the records whose keys begin with some bytes, behind the namespace:
// the encoded first part of a composite key, or nil for all.
func (m Map[K, V]) span(within []byte, w Walk) Range {
	prefix := append(append(make([]byte, 0, len(m.prefix)+len(within)), m.prefix...), within...)
	return w.RangeUnder(PrefixRange(prefix), prefix)
}

// All walks the records whose keys begin with within, nil for all; see [AppendPart].
// An error ends the walk; it is a [*CorruptError] for a record that does not decode.
func (m Map[K, V]) All(r Reader, within []byte, w Walk) iter.Seq2[Record[K, V], error] {
	return func(yield func(Record[K, V], error) bool) {
		for p, err := range r.Scan(m.span(within, w)) {
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

// Keys is [Map.All] without reading any value, which is several times faster on
// disk.
func (m Map[K, V]) Keys(r Reader, within []byte, w Walk) iter.Seq2[K, error] {
	return func(yield func(K, error) bool) {
		span := m.span(within, w)
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

// Walk says which part of an ordered list to read: from its start or, in Reverse,
// its end; or from a place, which need not exist, exclusive or inclusive.
type Walk struct {
	Place     *string
	Inclusive bool
	Reverse   bool
}

// RangeUnder gives the walk's part of a range, where prefix stands before the place.
func (w Walk) RangeUnder(r Range, prefix []byte) Range {
	r.Reverse = w.Reverse
	if w.Place == nil {
		return r
	}
	key := append(append(make([]byte, 0, len(prefix)+len(*w.Place)+1), prefix...), *w.Place...)
	if w.Reverse == w.Inclusive { // the first key behind the place
		key = append(key, 0)
	}
	switch {
	case w.Reverse && (r.End == nil || bytes.Compare(key, r.End) < 0):
		r.End = key
	case !w.Reverse && bytes.Compare(key, r.Start) > 0:
		r.Start = key
	}
	if r.End != nil && bytes.Compare(r.Start, r.End) > 0 {
		r.Start = r.End
	}
	return r
}
