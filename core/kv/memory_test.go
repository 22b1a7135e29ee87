package kv_test

import (
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestMemoryIsAStore(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.DB { return kv.NewMemory() })
}

func TestASketchIsAStoreThatNeverWritesToTheOneBelow(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.DB {
		m := kv.NewMemory()
		t.Cleanup(func() {
			_ = m.View(func(r kv.Reader) error { // a closed one was empty too
				for p := range r.Scan(kv.Range{}) {
					t.Errorf("the store below holds %q", p.Key)
				}
				return nil
			})
		})
		return kv.NewSketch(m)
	})
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
