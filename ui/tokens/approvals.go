package tokens

import (
	"fmt"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

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
	var approvals []cw721.Approval // without those that the user hides
	for _, approval := range f.token.Approvals {
		if !state.HideExpired || !approval.Expires.HasExpired(state.Block()) {
			approvals = append(approvals, approval)
		}
	}
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

// layOutApprovals returns the widths of the columns of the approvals. If they don't fit
// into width cells, the bar is left out first, and then one of the two columns with the
// expiry: the one whose form the user did not choose.
func (f *tokenFacts) layOutApprovals(state *app.State, approvals []cw721.Approval, width int) approvalLayout {
	layout := approvalLayout{nameWidth: minNameWidth}
	for _, approval := range approvals {
		// Each column is as wide as its longest text.
		nameWidth := min(columnNameWidth(state, approval.Spender), width/4)
		absoluteText := absoluteExpiry(state, approval.Expires)
		relativeText := human.ExpiresIn(approval.Expires, state.Block())
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
	if barWidth := min(app.BarWidth, width-usedCells-columnGap); barWidth >= app.MinBarWidth {
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

// renewableArrow returns an arrow if an approval outlives its expiry, and otherwise "".
func (f *tokenFacts) renewableArrow(approval cw721.Approval) string {
	if f.realExpiries.IsLaterThanStored(f.token.Grant(approval)) {
		return " " + themes.GlyphArrow
	}
	return ""
}

// approvalLine draws one approval in the columns of a layout.
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
	line = line.Append(themes.Warn, widget.Fit(f.renewableArrow(approval), layout.arrowWidth))
	if layout.barWidth > 0 {
		line = line.Text("  ")
		line = append(line, app.Countdown(layout.barWidth, f.entries[f.token.Grant(approval)], state.Clock)...)
	}
	return line
}
