package accounts

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

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
	tokens    []string // the first of its tokens
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
	var err error
	if x.accountFacts, err = readAccount(v, f.Collection, a); err != nil {
		return nil, err
	}
	for t, err := range v.Tokens(a.Address, cw721.Walk{}) {
		if err != nil {
			return nil, err
		}
		if x.tokens = append(x.tokens, t.ID); len(x.tokens) == tokensListed {
			break
		}
	}
	if x.received, x.moreTaken, err = someGrants(v, expiry.List{Index: expiry.Index{Spender: a.Address}, Live: live}); err != nil {
		return nil, err
	}
	x.given, x.moreGiven, err = someGrants(v, expiry.List{Index: expiry.Index{Owner: a.Address}, Live: live})
	return x, err
}

func someGrants(v *chain.View, l expiry.List) (all []expiry.Entry, more bool, err error) {
	for e, err := range v.List(l, expiry.Walk{}) {
		if err != nil {
			return nil, false, err
		}
		if len(all) == grantsListed {
			return all, true, nil
		}
		all = append(all, e)
	}
	return all, false, nil
}

// lines writes the account out, and where its lines lead: to its tokens, and to
// each grant.
func (x *accountDetail) lines(st *app.State) (lines []widget.Line, to map[int]tea.Cmd) {
	to = map[int]tea.Cmd{}
	lines = []widget.Line{
		widget.In(themes.Title, x.Name).And(themes.Muted, "  "+receiverWords(x.Receiver)),
		widget.In(themes.Text, string(x.Address)),
		{},
	}
	for _, r := range x.roles {
		lines = append(lines, widget.In(themes.Accent, themes.GlyphDot+" ").And(themes.Strong, r))
	}
	if x.holdings > 0 {
		to[len(lines)] = app.On(app.KindTokens, app.ShowTokenMsg{Filter: "owner:" + st.Typed(x.Address)})
	}
	lines = append(lines, widget.In(themes.Muted, "owns ").And(themes.Strong, app.Plural(x.holdings, "token")).And(themes.Text, x.ids()), nil)
	lead := func(grants []expiry.Entry) {
		for i, e := range grants {
			to[len(lines)+1+i] = app.LeadsTo(e.Grant) // below the heading
		}
	}
	lead(x.received)
	lines = append(lines, x.list(st, "Was given", "nothing", x.received, x.moreTaken, func(e expiry.Entry) string {
		switch e.Kind {
		case cw721.GrantApproval:
			return app.Brief(e.Token) + " of " + st.Call(e.Owner)
		case cw721.GrantOperator:
			return "all tokens of " + st.Call(e.Owner)
		}
		return string(e.Kind)
	})...)
	lines = append(lines, nil)
	lead(x.given)
	lines = append(lines, x.list(st, "Has given", "nothing", x.given, x.moreGiven, func(e expiry.Entry) string {
		switch e.Kind {
		case cw721.GrantApproval:
			return app.Brief(e.Token) + " " + themes.GlyphArrow + " " + st.Call(e.Spender)
		case cw721.GrantOperator:
			return "all its tokens " + themes.GlyphArrow + " " + st.Call(e.Spender)
		}
		return string(e.Kind) + " " + themes.GlyphArrow + " " + st.Call(e.Spender)
	})...)
	return lines, to
}

// ids names the first of the tokens.
func (x *accountDetail) ids() string {
	if len(x.tokens) == 0 {
		return ""
	}
	ids := make([]string, len(x.tokens))
	for i, id := range x.tokens {
		ids[i] = app.Brief(id)
	}
	if x.holdings > len(x.tokens) {
		ids = append(ids, themes.GlyphEllipsis)
	}
	return ": " + strings.Join(ids, ", ")
}

func (x *accountDetail) list(st *app.State, title, none string, all []expiry.Entry, more bool, what func(expiry.Entry) string) []widget.Line {
	head := widget.In(themes.Header, title)
	if len(all) == 0 {
		return []widget.Line{head, widget.In(themes.Faint, none)}
	}
	wide := 0
	for _, e := range all {
		wide = max(wide, widget.Width(widget.Safe(what(e))))
	}
	wide = min(wide, 28)
	lines := []widget.Line{head}
	for _, e := range all {
		sign, role := app.Liveness(e.Expires, x.block)
		text := themes.Text
		if role == themes.Expired {
			text = role
		}
		lines = append(lines, widget.In(role, sign+" ").And(text, widget.Fit(widget.Safe(what(e)), wide)+"  ").And(role, st.When(e.Expires)))
	}
	if more {
		lines = append(lines, widget.In(themes.Muted, fmt.Sprintf("only the first %d are listed", grantsListed)))
	}
	return lines
}
