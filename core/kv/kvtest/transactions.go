package kvtest

import (
	"errors"
	"testing"

	"ephemera/core/kv"
)

var errOnPurpose = errors.New("an error on purpose")

func rollbackOnPanic(t *testing.T, db kv.DB) {
	put(t, db, "changed", "1", "dropped", "1")
	panics := func(fn func(tx kv.Txn)) {
		t.Helper()
		defer func() {
			if got := recover(); got != errOnPurpose {
				t.Errorf("the panic came out as %v, want it as it was", got)
			}
		}()
		write(t, db, fn)
	}
	panics(func(tx kv.Txn) {
		OK(t, tx.Set([]byte("changed"), []byte("2")))
		OK(t, tx.Set([]byte("new"), []byte("2")))
		OK(t, tx.Delete([]byte("dropped")))
		panic(errOnPurpose)
	})
	unchanged(t, db)
	panics(func(tx kv.Txn) {
		OK(t, tx.Set([]byte("changed"), []byte("2")))
		for range tx.Scan(kv.Range{}) {
			panic(errOnPurpose)
		}
	})
	unchanged(t, db)
}

// unchanged checks the state that both rollbacks begin with, and that the
// store still takes writes.
func unchanged(t *testing.T, db kv.DB) {
	t.Helper()
	read(t, db, func(r kv.Reader) {
		expect(t, r, "changed", []byte("1"))
		expect(t, r, "dropped", []byte("1"))
		expect(t, r, "new", nil)
	})
	put(t, db, "after", "1")
	read(t, db, func(r kv.Reader) { expect(t, r, "after", []byte("1")) })
}

func isolation(t *testing.T, db kv.DB) {
	put(t, db, "key", "1")
	write(t, db, func(tx kv.Txn) {
		OK(t, tx.Set([]byte("key"), []byte("2")))
		OK(t, tx.Set([]byte("new"), []byte("2")))
		read(t, db, func(r kv.Reader) {
			expect(t, r, "key", []byte("1"))
			expect(t, r, "new", nil)
		})
	})
}

func closed(t *testing.T, db kv.DB) {
	put(t, db, "key", "1")
	OK(t, db.Close())
	for name, err := range map[string]error{
		"View":   db.View(func(kv.Reader) error { t.Error("a view ran"); return nil }),
		"Update": db.Update(func(kv.Txn) error { t.Error("an update ran"); return nil }),
		"Load":   db.Load(func(kv.Writer) error { t.Error("a load ran"); return nil }),
	} {
		if !errors.Is(err, kv.ErrClosed) {
			t.Errorf("%s gave %v, want: %v", name, err, kv.ErrClosed)
		}
	}
	if err := db.Close(); err != nil {
		t.Errorf("a second Close gave %v, want nothing", err)
	}
}
