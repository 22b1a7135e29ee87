package kv

import (
	"bytes"
	"iter"
)

// Item is a record of which a store has one, such as the version of the contract. Its key
// is fixed, and its value has type T. The layout is that of cw-storage-plus, the Rust
// library with which CosmWasm contracts store their data.
type Item[T any] struct {
	key   []byte
	codec Codec[T]
}

// NewItem returns the item whose key is the bytes of key, such as "contract_info", and
// whose value codec encodes.
func NewItem[T any](key string, codec Codec[T]) Item[T] {
	return Item[T]{key: []byte(key), codec: codec}
}

// Key returns the item's key in a store. It must not be changed.
func (i Item[T]) Key() []byte { return i.key }

// Decode converts the stored bytes of the item to its value.
func (i Item[T]) Decode(value []byte) (T, error) { return i.codec.Decode(value) }

// Load reads the item; ok is false if the store does not have it. It fails with a
// [*CorruptError] if the record cannot be decoded.
func (i Item[T]) Load(r Reader) (value T, ok bool, err error) {
	return load(r, i.key, i.codec)
}

// Save writes the item.
func (i Item[T]) Save(w Writer, value T) error { return w.Set(i.key, i.codec.Encode(value)) }

// Remove deletes the item. If the store does not have it, Remove does nothing.
func (i Item[T]) Remove(w Writer) error { return w.Delete(i.key) }

// load reads and decodes the record with a key; ok is false if there is none. It fails
// with a [*CorruptError] if the record cannot be decoded.
func load[T any](r Reader, key []byte, codec Codec[T]) (value T, ok bool, err error) {
	raw, ok, err := r.Get(key)
	if err != nil || !ok {
		return value, false, err
	}
	value, err = codec.Decode(raw)
	return value, err == nil, wrapCorrupt(key, err)
}

// Map is a set of records of one kind in a store, such as all tokens: values of type V
// under keys of type K, ordered by the bytes of the keys. All their keys begin with the
// map's namespace. The layout is that of cw-storage-plus, the Rust library with which
// CosmWasm contracts store their data.
type Map[K, V any] struct {
	prefix []byte // the namespace with its length in front
	key    Key[K]
	codec  Codec[V]
}

// NewMap returns the map with a namespace. The key of a record in a store is the
// namespace as [AppendPart] writes it, then the bytes from key.Encode. In a map of
// strings (see [TextKey]) with the namespace "tokens", the record "ape-1" has the key
// "\x00\x06tokensape-1". The codec encodes the value of the record.
func NewMap[K, V any](namespace string, key Key[K], codec Codec[V]) Map[K, V] {
	return Map[K, V]{prefix: AppendPart(nil, namespace), key: key, codec: codec}
}

// Key returns the key of a record in the store: the namespace, then k.
func (m Map[K, V]) Key(k K) []byte {
	key := make([]byte, 0, len(m.prefix)+64) // most keys need no larger buffer
	return m.key.Encode(append(key, m.prefix...), k)
}

// DecodeKey returns the key of a record in the map from its key in the store. ok is false
// if the record belongs to another map, or if the key cannot be decoded, which is an
// error.
func (m Map[K, V]) DecodeKey(key []byte) (k K, ok bool, err error) {
	encoded, ok := bytes.CutPrefix(key, m.prefix)
	if !ok {
		return k, false, nil
	}
	k, err = m.key.Decode(encoded)
	return k, err == nil, err
}

// Decode converts the stored bytes of a record to its value.
func (m Map[K, V]) Decode(value []byte) (V, error) { return m.codec.Decode(value) }

// Load reads the record under k; ok is false if there is none. It fails with a
// [*CorruptError] if the record cannot be decoded.
func (m Map[K, V]) Load(r Reader, k K) (value V, ok bool, err error) {
	return load(r, m.Key(k), m.codec)
}

// Has reports whether there is a record under k, without decoding it.
func (m Map[K, V]) Has(r Reader, k K) (bool, error) {
	_, ok, err := r.Get(m.Key(k))
	return ok, err
}

// Save writes the record under k.
func (m Map[K, V]) Save(w Writer, k K, value V) error { return w.Set(m.Key(k), m.codec.Encode(value)) }

// Remove deletes the record under k. If there is none, Remove does nothing.
func (m Map[K, V]) Remove(w Writer, k K) error { return w.Delete(m.Key(k)) }

// Record is one record of a map.
type Record[K, V any] struct {
	Key   K
	Value V
}

// wrapCorrupt returns err, which came from decoding the record with a key, as a
// [*CorruptError]. It returns nil if err is nil.
func wrapCorrupt(key []byte, err error) error {
	if err == nil {
		return nil
	}
	return &CorruptError{Key: bytes.Clone(key), Err: err}
}

// keyRange returns the range of store keys that w selects from the records of the map
// whose keys begin with the bytes within. nil selects from all records of the map.
func (m Map[K, V]) keyRange(within []byte, w Walk) Range {
	prefix := concat(m.prefix, within)
	return w.RangeUnder(PrefixRange(prefix), prefix)
}

// All yields the records of the map whose keys begin with the bytes within, as far as w
// selects them. nil stands for all records; in a map of pairs, within is the encoded
// first string (see [AppendPart]), so All yields the pairs with this string. If reading
// fails, All yields the error last and ends: a [*CorruptError] for a record that cannot
// be decoded.
func (m Map[K, V]) All(r Reader, within []byte, w Walk) iter.Seq2[Record[K, V], error] {
	return Convert(r.Scan(m.keyRange(within, w)), m.decodeRecord)
}

// decodeRecord decodes a record of the map from its key and its value in the store. It fails
// with a [*CorruptError] if one of them cannot be decoded.
func (m Map[K, V]) decodeRecord(p Pair) (record Record[K, V], err error) {
	record.Key, err = m.key.Decode(p.Key[len(m.prefix):])
	if err != nil {
		return record, wrapCorrupt(p.Key, err)
	}
	record.Value, err = m.codec.Decode(p.Value)
	return record, wrapCorrupt(p.Key, err)
}

// Keys yields the keys of the records in a part of the map: those whose keys begin with
// within, in the order and from the place of the walk. It is [Map.All] without the values,
// and several times faster on disk.
func (m Map[K, V]) Keys(r Reader, within []byte, w Walk) iter.Seq2[K, error] {
	selected := m.keyRange(within, w)
	selected.KeysOnly = true
	return Convert(r.Scan(selected), func(p Pair) (K, error) {
		k, err := m.key.Decode(p.Key[len(m.prefix):])
		return k, wrapCorrupt(p.Key, err)
	})
}

// Walk selects the part of an ordered list from a place on, as for one page of it. The
// zero Walk selects the whole list.
type Walk struct {
	// Place is the key at which the part begins, such as the id of the last token on the
	// page before. The list need not contain it. nil is the start of the list, or its end
	// if Reverse is true.
	Place     *string
	Inclusive bool // the part includes the record at Place itself
	Reverse   bool // the part goes from Place towards the start of the list
}

// RangeUnder returns the part of r that the walk selects. The keys of r begin with prefix,
// which Place does not contain. If Place is outside of r, the part is the whole range, or
// has no keys.
//
// The first key after "ape-1" is "ape-1\x00". A range includes its Start and excludes its
// End, so the bound depends on whether the walk includes the place:
//
//	                    forwards, the Start    backwards, the End
//	with the place      ape-1                  ape-1\x00
//	without the place   ape-1\x00              ape-1
func (w Walk) RangeUnder(r Range, prefix []byte) Range {
	r.Reverse = w.Reverse
	if w.Place == nil {
		return r
	}
	bound := concat(prefix, []byte(*w.Place))

	// In two of the four cases the bound lies just behind the place.
	if w.Reverse == w.Inclusive {
		bound = append(bound, 0)
	}

	// A bound outside of the range changes nothing.
	isBeforeEnd := r.End == nil || bytes.Compare(bound, r.End) < 0
	isAfterStart := bytes.Compare(bound, r.Start) > 0
	switch {
	case w.Reverse && isBeforeEnd:
		r.End = bound
	case !w.Reverse && isAfterStart:
		r.Start = bound
	}
	return r
}
