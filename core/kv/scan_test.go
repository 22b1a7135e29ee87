package kv_test

import (
	"slices"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestAWalkOverAMapBeginsWhereItsBoundsSay(t *testing.T) {
	words := kv.NewMap("words", kv.TextKey[string](), kv.Codec[string]{
		Encode: func(s string) []byte { return []byte(s) },
		Decode: func(b []byte) (string, error) { return string(b), nil },
	})
	m := kv.NewMemory()
	update(t, m, func(tx kv.Txn) {
		for _, w := range []string{"", "a", "ab", "b", "c"} {
			kvtest.OK(t, words.Save(tx, w, "of "+w))
		}
		kvtest.OK(t, kv.NewMap("word", kv.TextKey[string](), kv.Codec[string]{Encode: func(s string) []byte { return nil }}).Save(tx, "sa", ""))
	})
	at := func(place string) *string { return &place }
	for _, c := range []struct {
		within string
		walk   kv.Walk
		want   []string
	}{
		{"", kv.Walk{}, []string{"", "a", "ab", "b", "c"}},
		{"", kv.Walk{Reverse: true}, []string{"c", "b", "ab", "a", ""}},
		{"", kv.Walk{Place: at("a")}, []string{"ab", "b", "c"}},
		{"", kv.Walk{Place: at("aa")}, []string{"ab", "b", "c"}},
		{"", kv.Walk{Place: at("")}, []string{"a", "ab", "b", "c"}},
		{"", kv.Walk{Place: at("b"), Reverse: true}, []string{"ab", "a", ""}},
		{"", kv.Walk{Place: at("b"), Inclusive: true}, []string{"b", "c"}},
		{"", kv.Walk{Place: at("b"), Inclusive: true, Reverse: true}, []string{"b", "ab", "a", ""}},
		{"", kv.Walk{Place: at("aa"), Inclusive: true, Reverse: true}, []string{"a", ""}},
		{"a", kv.Walk{}, []string{"a", "ab"}},
		{"a", kv.Walk{Place: at("")}, []string{"ab"}},
	} {
		kvtest.OK(t, m.View(func(r kv.Reader) error {
			var keys, values []string
			for k, err := range words.Keys(r, []byte(c.within), c.walk) {
				kvtest.OK(t, err)
				keys = append(keys, k)
			}
			for rec, err := range words.All(r, []byte(c.within), c.walk) {
				kvtest.OK(t, err)
				values = append(values, rec.Key)
				if rec.Value != "of "+rec.Key {
					t.Errorf("under %q stands %q", rec.Key, rec.Value)
				}
			}
			if !slices.Equal(keys, c.want) || !slices.Equal(values, c.want) {
				t.Errorf("%+v: keys %q, records %q, want %q", c.walk, keys, values, c.want)
			}
			return nil
		}))
	}
	if k, ok, err := words.DecodeKey([]byte("\x00\x04wordsa")); ok || err != nil {
		t.Errorf("a key of another map is cut to %q, %t, %v", k, ok, err)
	}
}
