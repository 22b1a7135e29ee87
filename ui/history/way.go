package history

import (
	"ephemera/core/chain"
	"ephemera/core/chain/history"
)

// headLine is the way from the head up to the beginning, as far as it was
// needed, in runs of numbers that follow each other. It is never changed, so
// that commands can share it: more gives a longer one.
type headLine struct {
	head history.ID
	runs []lineRun  // youngest first
	next history.ID // the first node above that was not looked at; 0 at the top
}

// lineRun is the nodes from low to high, all of them on the line.
type lineRun struct{ low, high history.ID }

func newHeadLine(head history.ID) headLine { return headLine{head: head, next: head} }

// more goes on up to a node's number.
func (l headLine) more(v *chain.View, low history.ID) (headLine, error) {
	runs := append([]lineRun(nil), l.runs...)
	for l.next != 0 && l.next >= low {
		n, err := v.Node(l.next)
		if isPruned(err) {
			l.next = 0 // forgotten
			break
		}
		if err != nil {
			return l, err
		}
		if last := len(runs) - 1; last >= 0 && runs[last].low == n.ID+1 {
			runs[last].low = n.ID
		} else {
			runs = append(runs, lineRun{n.ID, n.ID})
		}
		l.next = n.Parent
	}
	l.runs = runs
	return l, nil
}

// has tells whether a node is on the line.
func (l headLine) has(id history.ID) bool {
	for _, r := range l.runs {
		if id >= r.low {
			return id <= r.high
		}
	}
	return false
}

// standing is where a node is, seen from the head.
type standing int

const (
	atHead  standing = iota // the chain is in the state after it
	onLine                  // it led to the head
	ahead                   // it was undone and can be done again
	aside                   // it is on another branch
	nowhere                 // not known yet
)

// where tells where a node is. memo keeps what was found out on the way for the
// next ones.
func (l headLine) where(v *chain.View, n history.Node, memo map[history.ID]bool) (standing, error) {
	switch {
	case n.ID == l.head:
		return atHead, nil
	case n.ID < l.head && l.has(n.ID):
		return onLine, nil
	case n.ID < l.head:
		return aside, nil
	}
	below, way := false, []history.ID{}
	for at := n; ; {
		known, ok := memo[at.ID]
		if ok {
			below = known
			break
		}
		way = append(way, at.ID)
		if at.Parent <= l.head {
			below = at.Parent == l.head
			break
		}
		parent, err := v.Node(at.Parent)
		if err != nil {
			return nowhere, err
		}
		at = parent
	}
	for _, id := range way {
		memo[id] = below
	}
	if below {
		return ahead, nil
	}
	return aside, nil
}

// stepsCounted bounds how far a way is counted before it is only "more than".
const stepsCounted = 2000

// way counts the nodes from the head to a node: how many are undone, how many
// done again. more tells that the counting stopped early.
func way(v *chain.View, head, to history.ID) (up, down int, more bool, err error) {
	a, b := head, to
	parent := func(id history.ID) (history.ID, error) {
		n, err := v.Node(id)
		return n.Parent, err
	}
	for a != b && err == nil {
		if up+down >= stepsCounted {
			return up, down, true, nil
		}
		if a > b {
			a, err = parent(a)
			up++
		} else {
			b, err = parent(b)
			down++
		}
	}
	return up, down, false, err
}
