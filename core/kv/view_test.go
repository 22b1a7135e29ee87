package kv_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestPrefixEndIsTheFirstKeyPastThePrefix(t *testing.T) {
	for prefix, want := range map[string][]byte{
		"":                 nil,
		"a":                []byte("b"),
		"a\xff":            []byte("b"),
		"a\x00":            []byte("a\x01"),
		"\xff":             nil,
		"\xff\xff":         nil,
		"\xff\xfe\xff\xff": []byte("\xff\xff"),
	} {
		if got := kv.PrefixEnd([]byte(prefix)); !bytes.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("PrefixEnd(%q) = %q, want %q", prefix, got, want)
		}
	}
}

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

func TestPrefixedStoresBesideEachOtherDoNotMeet(t *testing.T) {
	prefixes := []string{"", "a", "a\xff", "b", "\xff", "\xff\xff"}
	update(t, kv.NewMemory(), func(tx kv.Txn) {
		for _, p := range prefixes[1:] {
			// The last byte keeps the longer prefix out of the shorter one's keys.
			kvtest.OK(t, kv.Prefixed(tx, []byte(p)).Set([]byte("\x01key"), []byte(p)))
		}
		for _, p := range prefixes {
			r := kv.Range{Start: []byte("\x01"), End: []byte("\x02")}
			var got []string
			for pair, err := range kv.PrefixedReader(tx, []byte(p)).Scan(r) {
				kvtest.OK(t, err)
				got = append(got, string(pair.Key)+"="+string(pair.Value))
			}
			want := []string{"\x01key=" + p}
			if p == "" {
				want = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("under %q (-want +got):\n%s", p, diff)
			}
		}
	})
}

func TestAPrefixedStoreInsideAnotherAddsItsPrefix(t *testing.T) {
	m := kv.NewMemory()
	update(t, m, func(tx kv.Txn) {
		inner := kv.Prefixed(kv.Prefixed(tx, []byte("outer/")), []byte("inner/"))
		kvtest.OK(t, inner.Set([]byte("k"), []byte("v")))
		for _, r := range []kv.Reader{
			kv.PrefixedReader(tx, []byte("outer/inner/")),
			kv.PrefixedReader(kv.PrefixedReader(tx, []byte("outer/")), []byte("inner/")),
			kv.PrefixedReader(kv.Prefixed(tx, []byte("outer/")), []byte("inner/")),
		} {
			if v, ok, err := r.Get([]byte("k")); !ok || err != nil || string(v) != "v" {
				t.Errorf("got %q %v %v, want the value", v, ok, err)
			}
		}
		kvtest.OK(t, inner.Delete([]byte("k")))
	})
	if left := contents(t, m); len(left) > 0 {
		t.Errorf("%v is still there after its deletion through the view", left)
	}
}
