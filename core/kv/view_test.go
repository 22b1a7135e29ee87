package kv_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/kv"
)

func TestPrefixEndPartsKeysOfThePrefixFromAllLaterOnes(t *testing.T) {
	letter := rapid.SampledFrom([]byte{0x00, 0x01, 'a', 0xfe, 0xff})
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.SliceOfN(letter, 0, 3).Draw(t, "prefix")
		key := rapid.SliceOfN(letter, 0, 5).Draw(t, "key")
		end := kv.PrefixEnd(prefix)
		inside := bytes.Compare(key, prefix) >= 0 && (end == nil || bytes.Compare(key, end) < 0)
		if inside != bytes.HasPrefix(key, prefix) {
			t.Fatalf("%q in [%q, %q) is %v", key, prefix, end, inside)
		}
	})
}
