package tokens

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// tokenDetail is the pane that shows one token: its owner, its approvals, who may act on
// it, and its metadata with the picture.
type tokenDetail struct {
	facts    *tokenFacts    // what was read of the token; nil until then
	scroll   *widget.Scroll // shows the lines of the details
	drawnKey detailKey      // what the lines in scroll were written from
	picture  shownPicture   // the picture beside the metadata
}

// detailKey holds everything that the lines of the details depend on. While it stays the
// same, they need not be written again.
type detailKey struct {
	facts       *tokenFacts  // compared by address, because every read makes new facts
	width       int          // of the pane, in cells
	isLow       bool         // the pane has fewer than [lowDetail] lines
	times       app.TimeForm // how the user wants to see times
	hideExpired bool         // expired approvals are left out
	nameCount   int          // number of accounts with names; a new name can change a line
	picture     pictureKey
}

// lowDetail is the height in lines below which the details leave no line empty.
const lowDetail = 8

// tokenIfShown returns the token with an id. isShown is false if the pane shows another
// token or none.
func (d *tokenDetail) tokenIfShown(id string) (token chain.Token, isShown bool) {
	if d.facts == nil || d.facts.token.ID != id {
		return chain.Token{}, false
	}
	return d.facts.token, true
}

// heading draws the line above the details: the token and its owner. It first writes
// the details anew if anything in them has changed.
func (d *tokenDetail) heading(state *app.State, box widget.Box) string {
	if d.facts == nil {
		d.scroll.Set(nil)
		d.drawnKey = detailKey{}
		return ""
	}
	d.writeIfChanged(state, box)

	// Draw the id at the left and the owner at the right.
	token := d.facts.token
	const label = " owned by "
	freeCells := box.W - len(label) - 2 // the blank at the end, and one to spare
	owner := state.DisplayName(token.Owner)
	idWidth := freeCells - min(widget.Width(owner), app.NarrowAddress)
	idLine := widget.Styled(themes.Title, widget.Shorten(human.TokenID(token.ID), idWidth))
	if token.ID == "" {
		idLine = widget.Faint("(the empty id)")
	}
	ownerName := widget.Shorten(owner, max(freeCells-idLine.Width(), app.NarrowAddress))
	ownedBy := widget.Muted(label).Strong(ownerName).Text(" ")
	return widget.JoinEnds(idLine.Render(state.Theme), ownedBy.Render(state.Theme), box.W)
}

// writeIfChanged writes the details into the scroll, unless the scroll already has them
// for the same facts, size and options. The picture goes beside the metadata.
func (d *tokenDetail) writeIfChanged(state *app.State, box widget.Box) {
	key := detailKey{
		facts:       d.facts,
		width:       box.W,
		isLow:       box.H < lowDetail,
		times:       state.Times,
		hideExpired: state.HideExpired,
		nameCount:   len(state.Names),
		picture:     d.picture.key,
	}
	if key == d.drawnKey {
		return
	}
	d.drawnKey = key

	// The picture stands at the right of the metadata, below their heading.
	text := d.facts.text(state, box.W, key.isLow)
	const headingLines = 2
	d.scroll.SetAside(d.picture.Rows, d.picture.Width, text.Len()+headingLines)
	text.Add(metadataLines(d.facts.token, box.W, d.picture.fault)...)
	d.scroll.Write(text)
}

// text returns the details above the metadata: the URI, the approvals, and who may
// transfer the token. If the pane has few lines, there are no empty ones, and who may
// transfer comes first, so that it is in view.
func (f *tokenFacts) text(state *app.State, width int, isLow bool) (text widget.Text) {
	if isLow {
		f.writeMovers(state, &text, width)
	}
	if uri := f.token.TokenURI; uri != nil {
		text.Add(widget.Muted("uri  ").Text(shortURI(*uri, width)))
	}
	if isLow {
		f.writeApprovals(state, &text, width)
		return text
	}
	text.Add(nil)
	f.writeApprovals(state, &text, width)
	text.Add(nil)
	f.writeMovers(state, &text, width)
	return text
}

// minNameWidth is the least width of a column of names.
const minNameWidth = 6

// columnNameWidth returns how many cells an account's name takes in a column: at most
// [app.AddressWidth], to which a longer name is shortened.
func columnNameWidth(state *app.State, account cw721.Address) int {
	name := widget.Safe(state.DisplayName(account))
	return min(widget.Width(name), app.AddressWidth)
}

// columnName returns the name of an account in exactly width cells.
func columnName(state *app.State, account cw721.Address, width int) string {
	name := widget.Safe(state.DisplayName(account))
	return widget.Fit(widget.Shorten(name, width), width)
}

// absoluteExpiry writes when something expires, as a height or a time. A time of today is
// written without its date, unless the user has chosen to see whole dates or nanoseconds.
func absoluteExpiry(state *app.State, expiration cw721.Expiration) string {
	if state.Times == app.Exact {
		return app.ExactTime(expiration)
	}
	text := human.Expiry(expiration)
	if expiration.Axis == cw721.AtTime && state.Times == app.Relative {
		return state.WithoutToday(text)
	}
	return text
}

// approvalLayout holds the widths of the columns of the approvals, in cells. A column of
// width 0 is left out.
type approvalLayout struct {
	nameWidth     int // the name of the spender
	absoluteWidth int // the expiry as a height or a time
	relativeWidth int // the expiry as a distance, such as "in 3 blocks"
	arrowWidth    int // the arrow of an approval that outlives its expiry
	barWidth      int // the remaining time, as a bar
}

// writeApprovals lists the first approvals of the token, each with its expiry and the
// remaining time. Each line is a link to the approval's history. An arrow marks an approval
// that outlives its expiry, which means that with its help the token can be moved later
// without the owner.
func (f *tokenFacts) writeApprovals(state *app.State, text *widget.Text, width int) {
	approvals := f.listedApprovals(state)
	shownApprovals := approvals[:min(len(approvals), app.MaxListLines)]
	layout := f.layOutApprovals(state, shownApprovals, width)

	// The title explains the columns that are not obvious.
	title := widget.Header("Approvals")
	if layout.barWidth > 0 && len(shownApprovals) > 0 {
		title = title.Muted("  and the time left")
	}
	arrowHint := "  " + themes.GlyphArrow + " " + app.RenewableHint
	if layout.arrowWidth > 0 && widget.Width(title.String()+arrowHint) <= width {
		title = title.Append(themes.Warn, arrowHint)
	}
	text.Add(title)

	// List the approvals.
	for _, approval := range shownApprovals {
		history := app.ShowHistoryMsg{Filter: f.token.ID + " " + state.InputText(approval.Spender)}
		text.AddLinked(f.approvalLine(state, approval, layout), app.GoTo(app.KindHistory, history))
	}

	// Say how many approvals are not listed.
	hiddenCount := len(f.token.Approvals) - len(approvals)
	switch {
	case len(approvals) > len(shownApprovals):
		more := human.Thousands(len(approvals) - len(shownApprovals))
		text.Add(widget.Faint(themes.GlyphEllipsis + " " + more + " more"))
	case len(approvals) == 0 && hiddenCount > 0:
		text.Add(widget.Faint(fmt.Sprintf("none that is live; %d expired (x shows)", hiddenCount)))
	case len(approvals) == 0:
		text.Add(widget.Faint("none"))
	}
}

// listedApprovals returns the approvals without those that the user hides.
func (f *tokenFacts) listedApprovals(state *app.State) (listed []cw721.Approval) {
	for _, approval := range f.token.Approvals {
		isHidden := state.HideExpired && approval.Expires.HasExpired(state.Block())
		if !isHidden {
			listed = append(listed, approval)
		}
	}
	return listed
}

// layOutApprovals returns the widths of the columns of the approvals. If they don't fit
// into width cells, the bar is left out first, and then one of the two columns with the
// expiry: the one whose form the user did not choose.
func (f *tokenFacts) layOutApprovals(
	state *app.State,
	approvals []cw721.Approval,
	width int,
) approvalLayout {
	layout := approvalLayout{nameWidth: minNameWidth}
	for _, approval := range approvals {
		nameWidth := min(columnNameWidth(state, approval.Spender), width/4)
		absoluteText := absoluteExpiry(state, approval.Expires)
		relativeText := human.ExpiresIn(approval.Expires, state.Block())

		// Each column is as wide as its longest text.
		layout.nameWidth = max(layout.nameWidth, nameWidth)
		layout.absoluteWidth = max(layout.absoluteWidth, widget.Width(absoluteText))
		layout.relativeWidth = max(layout.relativeWidth, widget.Width(relativeText))
		layout.arrowWidth = max(layout.arrowWidth, widget.Width(f.renewableArrow(approval)))
	}

	// Give the bar the remaining cells, if they are enough.
	const (
		signWidth = 2
		nameGap   = 1
		columnGap = 2
	)
	usedCells := signWidth + layout.nameWidth + nameGap
	usedCells += layout.absoluteWidth + columnGap + layout.relativeWidth + layout.arrowWidth
	barWidth := min(app.BarWidth, width-usedCells-columnGap)
	if barWidth >= app.MinBarWidth {
		layout.barWidth = barWidth
	}

	// Leave out one form of the expiry if both don't fit.
	if usedCells > width && state.Times == app.Relative {
		layout.absoluteWidth = 0
	} else if usedCells > width {
		layout.relativeWidth = 0
	}
	return layout
}

// renewableArrow returns an arrow if an approval outlives its expiry, which means that with
// its help the token can be moved later without the owner. Otherwise it returns "".
func (f *tokenFacts) renewableArrow(approval cw721.Approval) string {
	if f.realExpiries.IsLaterThanStored(f.token.Grant(approval)) {
		return " " + themes.GlyphArrow
	}
	return ""
}

// approvalLine draws one approval in the columns of a layout: a sign for whether it is
// live, its spender, its expiry in one or two forms, and the remaining time as a bar.
func (f *tokenFacts) approvalLine(
	state *app.State,
	approval cw721.Approval,
	layout approvalLayout,
) widget.Line {
	sign, role := app.LivenessSign(approval.Expires, state.Block())
	spender := columnName(state, approval.Spender, layout.nameWidth)
	line := widget.Styled(role, sign+" ").Text(spender + " ")
	if layout.absoluteWidth > 0 {
		absoluteText := absoluteExpiry(state, approval.Expires)
		line = line.Muted(widget.Fit(absoluteText, layout.absoluteWidth) + "  ")
	}
	if layout.relativeWidth > 0 {
		relativeText := human.ExpiresIn(approval.Expires, state.Block())
		line = line.Append(role, widget.Fit(relativeText, layout.relativeWidth))
	}

	// The arrow and the bar follow the expiry.
	line = line.Append(themes.Warn, widget.Fit(f.renewableArrow(approval), layout.arrowWidth))
	if layout.barWidth > 0 {
		line = line.Text("  ")
		line = append(line, app.Countdown(layout.barWidth, f.entries[f.token.Grant(approval)], state.Clock)...)
	}
	return line
}

// readTokenThenOpen returns the command that reads a token and then opens a form about it.
// If the token no longer exists, a notice says so instead.
func readTokenThenOpen(
	state *app.State,
	id string,
	openForm func(*app.State, chain.Token) tea.Cmd,
) tea.Cmd {
	// readToken sets these, and then openIfExists uses them.
	var token chain.Token
	exists := false
	readToken := func(view *chain.View) (err error) {
		token, exists, err = view.Token(id)
		return err
	}
	openIfExists := func() tea.Cmd {
		if !exists {
			return app.Notify(app.LevelInfo, "there is no "+app.ShortTokenName(id)+" any more")
		}
		return openForm(state, token)
	}
	return app.ReadThen(state, readToken, openIfExists)
}
