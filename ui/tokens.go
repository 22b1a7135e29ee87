package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// tokens is the first screen: all tokens on the left, one of them on the right.
type tokens struct {
	box      widget.Box
	table    *widget.Table
	detail   tokenDetail
	inDetail bool // the keys are the detail's
	search   search
	sortEnds bool   // in the order of the ends
	engine   Engine // what the list was read from
}

func newTokens() *tokens {
	t := &tokens{table: widget.NewTable(), search: search{edit: widget.NewEdit()}}
	t.detail.scroll = widget.NewScroll()
	t.titles()
	return t
}

// titles names the columns and shows which of them orders the rows. In a narrow
// list the signs of the grants stand in front of what ends next, so that live
// and ended ones are told apart in every width.
func (t *tokens) titles() {
	list, _ := t.split()
	narrow := list.W < 52
	cols := []widget.Column{
		{Title: "TOKEN", Width: 11, Flex: 3, Hide: narrow, Ends: true},
		{Title: "OWNER", Width: 8, Flex: 2, Hide: narrow},
		{Title: "GRANTS", Width: 6, Hide: narrow},
		{Title: "ENDS NEXT", Width: 14, Flex: 4, Hide: narrow},
		{Title: "ENDS NEXT", Width: 17, Flex: 4, Hide: !narrow},
	}
	if narrow {
		cols[0] = widget.Column{Title: "TOKEN", Width: 9, Flex: 2, Ends: true}
		cols[1] = widget.Column{Title: "OWNER", Width: tailShown + 1}
	}
	if t.sortEnds || t.search.filter.byEnd() {
		cols[3].Sort, cols[4].Sort = +1, +1
	} else {
		cols[0].Sort = +1
	}
	t.table.SetColumns(cols...)
	t.table.Empty = "no tokens yet: m mints one"
	if t.search.applied != "" {
		t.table.Empty = "no token fits the filter: esc shows all"
	} else if t.sortEnds {
		t.table.Empty = "no approvals: s sorts by id again"
	}
}

func (t *tokens) Name() string { return "Tokens" }

func (t *tokens) Typing() bool { return t.search.typing }

func (t *tokens) typingCommands(*Desk) []Command { return filterKeys }

// lowBody is the height below which a list and its detail take turns, as one
// above the other neither would show anything.
const lowBody = 9

// wide tells whether list and detail stand side by side.
func (t *tokens) wide() bool { return t.box.W >= 80 }

func (t *tokens) Resize(b widget.Box) {
	t.box = b
	t.share()
}

// share gives list and detail their parts of the box.
func (t *tokens) share() {
	list, detail := t.split()
	t.titles()
	t.table.Resize(widget.Box{W: list.W, H: max(list.H-1, 0)})
	t.detail.resize(detail)
}

// turn gives the keys to the detail, or back to the list. Where one stands above
// the other, the one that has them gets more room.
func (t *tokens) turn(toDetail bool) {
	t.inDetail = toDetail
	t.share()
}

// split shares the box: side by side, or the detail below the list. Where it is
// too low for both, the one that has the keys has all of it.
func (t *tokens) split() (list, detail widget.Box) {
	if t.wide() {
		share := 47 // per cent
		if t.box.W < 100 {
			share = 52
		}
		left, rest := t.box.SplitLeft(t.box.W * share / 100)
		return left, widget.Box{W: max(rest.W-3, 0), H: rest.H}
	}
	if t.box.H < lowBody {
		if t.inDetail {
			return widget.Box{W: t.box.W}, t.box
		}
		return t.box, widget.Box{W: t.box.W}
	}
	part := t.box.H * 55 / 100
	if t.inDetail {
		part = t.box.H * 30 / 100
	}
	top, rest := t.box.SplitTop(max(part, 4))
	return top, widget.Box{W: rest.W, H: max(rest.H-1, 0)}
}

func (t *tokens) Refresh(d *Desk) tea.Cmd {
	if t.engine != d.Engine {
		t.engine, t.sortEnds, t.inDetail = d.Engine, false, false
		t.search = search{edit: widget.NewEdit(), scanNo: t.search.scanNo}
		return t.restart(d)
	}
	t.table.Reload()
	var again tea.Cmd
	if t.search.scan != nil && t.list(d).seeks() { // the clock may have moved what fits
		again = t.rescan(d)
	}
	return tea.Batch(again, t.follow(d))
}

// tokenPageMsg brings rows.
type tokenPageMsg struct {
	page     widget.Page
	seq      int
	revision uint64
	err      error
}

// list is what is shown, captured for a command.
func (t *tokens) list(d *Desk) tokenList {
	return tokenList{filter: t.search.filter, byEnd: t.sortEnds, look: d.look()}
}

// follow reads what the list and the detail need next.
func (t *tokens) follow(d *Desk) tea.Cmd { return tea.Batch(t.want(d), t.look(d)) }

// want asks the store for the rows that the table needs next.
func (t *tokens) want(d *Desk) tea.Cmd {
	req, ok := t.table.Want()
	if !ok {
		return nil
	}
	if t.search.scan != nil {
		t.search.held = &req
		return t.answer(d)
	}
	engine, list := d.Engine, t.list(d)
	return func() tea.Msg {
		msg := tokenPageMsg{seq: req.Seq}
		msg.err = engine.View(func(v *chain.View) (err error) {
			msg.revision = v.Revision
			msg.page, err = list.page(v, req)
			return err
		})
		return msg
	}
}

// showTokenMsg asks for a token to be shown, from another screen.
type showTokenMsg struct{ id string }

// showToken gives the command that goes to a token on the first screen.
func showToken(id string) tea.Cmd {
	return tea.Sequence(
		func() tea.Msg { return showScreenMsg(placeTokens) },
		func() tea.Msg { return showTokenMsg{id} })
}

func (t *tokens) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tokenPageMsg:
		if msg.err != nil {
			t.table.Fail(msg.seq, msg.err.Error())
			return nil
		}
		t.table.Set(msg.page)
		return t.follow(d)
	case tokenScanMsg:
		return t.takeBatch(d, msg)
	case tokenDetailMsg:
		t.detail.take(msg)
		return nil
	case showTokenMsg:
		t.sortEnds = false
		t.turn(false)
		t.search.edit.Set("")
		cmd := t.applyFilter(d)
		t.titles()
		t.table.Goto(msg.id, msg.id)
		return tea.Batch(cmd, t.follow(d))
	case executedMsg:
		for _, scan := range []*tokenScan{t.search.scan, t.search.again} {
			if scan != nil && !scan.list.seeks() && msg.err == nil {
				scan.follow(msg.receipt)
			}
		}
		return nil
	case walkedMsg:
		return t.rescan(d)
	case batchOverMsg:
		t.table.ClearMarks()
	case tea.MouseMsg:
		return t.mouse(d, msg)
	case tea.KeyMsg:
		switch {
		case t.search.typing:
			return t.filterKey(d, msg)
		case t.inDetail:
			t.detail.scroll.Update(msg)
		case t.table.Update(msg):
			return t.follow(d)
		}
	}
	return nil
}

func (t *tokens) mouse(d *Desk, msg tea.MouseMsg) tea.Cmd {
	list, _ := t.split()
	inList := msg.Y < list.H && (msg.X < list.W || !t.wide())
	click := msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft
	switch {
	case click:
		t.turn(!inList)
		if inList {
			t.table.Click(msg.Y - 1)
			return t.follow(d)
		}
	case !inList:
		t.detail.scroll.Update(msg)
	case t.table.Update(msg):
		return t.follow(d)
	}
	return nil
}

// look reads the token under the cursor for the detail.
func (t *tokens) look(d *Desk) tea.Cmd {
	row, ok := t.table.Cursor()
	if !ok {
		t.detail.clear()
		return nil
	}
	return t.detail.load(d, row.Key)
}

func (t *tokens) View(d *Desk) string {
	list, _ := t.split()
	t.table.Blur = t.inDetail
	left := widget.JoinV(t.line(d, list.W), t.rows(d, list.W))
	if t.wide() {
		side := widget.Fill(ruleDown(d, list.H, t.inDetail), widget.Box{W: 3, H: list.H})
		return widget.Fill(widget.JoinH(widget.Fill(left, list), side, t.detail.view(d)), t.box)
	}
	switch {
	case list.H == 0:
		return widget.Fill(t.detail.view(d), t.box)
	case list.H == t.box.H:
		return widget.Fill(left, t.box)
	}
	return widget.Fill(widget.JoinV(widget.Fill(left, list), ruleAcross(d, t.box.W, t.inDetail), t.detail.view(d)), t.box)
}

// horizontalRule parts what stands above from what stands below.
func horizontalRule(d *Desk, w int) string { return ruleAcross(d, w, false) }

func ruleAcross(d *Desk, w int, focus bool) string {
	return d.Theme.Render(ruleRole(focus), strings.Repeat(themes.GlyphLine, w))
}

func ruleDown(d *Desk, h int, focus bool) string {
	line := " " + d.Theme.Render(ruleRole(focus), themes.GlyphSide)
	return strings.TrimSuffix(strings.Repeat(line+"\n", h), "\n")
}

// ruleRole shows by the rule before it which pane has the keys.
func ruleRole(focus bool) themes.Role {
	if focus {
		return themes.Focus
	}
	return themes.Border
}
