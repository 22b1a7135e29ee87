package kv_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestAnOverlayLeavesItsBaseAlone(t *testing.T) {
	m := seeded(t, "a", "1", "b", "1")
	before := contents(t, m)
	kvtest.OK(t, m.View(func(r kv.Reader) error {
		o := kv.NewOverlay(r)
		kvtest.OK(t, o.Set([]byte("a"), []byte("2")))
		kvtest.OK(t, o.Delete([]byte("b")))
		kvtest.OK(t, o.Set([]byte("c"), nil))
		kvtest.OK(t, o.Delete([]byte("never there")))
		want := []kv.Change{
			{Key: []byte("a"), Old: []byte("1"), New: []byte("2")},
			{Key: []byte("b"), Old: []byte("1")},
			{Key: []byte("c"), New: []byte{}},
		}
		got, err := o.Changes()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("changes, %v (-want +got):\n%s", err, diff)
		}
		return nil
	}))
	if diff := cmp.Diff(before, contents(t, m)); diff != "" {
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
		"recorder":             kv.NewRecorder(o),
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
	if err := kv.NewRecorder(o).Set([]byte("a"), nil); !errors.Is(err, errBroken) {
		t.Errorf("a recorder that cannot read the old value gave %v", err)
	}
}
