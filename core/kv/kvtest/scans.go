package kvtest

import (
	"bytes"
	"testing"

	"ephemera/core/kv"
)

func scanNested(t *testing.T, db kv.DB) {
	var all model
	write(t, db, func(tx kv.Txn) {
		for _, key := range []string{"", "a", "a\x00", "b", "\xff"} {
			OK(t, tx.Set([]byte(key), []byte("value")))
			all = all.set([]byte(key), []byte("value"))
		}
	})
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
