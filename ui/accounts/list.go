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

// readRows returns a row for each account that matches a filter, in the order of the address
// book. Each word of the filter must be in a text of the account or in its address. With
// isByHoldings, the account with the most tokens comes first.
func readRows(
	view *chain.View,
	facts app.Facts,
	filter app.Filter,
	isByHoldings bool,
) (rows []widget.Row, err error) {
	accounts, err := readAccounts(view, facts)
	if err != nil {
		return nil, err
	}
	if isByHoldings {
		slices.SortStableFunc(accounts, func(a, b accountFacts) int {
			return b.tokenCount - a.tokenCount
		})
	}
	for _, account := range accounts {
		texts := append(account.roleTexts(), account.Name, kindOf(account.Receiver).name)
		if filter.MatchesText(texts, account.Address) {
			columns := account.columns(facts.FactsActor, isByHoldings)
			rows = append(rows, widget.Row{Key: account.Name, Cells: widget.Cells(columns)})
		}
	}
	return rows, nil
}

// readAccounts reads what each account of the address book owns and may do.
func readAccounts(view *chain.View, facts app.Facts) (accounts []accountFacts, err error) {
	for _, account := range facts.Accounts {
		read, err := readAccount(view, facts, account)
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, read)
	}
	return accounts, nil
}

// accountFacts is what an account owns and may do.
type accountFacts struct {
	chain.Account
	tokenCount    int      // the number of tokens that it owns
	approvalCount int      // the number of its live approvals, at most maxApprovals+1
	roles         []string // such as "minter"
	operatorText  string   // whose operator it is, such as "operator for alice, bob"; "" for nobody's
}

// Limits of what is read for one account, because the list reads many accounts.
const (
	maxApprovals = 99 // more are shown as "99+"
	maxOwners    = 3  // more are shown as "…"
)

// readAccount reads what an account owns and may do. Its cost does not depend on
// the size of the collection.
func readAccount(view *chain.View, facts app.Facts, account chain.Account) (read accountFacts, err error) {
	read.Account = account
	read.roles = app.RolesOf(facts.Collection, account.Address, view.Clock.Block())
	read.tokenCount, err = view.Holdings(account.Address)
	if err != nil {
		return read, err
	}
	for entry, err := range view.Upcoming(expiry.Index{Spender: account.Address}) {
		if err != nil {
			return read, err
		}
		if entry.Kind == cw721.GrantApproval {
			read.approvalCount++
		}
		if read.approvalCount > maxApprovals {
			break
		}
	}

	// Name the first owners whose operator the account is.
	operatorIndex := expiry.Index{Spender: account.Address, OnlyOperators: true}
	grants, hasMore, err := app.ReadAtMost(view.Upcoming(operatorIndex), maxOwners)
	if err != nil || len(grants) == 0 {
		return read, err
	}
	var owners []string
	for _, grant := range grants {
		owners = append(owners, facts.DisplayName(grant.Owner))
	}
	if hasMore {
		owners = append(owners, themes.GlyphEllipsis)
	}
	read.operatorText = "operator for " + strings.Join(owners, ", ")
	return read, nil
}

// approvalCountText writes the number of approvals: "3", "99+".
func (f accountFacts) approvalCountText() string {
	return app.CountText(min(f.approvalCount, maxApprovals), f.approvalCount > maxApprovals)
}

// roleTexts lists the account's roles, and whose operator it is.
func (f accountFacts) roleTexts() []string {
	texts := slices.Clone(f.roles)
	if f.operatorText != "" {
		texts = append(texts, f.operatorText)
	}
	return texts
}

// summary describes the account in one line, such as "owner of 3 · approved on 2 · minter".
func (f accountFacts) summary() string {
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
	return strings.Join(append(parts, f.roleTexts()...), " · ")
}
