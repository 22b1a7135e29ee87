package kv_test

import (
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestMemoryIsAStore(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.DB { return kv.NewMemory() })
}

func TestAScratchStoreIsAStoreThatNeverWritesToTheOneBelow(t *testing.T) {
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
		return kv.NewScratch(m)
	})
}
