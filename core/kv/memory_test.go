package kv_test

import (
	"errors"
	"testing"

	"ephemera/core/kv"
)

func TestMemoryIsOfNoUseOnceItIsClosed(t *testing.T) {
	m := kv.NewMemory()
	if err := m.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	view := m.View(func(kv.Reader) error { t.Error("a view ran"); return nil })
	update := m.Update(func(kv.Txn) error { t.Error("an update ran"); return nil })
	load := m.Load(func(kv.Writer) error { t.Error("a load ran"); return nil })
	for _, err := range []error{view, update, load} {
		if !errors.Is(err, kv.ErrClosed) {
			t.Errorf("got %v, want %v", err, kv.ErrClosed)
		}
	}
}

func TestMemoryKeepsItsOwnCopyOfKeysAndValues(t *testing.T) {
	m := kv.NewMemory()
	key, value := []byte("key"), []byte("value")
	err := m.Update(func(tx kv.Txn) error {
		if err := tx.Set(key, value); err != nil {
			return err
		}
		key[0], value[0] = 'X', 'X'
		got, ok, err := tx.Get([]byte("key"))
		if !ok || string(got) != "value" {
			t.Errorf("got %q %v, want the value as it was set", got, ok)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
