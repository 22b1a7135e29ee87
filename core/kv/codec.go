package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Codec converts the values of one kind of record, such as tokens, to bytes and back.
type Codec[T any] struct {
	Encode func(T) []byte
	Decode func([]byte) (T, error) // of bytes that Encode, or a contract, has written
}

// Key converts the keys of a [Map], such as the ids of tokens, to bytes and back. The
// store's key of a record is the map's namespace followed by these bytes.
type Key[K any] struct {
	Encode func(dst []byte, k K) []byte // appends the bytes of k to dst
	Decode func([]byte) (K, error)      // of the bytes that Encode has appended
}

// CorruptError reports a record whose key or value cannot be decoded.
type CorruptError struct {
	Key []byte // the whole key of the record
	Err error  // why it cannot be decoded
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("the record under key %q cannot be read: %v", e.Key, e.Err)
}

func (e *CorruptError) Unwrap() error { return e.Err }

// IsCorrupt reports whether err has a [*CorruptError] in its chain. Any other error of a read
// comes from the store itself, such as a failing disk.
func IsCorrupt(err error) bool { return errors.As(err, new(*CorruptError)) }

// TextKey returns the [Key] of a map whose keys are strings, which are stored as they are.
func TextKey[K ~string]() Key[K] {
	return Key[K]{
		Encode: func(dst []byte, k K) []byte { return append(dst, k...) },
		Decode: func(b []byte) (K, error) { return K(b), nil },
	}
}

// TextPair is a key of two strings, such as an owner and a token's id. A store has all pairs
// with the same First next to each other.
type TextPair[A, B ~string] struct {
	First  A
	Second B
}

// TwoTextsKey returns the [Key] of a map whose keys are pairs of strings. The pair ("bob",
// "ape-1") becomes "\x00\x03bobape-1".
func TwoTextsKey[A, B ~string]() Key[TextPair[A, B]] {
	return Key[TextPair[A, B]]{
		Encode: func(dst []byte, k TextPair[A, B]) []byte {
			dst = AppendPart(dst, k.First)
			return append(dst, k.Second...)
		},
		Decode: func(b []byte) (TextPair[A, B], error) {
			first, second, err := CutPart(b)
			return TextPair[A, B]{First: A(first), Second: B(second)}, err
		},
	}
}

// AppendPart appends a part of a key to dst, after its length in two big-endian bytes: "bob"
// becomes "\x00\x03bob". All parts of a key but the last are stored this way.
func AppendPart[S ~string | ~[]byte](dst []byte, part S) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(part)))
	return append(dst, part...)
}

var errShortKey = errors.New("the key is cut short")

// CutPart splits a key after a part that [AppendPart] has written: "\x00\x03bobape-1" into
// "bob" and "ape-1". It fails if the key ends before the part does.
func CutPart(key []byte) (part, remainder []byte, err error) {
	const lengthSize = 2
	if len(key) < lengthSize {
		return nil, nil, errShortKey
	}
	end := lengthSize + int(binary.BigEndian.Uint16(key))
	if len(key) < end {
		return nil, nil, errShortKey
	}
	return key[lengthSize:end], key[end:], nil
}
