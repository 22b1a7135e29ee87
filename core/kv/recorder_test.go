package kv_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// seeded gives a store with the records given as key, value, key, value …
func seeded(t *testing.T, records ...string) *kv.Memory {
	t.Helper()
	m := kv.NewMemory()
	update(t, m, func(tx kv.Txn) {
		for i := 0; i < len(records); i += 2 {
			kvtest.OK(t, tx.Set([]byte(records[i]), []byte(records[i+1])))
		}
	})
	return m
}

func update(t *testing.T, m *kv.Memory, fn func(kv.Txn)) {
	t.Helper()
	kvtest.OK(t, m.Update(func(tx kv.Txn) error { fn(tx); return nil }))
}

func contents(t *testing.T, m *kv.Memory) map[string]string {
	t.Helper()
	all := map[string]string{}
	kvtest.OK(t, m.View(func(r kv.Reader) error {
		for p, err := range r.Scan(kv.Range{}) {
			if err != nil {
				return err
			}
			all[string(p.Key)] = string(p.Value)
		}
		return nil
	}))
	return all
}

func TestARecorderTellsWhatDiffersInTheEndAndNothingElse(t *testing.T) {
	m := seeded(t, "changed", "1", "dropped", "1", "back", "1", "same", "1", "emptied", "1", "empty", "")
	update(t, m, func(tx kv.Txn) {
		r := kv.NewRecorder(tx)
		kvtest.OK(t, r.Set([]byte("new"), []byte("2")))
		kvtest.OK(t, r.Set([]byte("changed"), []byte("2")))
		kvtest.OK(t, r.Set([]byte("changed"), []byte("3")))
		kvtest.OK(t, r.Delete([]byte("dropped")))
		kvtest.OK(t, r.Delete([]byte("back")))
		kvtest.OK(t, r.Set([]byte("back"), []byte("1")))
		kvtest.OK(t, r.Set([]byte("same"), []byte("1")))
		kvtest.OK(t, r.Delete([]byte("never there")))
		kvtest.OK(t, r.Set([]byte("come and gone"), []byte("1")))
		kvtest.OK(t, r.Delete([]byte("come and gone")))
		kvtest.OK(t, r.Set([]byte("emptied"), nil))
		kvtest.OK(t, r.Delete([]byte("empty")))
		want := []kv.Change{
			{Key: []byte("changed"), Old: []byte("1"), New: []byte("3")},
			{Key: []byte("dropped"), Old: []byte("1")},
			{Key: []byte("emptied"), Old: []byte("1"), New: []byte{}},
			{Key: []byte("empty"), Old: []byte{}},
			{Key: []byte("new"), New: []byte("2")},
		}
		if diff := cmp.Diff(want, r.Changes()); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}
