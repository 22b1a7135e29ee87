package expiry

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

// maxTokenSize is the length in bytes of the longest token id that is a part of a key as it
// is. Ids may have any length, but keys may not, so a longer id is shortened.
const maxTokenSize = 256

// shortenID returns a short id as it is, so that keys sort as ids do. The end of a long id
// is replaced with a hash of the id, so that different ids stay different. The result is
// longer than any short id, so it is never the same as one; long ids that begin alike
// are not sorted.
func shortenID(id string) string {
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

// appendToken appends the id of a token and the two bytes that mark its end.
func appendToken(dst []byte, id string) []byte {
	return append(appendEscapedToken(dst, id), endOfToken...)
}

// appendEscapedToken appends the id of a token, shortened and escaped, without the bytes
// that mark its end. It is the start of the keys of this id and of longer ids.
func appendEscapedToken(dst []byte, id string) []byte {
	escaped := strings.ReplaceAll(shortenID(id), "\x00", escapedZero)
	return append(dst, escaped...)
}

// afterToken returns the part of a key after the id of a token and the end mark. It fails
// if the key has no end mark.
func afterToken(key []byte) (parts []byte, err error) {
	_, parts, hasEnd := bytes.Cut(key, []byte(endOfToken))
	if !hasEnd {
		return nil, errMalformed
	}
	return parts, nil
}
