package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Codec turns the values of a record into bytes and back.
type Codec[T any] struct {
	Encode func(T) []byte
	Decode func([]byte) (T, error)
}

// Key turns the keys of a [Map] into bytes and back. Encode appends; Decode is
// given the bytes behind the map's namespace.
type Key[K any] struct {
	Encode func(dst []byte, k K) []byte
	Decode func([]byte) (K, error)
}

// CorruptError says that a record cannot be read as what it should be.
type CorruptError struct {
	Key []byte
	Err error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("the record under key %q cannot be read: %v", e.Key, e.Err)
}

func (e *CorruptError) Unwrap() error { return e.Err }

// IsCorrupt tells a record that cannot be read from trouble with the store.
func IsCorrupt(err error) bool { return errors.As(err, new(*CorruptError)) }

// TextKey is a key that is a string's raw bytes: the last part of a key, whose
// end is the key's end.
func TextKey[K ~string]() Key[K] {
	return Key[K]{
		Encode: func(dst []byte, k K) []byte { return append(dst, k...) },
		Decode: func(b []byte) (K, error) { return K(b), nil },
	}
}

// TextPair is a key of two strings: the first is preceded by its length, so that
// every key with the same first part stands together.
type TextPair[A, B ~string] struct {
	First  A
	Second B
}

// TwoTextsKey is the [Key] of a [TextPair].
func TwoTextsKey[A, B ~string]() Key[TextPair[A, B]] {
	return Key[TextPair[A, B]]{
		Encode: func(dst []byte, k TextPair[A, B]) []byte {
			return append(AppendPart(dst, k.First), k.Second...)
		},
		Decode: func(b []byte) (TextPair[A, B], error) {
			first, rest, err := CutPart(b)
			return TextPair[A, B]{A(first), B(rest)}, err
		},
	}
}

// AppendPart appends a part of a key that is not the last: two big-endian
// bytes of length, then the part.
func AppendPart[S ~string | ~[]byte](dst []byte, part S) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(part)))
	return append(dst, part...)
}

var errCutKey = errors.New("the key is cut short")

// CutPart takes the first part off a key.
func CutPart(b []byte) (part, rest []byte, err error) {
	if len(b) < 2 {
		return nil, nil, errCutKey
	}
	n := int(binary.BigEndian.Uint16(b))
	if len(b) < 2+n {
		return nil, nil, errCutKey
	}
	return b[2 : 2+n], b[2+n:], nil
}
