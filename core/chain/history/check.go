package history

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"ephemera/core/kv"
)

// Check reads the whole history and looks for problems, such as a node whose parent is
// missing. It calls report for every problem, and countRecord for every record that it has
// read. It keeps no records in memory. It fails only if the store fails. If the state of the
// history cannot be read, it checks nothing else.
func Check(reader kv.Reader, countRecord func(), report func(problem string)) error {
	c := checker{reader: reader, report: report}
	isReadable, err := c.checkState()
	if err != nil || !isReadable {
		return err
	}
	if err := c.checkPruning(); err != nil {
		return err
	}

	checks := []struct {
		letter byte // the first byte of the keys
		check  func(key, value []byte) error
	}{
		{nodeLetter, c.checkNode},
		{changeLetter, c.checkChanges},
		{redoLetter, c.checkRedo},
		{branchLetter, c.checkBranch},
		{nameLetter, c.checkName},
	}
	for _, kind := range checks {
		for pair, err := range reader.Scan(kv.PrefixRange([]byte{kind.letter})) {
			if err != nil {
				return err
			}
			if err := kind.check(bytes.Clone(pair.Key), bytes.Clone(pair.Value)); err != nil {
				return err
			}
			countRecord()
		}
	}
	return nil
}

// checker is the state of one [Check].
type checker struct {
	reader   kv.Reader            // reads the history
	report   func(problem string) // is called for every problem
	state    State                // the stored state; set by checkState
	prunable map[ID]bool          // nodes that the next prune deletes; set by checkPruning
}

func (c *checker) reportf(format string, args ...any) { c.report(fmt.Sprintf(format, args...)) }

// checkState reads the state of the history into c.state, and checks that the nodes that it
// names exist. isReadable is false if the state is missing or broken.
func (c *checker) checkState() (isReadable bool, err error) {
	record, exists, err := c.reader.Get([]byte{stateLetter})
	if err != nil || !exists {
		return false, err
	}
	c.state, err = decodeState(record)
	if err != nil {
		c.reportf("where the history stands cannot be read: %v", err)
		return false, nil
	}

	if c.state.Head > c.state.Last {
		c.reportf("the head is node %d, and the youngest is %d", c.state.Head, c.state.Last)
	}
	return true, cmp.Or(
		c.checkExists(c.state.Head, "the head"),
		c.checkExists(c.state.SetupEnd, "the end of the set-up"),
		c.checkExists(c.state.Oldest, "the oldest node"))
}

// checkPruning checks the stored number of pruned nodes, and sets c.prunable to the nodes that
// an interrupted prune has left. If a node is broken, it does neither, and [checker.checkNode]
// reports the node.
func (c *checker) checkPruning() error {
	// PrunableNodes sets the number of missing nodes in the copy.
	countedState := c.state
	prunable, err := countedState.PrunableNodes(c.reader)
	if kv.IsCorrupt(err) {
		return nil
	}
	if err != nil {
		return err
	}

	if countedState.PrunedCount != c.state.PrunedCount {
		c.reportf(
			"the history counts %d pruned nodes, and %d are missing",
			c.state.PrunedCount,
			countedState.PrunedCount,
		)
	}
	c.prunable = map[ID]bool{}
	for _, id := range prunable {
		c.prunable[id] = true
	}
	return nil
}

// checkExists reports a problem if the node with an id does not exist. role says what the node
// is, such as "the head". The id 0 names no node, so it passes.
func (c *checker) checkExists(id ID, role string) error {
	if id == 0 {
		return nil
	}
	_, exists, err := c.reader.Get(key(nodeLetter, id))
	if err != nil {
		return err
	}
	if !exists {
		c.reportf("%s is node %d, which is not there", role, id)
	}
	return nil
}

// checkNode checks that a node is readable, its parent exists, and its changes are stored,
// unless the next prune deletes it.
func (c *checker) checkNode(recordKey, _ []byte) error {
	id, err := decodeID(recordKey, recordKey[1:])
	if err != nil {
		c.reportf("a node has a broken key: %v", err)
		return nil
	}
	if c.prunable[id] {
		return nil
	}

	node, err := Get(c.reader, id)
	if kv.IsCorrupt(err) {
		c.reportf("node %d cannot be read: %v", id, err)
		return nil
	}
	if err != nil {
		return err
	}
	if id > c.state.Last {
		c.reportf("node %d is younger than the youngest, %d", id, c.state.Last)
	}
	if err := c.checkParent(node); err != nil {
		return err
	}
	changes, err := Changes(c.reader, id)
	switch {
	case kv.IsCorrupt(err):
		c.reportf("what node %d changed cannot be read: %v", id, err)
		return nil
	case err == nil && uint64(len(changes)) != node.ChangeCount:
		c.reportf("node %d changed %d records, and %d are kept", id, node.ChangeCount, len(changes))
	}
	return err
}

// checkParent checks that the parent of a node is older and exists, and that there is a branch
// record if the node begins a branch.
func (c *checker) checkParent(node Node) error {
	if node.Parent >= node.ID {
		c.reportf("node %d follows node %d, which is not before it", node.ID, node.Parent)
		return nil
	}
	if node.ID == c.state.Oldest {
		return nil // its parent was pruned
	}
	role := fmt.Sprintf("the parent of node %d", node.ID)
	if err := c.checkExists(node.Parent, role); err != nil {
		return err
	}

	// A child that has the next number needs no branch record.
	if node.Parent+1 == node.ID {
		return nil
	}
	_, isRecorded, err := c.reader.Get(key(branchLetter, node.Parent, node.ID))
	if err != nil {
		return err
	}
	if !isRecorded {
		c.reportf("node %d is not among what follows its parent, node %d", node.ID, node.Parent)
	}
	return nil
}

func (c *checker) checkChanges(recordKey, _ []byte) error {
	id, err := decodeID(recordKey, recordKey[1:])
	if err != nil {
		c.reportf("changes have a broken key: %v", err)
		return nil
	}
	return c.checkExists(id, "what made some changes")
}

// isPruned reports whether a node was pruned, or will be by the next prune.
func (c *checker) isPruned(id ID) bool { return c.prunable[id] || id < c.state.Oldest }

// checkRedo checks a redo record. After an undo from node 9 back to node 7, the record of node
// 7 has the number 9. It is right if an undo from node 9 can lead to node 7.
func (c *checker) checkRedo(recordKey, record []byte) error {
	id, keyErr := decodeID(recordKey, recordKey[1:])
	undoStart, err := decodeID(recordKey, record)
	if keyErr != nil || err != nil {
		c.reportf("the way forward from node %d cannot be read", id)
		return nil
	}

	if c.isPruned(id) { // redo never begins there
		return nil
	}

	state := State{Head: id, Oldest: c.state.Oldest}
	_, err = state.redoPath(c.reader, undoStart)
	switch {
	case errors.As(err, new(*UnknownNodeError)):
		c.reportf(missingChild, id, undoStart)
		return nil
	case errors.Is(err, errNoUndo):
		node, err := Get(c.reader, undoStart)
		c.reportf(wrongParent, id, undoStart, node.Parent)
		return err
	case kv.IsCorrupt(err):
		return nil // checkNode reports the broken node
	}
	return err
}

// checkBranch checks a branch record, whose key has the numbers of a parent and a child.
func (c *checker) checkBranch(recordKey, _ []byte) error {
	branch, err := decodeBranchLink(recordKey)
	if err != nil {
		c.reportf("a branch has a broken key")
		return nil
	}
	if c.isPruned(branch.parent) {
		return nil
	}

	node, err := Get(c.reader, branch.child)
	switch {
	case errors.As(err, new(*UnknownNodeError)):
		c.reportf(missingChild, branch.parent, branch.child)
	case kv.IsCorrupt(err):
		return nil // checkNode reports it
	case err != nil:
		return err
	case node.Parent != branch.parent:
		c.reportf(wrongParent, branch.parent, branch.child, node.Parent)
	}
	return nil
}

// Problems of a record that leads from one node to another.
const (
	wrongParent  = "a way leads from node %d to node %d, which follows node %d"
	missingChild = "a way leads from node %d to node %d, which is not there"
)

func (c *checker) checkName(recordKey, record []byte) error {
	name := recordKey[1:]
	id, err := decodeID(recordKey, record)
	if err != nil {
		c.reportf("the snapshot %q cannot be read", name)
		return nil
	}
	return c.checkExists(id, fmt.Sprintf("the snapshot %q", name))
}
