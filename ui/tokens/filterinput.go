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

// filterInput is the filter of the list: the text in its input line, and the filter that
// was last applied. The two differ while the text is incomplete or wrong.
type filterInput struct {
	edit       widget.Edit
	isTyping   bool        // keys go to the input line
	applied    string      // the text that filter was parsed from
	filter     tokenFilter // the list shows its matches
	problem    string      // why the typed text is no filter; "" if it is one
	unknownKey string      // such as "color:", which is searched for as text; "" if none
}

// updateFilter handles a key while the filter is typed. Esc ends typing and clears the
// filter. Enter and down end typing if the text is a filter. Tab completes the last word.
// Any other key edits the text. The list follows each key.
func (s *Screen) updateFilter(st *app.State, msg tea.KeyMsg) {
	input := &s.filterInput
	switch msg.String() {
	case "esc":
		input.isTyping = false
		s.clearFilter(st)
		return
	case "enter", "down":
		s.applyFilter(st)
		if input.problem == "" {
			input.isTyping = false
			s.applyFilter(st) // a last word such as "own" is text now, no longer half a key
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

// clearFilter empties the input line and lists all tokens.
func (s *Screen) clearFilter(st *app.State) {
	s.filterInput.edit.Set("")
	s.applyFilter(st)
}

// applyFilter parses the typed text and shows the tokens that match. While the text is
// incomplete or wrong, the list keeps the filter that was applied before. A wrong text
// also sets the problem that is shown above the list.
func (s *Screen) applyFilter(st *app.State) {
	input := &s.filterInput
	text := input.edit.Value()
	filter, err := parseFilter(text, chain.NewBook(st.Config.Prefix, st.Accounts))
	input.problem = ""
	input.unknownKey = app.UnknownFilterKey(normalizeFilter(text), filterKeys)
	if input.isTyping && endsWithinKey(text) {
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
	case input.isTyping && input.problem != "":
		return widget.In(themes.Warn, " "+themes.GlyphWarn+" "+input.problem)
	case input.unknownKey != "" && (input.isTyping || !hasRows):
		return app.UnknownFilterKeyWarning(input.unknownKey, filterKeys, width)
	}
	return nil
}

// minFilterWidth is the least width, in cells, of the input line of the filter.
const minFilterWidth = 16

// listHeading draws the line above the column titles. On its left is the input line while
// the filter is typed, and otherwise the number of selected tokens with the filter or the
// order. On its right is the position in the list, such as "3 of 100".
func (s *Screen) listHeading(st *app.State, width int) string {
	position := widget.In(themes.Muted, s.Table.Position()+" ")
	if s.Table.Searching() {
		position = widget.In(themes.Warn, position.String())
	}
	right := position.Render(st.Theme)

	if s.filterInput.isTyping {
		inputWidth := max(width-4-widget.Width(right), minFilterWidth)
		inputWidth = min(inputWidth, width-3)
		text := s.filterInput.edit.View(st.Theme, inputWidth, true, filterHelp)
		return widget.JoinEnds(" "+st.Theme.Render(themes.Key, "/ ")+text, right, width)
	}

	left := s.selectionLine()
	leftWidth := width - widget.Width(right)
	switch {
	case s.filterInput.applied != "":
		left = left.And(themes.Key, " / ").And(themes.Strong, s.filterInput.applied)
	case s.sortByExpiry:
		left = left.And(themes.Faint, orderOfExpiry(leftWidth))
	}
	return widget.JoinEnds(left.Render(st.Theme), right, width)
}

// selectionLine says how many tokens are selected, such as "3 selected". The line is
// empty if none is.
func (s *Screen) selectionLine() widget.Line {
	count := len(s.Table.Marked())
	if count == 0 {
		return widget.Plain("")
	}
	return widget.In(themes.Accent, fmt.Sprintf(" %s %d selected ", themes.GlyphMarked, count))
}

// orderOfExpiry describes the order of expiry. It returns the full sentence if that is
// narrower than width cells, and otherwise a short one.
func orderOfExpiry(width int) string {
	const full = " with approvals, soonest to expire first"
	if len(full) < width {
		return full
	}
	return " soonest to expire first"
}
