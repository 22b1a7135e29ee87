package kv

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
