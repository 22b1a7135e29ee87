package inspect

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// probe is the dialog that tries a message in three blocks: just before a grant expires,
// when it expires, and just after that. The user sees in which of them the contract refuses
// the message. The attempts change nothing in the chain. probegrants.go has the grants and the
// messages that each is tried with, and probeview.go draws the result.
type probe struct {
	browser *form.Browser[probeResult]
	subject app.Subject // the list has the grants that it is about
	rowView app.RowView // how the rows are written, without the facts
	// attemptIndex says which message of a grant is tried. It is an index of
	// probedGrant.attempts. If a grant has fewer messages, its last one is tried.
	attemptIndex int
}

// probeResult is the outcome of trying one message with a grant.
type probeResult struct {
	probedGrant
	attemptIndex int // the index of the message in attempts
	// rows has the outcome in each block. It is empty if the grant never expires or there is
	// no message to try.
	rows []explain.ProbeRow
}

// OpenProbe opens the dialog with a list of the grants that subject is about. subject is
// the token or the account under a cursor.
func OpenProbe(state *app.State, subject app.Subject) tea.Cmd {
	browser := form.NewStack[probeResult](state.WithRuleBookNote("Boundary probe"),
		widget.Column{Title: "  GRANT", Width: 16, Flex: 1},
		widget.Column{Title: "EXPIRES", Width: 16, Flex: 1})
	p := &probe{browser: browser, subject: subject, rowView: state.RowView()}
	browser.OpenKey = "B"
	browser.Table.EmptyText = "nobody was given a grant here that could expire"
	browser.ReadRows = p.readRows
	browser.DetailHead = p.attemptBar
	browser.DetailLines = p.resultLines
	browser.RowCommands = p.grantCommands
	browser.AddFilter("a token or an account", nil)
	p.chooseAttempt(0)
	return browser.Open(state)
}

// readRows reads the list: for each grant whether it is in force, who may act for whom, and
// when it expires. It runs in a command, so it only uses the fields that never change.
func (p *probe) readRows(
	view *chain.View,
	facts app.Facts,
	filter app.Filter,
	req widget.Request,
) (widget.Page, error) {
	probedGrants, hasMore, err := readProbedGrants(view, p.subject)
	if err != nil {
		return widget.Page{}, err
	}

	rowView := p.rowView
	rowView.Facts = facts
	var rows []widget.Row
	for _, probed := range probedGrants {
		expires := probed.grant.Expires
		sign, role := app.LivenessSign(expires, view.Clock.Block())
		row := widget.Row{
			Key:       app.GrantKey(probed.grant),
			OwnerData: probed,
			Cells: []widget.Line{
				widget.Styled(role, sign+" ").Text(rowView.GrantLabel(expiry.Entry{Grant: probed.grant})),
				widget.Styled(role, rowView.When(expires, view.Clock)),
			},
		}
		if filter.MatchesRow(row) {
			rows = append(rows, row)
		}
	}
	page := widget.WholePage(req, rows)
	page.HasMoreThanTotal = hasMore
	return page, nil
}

// chooseAttempt chooses the message to try by its index, and tries it with the grant under
// the cursor in the three blocks around its expiry.
func (p *probe) chooseAttempt(attemptIndex int) {
	p.attemptIndex = attemptIndex
	p.browser.ReadDetail = func(view *chain.View, _ app.Facts, row widget.Row) (probeResult, error) {
		probed := row.OwnerData.(probedGrant)
		result := probeResult{probedGrant: probed, attemptIndex: probed.clampAttemptIndex(attemptIndex)}
		if len(probed.attempts) == 0 || probed.grant.Expires.Axis == cw721.Never {
			return result, nil
		}
		var err error
		msg := cw721.Encode(probed.attempts[result.attemptIndex].msg)
		result.rows, _, err = explain.Probe(view, probed.grant.Spender, msg, &probed.grant.Expires)
		return result, err
	}
	p.browser.ReloadDetail()
}

// grantCommands returns the commands for the grant under the cursor: to try the next or
// the previous message, and to move the clock to just before the expiry. There are none
// if the list is empty.
func (p *probe) grantCommands(state *app.State, row widget.Row, hasRow bool) []app.Command {
	if !hasRow {
		return nil
	}
	probed := row.OwnerData.(probedGrant)
	commands := []app.Command{app.DialogCommand("enter", "clock to before it",
		func() tea.Cmd { return moveClockToExpiry(state, probed.grant.Expires, justBefore) })}

	// Before the first message comes the last, and after the last the first.
	return append(commands, app.OppositeCommands("h l ← →", "message", func(direction int) tea.Cmd {
		count := len(probed.attempts)
		if count == 0 {
			return nil
		}
		currentIndex := probed.clampAttemptIndex(p.attemptIndex)
		p.chooseAttempt((currentIndex + count + direction) % count)
		p.browser.Scroll.Set(nil) // show the new result from its top
		return nil
	}, -1, "h left", "l right")...)
}
