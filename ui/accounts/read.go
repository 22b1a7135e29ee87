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
	holdings   int             // the number of tokens that it owns
	approvedOn int             // the number of its live approvals, at most maxApprovals+1
	operates   []cw721.Address // the first owners that it is an operator of
	moreOwners bool            // it is an operator of more owners than operates lists
	roles      []string        // such as "minter"
}

// Limits of what is read for one account, because the list reads many accounts.
const (
	maxApprovals = 99 // more are shown as "99+"
	maxOwners    = 3  // more are shown as "…"
)

// readAccount reads what an account owns and may do. Its cost does not depend on
// the size of the collection.
func readAccount(view *chain.View, collection chain.Collection, account chain.Account) (f accountFacts, err error) {
	f = accountFacts{Account: account, roles: app.RolesOf(collection, account.Address, view.Clock.Block())}
	f.holdings, err = view.Holdings(account.Address)
	if err != nil {
		return f, err
	}
	f.approvedOn, err = countApprovals(view, account.Address)
	if err != nil {
		return f, err
	}

	// Name the first owners whose operator the account is.
	operators, more, err := app.TakeFirst(view.Upcoming(expiry.Index{Spender: account.Address, Operators: true}), maxOwners)
	for _, entry := range operators {
		f.operates = append(f.operates, entry.Owner)
	}
	f.moreOwners = more
	return f, err
}

// countApprovals counts the live approvals of a spender, up to maxApprovals+1.
func countApprovals(view *chain.View, spender cw721.Address) (count int, err error) {
	for entry, err := range view.Upcoming(expiry.Index{Spender: spender}) {
		if err != nil {
			return count, err
		}
		if entry.Kind == cw721.GrantApproval {
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
	if kind := kindOf(f.Receiver); kind.receiver != chain.ReceiverPlain {
		parts = append(parts, kind.words)
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

// readAll reads what each of some accounts owns and may do. collection is the collection.
func readAll(view *chain.View, collection chain.Collection, accounts []chain.Account) ([]accountFacts, error) {
	all := make([]accountFacts, len(accounts))
	for i, account := range accounts {
		var err error
		all[i], err = readAccount(view, collection, account)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// readRows returns a row for each account that matches a filter. Each word of the filter
// must be in a text of the account or in its address. The rows are in the order of the
// accounts in the address book. With isByHoldings, the account with the most tokens comes
// first.
func readRows(view *chain.View, rowView app.RowView, filter app.Filter, isByHoldings bool) (rows []widget.Row, err error) {
	accounts, err := readAll(view, rowView.Collection, rowView.Accounts)
	if isByHoldings {
		slices.SortStableFunc(accounts, func(a, b accountFacts) int { return b.holdings - a.holdings })
	}

	// Keep the accounts that match the filter.
	for _, f := range accounts {
		texts := append(f.roleWords(rowView.DisplayName), f.Name, kindOf(f.Receiver).words)
		if filter.MatchesText(texts, f.Address) {
			rows = append(rows, f.row(rowView))
		}
	}
	return rows, err
}

// row returns the account's row in the list. The actor, as whom messages are sent, has a
// sign in front of its name.
func (f accountFacts) row(rowView app.RowView) widget.Row {
	name := widget.Plain("  " + f.Name)
	if f.Address == rowView.SeenBy {
		name = widget.In(themes.Live, themes.GlyphLive+" ").Strong(f.Name)
	}
	countCell := func(count int, text string) widget.Line {
		if count == 0 {
			return widget.Faint(themes.GlyphDot)
		}
		return widget.Plain(text)
	}
	return widget.Row{Key: f.Name, Cells: []widget.Line{
		name,
		widget.Muted(string(f.Address)),
		kindOf(f.Receiver).cell,
		countCell(f.holdings, human.Thousands(uint64(f.holdings))),
		countCell(f.approvedOn, f.approvalCount()),
		widget.Plain(strings.Join(f.roleWords(rowView.DisplayName), " · ")),
	}}
}
