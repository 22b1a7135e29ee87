package kvtest

import (
	"errors"
	"testing"

	"ephemera/core/kv"
)

var errOnPurpose = errors.New("an error on purpose")

func ownWrites(t *testing.T, db kv.DB) {
	put(t, db, "kept", "1", "changed", "1", "dropped", "1")
	write(t, db, func(tx kv.Txn) {
		OK(t, tx.Set([]byte("changed"), []byte("2")))
		OK(t, tx.Set([]byte("new"), []byte("2")))
		OK(t, tx.Delete([]byte("dropped")))
		expect(t, tx, "kept", []byte("1"))
		expect(t, tx, "changed", []byte("2"))
		expect(t, tx, "new", []byte("2"))
		expect(t, tx, "dropped", nil)
		OK(t, tx.Set([]byte("dropped"), []byte("3")))
		expect(t, tx, "dropped", []byte("3"))
	})
	read(t, db, func(r kv.Reader) {
		expect(t, r, "changed", []byte("2"))
		expect(t, r, "dropped", []byte("3"))
	})
}

func rollbackOnError(t *testing.T, db kv.DB) {
	put(t, db, "changed", "1", "dropped", "1")
	err := db.Update(func(tx kv.Txn) error {
		OK(t, tx.Set([]byte("changed"), []byte("2")))
		OK(t, tx.Set([]byte("new"), []byte("2")))
		OK(t, tx.Delete([]byte("dropped")))
		return errOnPurpose
	})
	if !errors.Is(err, errOnPurpose) {
		t.Errorf("Update gave %v, want the error of its function", err)
	}
	unchanged(t, db)
}

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

func emptyUpdate(t *testing.T, db kv.DB) {
	put(t, db, "key", "value")
	write(t, db, func(kv.Txn) {})
	write(t, db, func(tx kv.Txn) { expect(t, tx, "key", []byte("value")) })
	read(t, db, func(r kv.Reader) { expect(t, r, "key", []byte("value")) })
}

func snapshot(t *testing.T, db kv.DB) {
	put(t, db, "changed", "1", "dropped", "1")
	before := []kv.Pair{
		{Key: []byte("changed"), Value: []byte("1")},
		{Key: []byte("dropped"), Value: []byte("1")},
	}
	read(t, db, func(old kv.Reader) {
		write(t, db, func(tx kv.Txn) {
			OK(t, tx.Set([]byte("changed"), []byte("2")))
			OK(t, tx.Set([]byte("new"), []byte("2")))
			OK(t, tx.Delete([]byte("dropped")))
		})
		expect(t, old, "changed", []byte("1"))
		expect(t, old, "dropped", []byte("1"))
		expect(t, old, "new", nil)
		same(t, "the old state", before, scan(t, old, kv.Range{}, 0))
		read(t, db, func(now kv.Reader) {
			expect(t, now, "changed", []byte("2"))
			expect(t, now, "dropped", nil)
			expect(t, now, "new", []byte("2"))
		})
		same(t, "the old state", before, scan(t, old, kv.Range{}, 0))
	})
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
