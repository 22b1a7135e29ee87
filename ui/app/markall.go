package app

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/human"
	"ephemera/ui/widget"
)

// The limits of what the key "*" selects. The user must narrow a longer list first.
const (
	maxSelectedRows     = 2000    // rows that are selected
	maxSearchedElements = 100_000 // elements that are searched for rows that match the filter
)

// SelectAllCommand returns the command of the key "*", which selects all rows of a list,
// including those that the table has not read yet. If the list is too long, the command
// selects nothing, and a notice says so.
//
// walkList returns the walk that reads the list. It runs on another goroutine. If
// beforeSelecting is not nil, it is called before the rows are selected.
func SelectAllCommand(
	state *State,
	table *widget.Table,
	walkList func(*chain.View) widget.Walk,
	beforeSelecting func(),
) Command {
	selectAll := func() tea.Cmd {
		var rows []widget.Row
		var isComplete bool // rows has the whole list

		// readRows reads the whole list, up to the limits.
		readRows := func(view *chain.View) (err error) {
			rows, isComplete, err = widget.LoadAll(walkList(view), maxSelectedRows, maxSearchedElements)
			return err
		}

		// selectRows selects all rows or none, because a part could be mistaken for the
		// whole.
		selectRows := func() tea.Cmd {
			if !isComplete {
				text := fmt.Sprintf(
					"nothing was selected: the list has more than %s rows, or its filter searches too many; / narrows it",
					human.Thousands(maxSelectedRows),
				)
				return Notify(LevelWarn, text)
			}

			if beforeSelecting != nil {
				beforeSelecting()
			}
			const isMarked = true
			for _, row := range rows {
				table.Mark(row.Key, isMarked)
			}
			return nil
		}
		return ReadThen(state, readRows, selectRows)
	}
	return ScreenCommand("*", "select all", "Select everything that the list shows", selectAll)
}
