package kv_test

import (
	"errors"
	"fmt"
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

func TestARecorderRemembersManyKeysAsWellAsFew(t *testing.T) {
	m := seeded(t, "key 99", "old")
	update(t, m, func(tx kv.Txn) {
		r := kv.NewRecorder(tx)
		for i := range 100 {
			_, _, err := r.Get(fmt.Appendf(nil, "key %02d", i))
			kvtest.OK(t, err)
		}
		for round := range 2 {
			for i := range 100 {
				kvtest.OK(t, r.Set(fmt.Appendf(nil, "key %02d", i), fmt.Appendf(nil, "%d of round %d", i, round)))
			}
		}
		changes := r.Changes()
		if len(changes) != 100 {
			t.Fatalf("got %d changes, want one a key", len(changes))
		}
		for i, c := range changes {
			want := kv.Change{Key: fmt.Appendf(nil, "key %02d", i), New: fmt.Appendf(nil, "%d of round 1", i)}
			if i == 99 {
				want.Old = []byte("old")
			}
			if diff := cmp.Diff(want, c); diff != "" {
				t.Errorf("change %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

func TestRevertUndoesChangesAndApplyDoesThemAgain(t *testing.T) {
	m := seeded(t, "a", "1", "b", "", "c", "3")
	before := contents(t, m)
	var changes []kv.Change
	update(t, m, func(tx kv.Txn) {
		r := kv.NewRecorder(tx)
		kvtest.OK(t, r.Set([]byte("a"), []byte("new")))
		kvtest.OK(t, r.Delete([]byte("b")))
		kvtest.OK(t, r.Set([]byte("c"), nil))
		kvtest.OK(t, r.Set([]byte("d"), nil))
		changes = r.Changes()
	})
	after := contents(t, m)
	update(t, m, func(tx kv.Txn) { kvtest.OK(t, kv.Apply(tx, kv.Inverse(changes))) })
	if diff := cmp.Diff(before, contents(t, m)); diff != "" {
		t.Errorf("after the inverse (-before +got):\n%s", diff)
	}
	update(t, m, func(tx kv.Txn) { kvtest.OK(t, kv.Apply(tx, changes)) })
	if diff := cmp.Diff(after, contents(t, m)); diff != "" {
		t.Errorf("after Apply (-after +got):\n%s", diff)
	}
}

func TestARefusedWriteIsNotRemembered(t *testing.T) {
	m := seeded(t, "a", "1")
	update(t, m, func(tx kv.Txn) {
		r := kv.NewRecorder(tx)
		var limit *kv.LimitError
		if err := r.Set([]byte("a"), make([]byte, kv.MaxValue+1)); !errors.As(err, &limit) {
			t.Errorf("got %v, want a LimitError", err)
		}
		if changes := r.Changes(); len(changes) != 0 {
			t.Errorf("got %v, want no change", changes)
		}
	})
}
