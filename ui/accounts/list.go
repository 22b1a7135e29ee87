package accounts

import (
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

// readRows returns a row for each account that matches a filter. Each word of the filter
// must be in a text of the account or in its address. The rows are in the order of the
// accounts in the address book. With isByHoldings, the account with the most tokens comes
// first.
func readRows(
	view *chain.View,
	rowView app.RowView,
	filter app.Filter,
	isByHoldings bool,
) (rows []widget.Row, err error) {
	accounts, err := readAccounts(view, rowView.Collection, rowView.Accounts)
	if err != nil {
		return nil, err
	}
	if isByHoldings {
		slices.SortStableFunc(accounts, func(a, b accountFacts) int {
			return b.tokenCount - a.tokenCount
		})
	}

	// Keep the accounts that match the filter.
	for _, facts := range accounts {
		texts := append(facts.roleTexts(rowView.DisplayName), facts.Name, kindOf(facts.Receiver).name)
		if filter.MatchesText(texts, facts.Address) {
			columns := listedAccount{accountFacts: facts, rowView: rowView}.columns(isByHoldings)
			rows = append(rows, widget.Row{Key: facts.Name, Cells: widget.Cells(columns)})
		}
	}
	return rows, nil
}

// readAccounts reads what each of some accounts owns and may do.
func readAccounts(
	view *chain.View,
	collection chain.Collection,
	accounts []chain.Account,
) (allFacts []accountFacts, err error) {
	for _, account := range accounts {
		facts, err := readAccount(view, collection, account)
		if err != nil {
			return nil, err
		}
		allFacts = append(allFacts, facts)
	}
	return allFacts, nil
}

// accountFacts is what an account owns and may do.
type accountFacts struct {
	chain.Account
	tokenCount     int             // the number of tokens that it owns
	approvalCount  int             // the number of its live approvals, at most maxApprovals+1
	ownersActedFor []cw721.Address // the first owners that it is an operator of
	hasMoreOwners  bool            // it is an operator of more owners than ownersActedFor lists
	roles          []string        // such as "minter"
}

// Limits of what is read for one account, because the list reads many accounts.
const (
	maxApprovals = 99 // more are shown as "99+"
	maxOwners    = 3  // more are shown as "…"
)

// readAccount reads what an account owns and may do. Its cost does not depend on
// the size of the collection.
func readAccount(
	view *chain.View,
	collection chain.Collection,
	account chain.Account,
) (facts accountFacts, err error) {
	facts.Account = account
	facts.roles = app.RolesOf(collection, account.Address, view.Clock.Block())
	facts.tokenCount, err = view.Holdings(account.Address)
	if err != nil {
		return facts, err
	}
	facts.approvalCount, err = countApprovals(view, account.Address)
	if err != nil {
		return facts, err
	}

	// Name the first owners whose operator the account is.
	operatorIndex := expiry.Index{Spender: account.Address, OnlyOperators: true}
	operatorGrants, hasMore, err := app.ReadAtMost(view.Upcoming(operatorIndex), maxOwners)
	if err != nil {
		return facts, err
	}
	for _, entry := range operatorGrants {
		facts.ownersActedFor = append(facts.ownersActedFor, entry.Owner)
	}
	facts.hasMoreOwners = hasMore
	return facts, nil
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

// approvalCountText writes the number of approvals: "3", "99+".
func (f accountFacts) approvalCountText() string {
	return app.CountText(min(f.approvalCount, maxApprovals), f.approvalCount > maxApprovals)
}

// operatorText names the owners whose operator the account is, such as "operator for
// alice, bob". It returns "" if there are none.
func (f accountFacts) operatorText(displayName func(cw721.Address) string) string {
	if len(f.ownersActedFor) == 0 {
		return ""
	}
	var names []string
	for _, owner := range f.ownersActedFor {
		names = append(names, displayName(owner))
	}
	if f.hasMoreOwners {
		names = append(names, themes.GlyphEllipsis)
	}
	return "operator for " + strings.Join(names, ", ")
}

// roleTexts lists the account's roles, such as "minter", and whose operator it is.
func (f accountFacts) roleTexts(displayName func(cw721.Address) string) []string {
	texts := slices.Clone(f.roles)
	if operatorText := f.operatorText(displayName); operatorText != "" {
		texts = append(texts, operatorText)
	}
	return texts
}

// summary describes the account in one line, such as "owner of 3 · approved on 2 · minter".
func (f accountFacts) summary(displayName func(cw721.Address) string) string {
	var parts []string
	if kind := kindOf(f.Receiver); kind.receiver != chain.ReceiverPlain {
		parts = append(parts, kind.name)
	}
	if f.tokenCount > 0 {
		parts = append(parts, "owner of "+human.Thousands(uint64(f.tokenCount)))
	}
	if f.approvalCount > 0 {
		parts = append(parts, "approved on "+f.approvalCountText())
	}
	return strings.Join(append(parts, f.roleTexts(displayName)...), " · ")
}
