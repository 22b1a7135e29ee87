package grants

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// NewApprovals returns the screen of all token approvals of the collection. It can list
// them in the order of expiry, by risk or by token. The numbers of columns are indexes of
// [approvalColumns].
func NewApprovals() *Screen {
	return newScreen(screenKind{
		Tab:       app.NewTab(app.KindApprovals, "Approvals"),
		grantKind: cw721.GrantApproval,
		emptyText: "no approvals: p on a token gives one",
		noRowText: "no approval is under the cursor",
		orders: []grantOrder{
			{title: "soonest to expire first", sortColumn: 4},
			{
				title:      "by risk: without expiry, then the longest",
				list:       expiry.List{Order: expiry.ByRisk},
				sortColumn: 5,
			},
			{title: "by token", list: expiry.List{Order: expiry.ByToken}, sortColumn: 1},
		},
		expiryColumn: 4,
		columns:      approvalColumns,
		cells:        approvalCells,
		commands:     approvalCommands,
		sortName:     "Sort by expiry, by risk or by token",
		otherKind:    app.KindOperators,
		otherName:    "operators",
	})
}

// approvalColumns returns the columns of the list of approvals. times is the form in which
// the user sees expiries; it decides how wide their column is.
func approvalColumns(times app.TimeForm) []widget.Column {
	columns := []widget.Column{
		{Title: "", Width: 1},
		{Title: "TOKEN", Width: 12, Flex: 3, Shorten: widget.Shorten},
		{Title: "GIVEN BY", Width: 8, Flex: 2, Shorten: widget.Shorten, DropRank: 1},
		{Title: "SPENDER", Width: 8, Flex: 2, Shorten: widget.Shorten},
	}
	return append(columns, expiryColumns(times)...)
}

// approvalCells returns the cells of an approval's row, for [approvalColumns].
func approvalCells(
	rowView app.RowView,
	view *chain.View,
	entry expiry.Entry,
) ([]widget.Line, error) {
	texts := []string{
		human.TokenID(entry.Token),
		rowView.AccountCell(entry.Owner),
		rowView.AccountCell(entry.Spender),
	}
	return grantCells(rowView, view, entry, texts), nil
}

// The widths of the column of expiries, in cells.
const (
	// relativeExpiryWidth is the least width, in cells, of an expiry such as "in 11 blocks".
	relativeExpiryWidth = 19
	// absoluteExpiryWidth is the width of a height, or of a date with its time.
	absoluteExpiryWidth = 23
)

// expiryColumns returns the last four columns of the lists of approvals and of operators.
// They show the expiry in the form that the user chose, the expiry in its other form, the
// remaining share of the grant's life as a bar, and the height at which it was given.
func expiryColumns(times app.TimeForm) []widget.Column {
	width := absoluteExpiryWidth // no digit of a time may be cut
	if times == app.Relative {
		width = relativeExpiryWidth
	}
	return []widget.Column{
		{Title: "EXPIRES", Width: width, Flex: 1},
		{Title: "IN OTHER WORDS", Width: absoluteExpiryWidth, DropRank: 4},
		{Title: "LIFE LEFT", Width: app.CountdownWidth, DropRank: 2},
		{Title: "SINCE HEIGHT", Width: 12, AlignRight: true, DropRank: 3},
	}
}

// grantCells returns the cells of a grant's row. They are a sign for whether the grant is
// live, a cell for each of texts, and the cells of [expiryColumns].
func grantCells(
	rowView app.RowView,
	view *chain.View,
	entry expiry.Entry,
	texts []string,
) []widget.Line {
	sign, role := app.LivenessSign(entry.Expires, view.Clock.Block())
	cells := []widget.Line{widget.Styled(role, sign)}
	for _, text := range texts {
		cells = append(cells, widget.Plain(text))
	}

	givenText := "not known"
	if entry.GrantedAt.Height > 0 {
		givenText = human.Thousands(entry.GrantedAt.Height)
	}
	const arrowPlaceholder = "  " // markRenewable replaces it by an arrow
	expiryCell := widget.Styled(role, rowView.When(entry.Expires, view.Clock))
	return append(cells,
		expiryCell.Append(themes.Warn, arrowPlaceholder),
		widget.Muted(rowView.OtherForm(entry.Expires, view.Clock)),
		app.Countdown(app.CountdownWidth, entry, view.Clock),
		widget.Plain(givenText))
}

// approvalCommands returns the commands that revoke or extend the approval under the
// cursor, or go to its token. Revoke works on the selected approvals if there are any.
func approvalCommands(state *app.State, entry expiry.Entry, selected []expiry.Entry, asOwners bool) []app.Command {
	label := "revoke"
	name := "Revoke this approval"
	approvals := []expiry.Entry{entry}
	if len(selected) > 0 {
		label = "revoke them"
		name = fmt.Sprintf("Revoke the %d selected approvals", len(selected))
		approvals = selected
	}

	revoke := func() tea.Cmd { return openRevocation(state, approvals, asOwners) }
	extend := func() tea.Cmd { return openExtension(state, entry) }
	showToken := func() tea.Cmd { return app.ShowToken(entry.Token) }
	return []app.Command{
		app.ScreenCommand("r", label, name, revoke, "r", "R", "D"),
		app.ScreenCommand("enter", "token", "Go to this approval's token", showToken),
		app.ScreenCommand("p", "extend", "Extend or change this approval", extend),
	}
}

// openRevocation opens the dialog that previews a revocation of each approval, and then
// sends them. With asOwners, the owner of each token sends its revocation.
func openRevocation(state *app.State, approvals []expiry.Entry, asOwners bool) tea.Cmd {
	jobs := make([]form.Job, len(approvals))
	for i, entry := range approvals {
		jobs[i] = form.RevokeJob(state.DisplayName, entry.Grant)
	}
	title := "Revoke an approval"
	if len(approvals) > 1 {
		title = fmt.Sprintf("Revoke %d approvals", len(approvals))
	}
	return form.OpenBatch(state, title, jobs, asOwners)
}

// openExtension opens the form that gives an approval another expiry. Its message approves
// the same spender again, which replaces the approval.
func openExtension(state *app.State, entry expiry.Entry) tea.Cmd {
	spender := form.FilledAccountField(state, "spender", "Spender", entry.Spender)
	expires := form.ChangedExpiryField(state, "expires", entry.Expires)
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		return &cw721.Approve{
			Spender: input.ReadAddress("spender"),
			TokenID: entry.Token,
			Expires: input.ReadExpiry("expires"),
		}
	}

	title := form.TokenTitle("Change an approval of", entry.Token)
	extension := form.NewMessage(title, readMessage, spender, expires)
	extension.Form.Focus("expires")
	return form.Open(state, extension)
}
