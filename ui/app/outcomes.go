package app

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
)

// Expiries names what expired and who lost what.
func (st *State) Expiries(m chain.Move) string {
	const named = 2
	var parts []string
	for _, e := range m.Expired[:min(named, len(m.Expired))] {
		parts = append(parts, explain.DescribeGrant(e.Grant, ShortTokenName(e.Token), st.DisplayName).Expired)
	}
	if more := len(m.Expired) - named; more > 0 {
		plus := ""
		if m.HasMoreExpired {
			plus = "+"
		}
		parts = append(parts, fmt.Sprintf("and %d%s more", more, plus))
	}
	return strings.Join(parts, "; ")
}

// GrantLabel says what a grant is, in a few words: "ape-0042 → bob".
func (f Facts) GrantLabel(e expiry.Entry) string {
	switch e.Kind {
	case cw721.GrantApproval:
		return ShortTokenName(e.Token) + " → " + f.DisplayName(e.Spender)
	case cw721.GrantOperator:
		return f.DisplayName(e.Owner) + " → " + f.DisplayName(e.Spender) + " (operator)"
	}
	return string(e.Kind) + " → " + f.DisplayName(e.Spender)
}

// Nodes says what a walk over the history went over.
func (st *State) Nodes(nodes []history.Node) string {
	switch len(nodes) {
	case 0:
		return "nothing that changed anything"
	case 1:
		return st.node(nodes[0])
	}
	return fmt.Sprintf("%s, the last one %s", Plural(len(nodes), "step"), st.node(nodes[len(nodes)-1]))
}

// Arrived says where a jump over the history led.
func (st *State) Arrived(msg WalkedMsg) string {
	where := fmt.Sprintf("went to #%d, at height %s", msg.Node, human.Thousands(uint64(msg.Walked.Clock.Height)))
	if n := len(msg.Walked.Nodes); n > 0 {
		where += ", over " + Plural(n, "step")
	}
	return where
}

func (st *State) node(n history.Node) string {
	switch n.Kind {
	case history.KindClock:
		if _, to, ok := chain.ClocksOf(n); ok && to.Height != n.Height {
			return fmt.Sprintf("the move of the clock from height %s to %s", human.Thousands(uint64(n.Height)), human.Thousands(uint64(to.Height)))
		}
		return "the move of the clock at height " + human.Thousands(uint64(n.Height))
	case history.KindImport:
		return "the import"
	case history.KindInstantiate:
		return "the creation of the collection"
	case history.KindMigrate:
		return "the migration to another contract"
	}
	return fmt.Sprintf("“%s” by %s", st.Words().Node(n), st.DisplayName(n.Sender))
}
