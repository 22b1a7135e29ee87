package history

import (
	"bytes"
	"errors"
	"fmt"

	"ephemera/core/kv"
)

// Check reads the whole history and looks for problems, such as a node whose parent is
// missing. It calls report for every problem, and countRecord for every record that it has
// read. It needs little memory, because it keeps no records. It fails only if the store
// fails.
func Check(reader kv.Reader, countRecord func(), report func(problem string)) error {
	c := checker{reader: reader, countRecord: countRecord, report: report}
	return c.checkAll()
}

// checker is the state of one [Check].
type checker struct {
	reader      kv.Reader            // reads the history
	countRecord func()               // is called after every record
	report      func(problem string) // is called for every problem
	state       State                // the stored state; set by checkState
	prunable    map[ID]bool          // nodes that the next prune deletes; set by checkPruning
}

// reportf reports a problem with a formatted text.
func (c *checker) reportf(format string, args ...any) { c.report(fmt.Sprintf(format, args...)) }

// checkAll checks the state of the history, and then the records of each kind. If the state
// cannot be read, it checks nothing else, because the other checks need it.
func (c *checker) checkAll() error {
	isReadable, err := c.checkState()
	if err != nil || !isReadable {
		return err
	}
	if err := c.checkPruning(); err != nil {
		return err
	}

	// The first byte of a key, a letter, says what kind of record it is.
	checks := []struct {
		letter byte
		check  func(key, value []byte) error
	}{
		{nodeLetter, c.checkNode},
		{changeLetter, c.checkChanges},
		{redoLetter, c.checkRedo},
		{branchLetter, c.checkBranch},
		{nameLetter, c.checkName},
	}
	for _, kind := range checks {
		if err := c.checkRecords(kind.letter, kind.check); err != nil {
			return err
		}
	}
	return nil
}

// checkRecords calls check with every record whose key begins with a letter, which stands for
// a kind of record.
func (c *checker) checkRecords(letter byte, check func(key, value []byte) error) error {
	for pair, err := range c.reader.Scan(kv.PrefixRange([]byte{letter})) {
		if err != nil {
			return err
		}
		if err := check(bytes.Clone(pair.Key), bytes.Clone(pair.Value)); err != nil {
			return err
		}
		c.countRecord()
	}
	return nil
}

// checkState reads the state of the history into c.state, and checks that the nodes that it
// names exist. isReadable is false if the state is missing or broken. Then nothing else can
// be checked.
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

	// The head cannot be younger than the youngest node, and the nodes that the state names
	// must exist.
	if c.state.Head > c.state.Last {
		c.reportf("the head is node %d, and the youngest is %d", c.state.Head, c.state.Last)
	}
	if err := c.checkExists(c.state.Head, "the head"); err != nil {
		return false, err
	}
	if err := c.checkExists(c.state.SetupEnd, "the end of the set-up"); err != nil {
		return false, err
	}
	return true, c.checkExists(c.state.Oldest, "the oldest node")
}

// checkPruning checks that the stored number of pruned nodes is the number of missing
// nodes. It also sets c.prunable to the nodes that an interrupted prune has left. If a node
// is broken, checkPruning does neither, and [checker.checkNode] reports the node.
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

	// The stored number must be that of the missing nodes.
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

// checkExists reports a problem if the node with an id does not exist. In the report, role
// says what the node is, such as "the head". The id 0 names no node, so it passes.
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

// checkNode checks the node under a key. The node must be readable, its parent must exist,
// and its changes must be stored. A node that the next prune deletes is not checked.
func (c *checker) checkNode(recordKey, _ []byte) error {
	id, err := decodeID(recordKey, recordKey[1:])
	if err != nil {
		c.reportf("a node has a broken key: %v", err)
		return nil
	}
	if c.prunable[id] {
		return nil
	}

	// Report a broken node, and go on with the next record.
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
	return c.checkChangeCount(node)
}

// checkParent checks that the parent of a node is older and exists. If the node begins a
// branch, it also checks that there is a branch record, which has both numbers in its key.
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

// checkChangeCount checks that the number of stored changes of a node is the number in the
// record of the node.
func (c *checker) checkChangeCount(node Node) error {
	changes, err := Changes(c.reader, node.ID)
	if kv.IsCorrupt(err) {
		c.reportf("what node %d changed cannot be read: %v", node.ID, err)
		return nil
	}
	if err != nil {
		return err
	}
	if uint64(len(changes)) != node.ChangeCount {
		c.reportf("node %d changed %d records, and %d are kept", node.ID, node.ChangeCount, len(changes))
	}
	return nil
}

// checkChanges checks the changes under a key: the node that made them must exist.
func (c *checker) checkChanges(recordKey, _ []byte) error {
	id, err := decodeID(recordKey, recordKey[1:])
	if err != nil {
		c.reportf("changes have a broken key: %v", err)
		return nil
	}
	return c.checkExists(id, "what made some changes")
}

// checkRedo checks a redo record, which tells redo where to go. For example, after an undo
// from node 9 back to node 7, the record of node 7 has the number 9. The record is right if
// an undo from node 9 can lead to node 7. checkRedo skips records of pruned nodes.
func (c *checker) checkRedo(recordKey, record []byte) error {
	id, keyErr := decodeID(recordKey, recordKey[1:])
	undoStart, err := decodeID(recordKey, record)
	if keyErr != nil || err != nil {
		c.reportf("the way forward from node %d cannot be read", id)
		return nil
	}

	// Redo never begins at a pruned node.
	isPruned := c.prunable[id] || id < c.state.Oldest
	if isPruned {
		return nil
	}

	// Find the path that redo would take. It fails if an undo cannot have gone this way.
	state := State{Head: id, Oldest: c.state.Oldest}
	_, err = state.redoPath(c.reader, undoStart)
	switch {
	case errors.As(err, new(*UnknownNodeError)):
		c.reportMissingChild(id, undoStart)
		return nil
	case errors.Is(err, errNoUndo):
		node, err := Get(c.reader, undoStart)
		c.reportf(
			"a way leads from node %d to node %d, which follows node %d",
			id,
			undoStart,
			node.Parent,
		)
		return err
	case kv.IsCorrupt(err):
		return nil // checkNode reports the broken node
	}
	return err
}

// checkBranch checks a branch record, whose key has the numbers of a parent and a child. The
// child must exist and have this parent. checkBranch skips records of pruned nodes.
func (c *checker) checkBranch(recordKey, _ []byte) error {
	branch, err := decodeBranchLink(recordKey)
	if err != nil {
		c.reportf("a branch has a broken key")
		return nil
	}
	isPruned := c.prunable[branch.parent] || branch.parent < c.state.Oldest
	if isPruned {
		return nil
	}

	node, err := Get(c.reader, branch.child)
	switch {
	case errors.As(err, new(*UnknownNodeError)):
		c.reportMissingChild(branch.parent, branch.child)
	case kv.IsCorrupt(err):
		return nil // checkNode reports it
	case err != nil:
		return err
	case node.Parent != branch.parent:
		c.reportf(
			"a way leads from node %d to node %d, which follows node %d",
			branch.parent,
			branch.child,
			node.Parent,
		)
	}
	return nil
}

// reportMissingChild reports that a record of node id refers to a child that does not exist.
func (c *checker) reportMissingChild(id, child ID) {
	c.reportf("a way leads from node %d to node %d, which is not there", id, child)
}

// checkName checks the record of a name: the node that has the name must exist.
func (c *checker) checkName(recordKey, record []byte) error {
	name := recordKey[1:]
	id, err := decodeID(recordKey, record)
	if err != nil {
		c.reportf("the snapshot %q cannot be read", name)
		return nil
	}
	return c.checkExists(id, fmt.Sprintf("the snapshot %q", name))
}
