package lesson

import (
	"slices"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Misconception is the name of a wrong belief about the contract. A choice of a question
// names it in "believes". For each there is a mutant that behaves as believed.
type Misconception string

// NoMisconception is the name of no misconception.
const NoMisconception Misconception = ""

// belief is a misconception, what its holders believe, and the mutation of the contract
// that makes the belief true.
type belief struct {
	name     Misconception
	text     string // the end of a sentence that begins with "believes that"
	mutation mutation
}

// beliefs are the known misconceptions: about the clock, then transfers, operators,
// spenders, and last queries.
var beliefs = []belief{
	{
		name:     "inclusive-end",
		text:     "an approval still works in the block that its expiry names",
		mutation: mutation{block: previousBlock},
	},
	{
		name:     "seconds",
		text:     "at_time is in seconds",
		mutation: mutation{block: blockWithSeconds},
	},
	{
		name:     "default-day",
		text:     "an approval without an expiry lasts a day",
		mutation: mutation{before: expireInADay},
	},
	{
		name:     "transfer-keeps",
		text:     "a transfer keeps the approvals of the token",
		mutation: mutation{after: keepApprovals},
	},
	{
		name:     "self-transfer-idle",
		text:     "a transfer to oneself does nothing",
		mutation: mutation{before: skipTransferToOwner},
	},
	{
		name:     "operator-held",
		text:     "an operator reaches only the tokens that the owner had when the operator was named",
		mutation: mutation{before: limitOperatorToHeldTokens},
	},
	{
		name:     "revoke-all-recalls",
		text:     "revoke_all takes back what the operator granted",
		mutation: mutation{after: revokeApprovalsByOperator},
	},
	{
		name:     "revoke-all-approvals",
		text:     "revoke_all also takes the operator's own approvals",
		mutation: mutation{after: revokeApprovalsOfOperator},
	},
	{
		name:     "spender-approves",
		text:     "a spender may approve others",
		mutation: mutation{before: letSpenderApprove},
	},
	{
		name:     "spender-revokes",
		text:     "a spender may revoke himself",
		mutation: mutation{before: letSpenderRevokeItself},
	},
	{
		name:     "operator-appoints",
		text:     "an operator can name operators for the owner",
		mutation: mutation{before: letOperatorNameOperators},
	},
	{
		name:     "approve-appends",
		text:     "approving a spender again adds a second approval",
		mutation: mutation{after: appendApproval},
	},
	{
		name:     "send-keeps",
		text:     "a refused send leaves the token with the receiver",
		mutation: mutation{before: sendAnyway},
	},
	{
		name:     "start-after-inclusive",
		text:     "start_after is the first item of the page",
		mutation: mutation{query: includeStartAfter},
	},
}

// Misconceptions returns the known misconceptions.
func Misconceptions() (names []Misconception) {
	for _, b := range beliefs {
		names = append(names, b.name)
	}
	return names
}

// Belief describes what holders of the misconception believe, as the end of a sentence
// that begins with "believes that". It is empty for an unknown misconception.
func (m Misconception) Belief() string { return m.belief().text }

// belief returns the belief of a misconception. It is zero for an unknown one.
func (m Misconception) belief() belief {
	i := slices.IndexFunc(beliefs, func(b belief) bool { return b.name == m })
	if i < 0 {
		return belief{}
	}
	return beliefs[i]
}

// previousBlock returns the block before b, so that a grant expires one block, or one
// nanosecond, too late.
func previousBlock(b cw721.Block) cw721.Block {
	return cw721.Block{Height: max(b.Height, 1) - 1, Time: max(b.Time, 1) - 1}
}

// blockWithSeconds returns the block with its time in seconds, as if at_time counted
// seconds too.
func blockWithSeconds(b cw721.Block) cw721.Block {
	return cw721.Block{Height: b.Height, Time: b.Time / cw721.Time(time.Second)}
}

// expireInADay sets the expiry of an approval that has none.
func expireInADay(c *mutantCall) error {
	expiry := expiryField(c.msg)
	if expiry != nil && *expiry == nil {
		tomorrow := cw721.UntilTime(c.env.Block.Time + cw721.Time(24*time.Hour))
		*expiry = &tomorrow
	}
	return nil
}

// keepApprovals restores the approvals that a transfer or a send has removed.
func keepApprovals(c *mutantCall) error {
	switch c.msg.(type) {
	case *cw721.TransferNft, *cw721.SendNft:
		return c.setApprovals(func([]cw721.Approval) []cw721.Approval { return c.approvals })
	}
	return nil
}

// skipTransferToOwner drops a transfer to the owner of the token.
func skipTransferToOwner(c *mutantCall) error {
	msg, ok := c.msg.(*cw721.TransferNft)
	if ok && msg.Recipient == c.owner {
		c.msg = nil
	}
	return nil
}

// limitOperatorToHeldTokens revokes the grant of an operator who sends a message about a
// token that the owner got later. The contract then refuses the message as it refuses a
// stranger's.
func limitOperatorToHeldTokens(c *mutantCall) error {
	held := heldKey{owner: c.owner, operator: c.sender, tokenID: c.tokenID}
	if c.allowedBy != cw721.RuleOperator || c.world.heldWhenNamed[held] {
		return nil
	}
	return c.runAs(c.owner, &cw721.RevokeAll{Operator: c.sender})
}

// revokeApprovalsByOperator makes revoke_all revoke the approvals that the operator gave.
func revokeApprovalsByOperator(c *mutantCall) error {
	return c.revokeApprovals(func(operator cw721.Address, approval approvalKey) bool {
		return c.world.approvedBy[approval] == operator
	})
}

// revokeApprovalsOfOperator makes revoke_all revoke the approvals that the operator has
// as a spender.
func revokeApprovalsOfOperator(c *mutantCall) error {
	return c.revokeApprovals(func(operator cw721.Address, approval approvalKey) bool {
		return approval.spender == operator
	})
}

// letSpenderApprove lets a spender of a token send approve as its owner.
func letSpenderApprove(c *mutantCall) error {
	if msg, ok := c.msg.(*cw721.Approve); ok {
		c.actAsOwner(msg.TokenID)
	}
	return nil
}

// letSpenderRevokeItself lets a spender of a token revoke the own approval as its owner.
func letSpenderRevokeItself(c *mutantCall) error {
	msg, ok := c.msg.(*cw721.Revoke)
	if ok && msg.Spender == c.sender {
		c.actAsOwner(msg.TokenID)
	}
	return nil
}

// letOperatorNameOperators lets an operator send approve_all as the owner, who is found
// by a token that the operator may move.
func letOperatorNameOperators(c *mutantCall) error {
	if _, ok := c.msg.(*cw721.ApproveAll); !ok {
		return nil
	}
	tokenIDs, err := collectIDs(cw721.TokenIDs(c.txn, cw721.Walk{}))
	if err != nil {
		return err
	}
	for _, tokenID := range tokenIDs {
		rule, owner, _ := c.decide(&cw721.Revoke{TokenID: tokenID})
		if rule == cw721.RuleOperator {
			c.sender = owner
			return nil
		}
	}
	return nil
}

// appendApproval makes approve append a second approval of the same spender instead of
// replacing the first.
func appendApproval(c *mutantCall) error {
	if _, ok := c.msg.(*cw721.Approve); !ok {
		return nil
	}
	return c.setApprovals(func(current []cw721.Approval) []cw721.Approval {
		newest := current[len(current)-1]
		return append(c.approvals, newest)
	})
}

// sendAnyway makes a send that the receiver refuses transfer the token nevertheless.
func sendAnyway(c *mutantCall) error {
	if msg, ok := c.msg.(*cw721.SendNft); ok {
		c.sentAnyway = &cw721.TransferNft{Recipient: msg.Contract, TokenID: msg.TokenID}
	}
	return nil
}

// includeStartAfter replaces start_after by the token before it, so that the page begins
// with the token that start_after names. It removes start_after if that is the first one.
func includeStartAfter(r kv.Reader, msg cw721.QueryMsg) error {
	var startAfter **string
	switch msg := msg.(type) {
	case *cw721.AllTokens:
		startAfter = &msg.StartAfter
	case *cw721.TokensQuery:
		startAfter = &msg.StartAfter
	}
	if startAfter == nil || *startAfter == nil {
		return nil
	}

	tokensBefore := cw721.TokenIDs(r, cw721.Walk{Place: *startAfter, Reverse: true})
	*startAfter = nil
	for tokenID, err := range tokensBefore {
		*startAfter = &tokenID
		return err
	}
	return nil
}
