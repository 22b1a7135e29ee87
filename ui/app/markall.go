package app

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/human"
	"ephemera/ui/widget"
)

// The limits of what the keys "*" and "V" select. The user must narrow a longer list first.
const (
	maxSelectedRows     = 2000    // rows that are selected
	maxSearchedElements = 100_000 // elements that are searched for rows that match the filter
)

// SelectCommands returns the commands of the key "*", which selects all rows of a list, and
// of "V", which selects the rows from the last selected one to the cursor. Both select also
// rows that the table does not hold. If they are too many, the commands select nothing, and
// a notice says so.
//
// walkList returns the walk that reads the list. It runs on another goroutine.
func SelectCommands(state *State, table *widget.Table, walkList func(*chain.View) widget.Walk) []Command {
	// selectRows selects the rows that read returns, or none, because a part could be
	// mistaken for the whole. Then reason says why.
	selectRows := func(reason string, read func(widget.Walk) (rows []widget.Row, isComplete bool, err error)) tea.Cmd {
		var rows []widget.Row
		var isComplete bool
		return ReadThen(state, func(view *chain.View) (err error) {
			rows, isComplete, err = read(walkList(view))
			return err
		}, func() tea.Cmd {
			if !isComplete {
				return Notify(LevelWarn, "nothing was selected: "+fmt.Sprintf(reason, human.Thousands(maxSelectedRows)))
			}
			for _, row := range rows {
				table.Mark(row, true)
			}
			return nil
		})
	}

	selectAll := func() tea.Cmd {
		const reason = "the list has more than %s rows, or its filter searches too many; / narrows it"
		return selectRows(reason, func(walk widget.Walk) ([]widget.Row, bool, error) {
			return widget.LoadAll(walk, maxSelectedRows, maxSearchedElements)
		})
	}
	selectRange := func() tea.Cmd {
		cursor, hasRow := table.Cursor()
		marked := table.MarkedKeys()
		switch {
		case !hasRow:
			return nil
		case len(marked) == 0: // the range begins here
			table.Mark(cursor, true)
			return nil
		}
		const reason = "the last selected row is gone, or more than %s rows away"
		return selectRows(reason, func(walk widget.Walk) ([]widget.Row, bool, error) {
			return readRange(walk, marked[len(marked)-1], cursor.Place)
		})
	}
	return []Command{
		ScreenCommand("*", "select all", "Select everything that the list shows", selectAll).
			FoundBy("mark, batch, bulk, all, several, multiple"),
		ScreenCommand("V", "select to here", "Select from the last selected to here", selectRange).
			FoundBy("range, several, multiple, shift"),
	}
}

// readRange reads the rows from the one with a key to the one at a place, in this order. The
// row with the key may be before or after the place. isFound is false if it is too far away.
func readRange(walk widget.Walk, key, place string) (rows []widget.Row, isFound bool, err error) {
	for _, isBackward := range []bool{true, false} {
		rows = nil
		searchedCount := 0
		part := widget.ListPart{From: &place, Inclusive: true, Backward: isBackward}
		err = walk(part, func(_ string, row *widget.Row) (continues bool) {
			searchedCount++
			if row != nil {
				rows = append(rows, *row)
				isFound = row.Key == key
			}
			return !isFound && len(rows) < maxSelectedRows && searchedCount < maxSearchedElements
		})
		if err != nil || isFound {
			slices.Reverse(rows)
			return rows, isFound, err
		}
	}
	return nil, false, nil
}
