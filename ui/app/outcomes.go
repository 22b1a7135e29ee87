package app

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
)

// ExpiredText returns a sentence about the grants that expired in a move of the clock. For
// one grant it is "bob's approval on ape-0007 expired". For several it has their number and
// the first two, such as "4 grants expired: ape-0007 → bob, ape-0042 → carol, 2 more". A
// plus after the numbers, as in "4+", means that even more grants have expired.
func (st *State) ExpiredText(move chain.Move) string {
	count := len(move.Expired)
	if count == 1 {
		entry := move.Expired[0]
		return explain.DescribeGrant(entry.Grant, ShortTokenName(entry.Token), st.DisplayName).Expired
	}

	firstGrants := strings.Join(st.FirstGrants(move.Expired, move.HasMoreExpired), ", ")
	return fmt.Sprintf("%s grants expired: %s", CountText(count, move.HasMoreExpired), firstGrants)
}

// CountText writes a number of items, with a plus if there are more than those counted.
func CountText(count int, hasMore bool) string {
	if hasMore {
		return fmt.Sprintf("%d+", count)
	}
	return fmt.Sprint(count)
}

// FirstGrants names the first two of some grants, and says how many others there are, such
// as "ape-0007 → bob", "ape-0042 → carol" and "2 more", or "2+ more" if there are more grants
// than those in the list.
func (f Facts) FirstGrants(grants []expiry.Entry, hasMore bool) (texts []string) {
	namedCount := min(2, len(grants))
	for _, entry := range grants[:namedCount] {
		texts = append(texts, f.GrantLabel(entry))
	}
	otherCount := len(grants) - namedCount
	if otherCount > 0 || hasMore {
		texts = append(texts, CountText(otherCount, hasMore)+" more")
	}
	return texts
}

// GrantLabel names a grant in a few words, such as "ape-0042 → bob" for an approval, "alice →
// bob (operator)" for an operator, and "minter offer → bob" for the offer of a role.
func (f Facts) GrantLabel(entry expiry.Entry) string {
	switch entry.Kind {
	case cw721.GrantApproval:
		return ShortTokenName(entry.Token) + " → " + f.DisplayName(entry.Spender)
	case cw721.GrantOperator:
		return f.DisplayName(entry.Owner) + " → " + f.DisplayName(entry.Spender) + " (operator)"
	}
	return string(entry.Kind) + " → " + f.DisplayName(entry.Spender)
}

// RefusalText returns the reason why the contract refused a message. kind and text are the
// kind and the words of the refusal. If an account did not receive a token, because it
// refuses tokens or is not a contract, the reason names the account and the key that
// changes that: "vault refuses tokens; c on Accounts changes that". Any other reason is
// text itself.
func (f Facts) RefusalText(kind cw721.Kind, text string) string {
	recipient, receiver, isByReceiver := chain.ReceiverBehind(kind, text)
	switch {
	case !isByReceiver:
		return text
	case receiver == chain.ReceiverRejects:
		return f.DisplayName(recipient) + " refuses tokens; c on Accounts changes that"
	}
	return f.DisplayName(recipient) + " is an account, not a contract; c on Accounts changes that"
}

// NodesText describes what an undo or redo went over, to follow a verb such as "undid".
// nodes are the messages and moves of the clock. For one node the text is "“mint 2 for bob”
// by alice". For several it is "3 steps, the last one “mint 2 for bob” by alice". If the
// user sent them together, it begins with "a batch of 3 messages".
func (st *State) NodesText(nodes []history.Node) string {
	switch len(nodes) {
	case 0:
		return "nothing that changed anything"
	case 1:
		return st.nodeText(nodes[0])
	}

	// All nodes of one batch have its number, which is 0 for a node outside of a batch.
	batch := nodes[0].Batch
	lastText := st.nodeText(nodes[len(nodes)-1])
	if batch == 0 || slices.ContainsFunc(nodes, func(node history.Node) bool { return node.Batch != batch }) {
		return fmt.Sprintf("%s, the last one %s", human.Plural(len(nodes), "step"), lastText)
	}
	return fmt.Sprintf("a batch of %d messages, the last one %s", len(nodes), lastText)
}

// JumpText describes a jump to another place in the history, such as "went to #12, at height
// 1,204, over 3 steps".
func (st *State) JumpText(msg UndoRedoMsg) string {
	height := human.Thousands(uint64(msg.Walked.Clock.Height))
	text := fmt.Sprintf("went to #%d, at height %s", msg.Node, height)
	if steps := len(msg.Walked.Nodes); steps > 0 {
		text += ", over " + human.Plural(steps, "step")
	}
	return text
}

// nodeText describes a node of the history to follow a verb: "“mint 2 for bob” by alice".
func (st *State) nodeText(node history.Node) string {
	text := "“" + st.DescribeNode(node) + "”"
	if node.Sender != "" {
		text += " by " + st.DisplayName(node.Sender)
	}
	return text
}
