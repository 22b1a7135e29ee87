// Package kvtest is the one suite that every store of [kv] must pass. A rule
// above the port may rely on what is tested here, and on nothing else.
//
// It must never know which store it has before it: what only one store does is
// tested beside that store.
package kvtest

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
)

// Run holds the stores that open gives to the promises of [kv]. Each call of
// open gives a new and empty store, which open's own t.Cleanup closes; a test
// may have closed it before. Tests run side by side, and so may the calls.
func Run(t *testing.T, open func(t *testing.T) kv.DB) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, db kv.DB)
	}{
		{"AValueMayBeKept", keptValue},
		{"KeysAndValuesHaveLimits", limits},
		{"ScansMayNest", scanNested},
		{"APanicDiscardsEveryWrite", rollbackOnPanic},
		{"PendingWritesAreSeenByNobodyElse", isolation},
		{"WritersTakeTurns", writersTakeTurns},
		{"ReadersSeeWholeTransactions", concurrentReaders},
		{"LoadTakesManyRecords", loadMany},
		{"LoadRefusesWhatAnUpdateRefuses", loadRefuses},
		{"AClosedStoreSaysSo", closed},
		{"AStoreIsASortedListOfPairs", sortedList},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, open(t))
		})
	}
}

// tb is what the helpers need of a test, so that they serve rapid's too.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// OK ends the test at an error.
func OK(t tb, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// Must gives a value, and ends the test where there is an error instead.
func Must[T any](v T, err error) func(t tb) T {
	return func(t tb) T {
		t.Helper()
		OK(t, err)
		return v
	}
}

// Dump gives every record below a prefix: the rest of the key in hex, the value as text.
func Dump(t tb, db kv.DB, prefix []byte) (all [][2]string) {
	t.Helper()
	OK(t, db.View(func(r kv.Reader) error {
		for p, err := range kv.PrefixedReader(r, prefix).Scan(kv.Range{}) {
			if err != nil {
				return err
			}
			all = append(all, [2]string{hex.EncodeToString(p.Key), string(p.Value)})
		}
		return nil
	}))
	return all
}

// Noise is what cannot be packed.
func Noise(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

// put writes key, value, key, value … in one update.
func put(t tb, db kv.DB, records ...string) {
	t.Helper()
	OK(t, db.Update(func(tx kv.Txn) error {
		for i := 0; i < len(records); i += 2 {
			OK(t, tx.Set([]byte(records[i]), []byte(records[i+1])))
		}
		return nil
	}))
}

// expect reads one key; want is the value, or nil where it must be absent.
func expect(t tb, r kv.Reader, key string, want []byte) {
	t.Helper()
	value, ok, err := r.Get([]byte(key))
	OK(t, err)
	isPresent := want != nil
	if ok != isPresent || (value != nil) != isPresent || !bytes.Equal(value, want) {
		t.Errorf("Get(%q) = %q, %v; want %q, %v", key, value, ok, want, want != nil)
	}
}

// read runs fn in a view.
func read(t tb, db kv.DB, fn func(r kv.Reader)) {
	t.Helper()
	OK(t, db.View(func(r kv.Reader) error { fn(r); return nil }))
}

// write runs fn in an update.
func write(t tb, db kv.DB, fn func(tx kv.Txn)) {
	t.Helper()
	OK(t, db.Update(func(tx kv.Txn) error { fn(tx); return nil }))
}

// scan collects copies of at most limit pairs of a range, or of all where
// limit is 0.
func scan(t tb, r kv.Reader, rng kv.Range, limit int) []kv.Pair {
	t.Helper()
	var pairs []kv.Pair
	for p, err := range r.Scan(rng) {
		OK(t, err)
		pairs = append(pairs, kv.Pair{Key: bytes.Clone(p.Key), Value: bytes.Clone(p.Value)})
		if rng.KeysOnly && p.Value != nil {
			t.Errorf("a scan of keys only gave the value %q under %q", p.Value, p.Key)
		}
		if len(pairs) == limit {
			break
		}
	}
	return pairs
}

// same compares records, where an empty slice may be nil.
func same(t tb, what any, want, got []kv.Pair) {
	t.Helper()
	text := func(pairs []kv.Pair) []string {
		var out []string
		for _, p := range pairs {
			out = append(out, string(p.Key)+" = "+string(p.Value))
		}
		return out
	}
	if diff := cmp.Diff(text(want), text(got)); diff != "" {
		t.Fatalf("%+v (-want +got):\n%s", what, diff)
	}
}
