package kv_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// scanned gives the records of a range, copied.
func scanned(t *rapid.T, r kv.Reader, rng kv.Range) []kv.Pair {
	out := []kv.Pair{}
	for p, err := range r.Scan(rng) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, kv.Pair{Key: slices.Clone(p.Key), Value: slices.Clone(p.Value)})
	}
	return out
}

func TestAnOverlayReadsAsAStoreWithItsWritesDone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 'a', 0xff}), 0, 3)
		scribble := func(w kv.Writer, label string) {
			for range rapid.IntRange(0, 12).Draw(t, label) {
				k := key.Draw(t, "key")
				if rapid.IntRange(0, 2).Draw(t, "delete") == 0 {
					_ = w.Delete(k)
				} else {
					_ = w.Set(k, []byte(rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "value")))
				}
			}
		}
		base, flushed := kv.NewMemory(), kv.NewMemory()
		_ = base.Update(func(tx kv.Txn) error { scribble(tx, "before"); return nil })
		_ = base.View(func(r kv.Reader) error {
			o := kv.NewOverlay(r)
			scribble(o, "pending")
			_ = flushed.Update(func(tx kv.Txn) error {
				for _, p := range scanned(t, r, kv.Range{}) {
					_ = tx.Set(p.Key, p.Value)
				}
				return o.Flush(tx)
			})
			rng := kv.Range{Reverse: rapid.Bool().Draw(t, "reverse"), KeysOnly: rapid.Bool().Draw(t, "keys only")}
			if rapid.Bool().Draw(t, "has a start") {
				rng.Start = key.Draw(t, "start")
			}
			if rapid.Bool().Draw(t, "has an end") {
				rng.End = key.Draw(t, "end")
			}
			return flushed.View(func(done kv.Reader) error {
				if diff := cmp.Diff(scanned(t, done, rng), scanned(t, o, rng)); diff != "" {
					t.Fatalf("%+v (-want +got):\n%s", rng, diff)
				}
				return nil
			})
		})
	})
}

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
