package kv

import (
	"bytes"
	"iter"
)

// Overlay is a [Txn] whose writes stay in memory, over a reader that they
// never reach. A preview, a dry run or a probe runs in one and leaves nothing.
type Overlay struct {
	base    Reader
	pending *tree
}

// NewOverlay gives an overlay without writes. It is of use as long as base is.
func NewOverlay(base Reader) *Overlay {
	return &Overlay{base, newTree()}
}

// Copy gives an overlay with the same writes. From here on each goes its own way.
func (o *Overlay) Copy() *Overlay { return &Overlay{o.base, o.pending.Copy()} }

// Get returns the pending value of key, or else what the base has.
func (o *Overlay) Get(key []byte) ([]byte, bool, error) {
	if e, ok := o.pending.Get(entry{key: key}); ok {
		return e.value, !e.gone, nil
	}
	return o.base.Get(key)
}

// Set fails with a [*LimitError].
func (o *Overlay) Set(key, value []byte) error {
	if err := CheckEntry(key, value); err != nil {
		return err
	}
	if value == nil {
		value = []byte{}
	}
	o.pending.Set(entry{key: key, value: value})
	return nil
}

// Delete hides key, whether or not the base has it. It never fails.
func (o *Overlay) Delete(key []byte) error {
	o.pending.Set(entry{key: key, gone: true})
	return nil
}

// Scan walks the base and the pending writes as one store.
func (o *Overlay) Scan(r Range) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if o.pending.Len() == 0 {
			o.base.Scan(r)(yield)
			return
		}
		next, stop := iter.Pull(walk(o.pending, r))
		defer stop()
		e, ok := next()
		// emit passes the pending entry on, unless it is a deletion.
		emit := func() bool {
			p, gone := e.pair(r), e.gone
			e, ok = next()
			return gone || yield(p, nil)
		}
		for p, err := range o.base.Scan(r) {
			if err != nil {
				yield(Pair{}, err)
				return
			}
			for ok && r.before(e.key, p.Key) {
				if !emit() {
					return
				}
			}
			if ok && bytes.Equal(e.key, p.Key) {
				continue // the pending record stands for it, in the next round
			}
			if !yield(p, nil) {
				return
			}
		}
		for ok && emit() {
		}
	}
}

// Flush writes everything pending to w, in key order. It stops at the first
// error and returns it.
func (o *Overlay) Flush(w Writer) error {
	var err error
	o.pending.Scan(func(e entry) bool {
		if e.gone {
			err = w.Delete(e.key)
		} else {
			err = w.Set(e.key, e.value)
		}
		return err == nil
	})
	return err
}

// Changes gives what the writes change in the base, sorted by key. It reads
// the old values from the base and fails where that fails.
func (o *Overlay) Changes() ([]Change, error) {
	var (
		changes []Change
		err     error
	)
	o.pending.Scan(func(e entry) bool {
		c := Change{Key: e.key, New: e.value}
		if c.Old, err = lookup(o.base, e.key); err != nil {
			return false
		}
		if !c.IsNoop() {
			changes = append(changes, c)
		}
		return true
	})
	return changes, err
}
