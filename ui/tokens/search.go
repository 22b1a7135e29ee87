package tokens

import (
	"fmt"
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// search is the filter of the Tokens screen as it is typed and applied.
type search struct {
	edit    widget.Edit
	typing  bool
	applied string // the text that the list answers
	filter  tokenFilter
	problem string
	strange string // a key that there is not, which is looked for as text
}

// filterKey takes a key while the filter is typed.
func (t *Screen) filterKey(st *app.State, msg tea.KeyMsg) {
	s := &t.search
	switch msg.String() {
	case "esc":
		s.typing = false
		t.clearFilter(st)
		return
	case "enter", "down":
		t.applyFilter(st)
		if s.problem == "" {
			s.typing = false
			t.applyFilter(st) // also what looked as if more would come
			t.Table.Reload()  // so that what is typed ahead waits for the rows
		}
		return
	case "tab":
		s.edit.Set(completeFilter(s.edit.Value(), st.Accounts))
	default:
		s.edit.Update(msg)
	}
	t.applyFilter(st)
}

func (t *Screen) clearFilter(st *app.State) {
	t.search.edit.Set("")
	t.applyFilter(st)
}

// applyFilter makes the list answer what is typed, if it can be understood; it
// stays as it was while it cannot.
func (t *Screen) applyFilter(st *app.State) {
	s := &t.search
	text := s.edit.Value()
	f, err := parseFilter(text, st.Accounts)
	s.problem, s.strange = "", app.StrangeKey(respelled(text), tokenKeys)
	if s.typing && begun(text) {
		return
	}
	if err != nil {
		s.problem = err.Error()
		return
	}
	s.applied = text
	if !reflect.DeepEqual(f, s.filter) {
		s.filter = f
		t.restart(st)
	}
}

// restart shows the list from its first row.
func (t *Screen) restart(st *app.State) {
	t.titles()
	t.Table.Restart()
	t.Table.Sparse = t.list(st).sparse()
	t.changed = nil
}

// filterLeast is the room that the text being typed always has, in cells.
const filterLeast = 16

// problem is what there is to say of the filter in place of the titles, while
// it is typed and where it finds nothing.
func (t *Screen) problem(w int) widget.Line {
	s := &t.search
	_, some := t.Table.Cursor()
	switch {
	case s.problem != "" && s.typing:
		return widget.In(themes.Warn, " "+themes.GlyphWarn+" "+s.problem)
	case s.strange != "" && (s.typing || !some):
		return app.StrangeKeySaid(s.strange, tokenKeys, w)
	}
	return nil
}

// line is the first line of the list: the filter, if there is one, and which
// rows are in view.
func (t *Screen) line(st *app.State, w int) string {
	th, s := st.Theme, &t.search
	right := widget.In(themes.Muted, t.Table.Position()+" ")
	if t.Table.Searching() {
		right = widget.In(themes.Warn, right.String())
	}
	if s.typing {
		room := min(max(w-4-widget.Width(right.String()), filterLeast), w-3)
		return widget.Ends(" "+th.Render(themes.Key, "/ ")+s.edit.View(th, room, true, filterHelp), right.Render(th), w)
	}
	left := widget.Plain("")
	switch {
	case s.applied != "":
		left = widget.In(themes.Key, " / ").And(themes.Strong, s.applied)
	case t.sortEnds:
		if left = widget.In(themes.Faint, " with approvals, soonest to expire first"); widget.Width(left.String()+right.String()) >= w {
			left = widget.In(themes.Faint, " soonest to expire first")
		}
	}
	if n := len(t.Table.Marked()); n > 0 {
		left = append(widget.In(themes.Accent, fmt.Sprintf(" %s %d selected ", themes.GlyphMarked, n)), left...)
	}
	return widget.Ends(left.Render(th), right.Render(th), w)
}
