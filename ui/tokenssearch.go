package ui

import (
	"fmt"
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
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

	scan  *tokenScan // nil where an index answers
	again *tokenScan // the same, looked for anew behind what is shown
	stale bool       // and once more after that
	held  *widget.Request
}

// filterKeys are those that do more than edit while a filter is typed.
var filterKeys = listed(groupHere, bind("enter", "to the rows", "enter"), bind("esc", "drop the filter", "esc"))

// filterKey takes a key while the filter is typed.
func (t *tokens) filterKey(d *Desk, msg tea.KeyMsg) {
	s := &t.search
	switch msg.String() {
	case "esc":
		s.typing = false
		t.clearFilter(d)
		return
	case "enter", "down":
		t.applyFilter(d)
		if s.problem == "" {
			s.typing = false
			t.applyFilter(d) // also what looked as if more would come
			t.table.Reload() // so that what is typed ahead waits for the rows
		}
		return
	case "tab":
		s.edit.Set(completeFilter(s.edit.Value(), d.Accounts))
	default:
		s.edit.Update(msg)
	}
	t.applyFilter(d)
}

func (t *tokens) clearFilter(d *Desk) {
	t.search.edit.Set("")
	t.applyFilter(d)
}

// applyFilter makes the list answer what is typed, if it can be understood; it
// stays as it was while it cannot.
func (t *tokens) applyFilter(d *Desk) {
	s := &t.search
	text := s.edit.Value()
	f, err := parseFilter(text, d.Accounts)
	s.problem, s.strange = "", strangeKey(text, tokenKeys)
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
		t.restart(d)
	}
}

// restart shows the list from its first row.
func (t *tokens) restart(d *Desk) {
	t.titles()
	t.table.Restart()
	s := &t.search
	s.scan, s.again, s.held, s.stale = nil, nil, nil, false
	if s.filter.scans() {
		s.scan = &tokenScan{list: t.list(d)}
	}
}

// rescan looks for the words anew, while what was found stays on the screen.
func (t *tokens) rescan(d *Desk) {
	s := &t.search
	switch {
	case s.scan == nil || s.scan.left:
	case s.again != nil:
		s.stale = true
	default:
		s.again, s.stale = &tokenScan{list: t.list(d)}, false
	}
}

// next gives what reads the next batch of the scan that goes on; nil where none
// does.
func (s *search) next() func(*chain.View) (scanBatch, error) {
	switch {
	case s.again != nil:
		return s.again.next()
	case s.scanning():
		return s.scan.next()
	}
	return nil
}

// takeBatch takes what a scan has found.
func (t *tokens) takeBatch(d *Desk, b scanBatch) {
	s := &t.search
	if b.scan != s.scan && b.scan != s.again || b.scan.left {
		return
	}
	b.scan.take(b)
	if b.scan == s.again && s.again.done {
		s.scan, s.again, s.held = s.again, nil, nil
		t.table.Reload()
		if s.stale {
			t.rescan(d)
		}
	}
}

// stopScan leaves off looking and keeps what was found.
func (t *tokens) stopScan() { t.search.scan.left, t.search.scan.done = true, true }

// scanning tells that tokens are still being looked at.
func (s *search) scanning() bool { return s.scan != nil && !s.scan.done }

// wanted gives what the table waits for, once the scan has found it.
func (t *tokens) wanted() (req widget.Request, ok bool) {
	s := &t.search
	if again, more := t.table.Want(); more {
		s.held = &again
	}
	if s.held == nil || !s.scan.serve(*s.held).complete {
		return req, false
	}
	req, s.held = *s.held, nil
	return req, true
}

// filterLeast is the room that the text being typed always has, in cells.
const filterLeast = 16

// problem is what there is to say of the filter in place of the titles, while
// it is typed and where it finds nothing.
func (t *tokens) problem(w int) widget.Line {
	s := &t.search
	_, some := t.table.Cursor()
	switch {
	case s.problem != "" && s.typing:
		return widget.In(themes.Warn, " "+themes.GlyphWarn+" "+s.problem)
	case s.strange != "" && (s.typing || !some):
		return strangeKeySaid(s.strange, tokenKeys, w)
	}
	return nil
}

// line is the first line of the list: the filter, if there is one, and which
// rows are in view.
func (t *tokens) line(d *Desk, w int) string {
	th, s := d.Theme, &t.search
	right := widget.In(themes.Muted, t.table.Position()+" ")
	switch {
	case s.scanning():
		right = widget.In(themes.Warn, fmt.Sprintf("looked at %s%s esc stops ", chain.Thousands(s.scan.looked), themes.GlyphEllipsis))
	case s.scan != nil && s.scan.left:
		right = widget.In(themes.Muted, fmt.Sprintf("%s among the first %s ", chain.Thousands(uint64(len(s.scan.ids))), chain.Thousands(s.scan.looked)))
	case s.scan != nil && s.scan.full:
		right = widget.In(themes.Warn, fmt.Sprintf("the first %s, there are more ", chain.Thousands(scanKeeps)))
	}
	if s.typing {
		room := min(max(w-4-widget.Width(right.String()), filterLeast), max(w-3, 0))
		return widget.Ends(" "+th.Render(themes.Key, "/ ")+s.edit.View(th, room, true, filterHelp), right.Render(th), w)
	}
	left := widget.Plain("")
	switch {
	case s.applied != "":
		left = widget.In(themes.Key, " / ").And(themes.Strong, s.applied)
	case t.sortEnds:
		if left = widget.In(themes.Faint, " with approvals, soonest end first"); widget.Width(left.String()+right.String()) >= w {
			left = widget.In(themes.Faint, " soonest end first")
		}
	}
	if n := len(t.table.Marked()); n > 0 {
		left = append(widget.In(themes.Accent, fmt.Sprintf(" %s %d selected ", themes.GlyphMarked, n)), left...)
	}
	return widget.Ends(left.Render(th), right.Render(th), w)
}
