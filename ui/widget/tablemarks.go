package widget

import "slices"

// Mark selects a row by its key, or takes it out of the selection. Marks stay
// when their rows are out of view.
func (t *Table) Mark(key string, on bool) {
	if t.marked[key] == on {
		return
	}
	if on {
		t.marked[key] = true
		t.order = append(t.order, key)
		return
	}
	delete(t.marked, key)
	t.order = slices.DeleteFunc(t.order, func(k string) bool { return k == key })
}

// Marked gives the keys of the selected rows in the order of selection.
func (t *Table) Marked() []string { return slices.Clone(t.order) }

// IsMarked says whether a row is selected.
func (t *Table) IsMarked(key string) bool { return t.marked[key] }

// ClearMarks selects nothing.
func (t *Table) ClearMarks() {
	clear(t.marked)
	t.order = nil
}
