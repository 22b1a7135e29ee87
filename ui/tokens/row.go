package tokens

import (
	"cmp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// listedToken is what the row of a token is made from: the token, and what the row shows of
// its approvals and of its owner's operators. A live grant is one that has not expired.
type listedToken struct {
	chain.Token
	rowView       app.RowView
	clock         chain.Clock
	liveCount     int             // number of live approvals
	expiredCount  int             // number of expired approvals
	operatorCount int             // number of the owner's live operators, at most maxOperators
	signs         widget.Line     // a sign for each of the first maxSigns approvals
	nextToExpire  *cw721.Approval // nil if no approval is live
	lastExpired   *cw721.Approval // nil if no approval has expired
}

// The titles of the columns by which the list can be sorted.
const (
	tokenTitle  = "TOKEN"
	grantsTitle = "GRANTS"
	expiryTitle = "EXPIRES NEXT"
)

// The widths, in cells, at which the list changes its columns.
const (
	narrowList = 55 // below it, the list shows fewer columns
	wideList   = 75 // from it, the list shows all signs of the grants
)

// columns returns the columns of a list, with the cells of the token. A wide list has the
// columns GRANTS and EXPIRES NEXT. A narrow one has the last column in place of them, which
// shows both, so that people see at every width which grants are live and which have expired.
func (t listedToken) columns(listWidth int) []widget.Column {
	isNarrow := listWidth < narrowList
	token := widget.Column{
		Title:   tokenTitle,
		Width:   8,
		Flex:    3,
		Shorten: widget.Shorten,
		Cell:    widget.Plain(human.TokenID(t.ID)),
	}
	owner := widget.Column{
		Title:   "OWNER",
		Width:   7,
		Flex:    1,
		Shorten: widget.Shorten,
		Cell:    widget.Plain(t.rowView.AccountCell(t.Owner)),
	}
	grants := widget.Column{Title: grantsTitle, Width: 6, Hide: isNarrow, Cell: t.signLine()}
	switch {
	case isNarrow:
		token.Width = 10
		token.Flex = 1
		owner.Width = app.NarrowAddress
		owner.Flex = 0
	case listWidth >= wideList:
		grants.Flex = 2
	}
	nextExpiry := t.nextExpiryLine()
	return []widget.Column{
		token,
		owner,
		grants,
		{
			Title:      expiryTitle,
			Width:      22,
			Flex:       60,
			Unmeasured: true,
			Hide:       isNarrow,
			Cell:       nextExpiry,
		},
		{
			Title:      expiryTitle,
			Width:      19,
			Flex:       60,
			Unmeasured: true,
			Hide:       !isNarrow,
			Cell:       append(t.tally(), nextExpiry...),
		},
	}
}

// row returns the row of a token, or nil if the token does not match the filter.
func (l tokenList) row(token chain.Token) (*widget.Row, error) {
	matches, err := l.matches(token)
	if err != nil || !matches {
		return nil, err
	}
	listed, err := l.summarizeGrants(token)
	return &widget.Row{Key: token.ID, Cells: widget.Cells(listed.columns(wideList))}, err
}

// The bounds of what a row shows about the grants of a token.
const (
	maxSpenderWidth = 10 // cells of a spender's name in front of an expiry, which matters more
	maxOperators    = 3  // operators of an owner that a row counts
	maxSigns        = 20 // approvals that a row draws as signs; "…" follows if there are more
)

// summarizeGrants reads what a row shows of a token's grants. It leaves out expired approvals
// if the user hides them. It leaves out the operators, who may move every token of the owner,
// unless they matter for what the row shows: beside an approval, which is then not the only
// way to move the token, and in a list of the tokens that an account may move.
func (l tokenList) summarizeGrants(token chain.Token) (listedToken, error) {
	clock := l.view.Clock
	listed := listedToken{Token: token, rowView: l.rowView, clock: clock}
	for i, approval := range token.Approvals {
		expires := approval.Expires
		hasExpired := expires.HasExpired(clock.Block())
		if hasExpired && l.rowView.HideExpired {
			continue
		}
		if listed.liveCount+listed.expiredCount < maxSigns {
			sign, role := app.LivenessSign(expires, clock.Block())
			listed.signs = listed.signs.Append(role, sign)
		}

		if hasExpired {
			listed.expiredCount++
			last := listed.lastExpired
			if last == nil || app.ExpiresSooner(clock, last.Expires, expires) {
				listed.lastExpired = &token.Approvals[i]
			}
			continue
		}
		listed.liveCount++
		next := listed.nextToExpire
		if next == nil || app.ExpiresSooner(clock, expires, next.Expires) {
			listed.nextToExpire = &token.Approvals[i]
		}
	}
	if listed.liveCount+listed.expiredCount == 0 && l.filter.Mover == "" {
		return listed, nil
	}

	operatorIndex := expiry.Index{Owner: token.Owner, OnlyOperators: true}
	operators, _, err := app.ReadAtMost(l.view.Upcoming(operatorIndex), maxOperators)
	listed.operatorCount = len(operators)
	return listed, err
}

// signLine returns a sign for each operator of the owner and for each approval, such as
// "◆●●○". Operators come first, because they may move every token of the owner.
func (t listedToken) signLine() widget.Line {
	operatorSigns := strings.Repeat(themes.GlyphOperator, t.operatorCount)
	line := append(widget.Styled(themes.Live, operatorSigns), t.signs...)
	if t.liveCount+t.expiredCount > maxSigns {
		line = line.Muted(themes.GlyphEllipsis)
	}
	return line
}

// nextExpiryLine returns the spender and the expiry of the approval that expires next,
// such as "bob in 3 blocks". If no approval is live, it returns those of the approval that
// expired last. It returns nil if there are no approvals.
func (t listedToken) nextExpiryLine() widget.Line {
	approval := cmp.Or(t.nextToExpire, t.lastExpired)
	if approval == nil {
		return nil
	}
	spender := widget.Shorten(t.rowView.Names[approval.Spender], maxSpenderWidth)
	if spender == "" {
		spender = widget.Shorten(string(approval.Spender), app.NarrowAddress)
	}
	text := spender + " " + t.rowView.When(approval.Expires, t.clock)
	if t.nextToExpire != nil {
		return widget.Plain(text)
	}

	// "carol expired 3 blocks ago" is too long for a row. The details say when.
	if t.rowView.Times == app.Relative {
		return widget.Styled(themes.Expired, spender+" expired")
	}
	return widget.Styled(themes.Expired, text)
}

// tally returns the numbers of operators, live approvals and expired approvals, each
// behind its sign. For example, "◆●2○ " is one operator, two live approvals and an expired
// one. The number one is left out to save cells in a narrow list.
func (t listedToken) tally() widget.Line {
	line := slices.Concat(
		signWithCount(themes.Live, themes.GlyphOperator, t.operatorCount),
		signWithCount(themes.Live, themes.GlyphLive, t.liveCount),
		signWithCount(themes.Expired, themes.GlyphExpired, t.expiredCount))
	if len(line) == 0 {
		return nil
	}
	return line.Text(" ")
}

// signWithCount returns a sign and a number, such as "●2". It leaves out the number one, and
// returns nil for 0.
func signWithCount(role themes.Role, sign string, count int) widget.Line {
	switch count {
	case 0:
		return nil
	case 1:
		return widget.Styled(role, sign)
	}
	return widget.Styled(role, sign).Muted(human.Thousands(count))
}
