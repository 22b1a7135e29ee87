package kv_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// randomStore returns a store with some of twelve records, whose values are one of three.
func randomStore(t *testing.T, random *rand.Rand) *kv.Memory {
	store := kv.NewMemory()
	update(t, store, func(tx kv.Txn) {
		for i := range 12 {
			if random.IntN(2) == 0 {
				value := make([]byte, random.IntN(3))
				kvtest.OK(t, tx.Set(fmt.Appendf(nil, "key %02d", i), value))
			}
		}
	})
	return store
}

func TestTwoStoresSideBySideGiveEveryKeyOnceInOrderWithBothValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		before := randomStore(t, random)
		after := randomStore(t, random)

		var got, want []string
		kvtest.OK(t, before.View(func(old kv.Reader) error {
			return after.View(func(new kv.Reader) error {
				for i := range 12 {
					key := fmt.Appendf(nil, "key %02d", i)
					oldValue, hasOld, _ := old.Get(key)
					newValue, hasNew, _ := new.Get(key)
					if hasOld || hasNew {
						isNoop := hasOld == hasNew && bytes.Equal(oldValue, newValue)
						want = append(want, fmt.Sprint(string(key), oldValue, newValue, hasOld, hasNew, isNoop))
					}
				}
				for change, err := range kv.CompareStores(old, new) {
					kvtest.OK(t, err)
					got = append(got, fmt.Sprint(string(change.Key), change.OldValue, change.NewValue, change.OldValue != nil, change.NewValue != nil, change.IsNoop()))
				}
				return nil
			})
		}))

		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("changes (-want +got):\n%s", diff)
		}
	}
}

func TestTroubleOfEitherStoreEndsAWalkSideBySide(t *testing.T) {
	whole := randomStore(t, rand.New(rand.NewPCG(3, 4)))
	kvtest.OK(t, whole.View(func(r kv.Reader) error {
		for name, pair := range map[string][2]kv.Reader{
			"before": {broken{}, r},
			"after":  {r, broken{}},
		} {
			var last error
			for _, last = range kv.CompareStores(pair[0], pair[1]) {
			}
			if !errors.Is(last, errBroken) {
				t.Errorf("%s: the walk ended with %v", name, last)
			}
		}
		return nil
	}))
}
