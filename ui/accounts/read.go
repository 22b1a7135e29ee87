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

// accountFacts is what an account owns and may do.
type accountFacts struct {
	chain.Account
	holdings   int             // the number of its tokens
	approvedOn int             // the number of tokens that it is approved on, at most maxApprovals+1
	operates   []cw721.Address // the first owners whose operator it is
	moreOwners bool            // it is the operator of more owners than operates lists
	roles      []string        // such as "minter"
}

// Limits of what is read for one account, because the list reads many accounts.
const (
	maxApprovals = 99 // more are shown as "99+"
	maxOwners    = 3  // more are shown as "…"
)

// readAccount reads what an account owns and may do. Its cost does not depend on
// the size of the collection.
func readAccount(v *chain.View, c chain.Collection, a chain.Account) (f accountFacts, err error) {
	f = accountFacts{Account: a, roles: app.RolesOf(c, a.Address, v.Clock.Block())}
	f.holdings, err = v.Holdings(a.Address)
	if err != nil {
		return f, err
	}
	f.approvedOn, err = countApprovals(v, a.Address)
	if err != nil {
		return f, err
	}
	operators, more, err := app.TakeFirst(v.Upcoming(expiry.Index{Spender: a.Address, Operators: true}), maxOwners)
	for _, e := range operators {
		f.operates = append(f.operates, e.Owner)
	}
	f.moreOwners = more
	return f, err
}

// countApprovals counts the live approvals of a spender, up to maxApprovals+1.
func countApprovals(v *chain.View, spender cw721.Address) (count int, err error) {
	for e, err := range v.Upcoming(expiry.Index{Spender: spender}) {
		if err != nil {
			return count, err
		}
		if e.Kind == cw721.GrantApproval {
			count++
		}
		if count > maxApprovals {
			break
		}
	}
	return count, nil
}

// approvalCount writes the number of approvals: "3", "99+".
func (f accountFacts) approvalCount() string {
	if f.approvedOn > maxApprovals {
		return fmt.Sprintf("%d+", maxApprovals)
	}
	return app.Decimal(uint64(f.approvedOn))
}

// operatorFor names the owners whose operator the account is, such as "operator for alice,
// bob". It returns "" if there are none.
func (f accountFacts) operatorFor(displayName func(cw721.Address) string) string {
	if len(f.operates) == 0 {
		return ""
	}
	var names []string
	for _, owner := range f.operates {
		names = append(names, displayName(owner))
	}
	if f.moreOwners {
		names = append(names, themes.GlyphEllipsis)
	}
	return "operator for " + strings.Join(names, ", ")
}

// summary describes the account in one line, such as "owner of 3 · approved on 2 · minter".
func (f accountFacts) summary(displayName func(cw721.Address) string) string {
	var parts []string
	if kind := receiverWords(f.Receiver); kind != "account" {
		parts = append(parts, kind)
	}
	if f.holdings > 0 {
		parts = append(parts, "owner of "+human.Thousands(uint64(f.holdings)))
	}
	if f.approvedOn > 0 {
		parts = append(parts, "approved on "+f.approvalCount())
	}
	return strings.Join(append(parts, f.roleWords(displayName)...), " · ")
}

// roleWords lists the account's roles, such as "minter", and whose operator it is.
func (f accountFacts) roleWords(displayName func(cw721.Address) string) []string {
	words := slices.Clone(f.roles)
	if text := f.operatorFor(displayName); text != "" {
		words = append(words, text)
	}
	return words
}

// receiverWords says in words what is at an address: a contract that takes tokens, one
// that refuses them, or a plain account.
func receiverWords(r chain.Receiver) string {
	switch r {
	case chain.ReceiverAccepts:
		return "contract that accepts tokens"
	case chain.ReceiverRejects:
		return "contract that rejects tokens"
	}
	return "account"
}

// receiverLine is [receiverWords] in one word and a sign, for a narrow column.
func receiverLine(r chain.Receiver) widget.Line {
	switch r {
	case chain.ReceiverAccepts:
		return app.VerdictSign(true).And(themes.Text, "accepts")
	case chain.ReceiverRejects:
		return app.VerdictSign(false).And(themes.Text, "rejects")
	}
	return widget.In(themes.Muted, "account")
}

// readAccounts reads the rows that the list has requested, of the accounts that match a
// filter. The order is that of the names,
// or with isByHoldings that of the number of tokens, the largest first. Of the accounts
// outside the page it reads at most that number.
func readAccounts(v *chain.View, req widget.Request, rowView app.RowView, filter app.Filter, isByHoldings bool) (page widget.Page, err error) {
	order, err := matchingAccounts(v, rowView, filter)
	if err != nil {
		return page, err
	}
	if isByHoldings {
		order, err = sortByHoldings(v, order)
		if err != nil {
			return page, err
		}
	}

	// indexOf finds the row of a name. For a name that no longer exists, it returns the
	// index at which the table goes on.
	indexOf := func(name string) (index int, exists bool) {
		for i, a := range order {
			if a.Name == name {
				return i, true
			}
			if !isByHoldings && a.Name > name {
				return i, false // where the name would be
			}
		}
		return len(order), false
	}
	return widget.LoadKeys(req, len(order), indexOf, func(i int) (widget.Row, error) {
		f, err := readAccount(v, rowView.Collection, order[i])
		return f.row(rowView), err
	})
}

// matchingAccounts returns the accounts whose row or address has every word of a filter.
func matchingAccounts(v *chain.View, rowView app.RowView, filter app.Filter) (matching []chain.Account, err error) {
	if !filter.IsSearch() {
		return rowView.Accounts, nil
	}
	for _, account := range rowView.Accounts {
		f, err := readAccount(v, rowView.Collection, account)
		if err != nil {
			return nil, err
		}
		texts := append(f.roleWords(rowView.DisplayName), f.Name, receiverWords(f.Receiver))
		if filter.MatchesText(texts, f.Address) {
			matching = append(matching, account)
		}
	}
	return matching, nil
}

// sortByHoldings returns accounts sorted by the number of their tokens, the
// largest first.
func sortByHoldings(v *chain.View, accounts []chain.Account) ([]chain.Account, error) {
	holdings := map[string]int{}
	for _, a := range accounts {
		count, err := v.Holdings(a.Address)
		if err != nil {
			return nil, err
		}
		holdings[a.Name] = count
	}
	sorted := slices.Clone(accounts)
	slices.SortStableFunc(sorted, func(a, b chain.Account) int { return holdings[b.Name] - holdings[a.Name] })
	return sorted, nil
}

// row returns the account's row in the list. The actor, as whom messages are sent, has a
// sign in front of its name.
func (f accountFacts) row(rowView app.RowView) widget.Row {
	name := widget.Plain("  " + f.Name)
	if f.Address == rowView.SeenBy {
		name = widget.In(themes.Live, themes.GlyphLive+" ").And(themes.Strong, f.Name)
	}
	countCell := func(count int, text string) widget.Line {
		if count == 0 {
			return widget.In(themes.Faint, themes.GlyphDot)
		}
		return widget.Plain(text)
	}
	return widget.Row{Key: f.Name, Cells: []widget.Line{
		name,
		widget.In(themes.Muted, widget.ElideMiddle(string(f.Address), app.ShortAddressWidth)),
		receiverLine(f.Receiver),
		countCell(f.holdings, human.Thousands(uint64(f.holdings))),
		countCell(f.approvedOn, f.approvalCount()),
		widget.Plain(strings.Join(f.roleWords(rowView.DisplayName), " · ")),
	}}
}
