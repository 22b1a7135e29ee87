package chain_test

import (
	"errors"
	"iter"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/check"
	"ephemera/core/kv"
)

// trouble fails every read behind the first ones.
type trouble struct {
	kv.DB
	after int
}

func (d *trouble) View(fn func(kv.Reader) error) error {
	return d.DB.View(func(r kv.Reader) error { return fn(&troubled{r, d.after}) })
}

type troubled struct {
	kv.Reader
	left int
}

func (r *troubled) Get(key []byte) ([]byte, bool, error) {
	if r.left--; r.left < 0 {
		return nil, false, errDisk
	}
	return r.Reader.Get(key)
}

func (r *troubled) Scan(rng kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		for p, err := range r.Reader.Scan(rng) {
			if r.left--; r.left < 0 {
				p, err = kv.Pair{}, errDisk
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

func TestTroubleWithTheStoreIsNoFaultWhereverItComes(t *testing.T) {
	w := busyWorld(t)
	d := &trouble{DB: w.db, after: 1 << 30}
	c := must(chain.Open(d))(t)
	for d.after = 0; ; d.after++ {
		r, err := check.Run(c, nil)
		if err == nil {
			if d.after < 300 {
				t.Fatalf("after %d reads everything was read", d.after)
			}
			return
		}
		if !errors.Is(err, errDisk) || !r.Clean() {
			t.Fatalf("with trouble after %d reads: %v, %+v", d.after, err, r.Faults)
		}
	}
}
