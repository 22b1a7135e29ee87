package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// approvals is the screen of all token approvals of the collection.
type approvals struct{ grantTable }

// approvalViews are the orders that an index can serve.
var approvalViews = []grantView{
	{"all approvals, soonest end first", expiry.List{}},
	{"all approvals, by token", expiry.List{Order: expiry.ByToken}},
}

func newApprovals() *approvals {
	a := &approvals{grantTable{table: widget.NewTable(), kind: cw721.GrantApproval, about: approvalViews[0].about, cells: approvalCells}}
	a.table.Empty = "no approvals: p on a token gives one"
	a.titles(Relative)
	return a
}

// endsWidth is how wide an end is at least: "ended 11 blocks ago", or a time to
// its last digit, which must not be cut.
func endsWidth(times TimeForm) int {
	if times == Relative {
		return 19
	}
	return whichWidth
}

// whichWidth is how wide the other form of an end is: a height, or a day and time.
const whichWidth = 23

// leftWidth is how wide the countdown of a row is.
const leftWidth = 10

func (a *approvals) titles(times TimeForm) {
	cols := []widget.Column{
		{Title: "", Width: 1},
		{Title: "TOKEN", Width: 8, Flex: 3, Ends: true},
		{Title: "GIVEN BY", Width: 8, Flex: 2, Drop: 1},
		{Title: "SPENDER", Width: 8, Flex: 2},
		{Title: "ENDS", Width: endsWidth(times), Flex: 1},
		{Title: "WHICH IS", Width: whichWidth, Drop: 4},
		{Title: "LEFT", Width: leftWidth, Drop: 2},
		{Title: "SINCE HEIGHT", Width: 12, Right: true, Drop: 3},
	}
	if a.list.Order == expiry.ByToken {
		cols[1].Sort = +1
	} else {
		cols[4].Sort = +1
	}
	a.table.SetColumns(cols...)
}

func approvalCells(l rowLook, v *chain.View, e expiry.Entry) ([]widget.Line, error) {
	sign, role := liveness(e.Expires, v.Clock.Block())
	return []widget.Line{
		widget.In(role, sign),
		widget.Plain(tokenName(e.Token)), widget.Plain(l.call(e.Owner)), widget.Plain(l.call(e.Spender)),
		widget.In(role, l.when(e.Expires, v.Clock)), widget.In(themes.Muted, l.other(e.Expires, v.Clock)),
		countdown(leftWidth, e.Expires, e.GrantedAt, v.Clock.Block()),
		widget.Plain(chain.Thousands(uint64(e.GrantedAt.Height))),
	}, nil
}

// Kind is [KindApprovals].
func (a *approvals) Kind() Kind { return KindApprovals }

// Name is the word on the tab.
func (a *approvals) Name() string { return "Approvals" }

func (a *approvals) Typing() bool { return false }

func (a *approvals) View(d *Desk) string {
	a.titles(d.Times)
	return a.view(d)
}

// Subject is the approval under the cursor.
func (a *approvals) Subject() Subject {
	e, ok := a.current()
	if !ok {
		return Subject{}
	}
	return Subject{Token: &e.Token, Account: e.Spender}
}

// Commands are those on the approval under the cursor, or on those selected.
func (a *approvals) Commands(d *Desk) []Command {
	var cmds []Command
	do := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, Command{bind(key, short, keys...), name, groupHere, fn})
	}
	e, some := a.current()
	on := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, Command{bind(key, short, keys...), name, groupHere, fn}.unless(!some, "no approval is under the cursor"))
	}
	selected := a.selected()
	if len(selected) > 0 {
		do("r", "revoke them", fmt.Sprintf("Revoke the %d selected approvals", len(selected)), func() tea.Cmd { return revokeGrants(d, selected) }, "r", "R")
	} else {
		on("r", "revoke", "Revoke this approval", func() tea.Cmd { return revokeGrants(d, []expiry.Entry{e}) }, "r", "R")
	}
	on("p", "extend", "Extend or change this approval", func() tea.Cmd { return extendForm(d, e) }, "p")
	on("enter", "go to token", "Go to this approval's token", func() tea.Cmd { return showToken(e.Token) }, "enter")
	do("s", "sort", "Sort by end, or by token", func() tea.Cmd { a.next(approvalViews); return nil }, "s")
	do("v /", "show", "Show the approvals given by, or to, an account", func() tea.Cmd { return a.narrow(d, approvalViews) }, "v", "/")
	if len(selected) > 0 {
		do("esc", "select none", "", func() tea.Cmd { a.table.ClearMarks(); return nil }, "esc")
	} else if a.list != approvalViews[0].list {
		do("esc", "show all", "", func() tea.Cmd { a.show(approvalViews[0].list, approvalViews[0].about); return nil }, "esc")
	}
	return append(cmds, listed(groupMove, a.table.Keys.Bindings()...)...)
}

// revokeGrants revokes approvals, after it showed what will become of each.
func revokeGrants(d *Desk, grants []expiry.Entry) tea.Cmd {
	jobs := make([]job, len(grants))
	for i, e := range grants {
		jobs[i] = revokeJob(d.Call, e.Grant)
	}
	title := "Revoke an approval"
	if len(grants) > 1 {
		title = fmt.Sprintf("Revoke %d approvals", len(grants))
	}
	return openBatch(d, title, jobs, nil)
}

// extendForm gives an approval another end.
func extendForm(d *Desk, e expiry.Entry) tea.Cmd {
	end := until("expires")
	end.Value = typeExpiry(e.Expires)
	f, preview := newActionForm(d, title("Change an approval of", e.Token), func(d *Desk, v map[string]string) draft {
		spender, problems := readAddress(d, v, "spender")
		out := draft{problems: problems}
		expires := readExpiry(d, v, "expires", &out)
		return out.fill(&cw721.Approve{Spender: spender, TokenID: e.Token, Expires: expires})
	}, whoFrom(d, "spender", "Spender", e.Spender), end)
	f.form.Focus("expires")
	return openForm(f, preview)
}
