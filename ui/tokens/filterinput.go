package tokens

import (
	"fmt"
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// filterInput is the filter as it is typed, and as it was applied last.
type filterInput struct {
	edit       widget.Edit
	typing     bool
	applied    string // the text of filter
	filter     tokenFilter
	problem    string // why the typed text is no filter
	unknownKey string // a key that no filter has, searched for as text
}

// updateFilter handles a key while the filter is typed.
func (s *Screen) updateFilter(st *app.State, msg tea.KeyMsg) {
	input := &s.filterInput
	switch msg.String() {
	case "esc":
		input.typing = false
		s.clearFilter(st)
		return
	case "enter", "down":
		s.applyFilter(st)
		if input.problem == "" {
			input.typing = false
			s.applyFilter(st) // a word that begins like a key is text now
			s.Table.Reload()  // keys typed ahead wait for the rows
		}
		return
	case "tab":
		input.edit.Set(completeFilter(input.edit.Value(), st.Accounts))
	default:
		input.edit.Update(msg)
	}
	s.applyFilter(st)
}

// clearFilter shows all tokens.
func (s *Screen) clearFilter(st *app.State) {
	s.filterInput.edit.Set("")
	s.applyFilter(st)
}

// applyFilter applies the typed filter. The list keeps the last one while the text is
// incomplete or wrong.
func (s *Screen) applyFilter(st *app.State) {
	input := &s.filterInput
	text := input.edit.Value()
	filter, err := parseFilter(text, chain.NewBook(st.Config.Prefix, st.Accounts))
	input.problem = ""
	input.unknownKey = app.UnknownFilterKey(normalizeFilter(text), filterKeys)
	if input.typing && endsWithinKey(text) {
		return
	}
	if err != nil {
		input.problem = err.Error()
		return
	}

	input.applied = text
	if !reflect.DeepEqual(filter, input.filter) {
		input.filter = filter
		s.restart(st)
	}
}

// filterProblem returns a line about the filter that replaces the titles of the list;
// nil if there is nothing to say. An unknown key is mentioned while the filter is
// typed, and if it finds nothing.
func (s *Screen) filterProblem(width int) widget.Line {
	input := &s.filterInput
	_, hasRows := s.Table.Cursor()
	switch {
	case input.typing && input.problem != "":
		return widget.In(themes.Warn, " "+themes.GlyphWarn+" "+input.problem)
	case input.unknownKey != "" && (input.typing || !hasRows):
		return app.UnknownFilterKeyWarning(input.unknownKey, filterKeys, width)
	}
	return nil
}

// minFilterWidth is the least room for the text that is typed, in cells.
const minFilterWidth = 16

// listHeading draws the line above the titles: the filter, or else the order, and the
// position in the list.
func (s *Screen) listHeading(st *app.State, width int) string {
	position := widget.In(themes.Muted, s.Table.Position()+" ")
	if s.Table.Searching() {
		position = widget.In(themes.Warn, position.String())
	}
	right := position.Render(st.Theme)

	if s.filterInput.typing {
		room := max(width-4-widget.Width(right), minFilterWidth)
		room = min(room, width-3)
		text := s.filterInput.edit.View(st.Theme, room, true, filterHelp)
		return widget.JoinEnds(" "+st.Theme.Render(themes.Key, "/ ")+text, right, width)
	}

	left := s.selectionLine()
	room := width - widget.Width(right)
	switch {
	case s.filterInput.applied != "":
		left = left.And(themes.Key, " / ").And(themes.Strong, s.filterInput.applied)
	case s.sortByExpiry:
		left = left.And(themes.Faint, orderOfExpiry(room))
	}
	return widget.JoinEnds(left.Render(st.Theme), right, width)
}

// selectionLine says how many tokens are selected; it is empty if none is.
func (s *Screen) selectionLine() widget.Line {
	count := len(s.Table.Marked())
	if count == 0 {
		return widget.Plain("")
	}
	return widget.In(themes.Accent, fmt.Sprintf(" %s %d selected ", themes.GlyphMarked, count))
}

// orderOfExpiry describes the order of expiry in less than width cells, if it can.
func orderOfExpiry(width int) string {
	const full = " with approvals, soonest to expire first"
	if len(full) < width {
		return full
	}
	return " soonest to expire first"
}
