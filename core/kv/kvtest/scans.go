package kvtest

import (
	"bytes"
	"testing"

	"ephemera/core/kv"
)

// spread is a set of keys that lie close together, apart, and at both ends.
var spread = []string{"", "\x00", "\x00\x00", "a", "a\x00", "a\xff", "b", "ba", "\xfe", "\xff", "\xff\xff"}

func pairs(keys []string, value string) []kv.Pair {
	var out []kv.Pair
	for _, k := range keys {
		out = append(out, kv.Pair{Key: []byte(k), Value: []byte(value)})
	}
	return out
}

// everyRange calls fn with every range that has its bounds on a key, between
// two, or open, in every direction and form.
func everyRange(fn func(kv.Range)) {
	bounds := [][]byte{nil}
	for _, k := range spread {
		bounds = append(bounds, []byte(k))
	}
	bounds = append(bounds, []byte("\x00\x01"), []byte("aa"), []byte("c"), []byte("\xff\xff\x00"))
	for _, start := range bounds {
		for _, end := range bounds {
			for form := range 4 {
				fn(kv.Range{Start: start, End: end, Reverse: form&1 != 0, KeysOnly: form&2 != 0})
			}
		}
	}
}

func scanBounds(t *testing.T, db kv.DB) {
	// Each key is in one of five states: on disk, pending, overwritten,
	// deleted, and deleted without ever having been there.
	for shift := range 5 {
		var want model
		write(t, db, func(tx kv.Txn) {
			for _, p := range scan(t, tx, kv.Range{}, 0) {
				OK(t, tx.Delete(p.Key))
			}
			for i, k := range spread {
				if state := (i + shift) % 5; state != 1 && state != 4 {
					OK(t, tx.Set([]byte(k), []byte("old")))
				}
			}
		})
		write(t, db, func(tx kv.Txn) {
			for i, k := range spread {
				switch (i + shift) % 5 {
				case 0:
					want = want.set([]byte(k), []byte("old"))
				case 1, 2:
					OK(t, tx.Set([]byte(k), []byte("new")))
					want = want.set([]byte(k), []byte("new"))
				default:
					OK(t, tx.Delete([]byte(k)))
				}
			}
			everyRange(func(rng kv.Range) { same(t, rng, want.scan(rng), scan(t, tx, rng, 0)) })
		})
		read(t, db, func(r kv.Reader) {
			everyRange(func(rng kv.Range) { same(t, rng, want.scan(rng), scan(t, r, rng, 0)) })
		})
	}

	// One by hand, so that the model is not the only witness.
	put(t, db, "a", "value", "a\x00", "value", "a\xff", "value")
	read(t, db, func(r kv.Reader) {
		rng := kv.Range{Start: []byte("a"), End: []byte("b"), Reverse: true}
		same(t, rng, pairs([]string{"a\xff", "a\x00", "a"}, "value"), scan(t, r, rng, 0))
	})
}

func scanNested(t *testing.T, db kv.DB) {
	all := model(pairs(spread, "value"))
	write(t, db, func(tx kv.Txn) { all.writeTo(t, tx) })
	nested := func(r kv.Reader) {
		var outer []kv.Pair
		for p, err := range r.Scan(kv.Range{}) {
			OK(t, err)
			rng := kv.Range{Start: p.Key, Reverse: true}
			same(t, rng, all.scan(rng), scan(t, r, rng, 0))
			expect(t, r, string(p.Key), []byte("value"))
			// The inner scan has not moved the outer one's pair.
			outer = append(outer, kv.Pair{Key: bytes.Clone(p.Key), Value: bytes.Clone(p.Value)})
		}
		same(t, "the outer scan", all, outer)
	}
	read(t, db, nested)
	write(t, db, func(tx kv.Txn) {
		nested(tx)
		OK(t, tx.Set([]byte("b"), []byte("value")))
		nested(tx)
	})
}
