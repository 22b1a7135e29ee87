package chain

import (
	"bytes"
	"sort"

	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// Walked is what a walk over the history did.
type Walked struct {
	// Nodes are the messages and moves that were undone or done again, in
	// that order; those that had changed nothing are left out.
	Nodes []history.Node
	Head  history.ID
	Clock Clock
	// Revision is the store's after the walk.
	Revision uint64
}

// Undo goes to before the last n nodes that changed anything. It fails with
// [history.ErrNothingToUndo] when there is none; fewer than n are undone when
// there are fewer.
func (c *Chain) Undo(n int) (Walked, error) {
	return c.steps(n, history.ErrNothingToUndo, func(s *session, state history.State) (history.Node, history.ID, error) {
		undone, path, err := state.Undo(s.history)
		if err != nil {
			return undone, 0, err
		}
		for _, p := range path {
			if err := history.Remember(s.history, p); err != nil {
				return undone, 0, err
			}
		}
		return undone, undone.Parent, nil
	})
}

// Redo goes forward over the next n nodes that changed anything. It fails with
// [history.ErrNothingToRedo].
func (c *Chain) Redo(n int) (Walked, error) {
	return c.steps(n, history.ErrNothingToRedo, func(s *session, state history.State) (history.Node, history.ID, error) {
		redone, _, err := state.Redo(s.history)
		return redone, redone.ID, err
	})
}

// stepsAtOnce is how many steps of a long undo or redo share a transaction: a
// transaction has a size, and an interruption between two leaves a valid node.
const stepsAtOnce = 200

func (c *Chain) steps(n int, none error, next func(*session, history.State) (history.Node, history.ID, error)) (w Walked, err error) {
	for left := n; left > 0 && err == nil; left -= stepsAtOnce {
		err = c.update(func(s *session) error {
			draft := newDraft(s)
			for range min(left, stepsAtOnce) {
				state, err := history.Load(s.history)
				if err != nil {
					return err
				}
				node, to, err := next(s, state)
				if err == nil {
					err = draft.walk(to)
				}
				if err != nil {
					if err == none && len(w.Nodes) > 0 {
						left = 0 // as far as there is
						break
					}
					return err
				}
				w.Nodes = append(w.Nodes, node)
				if draft.full() {
					left += stepsAtOnce - draft.steps
					break
				}
			}
			return draft.settle(&w)
		})
	}
	return w, err
}

// Goto goes to a node on any branch: the name of a snapshot or a node's number.
// It fails with a [*history.NameError] or an [*history.UnknownNodeError].
func (c *Chain) Goto(target string) (w Walked, err error) {
	for there := false; !there && err == nil; {
		err = c.update(func(s *session) error {
			to, err := history.Find(s.history, target)
			if err != nil {
				return err
			}
			state, err := history.Load(s.history)
			if err != nil {
				return err
			}
			if state.Floor > 0 && to < state.Floor {
				return &history.UnknownNodeError{ID: to, Pruned: true}
			}
			draft := newDraft(s)
			up, down, err := state.Path(s.history, to)
			if err != nil {
				return err
			}
			there = true
			for _, n := range append(up, down...) {
				if draft.full() {
					there = false
					break
				}
				stop := n.ID
				if n.ID == mustHead(s) {
					stop = n.Parent
					if err := history.Remember(s.history, n); err != nil {
						return err
					}
				}
				if err := draft.walk(stop); err != nil {
					return err
				}
				if n.Changes > 0 {
					w.Nodes = append(w.Nodes, n)
				}
			}
			return draft.settle(&w)
		})
	}
	return w, err
}

func mustHead(s *session) history.ID {
	state, _ := history.Load(s.history)
	return state.Head
}

// draft gathers the changes of a walk, one for each key, before they are
// written: a key that changed a hundred times is written once.
type draft struct {
	s       *session
	changes map[string]kv.Change
	size    int // bytes
	steps   int
}

func newDraft(s *session) *draft { return &draft{s: s, changes: map[string]kv.Change{}} }

// Limits of what one transaction of a walk gathers, well below what a store
// commits at once.
const (
	draftKeys  = 4000
	draftBytes = 512 << 10
)

func (d *draft) full() bool { return len(d.changes) >= draftKeys || d.size >= draftBytes }

// walk moves the head to a node and gathers what that changes.
func (d *draft) walk(to history.ID) error {
	d.steps++
	state, err := history.Load(d.s.history)
	if err != nil {
		return err
	}
	up, down, err := state.Path(d.s.history, to)
	if err != nil {
		return err
	}
	for _, n := range up {
		if err := d.gather(n, history.Inverse); err != nil {
			return err
		}
	}
	for _, n := range down {
		if err := d.gather(n, func(c []kv.Change) []kv.Change { return c }); err != nil {
			return err
		}
	}
	state.Head = to
	return state.Save(d.s.history)
}

func (d *draft) gather(n history.Node, side func([]kv.Change) []kv.Change) error {
	if n.Changes == 0 {
		return nil
	}
	changes, err := history.Changes(d.s.history, n.ID)
	if err != nil {
		return err
	}
	for _, c := range side(changes) {
		old, seen := d.changes[string(c.Key)]
		if seen {
			c.Old = old.Old
		}
		d.size += len(c.Key) + len(c.New)
		d.changes[string(c.Key)] = c
	}
	return nil
}

// settle writes what was gathered.
func (d *draft) settle(w *Walked) error {
	all := make([]kv.Change, 0, len(d.changes))
	for _, c := range d.changes {
		all = append(all, c)
	}
	sort.Slice(all, func(i, j int) bool { return bytes.Compare(all[i].Key, all[j].Key) < 0 })
	if err := kv.Apply(d.s.t, all); err != nil {
		return err
	}
	clock, _, err := clockItem.Load(d.s.meta)
	if err != nil {
		return err
	}
	state, err := history.Load(d.s.history)
	if err != nil {
		return err
	}
	state.Revision++
	w.Head, w.Clock, w.Revision = state.Head, clock, state.Revision
	return state.Save(d.s.history)
}

// contractChanges gives those of the contract's records, keys as the contract
// has them.
func contractChanges(all []kv.Change) []kv.Change {
	var out []kv.Change
	for _, c := range all {
		if k, ok := bytes.CutPrefix(c.Key, contractPart); ok {
			out = append(out, kv.Change{Key: k, Old: c.Old, New: c.New})
		}
	}
	return out
}

// Snapshot names a node, the head where id is 0. It fails with a
// [*history.NameError].
func (c *Chain) Snapshot(name string, id history.ID) (at history.ID, err error) {
	err = c.update(func(s *session) error {
		state, err := history.Load(s.history)
		if err != nil {
			return err
		}
		if at = id; at == 0 {
			at = state.Head
		}
		if _, err := history.Get(s.history, at); err != nil {
			return err
		}
		return firstOf(history.SetName(s.history, name, at), s.bump())
	})
	return at, err
}

// Seal ends the set-up: undo never goes to before this moment.
func (c *Chain) Seal() error { return c.update((*session).seal) }

func (s *session) seal() error {
	state, err := history.Load(s.history)
	if err != nil {
		return err
	}
	state.Base = state.Head
	state.Revision++
	return state.Save(s.history)
}

// Prune forgets the oldest nodes until keep are left, and tells how many it
// forgot.
func (c *Chain) Prune(keep int) (forgot int, err error) {
	err = c.update(func(s *session) error {
		state, err := history.Load(s.history)
		if err != nil {
			return err
		}
		if forgot, err = state.Prune(s.history, keep); err != nil {
			return err
		}
		state.Revision++
		return state.Save(s.history)
	})
	return forgot, err
}
