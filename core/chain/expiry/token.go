package expiry

import (
	"bytes"
	"crypto/sha256"
)

// longest is how much of a token's id stands in a key: ids have no length rule
// and keys do.
const longest = 256 // bytes

// shorten cuts a long id and makes it its own again with a hash. It is longer
// than any id that is not cut, so the two cannot be the same. Short ids stay as
// they are, so that keys sort as ids do; long ones that begin alike do not.
func shorten(id string) string {
	if len(id) <= longest {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return id[:longest+1-len(sum)] + string(sum[:])
}

// An id in the middle of a key ends with two bytes that sort before anything
// that can go on, so that an id sorts before the longer ones that begin with
// it; the first of the two is made its own where it stands in an id.
const (
	endOfID = "\x00\x01"
	zeroIn  = "\x00\xff"
)

func appendID(dst []byte, id string) []byte {
	for i := range len(id) {
		if id[i] == 0 {
			dst = append(dst, zeroIn...)
		} else {
			dst = append(dst, id[i])
		}
	}
	return dst
}

// cutID gives what stands behind an id; ok is false when none ends here.
func cutID(key []byte) (rest []byte, ok bool) {
	i := bytes.Index(key, []byte(endOfID))
	if i < 0 {
		return nil, false
	}
	return key[i+len(endOfID):], true
}
