package accounts

import (
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

// accountFacts is what an account is in a collection now.
type accountFacts struct {
	chain.Account
	holdings int
	approved int // on so many tokens, up to one more than are counted
	actsFor  []cw721.Address
	actsMore bool
	roles    []string
}

// Limits of what is counted for one account: a list shows many of them.
const (
	approvalsCounted = 99
	ownersNamed      = 3
)

// readAccount finds out what an account is. It costs seeks and a bounded walk,
// however large the collection is.
func readAccount(v *chain.View, c chain.Collection, a chain.Account) (f accountFacts, err error) {
	f = accountFacts{Account: a, roles: app.RolesOf(c, a.Address, v.Clock.Block())}
	if f.holdings, err = v.Holdings(a.Address); err != nil {
		return f, err
	}
	for e, err := range v.Upcoming(expiry.Index{Spender: a.Address}) {
		if err != nil {
			return f, err
		}
		if e.Kind != cw721.GrantApproval {
			continue
		}
		if f.approved++; f.approved > approvalsCounted {
			break
		}
	}
	operators, more, err := app.TakeFirst(v.Upcoming(expiry.Index{Spender: a.Address, Operators: true}), ownersNamed)
	for _, e := range operators {
		f.actsFor = append(f.actsFor, e.Owner)
	}
	f.actsMore = more
	return f, err
}

// approvals writes on how many tokens the account is approved: "3", "99+".
func (f accountFacts) approvals() string {
	if f.approved > approvalsCounted {
		return fmt.Sprintf("%d+", approvalsCounted)
	}
	return app.Decimal(uint64(f.approved))
}

// operatorFor says for whom the account may act, "" for nobody.
func (f accountFacts) operatorFor(call func(cw721.Address) string) string {
	if len(f.actsFor) == 0 {
		return ""
	}
	var names []string
	for _, a := range f.actsFor {
		names = append(names, call(a))
	}
	if f.actsMore {
		names = append(names, themes.GlyphEllipsis)
	}
	return "operator for " + strings.Join(names, ", ")
}

// words sums the account up, as the list of whom to act as shows it.
func (f accountFacts) words(call func(cw721.Address) string) string {
	var parts []string
	if kind := receiverWords(f.Receiver); kind != "account" {
		parts = append(parts, kind)
	}
	if f.holdings > 0 {
		parts = append(parts, "owner of "+chain.Thousands(uint64(f.holdings)))
	}
	if f.approved > 0 {
		parts = append(parts, "approved on "+f.approvals())
	}
	parts = append(parts, f.roles...)
	if text := f.operatorFor(call); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// receiverWords says in words what is at an address.
func receiverWords(r chain.Receiver) string {
	switch r {
	case chain.ReceiverAccepts:
		return "contract that accepts tokens"
	case chain.ReceiverRejects:
		return "contract that rejects tokens"
	}
	return "account"
}

// kindSign is the same for a narrow column.
func kindSign(r chain.Receiver) widget.Line {
	switch r {
	case chain.ReceiverAccepts:
		return app.Verdict(true).And(themes.Text, "accepts")
	case chain.ReceiverRejects:
		return app.Verdict(false).And(themes.Text, "rejects")
	}
	return widget.In(themes.Muted, "account")
}

// readAccounts answers a request of the list, which is in the order of the names,
// or has those first who own most. Only the accounts in view are looked at.
func readAccounts(v *chain.View, req widget.Request, look app.RowView, byOwned bool) (page widget.Page, err error) {
	order := look.Accounts
	if byOwned {
		if order, err = mostFirst(v, order); err != nil {
			return page, err
		}
	}
	at := func(name string) (i int, held bool) {
		i = slices.IndexFunc(order, func(a chain.Account) bool { return a.Name == name || !byOwned && a.Name > name })
		if i < 0 {
			return len(order), false
		}
		return i, order[i].Name == name
	}
	return widget.LoadKeys(req, len(order), at, func(i int) (widget.Row, error) {
		f, err := readAccount(v, look.Collection, order[i])
		return f.row(look), err
	})
}

// mostFirst orders accounts by how many tokens they own.
func mostFirst(v *chain.View, all []chain.Account) ([]chain.Account, error) {
	owns := map[string]int{}
	for _, a := range all {
		n, err := v.Holdings(a.Address)
		if err != nil {
			return nil, err
		}
		owns[a.Name] = n
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b chain.Account) int { return owns[b.Name] - owns[a.Name] })
	return all, nil
}

func (f accountFacts) row(look app.RowView) widget.Row {
	name := widget.Plain("  " + f.Name)
	if f.Address == look.SeenBy {
		name = widget.In(themes.Live, themes.GlyphLive+" ").And(themes.Strong, f.Name)
	}
	count := func(n int, text string) widget.Line {
		if n == 0 {
			return widget.In(themes.Faint, themes.GlyphDot)
		}
		return widget.Plain(text)
	}
	roles := append([]string{}, f.roles...)
	if text := f.operatorFor(look.DisplayName); text != "" {
		roles = append(roles, text)
	}
	return widget.Row{Key: f.Name, Cells: []widget.Line{
		name,
		widget.In(themes.Muted, widget.Middle(string(f.Address), app.ShortAddress)),
		kindSign(f.Receiver),
		count(f.holdings, chain.Thousands(uint64(f.holdings))),
		count(f.approved, f.approvals()),
		widget.Plain(strings.Join(roles, " · ")),
	}}
}
