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

// Tree says which node of a history follows which. It does not hold what the nodes record.
// Its size grows with the number of branches and not with the number of nodes.
//
// A Tree is made once, and does not follow later changes of the history. Nodes that were
// pruned are not in it, nor are those that an interrupted prune still has to delete.
//
// Node 0 is the empty store before the first node. If nothing was pruned, the way to
// every node begins there.
type Tree struct {
	runs []run // in the order of their first nodes
}

// run is a series of nodes with consecutive numbers, each the parent of the next.
type run struct {
	first, last ID
	parent      ID     // of first
	parentRun   int    // the index of the run with the parent; -1 for the first run
	depth       uint64 // how many nodes are on the way to first, first included
	firstChild  ID     // the oldest node that follows last; 0 if none does
	lastFork    ID     // the last node that several nodes follow; 0 if there is none
}

// branchLink is the place where a branch begins: child, the first node of a run, follows
// parent, a node of another run.
type branchLink struct{ parent, child ID }

// LoadTree reads the shape of a history. It reads the branch records, and in a pruned
// history one key for each of them. It fails with a [*kv.CorruptError] if the key of a
// branch record is broken.
func LoadTree(r kv.Reader) (*Tree, error) {
	state, err := Load(r)
	if err != nil || state.Last == 0 {
		return &Tree{}, err
	}
	starts, err := runStarts(r, state.Oldest)
	if err != nil {
		return nil, err
	}

	t := &Tree{}
	for i, start := range starts {
		// A run ends before the next one, or even earlier if a prune deleted its end.
		last := state.Last
		if i+1 < len(starts) {
			last = starts[i+1].child - 1
		}
		if state.Oldest > 0 {
			last, err = lastNodeUpTo(r, last)
			if err != nil {
				return nil, err
			}
		}
		isRoot := i == 0
		t.addRun(start, last, isRoot)
	}
	return t, nil
}

// runStarts returns where each run begins, in the order of the first nodes. A run is a chain
// of nodes with consecutive ids, each the child of the one before; a node that does not
// follow the one before it has a branch record. The first run begins at the oldest node,
// which needs none; records of older nodes are of runs that were pruned.
func runStarts(r kv.Reader, oldest ID) ([]branchLink, error) {
	starts := []branchLink{{child: oldest}}
	for link, err := range branchLinks(r, []byte{branchKey}) {
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

// addRun adds the run from start.child to last. The root, the first run, has no parent.
// addRun leaves out a run whose first node is missing, which the doctor reports, and a run
// whose parent was pruned.
func (t *Tree) addRun(start branchLink, last ID, isRoot bool) {
	if last < start.child {
		return
	}
	added := run{first: start.child, last: last, parent: start.parent, parentRun: -1}
	if start.child > 0 {
		added.depth = t.Depth(start.parent) + 1
	}

	// Link the run with the one that it branches off from.
	if !isRoot {
		added.parentRun = t.indexOf(start.parent)
		if added.parentRun < 0 {
			return
		}
		t.runs[added.parentRun].addChild(start)
	}
	t.runs = append(t.runs, added)
}

// addChild notes that a run begins after a node of r.
func (r *run) addChild(link branchLink) {
	if link.parent == r.last && r.firstChild == 0 {
		r.firstChild = link.child
		return
	}
	r.lastFork = max(r.lastFork, link.parent)
}

// branchLinks yields the branch records whose keys begin with prefix, by parent and then by
// child.
func branchLinks(r kv.Reader, prefix []byte) iter.Seq2[branchLink, error] {
	return kv.Convert(r.Scan(keysWithPrefix(prefix)), func(p kv.Pair) (branchLink, error) {
		return decodeBranchLink(p.Key)
	})
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

// lastNodeUpTo returns the youngest node that is stored among those up to a number; 0
// if there is none.
func lastNodeUpTo(r kv.Reader, id ID) (ID, error) {
	for last, err := range Walk(r, id) {
		return last, err
	}
	return 0, nil
}

// indexOf returns the index of the run that holds a node; -1 if none does.
func (t *Tree) indexOf(id ID) int {
	after := sort.Search(len(t.runs), func(i int) bool { return t.runs[i].first > id })
	if after == 0 || t.runs[after-1].last < id {
		return -1
	}
	return after - 1
}

// Depth returns how many nodes are on the way to a node, the node included; 0 if the
// tree does not have the node.
func (t *Tree) Depth(id ID) uint64 {
	i := t.indexOf(id)
	if i < 0 {
		return 0
	}
	return t.runs[i].depth + uint64(id-t.runs[i].first)
}

// wayTo yields the runs on the way from the empty store to a node. A run is a chain of nodes
// with consecutive ids, without a branch between them. The run with the node comes first. With
// each run wayTo yields the last node of the run that is on the way.
func (t *Tree) wayTo(id ID) iter.Seq2[run, ID] {
	return func(yield func(run, ID) bool) {
		for i := t.indexOf(id); i >= 0; i = t.runs[i].parentRun {
			if !yield(t.runs[i], id) {
				return
			}
			id = t.runs[i].parent
		}
	}
}

// IsOnWay reports whether a node is on the way to another, that node included.
func (t *Tree) IsOnWay(id, to ID) bool {
	for run, last := range t.wayTo(to) {
		if id >= run.first {
			return id <= last
		}
	}
	return false
}

// Next returns the node that follows a node on the way to another; 0 if the node is not
// on the way, or is its end.
func (t *Tree) Next(id, to ID) ID {
	for run, last := range t.wayTo(to) {
		switch {
		case id >= last:
			return 0
		case id >= run.first:
			return id + 1
		case id == run.parent:
			return run.first
		}
	}
	return 0
}

// Meet returns the last node that is both on the way to a and on the way to b. It returns 0
// if there is none.
func (t *Tree) Meet(a, b ID) ID {
	runOfA := t.indexOf(a)
	runOfB := t.indexOf(b)

	// Go back to the parents until both are in one run. A parent's run comes before the runs
	// of its children, so the way to a does not pass through a later run than runOfA.
	for runOfA != runOfB && runOfA >= 0 && runOfB >= 0 {
		if runOfA > runOfB {
			a = t.runs[runOfA].parent
			runOfA = t.runs[runOfA].parentRun
		} else {
			b = t.runs[runOfB].parent
			runOfB = t.runs[runOfB].parentRun
		}
	}
	if runOfA < 0 || runOfB < 0 {
		return 0
	}
	return min(a, b) // within a run, the earlier node is on the way to the later one
}

// Branch is a branch of the history, from the node at which it leaves another branch to
// its tip, the last node, which no node follows.
type Branch struct {
	Tip   ID
	Fork  ID     // the node where it leaves another branch; 0 if it leaves none
	Nodes uint64 // how many nodes come after Fork
}

// Branches lists the branches, the one with the youngest tip first.
func (t *Tree) Branches() (branches []Branch) {
	for _, run := range slices.Backward(t.runs) {
		// A run that goes on in others is no branch of its own.
		isTip := run.firstChild == 0
		if !isTip {
			continue
		}
		fork := t.lastForkBefore(run.last)
		branches = append(branches, Branch{
			Tip:   run.last,
			Fork:  fork,
			Nodes: t.Depth(run.last) - t.Depth(fork),
		})
	}
	return branches
}

// lastForkBefore returns the last node on the way to a tip that several nodes follow; 0 if
// there is none.
func (t *Tree) lastForkBefore(tip ID) ID {
	for run, last := range t.wayTo(tip) {
		if last < run.last {
			return last // the run goes on there, and so does the way to the tip
		}
		if run.lastFork != 0 {
			return run.lastFork
		}
	}
	return 0
}
