package inspect

import (
	"slices"

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
// the message. The attempts change nothing in the chain.
type probe struct {
	*form.Browser[probeResult]
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
	p := &probe{Browser: form.NewStack[probeResult](state.WithRuleBookNote("Boundary probe"),
		widget.Column{Title: "  GRANT", Width: 16, Flex: 1},
		widget.Column{Title: "EXPIRES", Width: 16, Flex: 1})}
	p.OpenKey = "B"
	p.Table.EmptyText = "nobody was given a grant here that could expire"
	p.ReadRows = probeRowReader(state.RowView(), subject)
	p.DetailHead = p.attemptBar
	p.DetailLines = p.resultLines
	p.RowCommands = p.grantCommands
	p.AddFilter("a token or an account", nil)
	p.chooseAttempt(0)
	return p.Open(state)
}

// pageReader reads a page of the rows that match a filter.
type pageReader func(*chain.View, app.Facts, app.Filter, widget.Request) (widget.Page, error)

// probeRowReader returns a function that reads the list of the grants that subject is
// about. Each row shows a grant and when it expires, such as "in 3 blocks".
func probeRowReader(rowView app.RowView, subject app.Subject) pageReader {
	return func(
		view *chain.View,
		facts app.Facts,
		filter app.Filter,
		req widget.Request,
	) (widget.Page, error) {
		probedGrants, hasMore, err := readProbedGrants(view, subject)
		if err != nil {
			return widget.Page{}, err
		}

		rowView.Facts = facts
		var rows []widget.Row
		for _, probed := range probedGrants {
			rows = append(rows, probed.row(rowView, view.Clock))
		}
		rows = slices.DeleteFunc(rows, func(row widget.Row) bool { return !filter.MatchesRow(row) })
		page := widget.WholePage(req, rows)
		page.HasMoreThanTotal = hasMore
		return page, nil
	}
}

// row returns the row of the grant: whether it is in force, who may act for whom, and
// when it expires.
func (p probedGrant) row(rowView app.RowView, clock chain.Clock) widget.Row {
	sign, role := app.LivenessSign(p.grant.Expires, clock.Block())
	label := rowView.GrantLabel(expiry.Entry{Grant: p.grant})
	return widget.Row{
		Key:       grantKey(p.grant),
		OwnerData: p,
		Cells: []widget.Line{
			widget.Styled(role, sign+" ").Text(label),
			widget.Styled(role, rowView.When(p.grant.Expires, clock)),
		},
	}
}

// chooseAttempt chooses the message to try by its index, and tries it with the grant under
// the cursor.
func (p *probe) chooseAttempt(attemptIndex int) {
	p.attemptIndex = attemptIndex
	p.ReadDetail = func(view *chain.View, _ app.Facts, row widget.Row) (probeResult, error) {
		return row.OwnerData.(probedGrant).tryAttempt(view, attemptIndex)
	}
	p.ReloadDetail()
}

// tryAttempt tries a message with the grant in the three blocks around its expiry.
// attemptIndex is the index of the message. If the grant has fewer messages, its last one
// is tried. The result has no rows if the grant has no messages or never expires.
func (p probedGrant) tryAttempt(view *chain.View, attemptIndex int) (probeResult, error) {
	result := probeResult{probedGrant: p, attemptIndex: p.clampAttemptIndex(attemptIndex)}
	if len(p.attempts) == 0 || p.grant.Expires.Axis == cw721.Never {
		return result, nil
	}
	msg := cw721.Encode(p.attempts[result.attemptIndex].msg)
	rows, _, err := explain.Probe(view, p.grant.Spender, msg, &p.grant.Expires)
	result.rows = rows
	return result, err
}

// grantCommands returns the commands for the grant under the cursor: to try the next or
// the previous message, and to move the clock to just before the expiry. There are none
// if the list is empty.
func (p *probe) grantCommands(state *app.State, row widget.Row, hasRow bool) []app.Command {
	if !hasRow {
		return nil
	}
	probed := row.OwnerData.(probedGrant)

	// changeAttempt tries the next message if direction is 1, and the previous one if it is
	// -1. After the last message comes the first again.
	changeAttempt := func(direction int) tea.Cmd {
		count := len(probed.attempts)
		if count == 0 {
			return nil
		}
		currentIndex := probed.clampAttemptIndex(p.attemptIndex)
		p.chooseAttempt((currentIndex + count + direction) % count)
		p.Scroll.Set(nil) // show the new result from its top
		return nil
	}
	moveClock := func() tea.Cmd { return moveClockToExpiry(state, probed.grant.Expires, justBefore) }
	commands := app.OppositeCommands("h l ← →", "message", changeAttempt, -1, "h left", "l right")
	return slices.Insert(commands, 0, app.DialogCommand("enter", "clock to before it", moveClock))
}
