package expiry

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

// maxTokenSize is the length in bytes of the longest token id that keys have unchanged. The
// contract does not limit ids as the store limits keys, so longer ids are shortened.
const maxTokenSize = 256

// shortenID returns a short id unchanged, so that keys sort as ids do. It replaces the end of
// a long id by a hash of the id, so that different ids stay different. The result is longer
// than any short id and so differs from all of them. Long ids with the same beginning are in
// no particular order.
func shortenID(id string) string {
	if len(id) <= maxTokenSize {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return id[:maxTokenSize+1-len(sum)] + string(sum[:])
}

// In the index by token, an id is followed by two bytes that sort before anything that can
// follow in a longer id, so that "a" comes before "ab". A zero byte within an id is replaced
// by two other bytes, so that no id contains endOfToken.
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
