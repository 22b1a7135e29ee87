package accounts

import (
	"fmt"
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

// accountDetail is everything that the detail shows of an account.
type accountDetail struct {
	accountFacts
	block           cw721.Block          // decides which of the grants have expired
	tokenNames      []string             // the ids of its first tokens, shortened
	receivedGrants  []expiry.Entry       // the first grants to the account
	givenGrants     []expiry.Entry       // the first grants by the account
	hasMoreReceived bool                 // there are more grants than receivedGrants has
	hasMoreGiven    bool                 // there are more grants than givenGrants has
	grantsByLine    map[int]expiry.Entry // the approvals and operators by their lines in the text
}

// Limits of the lists in a detail. The screens of approvals and operators show
// all grants.
const (
	maxGrants = 100
	maxTokens = 12
)

// accountNamed returns the account with a name. exists is false if there is none. No account
// has the empty name.
func accountNamed(accounts []chain.Account, name string) (account chain.Account, exists bool) {
	i := slices.IndexFunc(accounts, func(account chain.Account) bool { return account.Name == name })
	if i < 0 {
		return account, false
	}
	return accounts[i], true
}

// readAccountDetail reads what the detail shows of the account with a name. It returns nil
// if there is no such account. hidesExpired leaves out expired grants.
func readAccountDetail(
	view *chain.View,
	facts app.Facts,
	name string,
	hidesExpired bool,
) (*accountDetail, error) {
	account, exists := accountNamed(facts.Accounts, name)
	if !exists {
		return nil, nil
	}
	read, err := readAccount(view, facts, account)
	if err != nil {
		return nil, err
	}
	detail := &accountDetail{
		accountFacts: read,
		block:        view.Clock.Block(),
		grantsByLine: map[int]expiry.Entry{},
	}

	// Read the first tokens, and the grants of the account in both directions.
	tokens, _, err := app.ReadAtMost(view.Tokens(account.Address, cw721.Walk{}), maxTokens)
	if err != nil {
		return nil, err
	}
	for _, token := range tokens {
		detail.tokenNames = append(detail.tokenNames, app.ShortTokenName(token.ID))
	}
	received := expiry.List{Index: expiry.Index{Spender: account.Address}, OnlyLive: hidesExpired}
	detail.receivedGrants, detail.hasMoreReceived, err = app.ReadAtMost(view.List(received, expiry.Walk{}), maxGrants)
	if err != nil {
		return nil, err
	}
	given := expiry.List{Index: expiry.Index{Owner: account.Address}, OnlyLive: hidesExpired}
	detail.givenGrants, detail.hasMoreGiven, err = app.ReadAtMost(view.List(given, expiry.Walk{}), maxGrants)
	return detail, err
}

// text returns the detail: name, address, roles, tokens, and the grants that the account
// has received and given. The lines of tokens and grants are links. If the contract's
// records cannot be read, the text says so in place of roles, tokens and grants. The text
// is empty if d is nil.
func (d *accountDetail) text(state *app.State) (text widget.Text) {
	if d == nil {
		return text
	}
	text.Add(
		widget.Styled(themes.Title, d.Name).Muted("  "+kindOf(d.Receiver).name),
		widget.Plain(string(d.Address)),
		nil) // an empty line
	if state.UnreadableReason != "" {
		reason := state.UnreadableReason +
			", so what the account owns, and what it may do, is not known"
		text.Add(widget.Warning("").Text(reason))
		return text
	}
	for _, role := range d.roles {
		text.Add(widget.Styled(themes.Accent, themes.GlyphDot+" ").Strong(role))
	}

	// What the account owns, with a link to the tokens.
	ownsLine := widget.Muted("owns ").Strong(human.Plural(d.tokenCount, "token"))
	if d.tokenCount == 0 {
		text.Add(ownsLine)
	} else {
		ids := strings.Join(d.tokenNames, ", ")
		if d.tokenCount > len(d.tokenNames) {
			ids += ", " + themes.GlyphEllipsis
		}
		showTokens := app.ShowTokenMsg{Filter: "owner:" + state.InputText(d.Address)}
		text.AddLinked(ownsLine.Text(": "+ids), app.GoTo(app.KindTokens, showTokens))
	}
	text.Add(nil)

	// The grants to the account, and those that it has given.
	d.addGrants(&text, state, "Was given", d.receivedGrants, d.hasMoreReceived, receivedLabel)
	text.Add(nil)
	d.addGrants(&text, state, "Has given", d.givenGrants, d.hasMoreGiven, givenLabel)
	return text
}

// addGrants adds a list of grants to text, below a title. Each line has the label of the
// grant and its expiry, and is a link. If hasMore is true, there are more grants than the
// list has, and a last line says so.
func (d *accountDetail) addGrants(
	text *widget.Text,
	state *app.State,
	title string,
	grants []expiry.Entry,
	hasMore bool,
	labelOf func(*app.State, expiry.Entry) string,
) {
	text.Add(widget.Header(title))
	if len(grants) == 0 {
		text.Add(widget.Faint("nothing"))
	}

	// Measure the labels, so that the expiries stand in one column.
	const maxLabelWidth = 28
	labels := make([]string, len(grants))
	labelWidth := 0
	for i, entry := range grants {
		labels[i] = widget.Safe(labelOf(state, entry))
		labelWidth = min(max(labelWidth, widget.Width(labels[i])), maxLabelWidth)
	}
	for i, entry := range grants {
		sign, role := app.LivenessSign(entry.Expires, d.block)
		labelRole := themes.Text
		if role == themes.Expired { // the whole line has the colour of expired grants
			labelRole = role
		}
		line := widget.Styled(role, sign+" ").
			Append(labelRole, widget.Fit(labels[i], labelWidth)+"  ").
			Append(role, state.When(entry.Expires))
		if entry.Kind == cw721.GrantApproval || entry.Kind == cw721.GrantOperator {
			d.grantsByLine[text.Len()] = entry
		}
		text.AddLinked(line, app.LinkToGrant(entry.Grant))
	}
	if hasMore {
		text.Add(widget.Muted(fmt.Sprintf("only the first %d are listed", maxGrants)))
	}
}

// receivedLabel describes a grant in the list of its spender: "ape-0001 of alice" for an
// approval, "all tokens of alice" for an operator.
func receivedLabel(state *app.State, entry expiry.Entry) string {
	switch entry.Kind {
	case cw721.GrantApproval:
		return app.ShortTokenName(entry.Token) + " of " + state.DisplayName(entry.Owner)
	case cw721.GrantOperator:
		return "all tokens of " + state.DisplayName(entry.Owner)
	}
	return string(entry.Kind)
}

// givenLabel describes a grant in the list of its owner: "ape-0001 → bob" for an approval,
// "all its tokens → bob" for an operator.
func givenLabel(state *app.State, entry expiry.Entry) string {
	arrowAndSpender := " " + themes.GlyphArrow + " " + state.DisplayName(entry.Spender)
	switch entry.Kind {
	case cw721.GrantApproval:
		return app.ShortTokenName(entry.Token) + arrowAndSpender
	case cw721.GrantOperator:
		return "all its tokens" + arrowAndSpender
	}
	return string(entry.Kind) + arrowAndSpender
}
