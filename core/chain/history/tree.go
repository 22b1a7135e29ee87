package history

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"sort"

	"ephemera/core/kv"
)

// Tree knows the parent and the children of every node of a history, but not what the nodes
// record. Its size grows with the number of branches and not with the number of nodes.
//
// A Tree shows the history as it was when [LoadTree] read it. It leaves out pruned nodes,
// even if an interrupted prune has not deleted all of them yet.
//
// The path to a node consists of its ancestors, from the oldest on, and the node itself.
// If nothing was pruned, it begins at node 0, the empty store before the first message.
type Tree struct {
	segments []segment // in the order of their first nodes
}

// segment is a series of nodes with consecutive numbers, each the parent of the next. For
// example, if node 4 is the parent of nodes 5 and 8, and 8 is the last node, the segments
// are nodes 1 to 7 and node 8.
type segment struct {
	first         ID
	last          ID
	parent        ID     // the parent of first
	parentSegment int    // the index of the segment with the parent; -1 for the first segment
	depth         uint64 // how many nodes are on the path to first, first included
	firstChild    ID     // the oldest child of last; 0 if last has no child
	lastFork      ID     // the last node with several children; 0 if no node has several
}

// branchLink says where a branch begins. The child is the first node of a segment, and its
// parent is a node of another segment.
type branchLink struct {
	parent ID
	child  ID
}

// LoadTree reads the shape of a history: which node is the parent of which. It reads only
// the branch records, and in a pruned history also one key for each of them. It fails with
// a [*kv.CorruptError] if the key of a branch record is broken.
func LoadTree(reader kv.Reader) (*Tree, error) {
	state, err := Load(reader)
	if err != nil || state.Last == 0 {
		return &Tree{}, err
	}
	starts, err := segmentStarts(reader, state.Oldest)
	if err != nil {
		return nil, err
	}

	tree := &Tree{}
	for i, start := range starts {
		// A segment ends before the next one begins.
		last := state.Last
		if i+1 < len(starts) {
			last = starts[i+1].child - 1
		}

		// A prune may have deleted the nodes at its end.
		if state.Oldest > 0 {
			last, err = lastNodeUpTo(reader, last)
			if err != nil {
				return nil, err
			}
		}
		isRoot := i == 0
		tree.addSegment(start, last, isRoot)
	}
	return tree, nil
}

// segmentStarts returns where each segment begins, in the order of the first nodes. A
// segment is a series of nodes with consecutive numbers, each the parent of the next.
func segmentStarts(reader kv.Reader, oldest ID) ([]branchLink, error) {
	// The first segment begins at the oldest node, which has no branch record.
	starts := []branchLink{{child: oldest}}

	// Each of the others has a branch record. Records of older nodes belong to segments
	// that were pruned.
	for link, err := range branchLinks(reader, []byte{branchKey}) {
		if err != nil {
			return nil, err
		}
		if link.child > oldest {
			starts = append(starts, link)
		}
	}
	slices.SortFunc(starts, func(a, b branchLink) int { return cmp.Compare(a.child, b.child) })
	return starts, nil
}

// addSegment adds the segment with the nodes from start.child to last. Segments must be
// added in the order of their nodes. The root is the first segment, which has no parent.
func (t *Tree) addSegment(start branchLink, last ID, isRoot bool) {
	if last < start.child {
		return // none of its nodes is stored
	}
	added := segment{
		first:         start.child,
		last:          last,
		parent:        start.parent,
		parentSegment: -1,
	}
	if start.child > 0 { // node 0 is no message, so it does not count
		added.depth = t.Depth(start.parent) + 1
	}

	// Link the segment with the one that it branches off from.
	if !isRoot {
		added.parentSegment = t.indexOf(start.parent)
		if added.parentSegment < 0 {
			return // the parent was pruned, and so this segment is out of reach
		}
		t.segments[added.parentSegment].addChild(start)
	}
	t.segments = append(t.segments, added)
}

// addChild records that a node of the segment has a child in another segment.
func (s *segment) addChild(link branchLink) {
	isFirstAfterLast := link.parent == s.last && s.firstChild == 0
	if isFirstAfterLast {
		s.firstChild = link.child
		return
	}

	// The parent has another child, so it is a fork.
	s.lastFork = max(s.lastFork, link.parent)
}

// branchLinks yields the links of the branch records whose keys begin with prefix. They are
// sorted by parent, and those with the same parent by child.
func branchLinks(reader kv.Reader, prefix []byte) iter.Seq2[branchLink, error] {
	linkOf := func(pair kv.Pair) (branchLink, error) { return decodeBranchLink(pair.Key) }
	return kv.Convert(reader.Scan(keysWithPrefix(prefix)), linkOf)
}

// decodeBranchLink reads the key of a branch record: its letter, then the numbers of the
// parent and of the child, eight bytes each.
func decodeBranchLink(key []byte) (branchLink, error) {
	const (
		parentStart = 1
		childStart  = parentStart + 8
		size        = childStart + 8
	)
	if len(key) != size {
		return branchLink{}, &kv.CorruptError{Key: bytes.Clone(key), Err: errShortRecord}
	}
	return branchLink{
		parent: ID(binary.BigEndian.Uint64(key[parentStart:])),
		child:  ID(binary.BigEndian.Uint64(key[childStart:])),
	}, nil
}

// lastNodeUpTo returns the stored node with the highest number that is not above id. It
// returns 0 if there is no such node.
func lastNodeUpTo(reader kv.Reader, id ID) (ID, error) {
	// Walk yields the highest number first, so one round is enough.
	for last, err := range Walk(reader, id) {
		return last, err
	}
	return 0, nil
}

// indexOf returns the index of the segment that has a node. It returns -1 if the tree does
// not have the node.
func (t *Tree) indexOf(id ID) int {
	beginsAfter := func(i int) bool { return t.segments[i].first > id }
	index := sort.Search(len(t.segments), beginsAfter) - 1 // the last that begins at or before id
	if index < 0 || t.segments[index].last < id {
		return -1
	}
	return index
}

// Depth returns how many nodes are on the path to a node. The node itself counts, and node
// 0 does not. Depth returns 0 if the tree does not have the node.
func (t *Tree) Depth(id ID) uint64 {
	index := t.indexOf(id)
	if index < 0 {
		return 0
	}
	return t.segments[index].depth + uint64(id-t.segments[index].first)
}

// pathTo yields the segments on the path to a node, from the node's own segment back to the
// oldest. With each segment it yields the last node of the segment that is on the path. The
// nodes after that one belong to another branch.
func (t *Tree) pathTo(id ID) iter.Seq2[segment, ID] {
	return func(yield func(segment, ID) bool) {
		index := t.indexOf(id)
		for index >= 0 {
			onPath := t.segments[index]
			if !yield(onPath, id) {
				return
			}
			id = onPath.parent
			index = onPath.parentSegment
		}
	}
}

// IsOnPath reports whether a node is on the path to node target. The path to a node
// consists of its ancestors and the node itself.
func (t *Tree) IsOnPath(id, target ID) bool {
	for onPath, last := range t.pathTo(target) {
		if id >= onPath.first {
			return id <= last
		}
	}
	return false
}

// Next returns the child of node id that is on the path to node target. It returns 0 if
// id is not on that path, or if both are the same node.
func (t *Tree) Next(id, target ID) ID {
	for onPath, last := range t.pathTo(target) {
		switch {
		case id >= last:
			return 0 // id is the end of the path, or on another branch
		case id >= onPath.first:
			return id + 1
		case id == onPath.parent:
			return onPath.first
		}
	}
	return 0
}

// CommonAncestor returns the last common node of the paths to a and to b, which is the node
// where their branches separate. It returns 0 if the paths have no common node.
func (t *Tree) CommonAncestor(a, b ID) ID {
	segmentA := t.indexOf(a)
	segmentB := t.indexOf(b)

	// Replace the node in the later segment by the parent of this segment, until both nodes
	// are in the same segment. A parent's segment always comes before those of its children.
	for segmentA != segmentB && segmentA >= 0 && segmentB >= 0 {
		if segmentA > segmentB {
			a = t.segments[segmentA].parent
			segmentA = t.segments[segmentA].parentSegment
		} else {
			b = t.segments[segmentB].parent
			segmentB = t.segments[segmentB].parentSegment
		}
	}
	if segmentA < 0 || segmentB < 0 {
		return 0
	}
	return min(a, b) // within a segment, the earlier node is an ancestor of the later one
}

// Branch is a branch of the history. It goes from the node at which it leaves another
// branch to its last node.
type Branch struct {
	Tip   ID     // the last node, which has no child
	Fork  ID     // the node at which it leaves another branch; 0 if it leaves none
	Nodes uint64 // how many nodes come after Fork, Tip included
}

// Branches lists the branches. The one with the youngest tip is first.
func (t *Tree) Branches() (branches []Branch) {
	for _, candidate := range slices.Backward(t.segments) {
		// A branch ends where no node follows.
		if candidate.firstChild != 0 {
			continue
		}
		fork := t.lastForkBefore(candidate.last)
		branches = append(branches, Branch{
			Tip:   candidate.last,
			Fork:  fork,
			Nodes: t.Depth(candidate.last) - t.Depth(fork),
		})
	}
	return branches
}

// lastForkBefore returns the last node with several children on the path to a tip. It
// returns 0 if no node on the path has several children.
func (t *Tree) lastForkBefore(tip ID) ID {
	for onPath, last := range t.pathTo(tip) {
		if last < onPath.last {
			return last // its children are the next node of the segment and one on the path
		}
		if onPath.lastFork != 0 {
			return onPath.lastFork
		}
	}
	return 0
}
