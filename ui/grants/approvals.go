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

// NewApprovals makes the screen of all token approvals of the collection.
func NewApprovals() *Screen {
	return newScreen(kindOfGrants{
		Tab: app.NewTab(app.KindApprovals, "Approvals"), kind: cw721.GrantApproval,
		empty: "no approvals: p on a token gives one", none: "no approval is under the cursor",
		views: []grantView{ // the orders that an index can serve
			{"all approvals, soonest to expire first", expiry.List{}, 4},
			{"all approvals, by token", expiry.List{Order: expiry.ByToken}, 1},
		},
		columns: func(times app.TimeForm) []widget.Column {
			return append([]widget.Column{
				{Title: "", Width: 1},
				{Title: "TOKEN", Width: 8, Flex: 3, Ends: true},
				{Title: "GIVEN BY", Width: 8, Flex: 2, Drop: 1},
				{Title: "SPENDER", Width: 8, Flex: 2},
			}, expiryColumns(times)...)
		},
		cells: func(l app.RowView, v *chain.View, e expiry.Entry) ([]widget.Line, error) {
			return expiryCells(l, v, e, app.TokenName(e.Token), l.DisplayName(e.Owner), l.DisplayName(e.Spender)), nil
		},
		commands: approvalCommands,
		subject: func(e expiry.Entry) app.Subject {
			return app.Subject{Token: &e.Token, Account: e.Spender, Giver: e.Owner, Expires: e.Expires}
		},
		sorts: "Sort by expiry, or by token", find: "Show the approvals given by, or to, an account",
	})
}

// expiryColumns are the columns that both screens end with.
func expiryColumns(times app.TimeForm) []widget.Column {
	return []widget.Column{
		{Title: "EXPIRES", Width: expiryWidth(times), Flex: 1},
		{Title: "WHICH IS", Width: whichWidth, Drop: 4},
		{Title: "TIME LEFT", Width: app.CountdownWidth, Drop: 2},
		{Title: "SINCE HEIGHT", Width: 12, Right: true, Drop: 3},
	}
}

// expiryCells are the cells of a row: what is said of the grant, and its expiry.
func expiryCells(l app.RowView, v *chain.View, e expiry.Entry, of ...string) []widget.Line {
	sign, role := app.Liveness(e.Expires, v.Clock.Block())
	cells := []widget.Line{widget.In(role, sign)}
	for _, text := range of {
		cells = append(cells, widget.Plain(text))
	}
	when := widget.In(role, l.When(e.Expires, v.Clock)).And(themes.Warn, "  ") // room for the sign of signOutlived
	return append(cells, when, widget.In(themes.Muted, l.Other(e.Expires, v.Clock)),
		app.Countdown(app.CountdownWidth, e.Expires, v.Clock), widget.Plain(chain.Thousands(uint64(e.GrantedAt.Height))))
}

// expiryWidth is how wide an expiry is at least: "expired 11 blocks ago", or a time to
// its last digit, which must not be cut.
func expiryWidth(times app.TimeForm) int {
	if times == app.Relative {
		return 19
	}
	return whichWidth
}

// whichWidth is how wide the other form of an expiry is: a height, or a day and time.
const whichWidth = 23

// approvalCommands are those on the approval under the cursor, or on those selected.
func approvalCommands(a *Screen, st *app.State, e expiry.Entry, on func(app.Command) app.Command) []app.Command {
	revoke := on(app.Here("r", "revoke", "Revoke this approval", func() tea.Cmd { return revokeGrants(st, []expiry.Entry{e}) }, "r", "R", "D"))
	if selected := a.selected(); len(selected) > 0 {
		revoke = app.Here("r", "revoke them", fmt.Sprintf("Revoke the %d selected approvals", len(selected)), func() tea.Cmd { return revokeGrants(st, selected) }, "r", "R", "D")
	}
	return []app.Command{
		revoke,
		on(app.Here("p", "extend", "Extend or change this approval", func() tea.Cmd { return extendForm(st, e) }, "p")),
		on(app.Here("enter", "go to token", "Go to this approval's token", func() tea.Cmd { return app.ShowToken(e.Token) }, "enter")),
	}
}

// revokeGrants revokes approvals, after it showed what will become of each.
func revokeGrants(st *app.State, grants []expiry.Entry) tea.Cmd {
	jobs := make([]form.Job, len(grants))
	for i, e := range grants {
		jobs[i] = form.RevokeJob(st.DisplayName, e.Grant)
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
	f := form.NewMessage(form.Title("Change an approval of", e.Token), func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		return &cw721.Approve{Spender: form.ReadAddress(st, v, "spender", out), TokenID: e.Token, Expires: form.ReadExpiry(st, v, "expires", out)}
	}, form.AccountFieldOf(st, "spender", "Spender", e.Spender), end)
	f.Form.Focus("expires")
	return form.Open(st, f)
}
