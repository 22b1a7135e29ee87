package inspect

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// maxExpiriesListed is how many grants the list of expiries shows at most.
const maxExpiriesListed = 500

// expiryDetail is what the detail beside the list of expiries shows of one grant.
type expiryDetail struct {
	expiry.Entry                 // the grant
	access       []actionVerdict // whether the grant permits each action now
}

// OpenExpiries opens the list of the grants that expire from first to last, both included,
// the soonest first. axis says whether first and last are heights or times. If it is
// [cw721.Never], the list has the grants that never expire, and first and last are ignored.
//
// The detail beside the list says what the grant under the cursor permits. Keys explain the
// grant, or move the clock to its expiry or to just before.
func OpenExpiries(state *app.State, axis cw721.Axis, first, last uint64) tea.Cmd {
	titles := map[cw721.Axis]string{
		cw721.AtHeight: "Grants that expire at a height",
		cw721.AtTime:   "Grants that expire at a time",
		cw721.Never:    "Grants that never expire",
	}
	browser := form.NewStack[expiryDetail](titles[axis],
		widget.Column{Title: "", Width: 1},
		widget.Column{Title: "GRANT", Width: 24, Flex: 2},
		widget.Column{Title: "EXPIRES", Width: 20, Flex: 1},
		widget.Column{Title: "IN OTHER WORDS", Width: 23, DropRank: 1})
	browser.Table.EmptyText = "no grant is left here"

	// List the grants that match the filter.
	rowView := state.RowView()
	browser.AddFilter("a token or an account", nil)
	browser.ReadRows = func(
		view *chain.View,
		facts app.Facts,
		filter app.Filter,
		req widget.Request,
	) (widget.Page, error) {
		expiring := view.ExpiringBetween(axis, first, last)
		entries, hasMore, err := app.ReadAtMost(expiring, maxExpiriesListed)
		if err != nil {
			return widget.Page{}, err
		}

		rowView.Facts = facts
		var rows []widget.Row
		for _, entry := range entries {
			rows = append(rows, expiryRow(rowView, view.Clock, entry))
		}
		return matchingPage(req, rows, filter, hasMore), nil
	}

	// The detail needs the decisions of the contract, too.
	browser.ReadDetail = func(view *chain.View, facts app.Facts, row widget.Row) (expiryDetail, error) {
		entry := row.OwnerData.(expiry.Entry)
		access, err := readAccess(view, entry.Grant, facts.DisplayName)
		return expiryDetail{Entry: entry, access: access}, err
	}
	browser.DetailLines = expiryLines
	browser.RowCommands = expiryCommands
	return browser.Open(state)
}

// matchingPage returns a page of the rows that match a filter. hasMore means that the
// list has more rows than were read.
func matchingPage(
	req widget.Request,
	rows []widget.Row,
	filter app.Filter,
	hasMore bool,
) widget.Page {
	rows = slices.DeleteFunc(rows, func(row widget.Row) bool { return !filter.MatchesRow(row) })
	page := widget.WholePage(req, rows)
	page.HasMoreThanTotal = hasMore
	return page
}

// expiryRow returns the row of a grant. Its cells are a sign for whether the grant is in
// force, who may act for whom, and the expiry in two forms, such as "in 8 blocks" and the
// height.
func expiryRow(rowView app.RowView, clock chain.Clock, entry expiry.Entry) widget.Row {
	sign, role := app.LivenessSign(entry.Expires, clock.Block())
	return widget.Row{
		Key:       grantKey(entry.Grant),
		OwnerData: entry,
		Cells: []widget.Line{
			widget.Styled(role, sign),
			widget.Plain(rowView.GrantLabel(entry)),
			widget.Styled(role, rowView.When(entry.Expires, clock)),
			widget.Muted(rowView.OtherForm(entry.Expires, clock)),
		},
	}
}

// expiryLines returns the detail of a grant: when it was given, and what it permits now.
func expiryLines(state *app.State, detail expiryDetail, _ int) []widget.Line {
	givenText := "  given at height " + human.Thousands(detail.GrantedAt.Height)
	heading := widget.Header(state.GrantLabel(detail.Entry)).Muted(givenText)
	const isBrief = false // with the reasons
	access := accessLines(detail.access, state.DisplayName(detail.Spender), isBrief)
	return append([]widget.Line{heading}, access...)
}

// expiryCommands returns the commands for the grant under the cursor, and none if the list
// is empty.
func expiryCommands(state *app.State, row widget.Row, hasRow bool) []app.Command {
	if !hasRow {
		return nil
	}
	entry := row.OwnerData.(expiry.Entry)
	subject := subjectOfGrant(entry.Grant)
	moveBefore := func() tea.Cmd { return moveClockToExpiry(state, entry.Expires, justBefore) }
	moveToExpiry := func() tea.Cmd { return moveClockToExpiry(state, entry.Expires, atExpiry) }
	return []app.Command{
		app.DialogCommand("enter w", "why", func() tea.Cmd { return OpenWhy(state, subject) }),
		app.DialogCommand("E", "clock to just before", moveBefore),
		app.DialogCommand("e", "clock to its expiry", moveToExpiry),
		app.DialogCommand("W", "who could", func() tea.Cmd { return OpenWhoCould(state, subject) }),
	}
}

// How long before an expiry the clock or the cursor of the timeline is moved. The clock is
// moved to so many blocks before a height, or to so many nanoseconds before a time.
const (
	atExpiry   = 0
	justBefore = 1
)

// moveClockToExpiry moves the clock to the expiry of a grant, or to a distance before it.
// The distance is a number of blocks if the expiry is a height, or of nanoseconds if it is
// a time. Both the height and the time of the clock move. If the clock need not move or
// cannot, a notice says why.
func moveClockToExpiry(state *app.State, expires cw721.Expiration, distance uint64) tea.Cmd {
	now, end, canExpire := expires.NowAndEnd(state.Block())
	switch {
	case !canExpire:
		return app.Notify(app.LevelInfo, "this grant never expires")
	case end <= now:
		return app.Notify(app.LevelInfo,
			"this grant has expired; the clock only moves forward, and u goes back")
	case end-distance == now:
		return app.Notify(app.LevelInfo, "the clock is just before this expiry already")
	}
	target, err := state.Clock.ToExpiry(expires, distance)
	if err != nil {
		return app.Notify(app.LevelBad, err.Error())
	}
	return app.Advance(state, chain.ClockStep{Height: &target.Height, Time: &target.Time}, 0)
}
