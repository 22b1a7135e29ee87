package grants

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Approvals is the screen of all token approvals of the collection.
type Approvals struct{ grantTable }

// approvalViews are the orders that an index can serve.
var approvalViews = []grantView{
	{"all approvals, soonest to expire first", expiry.List{}},
	{"all approvals, by token", expiry.List{Order: expiry.ByToken}},
}

// NewApprovals makes the screen of all token approvals.
func NewApprovals() *Approvals {
	a := &Approvals{grantTable{table: widget.NewTable(), kind: cw721.GrantApproval, about: approvalViews[0].about, cells: approvalCells}}
	a.table.Empty = "no approvals: p on a token gives one"
	a.titles(app.Relative)
	return a
}

// expiryWidth is how wide an end is at least: "ended 11 blocks ago", or a time to
// its last digit, which must not be cut.
func expiryWidth(times app.TimeForm) int {
	if times == app.Relative {
		return 19
	}
	return whichWidth
}

// whichWidth is how wide the other form of an end is: a height, or a day and time.
const whichWidth = 23

func (a *Approvals) titles(times app.TimeForm) {
	cols := []widget.Column{
		{Title: "", Width: 1},
		{Title: "TOKEN", Width: 8, Flex: 3, Ends: true},
		{Title: "GIVEN BY", Width: 8, Flex: 2, Drop: 1},
		{Title: "SPENDER", Width: 8, Flex: 2},
		{Title: "EXPIRES", Width: expiryWidth(times), Flex: 1},
		{Title: "WHICH IS", Width: whichWidth, Drop: 4},
		{Title: "TIME LEFT", Width: app.LeftWidth, Drop: 2},
		{Title: "SINCE HEIGHT", Width: 12, Right: true, Drop: 3},
	}
	if a.list.Order == expiry.ByToken {
		cols[1].Sort = +1
	} else {
		cols[4].Sort = +1
	}
	a.table.SetColumns(cols...)
}

func approvalCells(l app.RowView, v *chain.View, e expiry.Entry) ([]widget.Line, error) {
	sign, role := app.Liveness(e.Expires, v.Clock.Block())
	return []widget.Line{
		widget.In(role, sign),
		widget.Plain(app.TokenName(e.Token)), widget.Plain(l.Call(e.Owner)), widget.Plain(l.Call(e.Spender)),
		widget.In(role, l.When(e.Expires, v.Clock)), widget.In(themes.Muted, l.Other(e.Expires, v.Clock)),
		app.Countdown(app.LeftWidth, e.Expires, v.Clock),
		widget.Plain(chain.Thousands(uint64(e.GrantedAt.Height))),
	}, nil
}

// Kind is [KindApprovals].
func (a *Approvals) Kind() app.Kind { return app.KindApprovals }

// Name is the word on the tab.
func (a *Approvals) Name() string { return "Approvals" }

func (a *Approvals) Typing() bool { return false }

func (a *Approvals) View(st *app.State) string {
	a.titles(st.Times)
	return a.view(st)
}

// Subject is the approval under the cursor.
func (a *Approvals) Subject() app.Subject {
	e, ok := a.current()
	if !ok {
		return app.Subject{}
	}
	return app.Subject{Token: &e.Token, Account: e.Spender}
}

// Commands are those on the approval under the cursor, or on those selected.
func (a *Approvals) Commands(st *app.State) []app.Command {
	var cmds []app.Command
	do := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, app.NewCommand(app.Bind(key, short, keys...), name, app.GroupHere, fn))
	}
	e, some := a.current()
	on := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, app.NewCommand(app.Bind(key, short, keys...), name, app.GroupHere, fn).Unless(!some, "no approval is under the cursor"))
	}
	selected := a.selected()
	if len(selected) > 0 {
		do("r", "revoke them", fmt.Sprintf("Revoke the %d selected approvals", len(selected)), func() tea.Cmd { return revokeGrants(st, selected) }, "r", "R")
	} else {
		on("r", "revoke", "Revoke this approval", func() tea.Cmd { return revokeGrants(st, []expiry.Entry{e}) }, "r", "R")
	}
	on("p", "extend", "Extend or change this approval", func() tea.Cmd { return extendForm(st, e) }, "p")
	on("enter", "go to token", "Go to this approval's token", func() tea.Cmd { return app.ShowToken(e.Token) }, "enter")
	do("s", "sort", "Sort by expiry, or by token", func() tea.Cmd { a.next(approvalViews); return nil }, "s")
	do("v /", "show", "Show the approvals given by, or to, an account", func() tea.Cmd { return a.narrow(st, approvalViews) }, "v", "/")
	if len(selected) > 0 {
		do("esc", "select none", "", func() tea.Cmd { a.table.ClearMarks(); return nil }, "esc")
	} else if a.list != approvalViews[0].list {
		do("esc", "show all", "", func() tea.Cmd { a.show(approvalViews[0].list, approvalViews[0].about); return nil }, "esc")
	}
	return append(cmds, app.Listed(app.GroupMove, a.table.Keys.Bindings()...)...)
}

// revokeGrants revokes approvals, after it showed what will become of each.
func revokeGrants(st *app.State, grants []expiry.Entry) tea.Cmd {
	jobs := make([]form.Job, len(grants))
	for i, e := range grants {
		jobs[i] = form.RevokeJob(st.Call, e.Grant)
	}
	title := "Revoke an approval"
	if len(grants) > 1 {
		title = fmt.Sprintf("Revoke %d approvals", len(grants))
	}
	return form.OpenBatch(st, title, jobs, nil)
}

// extendForm gives an approval another expiry.
func extendForm(st *app.State, e expiry.Entry) tea.Cmd {
	end := form.ExpiryField(st, "expires")
	end.Value = form.TypeExpiry(e.Expires)
	f, preview := form.NewAction(st, form.Title("Change an approval of", e.Token), func(st *app.State, v map[string]string) form.Result {
		spender, problems := form.ReadAddress(st, v, "spender")
		out := form.Result{Problems: problems}
		expires := form.ReadExpiry(st, v, "expires", &out)
		return out.Fill(&cw721.Approve{Spender: spender, TokenID: e.Token, Expires: expires})
	}, form.AccountFieldOf(st, "spender", "Spender", e.Spender), end)
	f.Form.Focus("expires")
	return form.Open(f, preview)
}
