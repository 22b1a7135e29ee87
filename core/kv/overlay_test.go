package kv_test

import (
	"errors"
	"iter"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func update(t *testing.T, m *kv.Memory, fn func(kv.Txn)) {
	t.Helper()
	kvtest.OK(t, m.Update(func(tx kv.Txn) error { fn(tx); return nil }))
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
