package accounts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// accountDetail is everything about one account.
type accountDetail struct {
	accountFacts
	block     cw721.Block
	tokens    []string // the first of its tokens, in brief
	received  []expiry.Entry
	given     []expiry.Entry
	moreTaken bool
	moreGiven bool
}

// Limits of what a detail lists; the screens of approvals and operators page
// through all of it.
const (
	grantsListed = 100
	tokensListed = 12
)

// readAccountDetail reads the account of a name; nil when nobody has it.
func readAccountDetail(v *chain.View, f app.Facts, name string, live bool) (*accountDetail, error) {
	at := slices.IndexFunc(f.Accounts, func(a chain.Account) bool { return a.Name == name })
	if at < 0 {
		return nil, nil
	}
	a := f.Accounts[at]
	x := &accountDetail{block: v.Clock.Block()}
	var faults [4]error
	x.accountFacts, faults[0] = readAccount(v, f.Collection, a)
	tokens, _, err := app.TakeFirst(v.Tokens(a.Address, cw721.Walk{}), tokensListed)
	for _, t := range tokens {
		x.tokens = append(x.tokens, app.Brief(t.ID))
	}
	faults[1] = err
	received := expiry.List{Index: expiry.Index{Spender: a.Address}, Live: live}
	x.received, x.moreTaken, faults[2] = app.TakeFirst(v.List(received, expiry.Walk{}), grantsListed)
	given := expiry.List{Index: expiry.Index{Owner: a.Address}, Live: live}
	x.given, x.moreGiven, faults[3] = app.TakeFirst(v.List(given, expiry.Walk{}), grantsListed)
	return x, cmp.Or(faults[:]...)
}

// text writes the account out, with what leads to its tokens, and to each grant.
func (x *accountDetail) text(st *app.State) (t widget.Text) {
	if x == nil {
		return t
	}
	t.Add(
		widget.In(themes.Title, x.Name).And(themes.Muted, "  "+receiverWords(x.Receiver)),
		widget.In(themes.Text, string(x.Address)),
		nil)
	for _, r := range x.roles {
		t.Add(widget.In(themes.Accent, themes.GlyphDot+" ").And(themes.Strong, r))
	}
	owns := widget.In(themes.Muted, "owns ").And(themes.Strong, app.Plural(x.holdings, "token"))
	if x.holdings == 0 {
		t.Add(owns, nil)
	} else {
		t.Lead(owns.And(themes.Text, ": "+x.ids()), app.GoTo(app.KindTokens, app.ShowTokenMsg{Filter: "owner:" + st.Typed(x.Address)}))
		t.Add(nil)
	}
	x.list(st, &t, "Was given", x.received, x.moreTaken, func(e expiry.Entry) string {
		switch e.Kind {
		case cw721.GrantApproval:
			return app.Brief(e.Token) + " of " + st.DisplayName(e.Owner)
		case cw721.GrantOperator:
			return "all tokens of " + st.DisplayName(e.Owner)
		}
		return string(e.Kind)
	})
	t.Add(nil)
	x.list(st, &t, "Has given", x.given, x.moreGiven, func(e expiry.Entry) string {
		what := string(e.Kind)
		switch e.Kind {
		case cw721.GrantApproval:
			what = app.Brief(e.Token)
		case cw721.GrantOperator:
			what = "all its tokens"
		}
		return what + " " + themes.GlyphArrow + " " + st.DisplayName(e.Spender)
	})
	return t
}

// ids names the first of the tokens.
func (x *accountDetail) ids() string {
	ids := strings.Join(x.tokens, ", ")
	if x.holdings > len(x.tokens) {
		ids += ", " + themes.GlyphEllipsis
	}
	return ids
}

// list writes grants below a title.
func (x *accountDetail) list(st *app.State, t *widget.Text, title string, all []expiry.Entry, more bool, what func(expiry.Entry) string) {
	t.Add(widget.In(themes.Header, title))
	if len(all) == 0 {
		t.Add(widget.In(themes.Faint, "nothing"))
	}
	wide := 0
	for _, e := range all {
		wide = max(wide, widget.Width(widget.Safe(what(e))))
	}
	for _, e := range all {
		sign, role := app.Liveness(e.Expires, x.block)
		text := themes.Text
		if role == themes.Expired {
			text = role
		}
		t.Lead(widget.In(role, sign+" ").And(text, widget.Fit(widget.Safe(what(e)), min(wide, 28))+"  ").And(role, st.When(e.Expires)), app.LinkToGrant(e.Grant))
	}
	if more {
		t.Add(widget.In(themes.Muted, fmt.Sprintf("only the first %d are listed", grantsListed)))
	}
}
