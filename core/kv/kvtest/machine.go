package kvtest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/kv"
)

// sortedList drives a store and the views on top of it with random
// transactions, some of which fail, beside a [model].
func sortedList(t *testing.T, db kv.DB) {
	rapid.Check(t, func(t *rapid.T) {
		write(t, db, func(tx kv.Txn) {
			for _, p := range scan(t, tx, kv.Range{KeysOnly: true}, 0) {
				OK(t, tx.Delete(p.Key))
			}
		})
		m := &machine{db: db}
		t.Repeat(map[string]func(*rapid.T){
			"":         m.check,
			"update":   m.update,
			"prefixed": m.prefixed,
			"overlay":  m.overlay,
			"load":     m.load,
			"snapshot": m.snapshot,
		})
	})
}

// Few letters, so that keys meet; at both ends of a byte, where bounds slip.
var (
	letters  = rapid.SampledFrom([]byte{0x00, 0x01, 'a', 0xfe, 0xff})
	someKey  = rapid.SliceOfN(letters, 0, 3)
	someText = rapid.OneOf(rapid.Just([]byte(nil)), rapid.SliceOfN(letters, 0, 2))
)

// machine is the store and what must be in it.
type machine struct {
	db    kv.DB
	state model
}

func (m *machine) check(t *rapid.T) {
	key := someKey.Draw(t, "key")
	want, _ := m.state.get(key)
	read(t, m.db, func(r kv.Reader) {
		same(t, "committed", m.state, scan(t, r, kv.Range{}, 0))
		expect(t, r, string(key), want)
	})
}

// transact runs fn in an update that may fail in the end, and takes its state
// over if it does not.
func (m *machine) transact(t *rapid.T, fn func(tx kv.Txn) model) {
	fail := rapid.Bool().Draw(t, "fail")
	after := m.state
	err := m.db.Update(func(tx kv.Txn) error {
		after = fn(tx)
		if fail {
			return errOnPurpose
		}
		return nil
	})
	if fail != errors.Is(err, errOnPurpose) {
		t.Fatalf("Update gave %v", err)
	}
	if !fail {
		m.state = after
	}
}

func (m *machine) update(t *rapid.T) {
	m.transact(t, func(tx kv.Txn) model { return steps(t, tx, m.state) })
}

func (m *machine) prefixed(t *rapid.T) {
	prefix := someKey.Draw(t, "prefix")
	m.transact(t, func(tx kv.Txn) model {
		inside := m.state.under(prefix)
		changes := inside.diff(steps(t, kv.PrefixedTxn(tx, prefix), inside))
		after := m.state
		for _, c := range changes {
			if key := append(bytes.Clone(prefix), c.Key...); c.NewValue == nil {
				after = after.delete(key)
			} else {
				after = after.set(key, c.NewValue)
			}
		}
		return after
	})
}

func (m *machine) overlay(t *rapid.T) {
	m.transact(t, func(tx kv.Txn) model {
		o := kv.NewOverlay(tx)
		after := steps(t, o, m.state)
		changes, err := o.Changes()
		OK(t, err)
		if diff := cmp.Diff(m.state.diff(after), changes); diff != "" {
			t.Fatalf("changes of the overlay (-want +got):\n%s", diff)
		}
		same(t, "the base", m.state, scan(t, tx, kv.Range{}, 0))

		OK(t, o.Flush(tx))
		same(t, "flushed", after, scan(t, tx, kv.Range{}, 0))
		OK(t, kv.Apply(tx, kv.Inverse(changes)))
		same(t, "reverted", m.state, scan(t, tx, kv.Range{}, 0))
		OK(t, kv.Apply(tx, changes))
		return after
	})
}

func (m *machine) load(t *rapid.T) {
	OK(t, m.db.Load(func(w kv.Writer) error {
		for range rapid.IntRange(0, 4).Draw(t, "records") {
			key, value := someKey.Draw(t, "key"), someText.Draw(t, "value")
			OK(t, w.Set(key, value))
			m.state = m.state.set(key, value)
		}
		return nil
	}))
}

func (m *machine) snapshot(t *rapid.T) {
	before := m.state
	read(t, m.db, func(r kv.Reader) {
		m.update(t)
		same(t, "the old state", before, scan(t, r, kv.Range{}, 0))
	})
}

// steps reads and writes tx at random, compares what it reads, and gives the
// state that it leaves.
func steps(t *rapid.T, tx kv.Txn, state model) model {
	for range rapid.IntRange(0, 8).Draw(t, "steps") {
		switch rapid.SampledFrom([]string{"set", "delete", "get", "scan"}).Draw(t, "step") {
		case "set":
			key, value := someKey.Draw(t, "key"), someText.Draw(t, "value")
			OK(t, tx.Set(key, value))
			state = state.set(key, value)
		case "delete":
			key := someKey.Draw(t, "key")
			OK(t, tx.Delete(key))
			state = state.delete(key)
		case "get":
			key := someKey.Draw(t, "key")
			want, _ := state.get(key)
			expect(t, tx, string(key), want)
		case "scan":
			r := someRange(t)
			limit := rapid.IntRange(0, 3).Draw(t, "limit")
			want := state.scan(r)
			if limit > 0 && limit < len(want) {
				want = want[:limit]
			}
			same(t, r, want, scan(t, tx, r, limit))
		}
	}
	return state
}

func someRange(t *rapid.T) kv.Range {
	r := kv.Range{Reverse: rapid.Bool().Draw(t, "reverse"), KeysOnly: rapid.Bool().Draw(t, "keys only")}
	if rapid.Bool().Draw(t, "has start") {
		r.Start = someKey.Draw(t, "start")
	}
	if rapid.Bool().Draw(t, "has end") {
		r.End = someKey.Draw(t, "end")
	}
	return r
}
