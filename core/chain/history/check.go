package history

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"ephemera/core/kv"
)

// Problem is one thing that is wrong with a history.
type Problem struct {
	Node ID // 0 where it is about no single node
	Text string
}

// Check reads the whole history and gives what is wrong with it. step is
// called for every record that was read. It walks in the order of ids and
// keeps nothing but, in a pruned history, the numbers of what is still to be
// dropped. An error is one of the store.
func Check(r kv.Reader, step func()) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		c := checker{r: r, step: step, yield: func(p Problem) bool { return yield(p, nil) }}
		if err := c.run(); err != nil {
			yield(Problem{}, err)
		}
	}
}

type checker struct {
	r      kv.Reader
	state  State
	doomed map[ID]bool
	step   func()
	yield  func(Problem) bool
	left   bool // nobody listens any more
}

func (c *checker) report(id ID, format string, args ...any) {
	c.left = c.left || !c.yield(Problem{id, fmt.Sprintf(format, args...)})
}

func (c *checker) run() error {
	raw, ok, err := c.r.Get([]byte{stateKey})
	if err != nil || !ok {
		return err
	}
	if c.state, err = decodeState(raw); err != nil {
		c.report(0, "where the history stands cannot be read: %v", err)
		return nil
	}
	if c.state.Head > c.state.Last {
		c.report(c.state.Head, "the head is node %d, and the youngest is %d", c.state.Head, c.state.Last)
	}
	for _, at := range []struct {
		name string
		id   ID
	}{{"head", c.state.Head}, {"end of the set-up", c.state.Base}, {"oldest node", c.state.Floor}} {
		if err := c.wanted(at.id, "the "+at.name); err != nil {
			return err
		}
	}
	// A prune that was cut off leaves nodes that nothing leads to.
	counted := c.state
	gone, err := counted.Prunable(c.r)
	if err != nil && !kv.IsCorrupt(err) { // a broken node is told where it is met
		return err
	}
	if err == nil && counted.Pruned != c.state.Pruned {
		c.report(0, "%d nodes are said to be forgotten, and %d are", c.state.Pruned, counted.Pruned)
	}
	c.doomed = map[ID]bool{}
	for _, id := range gone {
		c.doomed[id] = true
	}
	for _, part := range []struct {
		kind  byte
		check func(kv.Pair) error
	}{{nodeKey, c.node}, {changeKey, c.changes}, {redoKey, c.redo}, {branchKey, c.branch}, {nameKey, c.name}} {
		for p, err := range c.r.Scan(kv.PrefixRange([]byte{part.kind})) {
			if err != nil {
				return err
			}
			if err := part.check(kv.Pair{Key: bytes.Clone(p.Key), Value: bytes.Clone(p.Value)}); err != nil || c.left {
				return err
			}
			c.step()
		}
	}
	return nil
}

// wanted reports a node that something names and that is not there.
func (c *checker) wanted(id ID, who string) error {
	if id == 0 {
		return nil
	}
	_, ok, err := c.r.Get(key(nodeKey, id))
	if err == nil && !ok {
		c.report(id, "%s is node %d, which is not there", who, id)
	}
	return err
}

func (c *checker) node(p kv.Pair) error {
	id, err := decodeID(p.Key, p.Key[1:])
	if err != nil {
		c.report(0, "a node has a broken key: %v", err)
		return nil
	}
	if c.doomed[id] {
		return nil
	}
	n, err := Get(c.r, id)
	if kv.IsCorrupt(err) {
		c.report(id, "node %d cannot be read: %v", id, err)
		return nil
	}
	if err != nil {
		return err
	}
	if id > c.state.Last {
		c.report(id, "node %d is younger than the youngest, %d", id, c.state.Last)
	}
	if n.Parent >= id {
		c.report(id, "node %d follows node %d, which is not before it", id, n.Parent)
	} else if id != c.state.Floor {
		if err := c.wanted(n.Parent, fmt.Sprintf("the parent of node %d", id)); err != nil {
			return err
		}
	}
	if n.Parent+1 != id && id != c.state.Floor {
		if _, ok, err := c.r.Get(key(branchKey, n.Parent, id)); err != nil {
			return err
		} else if !ok {
			c.report(id, "node %d is not among what follows its parent, node %d", id, n.Parent)
		}
	}
	changes, err := Changes(c.r, id)
	switch {
	case kv.IsCorrupt(err):
		c.report(id, "what node %d changed cannot be read: %v", id, err)
	case err != nil:
		return err
	case uint64(len(changes)) != n.Changes:
		c.report(id, "node %d changed %d records, and %d are kept", id, n.Changes, len(changes))
	}
	return nil
}

func (c *checker) changes(p kv.Pair) error {
	id, err := decodeID(p.Key, p.Key[1:])
	if err != nil {
		c.report(0, "changes have a broken key: %v", err)
		return nil
	}
	return c.wanted(id, "what made some changes")
}

func (c *checker) redo(p kv.Pair) error {
	id, err := decodeID(p.Key, p.Key[1:])
	start, err2 := decodeID(p.Key, p.Value)
	if err != nil || err2 != nil {
		c.report(id, "the way forward from node %d cannot be read", id)
		return nil
	}
	if c.doomed[id] || id < c.state.Floor {
		return nil
	}
	_, err = State{Head: id, Floor: c.state.Floor}.pathDown(c.r, start)
	switch unknown := (*UnknownNodeError)(nil); {
	case errors.As(err, &unknown):
		c.report(start, "a way leads from node %d to node %d, which is not there", id, start)
	case errors.Is(err, errNoUndo):
		n, err := Get(c.r, start)
		c.report(start, "a way leads from node %d to node %d, which follows node %d", id, start, n.Parent)
		return err
	case !kv.IsCorrupt(err):
		return err
	}
	return nil
}

func (c *checker) branch(p kv.Pair) error {
	j, err := decodeJoint(p.Key)
	if err != nil {
		c.report(0, "a branch has a broken key")
		return nil
	}
	return c.follows(j.child, j.parent)
}

// follows reports a child that is not there or has another parent. A child that
// cannot be read is told where it is met, and what led past the oldest node is
// of no more use.
func (c *checker) follows(child, parent ID) error {
	if c.doomed[parent] || parent < c.state.Floor {
		return nil
	}
	n, err := Get(c.r, child)
	switch unknown := (*UnknownNodeError)(nil); {
	case errors.As(err, &unknown):
		c.report(child, "a way leads from node %d to node %d, which is not there", parent, child)
	case kv.IsCorrupt(err):
	case err != nil:
		return err
	case n.Parent != parent:
		c.report(child, "a way leads from node %d to node %d, which follows node %d", parent, child, n.Parent)
	}
	return nil
}

func (c *checker) name(p kv.Pair) error {
	id, err := decodeID(p.Key, p.Value)
	if err != nil {
		c.report(0, "the snapshot %q cannot be read", p.Key[1:])
		return nil
	}
	return c.wanted(id, fmt.Sprintf("the snapshot %q", p.Key[1:]))
}
