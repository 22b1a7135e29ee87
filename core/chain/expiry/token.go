package expiry

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

// maxTokenSize is how many bytes of a token's id a key has: ids may have any length, and
// keys may not.
const maxTokenSize = 256

// shorten returns a short id as it is, so that keys sort as ids do. The end of a long id
// is replaced with a hash of the id, so that different ids stay different. The result is
// longer than any short id, so it is never the same as one; long ids that begin alike
// are not sorted.
func shorten(id string) string {
	if len(id) <= maxTokenSize {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return id[:maxTokenSize+1-len(sum)] + string(sum[:])
}

// In the index by token, an id ends with two bytes that sort before anything that can
// follow in a longer id, so that "a" comes before "ab". A zero byte within an id is
// replaced with another two bytes, so that no id contains the end.
const (
	endOfToken  = "\x00\x01"
	escapedZero = "\x00\xff"
)

// appendToken appends the id of a token and its end.
func appendToken(dst []byte, id string) []byte {
	return append(appendTokenStart(dst, id), endOfToken...)
}

// appendTokenStart appends the id of a token without its end.
func appendTokenStart(dst []byte, id string) []byte {
	escaped := strings.ReplaceAll(shorten(id), "\x00", escapedZero)
	return append(dst, escaped...)
}

// cutToken returns what comes after an id; it fails with errShape if no id ends.
func cutToken(key []byte) (parts []byte, err error) {
	_, parts, hasEnd := bytes.Cut(key, []byte(endOfToken))
	if !hasEnd {
		return nil, errShape
	}
	return parts, nil
}
