package kv_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func update(t *testing.T, m *kv.Memory, fn func(kv.Txn)) {
	t.Helper()
	kvtest.OK(t, m.Update(func(tx kv.Txn) error { fn(tx); return nil }))
}

func TestAnOverlayListsWhatDiffersInTheEndAndLeavesItsBaseAlone(t *testing.T) {
	m := kv.NewMemory()
	update(t, m, func(tx kv.Txn) {
		for _, key := range []string{"changed", "dropped", "back", "same", "emptied"} {
			kvtest.OK(t, tx.Set([]byte(key), []byte("1")))
		}
		kvtest.OK(t, tx.Set([]byte("empty"), nil))
	})
	before := kvtest.Dump(t, m, nil)
	kvtest.OK(t, m.View(func(r kv.Reader) error {
		o := kv.NewOverlay(r)
		kvtest.OK(t, o.Set([]byte("new"), []byte("2")))
		kvtest.OK(t, o.Set([]byte("changed"), []byte("2")))
		kvtest.OK(t, o.Set([]byte("changed"), []byte("3")))
		kvtest.OK(t, o.Delete([]byte("dropped")))
		kvtest.OK(t, o.Delete([]byte("back")))
		kvtest.OK(t, o.Set([]byte("back"), []byte("1")))
		kvtest.OK(t, o.Set([]byte("same"), []byte("1")))
		kvtest.OK(t, o.Delete([]byte("never there")))
		kvtest.OK(t, o.Set([]byte("come and gone"), []byte("1")))
		kvtest.OK(t, o.Delete([]byte("come and gone")))
		kvtest.OK(t, o.Set([]byte("emptied"), nil))
		kvtest.OK(t, o.Delete([]byte("empty")))
		want := []kv.Change{
			{Key: []byte("changed"), Old: []byte("1"), New: []byte("3")},
			{Key: []byte("dropped"), Old: []byte("1")},
			{Key: []byte("emptied"), Old: []byte("1"), New: []byte{}},
			{Key: []byte("empty"), Old: []byte{}},
			{Key: []byte("new"), New: []byte("2")},
		}
		got, err := o.Changes()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("changes, %v (-want +got):\n%s", err, diff)
		}
		return nil
	}))
	if diff := cmp.Diff(before, kvtest.Dump(t, m, nil)); diff != "" {
		t.Errorf("the base changed (-before +got):\n%s", diff)
	}
}

// broken is a reader whose every answer is an error.
type broken struct{}

var errBroken = errors.New("the disk is gone")

func (broken) Get([]byte) ([]byte, bool, error) { return nil, false, errBroken }

func (broken) Scan(kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) { yield(kv.Pair{}, errBroken) }
}

func TestTroubleOfTheBaseComesThroughEveryView(t *testing.T) {
	o := kv.NewOverlay(broken{})
	kvtest.OK(t, o.Set([]byte("prefix/pending"), nil))
	for name, r := range map[string]kv.Reader{
		"overlay":              o,
		"prefix":               kv.PrefixedReader(broken{}, []byte("prefix/")),
		"prefix of an overlay": kv.PrefixedReader(o, []byte("prefix/")),
	} {
		if _, _, err := r.Get([]byte("a")); !errors.Is(err, errBroken) {
			t.Errorf("%s: Get gave %v", name, err)
		}
		var last error
		for _, last = range r.Scan(kv.Range{}) {
		}
		if !errors.Is(last, errBroken) {
			t.Errorf("%s: Scan ended with %v", name, last)
		}
	}
	if _, err := o.Changes(); !errors.Is(err, errBroken) {
		t.Errorf("Changes gave %v", err)
	}
}
