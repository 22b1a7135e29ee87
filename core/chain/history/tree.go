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
// example, a history of eight nodes in which node 8 branches off from node 4 has two
// segments: the nodes 1 to 7, and node 8.
type segment struct {
	first         ID
	last          ID
	parent        ID     // the parent of first
	parentSegment int    // the index of the segment with the parent; -1 for the first segment
	depth         uint64 // how many nodes are on the path to first, first included
	firstChild    ID     // the oldest child of last; 0 if last has no child
	lastFork      ID     // the last node with several children; 0 if no node has several
}

// branchLink says where a branch begins: child is the first node of a segment, and parent a
// node of another one.
type branchLink struct {
	parent ID
	child  ID
}

// LoadTree reads only the keys of the branch records, and in a pruned history one more key for
// each, so it is fast in a long history. It fails with a [*kv.CorruptError] if such a key is
// broken.
func LoadTree(reader kv.Reader) (*Tree, error) {
	state, err := Load(reader)
	if err != nil || state.Last == 0 {
		return &Tree{}, err
	}

	// The first segment begins at the oldest node, and has no branch record and no parent. Each
	// of the others has a branch record. Records of older nodes belong to pruned segments.
	links := []branchLink{{child: state.Oldest}}
	for link, err := range branchLinks(reader, []byte{branchLetter}) {
		if err != nil {
			return nil, err
		}
		if link.child > state.Oldest {
			links = append(links, link)
		}
	}
	slices.SortFunc(links, func(a, b branchLink) int { return cmp.Compare(a.child, b.child) })

	// A segment ends before the next one begins, or where a prune has deleted its end.
	tree := &Tree{}
	for i, link := range links {
		last := state.Last
		if i+1 < len(links) {
			last = links[i+1].child - 1
		}
		if state.Oldest > 0 {
			last, err = lastNodeUpTo(reader, last)
			if err != nil {
				return nil, err
			}
		}
		tree.addSegment(link, last, i == 0)
	}
	return tree, nil
}

// addSegment adds the segment with the nodes from link.child to last. Segments must be added
// in the order of their nodes. The root is the first segment, which has no parent.
func (t *Tree) addSegment(link branchLink, last ID, isRoot bool) {
	if last < link.child {
		return // none of its nodes is stored
	}
	newSegment := segment{
		first:         link.child,
		last:          last,
		parent:        link.parent,
		parentSegment: -1,
	}

	if link.child > 0 {
		newSegment.depth = t.Depth(link.parent) + 1
	}

	if !isRoot {
		newSegment.parentSegment = t.indexOf(link.parent)

		// If the parent was pruned, this segment is out of reach.
		if newSegment.parentSegment < 0 {
			return
		}

		// If the parent has another child already, it is a fork.
		parent := &t.segments[newSegment.parentSegment]
		if link.parent == parent.last && parent.firstChild == 0 {
			parent.firstChild = link.child
		} else {
			parent.lastFork = max(parent.lastFork, link.parent)
		}
	}
	t.segments = append(t.segments, newSegment)
}

// branchLinks yields the links in the branch records whose keys begin with prefix, sorted by
// parent and child.
func branchLinks(reader kv.Reader, prefix []byte) iter.Seq2[branchLink, error] {
	decodeLink := func(pair kv.Pair) (branchLink, error) { return decodeBranchLink(pair.Key) }
	return kv.Convert(reader.Scan(keysWithPrefix(prefix)), decodeLink)
}

// decodeBranchLink decodes the key of a branch record: a letter, and two numbers of eight
// bytes each. It fails with a [*kv.CorruptError] if the key has another size.
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

// lastNodeUpTo returns the stored node with the highest number up to id; 0 for none.
func lastNodeUpTo(reader kv.Reader, id ID) (ID, error) {
	for last, err := range Walk(reader, id) {
		return last, err // Walk yields the highest number first
	}
	return 0, nil
}

// indexOf returns the index in t.segments of the segment that has a node; -1 for none.
func (t *Tree) indexOf(id ID) int {
	// Take the last segment that begins at the node or before it.
	index := sort.Search(len(t.segments), func(i int) bool { return t.segments[i].first > id }) - 1
	if index < 0 || t.segments[index].last < id {
		return -1
	}
	return index
}

// Depth returns how many nodes are on the path to a node, with itself but without node 0. It
// returns 0 if the tree does not have the node.
func (t *Tree) Depth(id ID) uint64 {
	index := t.indexOf(id)
	if index < 0 {
		return 0
	}
	return t.segments[index].depth + uint64(id-t.segments[index].first)
}

// pathTo yields the segments on the path to a node, from the node's own back to the oldest.
// With each segment it yields the last of its nodes that is on the path. Later ones are on
// another branch.
func (t *Tree) pathTo(id ID) iter.Seq2[segment, ID] {
	return func(yield func(segment, ID) bool) {
		index := t.indexOf(id)
		for index >= 0 {
			pathSegment := t.segments[index]
			if !yield(pathSegment, id) {
				return
			}
			id = pathSegment.parent
			index = pathSegment.parentSegment
		}
	}
}

// IsOnPath reports whether a node is an ancestor of node target, or target itself.
func (t *Tree) IsOnPath(id, target ID) bool {
	for pathSegment, last := range t.pathTo(target) {
		if id >= pathSegment.first {
			return id <= last
		}
	}
	return false
}

// Next returns the node that follows node id on the path to node target; 0 if target is not a
// descendant of id.
func (t *Tree) Next(id, target ID) ID {
	for pathSegment, last := range t.pathTo(target) {
		switch {
		case id >= last:
			return 0 // id is the end of the path, or on another branch
		case id >= pathSegment.first:
			return id + 1
		case id == pathSegment.parent:
			return pathSegment.first
		}
	}
	return 0
}

// CommonAncestor returns the last common node of the paths to a and to b; 0 for none.
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

	return min(a, b)
}

// Branch is a branch of the history. It goes from the node at which it leaves another branch,
// its fork, to its last node, its tip.
type Branch struct {
	Tip   ID     // the last node, which has no child
	Fork  ID     // the node at which it leaves another branch; 0 if it leaves none
	Nodes uint64 // how many nodes come after Fork, Tip included
}

// Branches lists the branches of the history, one for each node without a child. The branch
// with the youngest tip is first.
func (t *Tree) Branches() (branches []Branch) {
	for _, candidate := range slices.Backward(t.segments) {
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

// lastForkBefore returns the last node on the path to a tip that has several children; 0 for
// none.
func (t *Tree) lastForkBefore(tip ID) ID {
	for pathSegment, last := range t.pathTo(tip) {
		// One child of such a node is the next node of its segment, and one is on the path.
		if last < pathSegment.last {
			return last
		}
		if pathSegment.lastFork != 0 {
			return pathSegment.lastFork
		}
	}
	return 0
}
