package kvtest

import (
	"errors"
	"fmt"
	"testing"

	"ephemera/core/kv"
)

func loadMany(t *testing.T, db kv.DB) {
	const many = 30_000 // more than one batch of any store
	put(t, db, "dropped", "1", "key 00000", "old")
	err := db.Load(func(w kv.Writer) error {
		for i := range many {
			if err := w.Set(fmt.Appendf(nil, "key %05d", i), fmt.Appendf(nil, "value %d", i)); err != nil {
				return err
			}
		}
		return w.Delete([]byte("dropped"))
	})
	OK(t, err)
	read(t, db, func(r kv.Reader) {
		i := 0
		for p, err := range r.Scan(kv.Range{}) {
			OK(t, err)
			if key, value := fmt.Sprintf("key %05d", i), fmt.Sprintf("value %d", i); string(p.Key) != key || string(p.Value) != value {
				t.Fatalf("record %d is %q = %q, want %q = %q", i, p.Key, p.Value, key, value)
			}
			i++
		}
		if i != many {
			t.Errorf("got %d records, want %d", i, many)
		}
	})
	put(t, db, "after", "1")
	read(t, db, func(r kv.Reader) { expect(t, r, "after", []byte("1")) })
}

func loadRefuses(t *testing.T, db kv.DB) {
	err := db.Load(func(w kv.Writer) error {
		refused(t, w.Set(make([]byte, kv.MaxKey+1), nil), kv.LimitError{Kind: "key", Size: 64_001, Max: 64_000})
		refused(t, w.Set(nil, make([]byte, kv.MaxValue+1)), kv.LimitError{Kind: "value", Size: 131_073, Max: 131_072})
		return errOnPurpose
	})
	if !errors.Is(err, errOnPurpose) {
		t.Errorf("Load gave %v, want the error of its function", err)
	}
	put(t, db, "after", "1")
	read(t, db, func(r kv.Reader) { expect(t, r, "after", []byte("1")) })
}
