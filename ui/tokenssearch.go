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

	scan   *tokenScan // nil where an index answers
	again  *tokenScan // the same, looked for anew behind what is shown
	stale  bool       // and once more after that
	held   *widget.Request
	scanNo int
}

// filterKeys are those that do more than edit while a filter is typed.
var filterKeys = listed(groupHere, bind("enter", "to the rows", "enter"), bind("esc", "drop the filter", "esc"))

// filterKey takes a key while the filter is typed.
func (t *tokens) filterKey(d *Desk, msg tea.KeyMsg) tea.Cmd {
	s := &t.search
	switch msg.String() {
	case "esc":
		s.typing = false
		return t.clearFilter(d)
	case "enter", "down":
		cmd := t.applyFilter(d)
		if s.problem == "" {
			s.typing = false
			cmd = tea.Batch(cmd, t.applyFilter(d)) // also what looked as if more would come
			t.table.Reload()                       // so that what is typed ahead waits for the rows
			cmd = tea.Batch(cmd, t.follow(d))
		}
		return cmd
	case "tab":
		s.edit.Set(completeFilter(s.edit.Value(), d.Accounts))
		return t.applyFilter(d)
	}
	s.edit.Update(msg)
	return t.applyFilter(d)
}

func (t *tokens) clearFilter(d *Desk) tea.Cmd {
	t.search.edit.Set("")
	return t.applyFilter(d)
}

// applyFilter makes the list answer what is typed, if it can be understood; it
// stays as it was while it cannot.
func (t *tokens) applyFilter(d *Desk) tea.Cmd {
	s := &t.search
	text := s.edit.Value()
	f, err := parseFilter(text, d.Accounts)
	s.problem, s.strange = "", strangeKey(text, tokenKeys)
	if s.typing && begun(text) {
		return nil
	}
	if err != nil {
		s.problem = err.Error()
		return nil
	}
	s.applied = text
	if reflect.DeepEqual(f, s.filter) {
		return nil
	}
	s.filter = f
	return t.restart(d)
}

// restart shows the list from its first row.
func (t *tokens) restart(d *Desk) tea.Cmd {
	t.titles()
	t.table.Restart()
	s := &t.search
	s.scan, s.again, s.held, s.stale = nil, nil, nil, false
	if !s.filter.scans() {
		return t.follow(d)
	}
	s.scan = t.newScan(d)
	return tea.Batch(s.scan.next(d.Engine), t.follow(d))
}

func (t *tokens) newScan(d *Desk) *tokenScan {
	t.search.scanNo++
	return &tokenScan{list: t.list(d), seq: t.search.scanNo}
}

// rescan looks for the words anew, while what was found stays on the screen.
func (t *tokens) rescan(d *Desk) tea.Cmd {
	s := &t.search
	if s.scan == nil || s.scan.left {
		return nil
	}
	if s.again != nil {
		s.stale = true
		return nil
	}
	s.again, s.stale = t.newScan(d), false
	return s.again.next(d.Engine)
}

// takeBatch takes what a scan has found and lets it go on.
func (t *tokens) takeBatch(d *Desk, msg tokenScanMsg) tea.Cmd {
	s := &t.search
	scan := s.scan
	if scan == nil || msg.seq != scan.seq {
		scan = s.again
	}
	if scan == nil || msg.seq != scan.seq || scan.left {
		return nil
	}
	if msg.err != nil {
		scan.done = true
		return tea.Batch(say(levelBad, msg.err.Error()), t.answer(d))
	}
	scan.take(msg)
	var next tea.Cmd
	if !scan.done {
		next = scan.next(d.Engine)
	}
	if scan == s.again {
		if !scan.done {
			return next
		}
		s.scan, s.again = s.again, nil
		t.table.Reload()
		if s.stale {
			next = t.rescan(d)
		}
	}
	return tea.Batch(next, t.answer(d), t.follow(d))
}

// stopScan leaves off looking and keeps what was found.
func (t *tokens) stopScan(d *Desk) tea.Cmd {
	t.search.scan.left, t.search.scan.done = true, true
	return tea.Batch(t.answer(d), t.follow(d))
}

// scanning tells that tokens are still being looked at.
func (s *search) scanning() bool { return s.scan != nil && !s.scan.done }

// answer gives the table what it waits for, once it was found.
func (t *tokens) answer(d *Desk) tea.Cmd {
	s := &t.search
	if s.held == nil || s.scan == nil {
		return nil
	}
	req := *s.held
	f := s.scan.serve(req)
	if !f.complete {
		return nil
	}
	s.held = nil
	engine, look := d.Engine, d.look()
	return func() tea.Msg {
		msg := tokenPageMsg{seq: req.Seq}
		msg.err = engine.View(func(v *chain.View) (err error) {
			msg.revision = v.Revision
			msg.page, err = f.page(v, req, look)
			return err
		})
		return msg
	}
}

// filterLeast is the room that the text being typed always has, in cells.
const filterLeast = 16

// rows is the table; what there is to say of the filter stands in place of the
// titles while it is typed, and where it finds nothing.
func (t *tokens) rows(d *Desk, w int) string {
	view, s := t.table.View(d.Theme), &t.search
	_, some := t.table.Cursor()
	switch {
	case s.problem != "" && s.typing:
		return overTitles(view, widget.In(themes.Warn, " "+themes.GlyphWarn+" "+s.problem), d, w)
	case s.strange != "" && (s.typing || !some):
		return overTitles(view, strangeKeySaid(s.strange, tokenKeys, w), d, w)
	}
	return view
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
