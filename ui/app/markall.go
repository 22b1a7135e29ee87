package app

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/human"
	"ephemera/ui/widget"
)

// Limits of what one key selects: a list with more rows, or a filter that leaves out more
// elements, has to be filtered by an index first.
const (
	maxMarked         = 2000
	maxMarkedElements = 100_000
)

// MarkAllCommand returns the command of the key "*", which selects every row that a list
// has, also those that the table has not read yet. walkOf returns the walk over the list in a
// view; it runs on another goroutine. beforeMark, which can be nil, runs before the rows are
// selected. A list that is too long is not selected at all, and a notice says so.
func MarkAllCommand(st *State, table *widget.Table, walkOf func(*chain.View) widget.Walk, beforeMark func()) Command {
	markAll := func() tea.Cmd {
		var rows []widget.Row
		var isComplete bool

		// Read the whole list, up to a limit.
		readRows := func(v *chain.View) (err error) {
			rows, isComplete, err = widget.LoadAll(walkOf(v), maxMarked, maxMarkedElements)
			return err
		}

		// Select all or nothing: half a selection would look like the whole.
		markRows := func() tea.Cmd {
			if !isComplete {
				return Notify(LevelWarn, fmt.Sprintf("nothing was selected: the list has more than %s rows, or its filter searches too many; / narrows it", human.Thousands(maxMarked)))
			}
			if beforeMark != nil {
				beforeMark()
			}
			for _, row := range rows {
				table.Mark(row.Key, true)
			}
			return nil
		}
		return ReadThen(st, readRows, markRows)
	}
	return ScreenCommand("*", "select all", "Select everything that the list shows", markAll, "*")
}
