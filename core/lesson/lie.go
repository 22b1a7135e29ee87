package lesson

import (
	"time"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Misconception names a misconception, as choices of a question name it under
// "believes". To each belongs a contract that is wrong in that one rule.
type Misconception string

// NoMisconception is no misconception: the contract as it is.
const NoMisconception Misconception = ""

// misconception is what somebody believes, and the contract that is so.
type misconception struct {
	lie    Misconception
	belief string // continues "she believes that"
	rule   rule
}

var misconceptions = []misconception{
	{"inclusive-end", "an approval still works in the block that its expiry names", rule{block: func(b cw721.Block) cw721.Block {
		return cw721.Block{Height: max(b.Height, 1) - 1, Time: max(b.Time, 1) - 1}
	}}},
	{"seconds", "at_time is in seconds", rule{block: func(b cw721.Block) cw721.Block {
		return cw721.Block{Height: b.Height, Time: b.Time / cw721.Time(time.Second)}
	}}},
	{"default-day", "an approval without an expiry lasts a day", rule{before: func(x *turn) error {
		if e := expiryField(x.msg); e != nil && *e == nil {
			day := cw721.UntilTime(x.env.Block.Time + cw721.Time(24*time.Hour))
			*e = &day
		}
		return nil
	}}},
	{"transfer-keeps", "a transfer keeps the approvals of the token", rule{after: func(x *turn) error {
		switch x.msg.(type) {
		case *cw721.TransferNft, *cw721.SendNft:
			return x.setApprovals(func([]cw721.Approval) []cw721.Approval { return x.was })
		}
		return nil
	}}},
	{"self-transfer-idle", "a transfer to oneself does nothing", rule{before: func(x *turn) error {
		if m, ok := x.msg.(*cw721.TransferNft); ok && x.owner == m.Recipient {
			x.msg = nil
		}
		return nil
	}}},
	// It takes the grant away where it does not cover the token: then the
	// message is refused as it is for anybody else.
	{"operator-held", "an operator reaches only the tokens that the owner had when the operator was named", rule{before: func(x *turn) error {
		if _, covered := x.memory[held(x.owner, x.sender, x.token)]; x.by == cw721.RuleOperator && !covered {
			return x.as(x.owner, &cw721.RevokeAll{Operator: x.sender})
		}
		return nil
	}}},
	{"revoke-all-recalls", "revoke_all takes back what the operator granted", rule{after: func(x *turn) error {
		return x.revokeAllAnd(func(operator cw721.Address, token string, spender cw721.Address) bool {
			return x.memory[gave(token, spender)] == operator
		})
	}}},
	{"revoke-all-approvals", "revoke_all also takes the operator's own approvals", rule{after: func(x *turn) error {
		return x.revokeAllAnd(func(operator cw721.Address, _ string, spender cw721.Address) bool { return spender == operator })
	}}},
	{"spender-approves", "a spender may approve others", rule{before: func(x *turn) error {
		if m, ok := x.msg.(*cw721.Approve); ok {
			x.passForOwner(m.TokenID)
		}
		return nil
	}}},
	{"spender-revokes", "a spender may revoke himself", rule{before: func(x *turn) error {
		if m, ok := x.msg.(*cw721.Revoke); ok && m.Spender == x.sender {
			x.passForOwner(m.TokenID)
		}
		return nil
	}}},
	// It finds the owner among those who have a token.
	{"operator-appoints", "an operator can name operators for the owner", rule{before: func(x *turn) error {
		if _, ok := x.msg.(*cw721.ApproveAll); !ok {
			return nil
		}
		ids, err := collect(cw721.TokenIDs(x.t, cw721.Walk{}))
		for _, id := range ids {
			if by, owner, _ := x.passes(&cw721.Revoke{TokenID: id}); by == cw721.RuleOperator {
				x.sender = owner
				break
			}
		}
		return err
	}}},
	{"approve-appends", "approving a spender again adds a second approval", rule{after: func(x *turn) error {
		if _, ok := x.msg.(*cw721.Approve); !ok {
			return nil
		}
		return x.setApprovals(func(now []cw721.Approval) []cw721.Approval { return append(x.was, now[len(now)-1]) })
	}}},
	{"send-keeps", "a refused send leaves the token with the receiver", rule{before: func(x *turn) error {
		if m, ok := x.msg.(*cw721.SendNft); ok {
			x.kept = &cw721.TransferNft{Recipient: m.Contract, TokenID: m.TokenID}
		}
		return nil
	}}},
	// It lists from behind the token before.
	{"start-after-inclusive", "start_after is the first item of the page", rule{query: func(r kv.Reader, msg cw721.QueryMsg) error {
		var after **string
		switch m := msg.(type) {
		case *cw721.AllTokens:
			after = &m.StartAfter
		case *cw721.TokensQuery:
			after = &m.StartAfter
		}
		if after == nil || *after == nil {
			return nil
		}
		before := cw721.TokenIDs(r, cw721.Walk{Place: *after, Reverse: true})
		*after = nil
		for id, err := range before {
			*after = &id
			return err
		}
		return nil
	}}},
}

// Misconceptions lists the misconceptions that there are, from the clock to queries.
func Misconceptions() (all []Misconception) {
	for _, m := range misconceptions {
		all = append(all, m.lie)
	}
	return all
}

// Belief says what one believes who holds the misconception, as the end of
// "believes that …"; "" for none that is known.
func (l Misconception) Belief() string { return find(l).belief }

func find(l Misconception) misconception {
	for _, m := range misconceptions {
		if m.lie == l {
			return m
		}
	}
	return misconception{}
}
