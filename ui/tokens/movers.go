package tokens

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// mover is an account whose permissions to move a token are shown: the owner, an account that
// was granted the token, even if the grant has expired, or the actor.
type mover struct {
	account      cw721.Address
	mayTransfer  bool
	check        cw721.Check // the rule that decides about a transfer; empty if no rule applies
	otherActions []string    // which of the other actions it may do
	unreadable   string      // why the contract cannot read the token; "" if it reads it
}

// mainAction is the action on a token whose permission is shown with the reason.
const mainAction = "transfer"

// otherActions are the actions whose permissions are shown without a reason.
var otherActions = []string{"burn", "approve"}

// maxMovers is how many accounts at most have their permissions read, the actor aside.
const maxMovers = 50

// readMover asks the contract whether an account may transfer a token and which rule
// decides, and which of [otherActions] the account may do with it.
func readMover(view *chain.View, account cw721.Address, tokenID string) (mover, error) {
	transfer, _ := cw721.ActionNamed(mainAction)
	decision, err := view.Decide(account, transfer.Message(tokenID, account))
	if err != nil {
		return mover{}, err
	}
	permissions := mover{account: account, mayTransfer: decision.Allowed}
	if !decision.Allowed && decision.Refusal.Kind == cw721.KindParse {
		permissions.unreadable = decision.Refusal.Text
	}
	if index := explain.DecidingCheck(decision); index >= 0 {
		permissions.check = decision.Checks[index]
	}
	for _, name := range otherActions {
		action, _ := cw721.ActionNamed(name)
		decision, err := view.Decide(account, action.Message(tokenID, account))
		if err != nil {
			return permissions, err
		}
		if decision.Allowed {
			permissions.otherActions = append(permissions.otherActions, name)
		}
	}
	return permissions, nil
}

// moverLayout says how the movers are laid out.
type moverLayout struct {
	nameWidth   int  // of the column of names, in cells
	reasonWidth int  // of the column of reasons, in cells
	isOneLine   bool // the other actions stand on the line of the account, not below all accounts
}

// writeMovers lists who may transfer the token and why, and who may do the other actions,
// such as burn. Each line is a link to the account.
func (f *tokenFacts) writeMovers(state *app.State, text *widget.Text, width int) {
	layout := f.layOutMovers(state, width)
	heading := widget.Header("Who may transfer it now?")
	actionsHint := "  and who may " + strings.Join(otherActions, ", ")
	if layout.isOneLine && widget.Width(heading.String()+actionsHint) <= width {
		heading = heading.Muted(actionsHint)
	}
	text.Add(heading.Muted(state.WithRuleBookNote("")))
	if f.noRulesText != "" {
		text.Add(widget.Warning("").Text(f.noRulesText))
	}
	for _, m := range f.movers {
		text.AddLinked(moverLine(state, m, layout), state.LinkToAccount(m.account))
	}
	if f.hasMoreMovers {
		more := fmt.Sprintf("%s and more: %d were asked about", themes.GlyphEllipsis, len(f.movers))
		text.Add(widget.Faint(more))
	}
	if layout.isOneLine {
		return
	}

	// The lines have no room for the other actions, so these follow below.
	for _, action := range otherActions {
		if names := f.namesOfThoseWhoMay(state, action); len(names) > 0 {
			text.Add(widget.Muted("and " + action + ": ").Text(strings.Join(names, ", ")))
		}
	}
}

// layOutMovers measures the columns, and decides whether all actions fit on one line.
func (f *tokenFacts) layOutMovers(state *app.State, width int) moverLayout {
	layout := moverLayout{nameWidth: minNameWidth}
	for _, m := range f.movers {
		nameWidth := min(columnNameWidth(state, m.account), width/4)
		layout.nameWidth = max(layout.nameWidth, nameWidth)
		layout.reasonWidth = max(layout.reasonWidth, widget.Width(moverReason(state, m)))
	}

	// Measure a line with everything on it.
	const signWidth, columnGap = 2, 2
	neededWidth := signWidth + layout.nameWidth + columnGap + layout.reasonWidth
	for _, action := range otherActions {
		neededWidth += columnGap + signWidth + len(action)
	}
	layout.isOneLine = neededWidth <= width
	return layout
}

// moverLine draws one account: whether it may transfer the token, its name, the reason, and in
// a layout of one line the other actions that it may do.
func moverLine(state *app.State, m mover, layout moverLayout) widget.Line {
	reason := moverReason(state, m)
	line := app.VerdictSign(m.mayTransfer)

	// The name of an account whose grant has expired is struck out, without the blanks
	// behind it.
	name := columnName(state, m.account, layout.nameWidth)
	if m.check.Expires != nil && !m.check.Passed {
		letters := strings.TrimRight(name, " ")
		line = line.Append(themes.Struck, letters).Text(name[len(letters):])
	} else {
		line = line.Strong(name)
	}
	line = line.Text("  ").Muted(reason)
	if !layout.isOneLine {
		return line
	}

	line = line.Muted(strings.Repeat(" ", layout.reasonWidth-widget.Width(reason)))
	for _, action := range m.otherActions {
		line = line.Append(themes.Good, "  "+themes.GlyphYes).Muted(" " + action)
	}
	return line
}

// namesOfThoseWhoMay returns the names of the accounts that may do one of [otherActions].
func (f *tokenFacts) namesOfThoseWhoMay(state *app.State, action string) (names []string) {
	for _, m := range f.movers {
		if slices.Contains(m.otherActions, action) {
			names = append(names, state.DisplayName(m.account))
		}
	}
	return names
}

// moverReason says in a few words why an account may transfer the token, such as
// "operator, never expires" or "approval, until 1,200", or why not: "has no grant", or
// "approval: height 1,205 ≥ 1,200: expired".
func moverReason(state *app.State, m mover) string {
	rule := string(m.check.Rule)
	expires := m.check.Expires
	switch {
	case rule == "":
		return "has no grant"
	case expires == nil:
		return rule
	case expires.Axis == cw721.Never:
		return rule + ", never expires"
	case m.check.Passed:
		return rule + ", until " + absoluteExpiry(state, *expires)
	}

	// The grant has expired: show the comparison that the contract makes.
	now, end, _ := expires.NowAndEnd(state.Block())
	if expires.Axis == cw721.AtHeight {
		return fmt.Sprintf("%s: height %s ≥ %s: expired",
			rule, human.Thousands(now), human.Thousands(end))
	}
	nowText := absoluteExpiry(state, cw721.UntilTime(cw721.Time(now)))
	endText := absoluteExpiry(state, *expires)
	if endText == human.Expiry(*expires) { // it has a date, so now has one too
		nowText = human.Expiry(cw721.UntilTime(cw721.Time(now)))
	}
	return fmt.Sprintf("%s: time %s ≥ %s: expired", rule, nowText, endText)
}
