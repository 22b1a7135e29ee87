package kv

import (
	"bytes"
	"iter"
)

// Item is a single record with a fixed key, such as the version of the contract.
type Item[T any] struct {
	key   []byte
	codec Codec[T]
}

// NewItem returns the item whose key is the bytes of key, such as "contract_info".
func NewItem[T any](key string, codec Codec[T]) Item[T] {
	return Item[T]{key: []byte(key), codec: codec}
}

// Key returns the item's key in a store. It must not be changed.
func (i Item[T]) Key() []byte { return i.key }

// Decode decodes the value of the record.
func (i Item[T]) Decode(value []byte) (T, error) { return i.codec.Decode(value) }

// Load reads the item; ok is false if there is none. It fails with a [*CorruptError] if it
// cannot be decoded.
func (i Item[T]) Load(reader Reader) (value T, ok bool, err error) {
	return loadRecord(reader, i.key, i.codec)
}

// Save writes the item.
func (i Item[T]) Save(writer Writer, value T) error {
	return writer.Set(i.key, i.codec.Encode(value))
}

// Remove deletes the item, if there is one.
func (i Item[T]) Remove(writer Writer) error { return writer.Delete(i.key) }

func loadRecord[T any](reader Reader, key []byte, codec Codec[T]) (value T, ok bool, err error) {
	encodedValue, ok, err := reader.Get(key)
	if err != nil || !ok {
		return value, false, err
	}
	value, err = codec.Decode(encodedValue)
	return value, err == nil, wrapDecodeError(key, err)
}

// Map is all records of one kind in a store, such as all tokens. Their keys begin with the
// map's namespace.
type Map[K, V any] struct {
	prefix []byte   // the namespace with its length before it
	key    Key[K]   // converts keys
	codec  Codec[V] // converts values
}

// NewMap returns the map with a namespace, which keys have as [AppendPart] writes it: with the
// namespace "tokens" and the [TextKey], the record "ape-1" has the key "\x00\x06tokensape-1".
func NewMap[K, V any](namespace string, key Key[K], codec Codec[V]) Map[K, V] {
	return Map[K, V]{prefix: AppendPart(nil, namespace), key: key, codec: codec}
}

// Key returns the key of a record in the store.
func (m Map[K, V]) Key(mapKey K) []byte {
	key := make([]byte, 0, len(m.prefix)+64) // most keys need no larger buffer
	key = append(key, m.prefix...)
	return m.key.Encode(key, mapKey)
}

// DecodeKey converts the key of a record in the store to its key in the map. ok is false if the
// record does not belong to the map, and after an error: the key cannot be decoded.
func (m Map[K, V]) DecodeKey(key []byte) (mapKey K, ok bool, err error) {
	encoded, ok := bytes.CutPrefix(key, m.prefix)
	if !ok {
		return mapKey, false, nil
	}
	mapKey, err = m.key.Decode(encoded)
	return mapKey, err == nil, err
}

// Decode decodes the value of a record.
func (m Map[K, V]) Decode(value []byte) (V, error) { return m.codec.Decode(value) }

// Load reads the record under a key; ok is false if there is none. It fails with a
// [*CorruptError] if it cannot be decoded.
func (m Map[K, V]) Load(reader Reader, mapKey K) (value V, ok bool, err error) {
	return loadRecord(reader, m.Key(mapKey), m.codec)
}

// Has reports whether there is a record under a key, without decoding it.
func (m Map[K, V]) Has(reader Reader, mapKey K) (bool, error) {
	_, ok, err := reader.Get(m.Key(mapKey))
	return ok, err
}

// Save writes the record under a key.
func (m Map[K, V]) Save(writer Writer, mapKey K, value V) error {
	return writer.Set(m.Key(mapKey), m.codec.Encode(value))
}

// Remove deletes the record under a key, if there is one.
func (m Map[K, V]) Remove(writer Writer, mapKey K) error { return writer.Delete(m.Key(mapKey)) }

// Record is one record of a map.
type Record[K, V any] struct {
	Key   K
	Value V
}

func wrapDecodeError(key []byte, err error) error {
	if err == nil {
		return nil
	}
	return &CorruptError{Key: bytes.Clone(key), Err: err}
}

func (m Map[K, V]) keyRange(keyStart []byte, walk Walk) Range {
	prefix := concat(m.prefix, keyStart)
	return walk.RangeUnder(PrefixRange(prefix), prefix)
}

// All yields the records that walk selects of those whose keys begin with keyStart. In a map of
// pairs, [AppendPart] makes keyStart from a first string.
//
// If reading fails, the error is the last that is yielded. It is a [*CorruptError] if a
// record cannot be decoded.
func (m Map[K, V]) All(reader Reader, keyStart []byte, walk Walk) iter.Seq2[Record[K, V], error] {
	pairs := reader.Scan(m.keyRange(keyStart, walk))
	return Convert(pairs, func(pair Pair) (record Record[K, V], err error) {
		record.Key, err = m.key.Decode(pair.Key[len(m.prefix):])
		if err == nil {
			record.Value, err = m.codec.Decode(pair.Value)
		}
		return record, wrapDecodeError(pair.Key, err)
	})
}

// Keys yields the keys of the records that [Map.All] yields, without reading their values.
func (m Map[K, V]) Keys(reader Reader, keyStart []byte, walk Walk) iter.Seq2[K, error] {
	keyRange := m.keyRange(keyStart, walk)
	keyRange.KeysOnly = true
	return Convert(reader.Scan(keyRange), func(pair Pair) (K, error) {
		mapKey, err := m.key.Decode(pair.Key[len(m.prefix):])
		return mapKey, wrapDecodeError(pair.Key, err)
	})
}

// Walk selects where a pass through an ordered list begins, and its direction, to read a list
// page by page. The zero Walk is the whole list, from its start.
type Walk struct {
	// Place is the key from which the walk goes on, such as the id of the last token on the
	// previous page. The list need not contain it. nil is the beginning of the walk: the start
	// of the list, or its end if Reverse is true.
	Place     *string
	Inclusive bool // the walk includes the record at Place itself
	Reverse   bool // the walk goes towards the start of the list
}

// RangeUnder returns the part of keyRange that the walk selects. All keys of keyRange
// begin with prefix, and Place is a key without this prefix. If Place is outside of
// keyRange, the result is all of keyRange, or has no keys.
//
// The place becomes the Start of the range, which it includes, or the End of a reversed range,
// which it excludes. So two of the four cases need the first key after the place, which for
// "ape-1" is "ape-1\x00":
//
//	                    forwards, the Start    backwards, the End
//	with the place      ape-1                  ape-1\x00
//	without the place   ape-1\x00              ape-1
func (w Walk) RangeUnder(keyRange Range, prefix []byte) Range {
	keyRange.Reverse = w.Reverse
	if w.Place == nil {
		return keyRange
	}

	bound := concat(prefix, []byte(*w.Place))
	if w.Reverse == w.Inclusive {
		bound = append(bound, 0)
	}

	// A bound outside of the range changes nothing.
	switch {
	case !w.Reverse && bytes.Compare(bound, keyRange.Start) > 0:
		keyRange.Start = bound
	case w.Reverse && (keyRange.End == nil || bytes.Compare(bound, keyRange.End) < 0):
		keyRange.End = bound
	}
	return keyRange
}
