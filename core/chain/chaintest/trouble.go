package chaintest

import (
	"errors"
	"iter"

	"ephemera/core/kv"
)

// ErrDisk is what a troubled store says.
var ErrDisk = errors.New("the disk is gone")

// Trouble is a store that fails every read behind the first ones of a view.
type Trouble struct {
	kv.DB
	After int
}

func (t *Trouble) View(fn func(kv.Reader) error) error {
	return t.DB.View(func(r kv.Reader) error { return fn(&troubled{r, t.After}) })
}

type troubled struct {
	kv.Reader
	left int
}

func (t *troubled) Get(key []byte) ([]byte, bool, error) {
	if t.left--; t.left < 0 {
		return nil, false, ErrDisk
	}
	return t.Reader.Get(key)
}

func (t *troubled) Scan(rng kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		for p, err := range t.Reader.Scan(rng) {
			if t.left--; t.left < 0 {
				p, err = kv.Pair{}, ErrDisk
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}
