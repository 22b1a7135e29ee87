package history

import (
	"ephemera/core/chain"
	"ephemera/core/chain/history"
)

// tip is the last node of a branch.
type tip struct {
	node   history.Node
	where  standing
	off    history.ID // where it left the way to the head
	steps  int
	far    bool
	redo   bool // redo comes here
	names  []string
	onward history.Node // the first node of its own
}

// readTips finds the nodes that nothing follows, the youngest first.
func readTips(v *chain.View) (tips []tip, more bool, err error) {
	names, err := namesIn(v)
	if err != nil {
		return nil, false, err
	}
	parents := map[history.ID]bool{}
	for n, err := range v.History(0) {
		if err != nil {
			return nil, false, err
		}
		if !parents[n.ID] {
			if more = len(tips) == tipsShown; more {
				break
			}
			tips = append(tips, tip{node: n, names: names[n.ID]})
		}
		delete(parents, n.ID)
		parents[n.Parent] = true
	}
	line := newHeadLine(v.Head)
	for i := range tips {
		if line, err = tips[i].place(v, line); err != nil {
			return nil, false, err
		}
	}
	return tips, more, nil
}

// namesIn are the names of the moments that have some.
func namesIn(v *chain.View) (map[history.ID][]string, error) {
	names := map[history.ID][]string{}
	snapshots, err := v.Snapshots()
	for _, s := range snapshots {
		names[s.ID] = append(names[s.ID], s.Name)
	}
	return names, err
}

// place finds where a tip left the way to the head, as far as that is known.
func (t *tip) place(v *chain.View, line headLine) (_ headLine, err error) {
	for at := t.node; ; t.steps++ {
		if line, err = line.more(v, at.ID); err != nil {
			return line, err
		}
		if line.has(at.ID) {
			t.off = at.ID
			break
		}
		if t.far = t.steps >= stepsCounted; t.far {
			break
		}
		t.onward = at
		if at, err = v.Node(at.Parent); err != nil {
			return line, err
		}
	}
	switch {
	case t.node.ID == v.Head:
		t.where = atHead
	case t.off == v.Head:
		t.where = ahead
		t.redo, err = v.RedoLeadsTo(t.node.ID)
	default:
		t.where = aside
	}
	return line, err
}
