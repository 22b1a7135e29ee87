package kvtest

import (
	"bytes"
	"errors"
	"testing"

	"ephemera/core/kv"
)

func keptValue(t *testing.T, db kv.DB) {
	put(t, db, "key", "value")
	var kept [][]byte
	keep := func(r kv.Reader) {
		value, _, err := r.Get([]byte("key"))
		OK(t, err)
		kept = append(kept, value)
	}
	read(t, db, keep)
	write(t, db, func(tx kv.Txn) {
		keep(tx)
		OK(t, tx.Set([]byte("key"), []byte("VALUE")))
		keep(tx)
		OK(t, tx.Delete([]byte("key")))
	})
	put(t, db, "key", "other", "more", "records")
	for i, want := range []string{"value", "value", "VALUE"} {
		if string(kept[i]) != want {
			t.Errorf("value %d is now %q, and was %q when it was read", i, kept[i], want)
		}
	}
}

func limits(t *testing.T, db kv.DB) {
	key := bytes.Repeat([]byte("k"), kv.MaxKey+1)
	value := bytes.Repeat([]byte("v"), kv.MaxValue+1)
	write(t, db, func(tx kv.Txn) {
		OK(t, tx.Set(key[:kv.MaxKey], value[:kv.MaxValue]))
		refused(t, tx.Set(key, nil), kv.LimitError{Kind: "key", Size: 64_001, Max: 64_000})
		refused(t, tx.Set([]byte("a"), value), kv.LimitError{Kind: "value", Size: 131_073, Max: 131_072})
		expect(t, tx, "a", nil)
	})
	read(t, db, func(r kv.Reader) {
		expect(t, r, string(key[:kv.MaxKey]), value[:kv.MaxValue])

		// No store holds such a key: it is absent, not an error.
		expect(t, r, string(key), nil)
		if n := len(scan(t, r, kv.Range{}, 0)); n != 1 {
			t.Errorf("got %d records, want the one within the limits", n)
		}
	})
}

func refused(t tb, err error, want kv.LimitError) {
	t.Helper()
	var got *kv.LimitError
	if !errors.As(err, &got) {
		t.Errorf("got error %v, want: %v", err, &want)
	} else if *got != want {
		t.Errorf("got: %v, want: %v", got, &want)
	}
}
