package history

import (
	"strconv"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// listReader reads the rows of the list in the background. It has copies of what it needs
// from the screen, which can change meanwhile.
type listReader struct {
	filter   nodeFilter
	readHead history.ID    // the head when the rows on the screen were read; 0 at first
	tree     *history.Tree // all nodes, set when the reading begins

	// These are set by readPage.
	view  *chain.View
	facts app.Facts
	names map[history.ID][]string // the names of each node
}

// readPage reads the rows that the table asks for. With a filter, the number of rows and
// their indexes in the list are not known. Without one, the page has the number of all
// rows. If no node was ever deleted, it also has the index of its first row. For example,
// of nodes 1 to 9 the row of node 7 has the index 2, because the newest node comes first.
func (r *listReader) readPage(
	view *chain.View,
	facts app.Facts,
	req widget.Request,
) (page widget.Page, err error) {
	r.view = view
	r.facts = facts
	r.names, err = view.NamesByNode()
	if err != nil {
		return page, err
	}

	// A cursor that is on the head, or that is on no row yet, follows the head.
	head := keyOfNode(view.Head)
	switch {
	case r.readHead == 0 && req.Seek == widget.First:
		req.Seek = widget.RowsAround
		req.Place = head
	case len(req.Keys) > 0 && req.Keys[0] == keyOfNode(r.readHead) &&
		(r.filter.isEmpty() || req.Seek == widget.SameRows): // the head may not fit the filter
		req.Place = head
		req.Keys = append([]string{head}, req.Keys...)
	}

	page, err = widget.Load(req, r.walk)
	if err != nil {
		return page, err
	}
	if !r.filter.isEmpty() {
		return page, nil
	}

	// Every node has a row, so the number of a node tells the index of its row.
	page.Total = int(r.facts.History.NodeCount())
	if r.facts.History.IsGapless() && len(page.Rows) > 0 {
		page.RowsBefore = int(r.facts.History.Last - nodeOfKey(page.Rows[0].Key))
	}
	return page, nil
}

// walk calls yield with the key and the row of each node of a part of the list, until yield
// returns false. The row is nil for a node that the filter leaves out. The list has the newest
// node first, so a part that is not Backward goes to older nodes. Backward, walk skips pruned
// nodes.
func (r *listReader) walk(part widget.ListPart, yield widget.YieldRow) error {
	var first history.ID // 0 begins with the newest node
	if part.From != nil {
		first = nodeOfKey(*part.From)
	}
	if part.Backward {
		for id := max(first+1, r.facts.History.Oldest); id <= r.facts.History.Last; id++ {
			node, err := r.view.Node(id)
			if isPruned(err) {
				continue
			}
			if err != nil {
				return err
			}
			if !yield(keyOfNode(id), r.rowOf(node)) {
				return nil
			}
		}
		return nil
	}

	if part.From != nil && !part.Inclusive {
		first--
		if first == 0 { // no node is older
			return nil
		}
	}
	for node, err := range r.view.History(first) {
		if err != nil {
			return err
		}
		if !yield(keyOfNode(node.ID), r.rowOf(node)) {
			return nil
		}
	}
	return nil
}

// keyOfNode returns the key of a node's row in the list: the node's number, such as
// "12".
func keyOfNode(id history.ID) string { return strconv.FormatUint(uint64(id), 10) }

// nodeOfKey returns the node whose row has a key, or 0, the number of no node, if the key
// is empty.
func nodeOfKey(key string) history.ID {
	id, _ := strconv.ParseUint(key, 10, 64) // only the empty key fails
	return history.ID(id)
}
