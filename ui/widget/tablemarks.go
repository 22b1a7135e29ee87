package widget

import "slices"

// Mark selects a row by its key, or takes it out of the selection. Marks stay
// when their rows are out of view.
func (t *Table) Mark(key string, on bool) {
	switch {
	case !on:
		t.marked = slices.DeleteFunc(t.marked, func(k string) bool { return k == key })
	case !t.IsMarked(key):
		t.marked = append(t.marked, key)
	}
}

// Marked gives the keys of the selected rows in the order of selection.
func (t *Table) Marked() []string { return slices.Clone(t.marked) }

// IsMarked says whether a row is selected.
func (t *Table) IsMarked(key string) bool { return slices.Contains(t.marked, key) }

// ClearMarks selects nothing.
func (t *Table) ClearMarks() { t.marked = nil }
