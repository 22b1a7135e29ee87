package lesson

import (
	"iter"
	"slices"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// rule is the one rule in which a contract differs from the true one. Everything
// that is not set is as it is there.
type rule struct {
	// block is the block that the contract takes for the current one.
	block func(cw721.Block) cw721.Block
	// run carries out a message, with [turn.truth] for the true contract.
	run func(*turn) (cw721.Response, error)
	// answer answers a query; nil is for one that the true contract answers.
	answer func(cw721.Contract, kv.Reader, cw721.Env, cw721.QueryMsg) ([]byte, error)
	// keepsRefused tells that what a message changed stays when a receiver
	// refuses it.
	keepsRefused bool
}

// turn is one message on its way through a lying contract. A refusal may leave
// half of the writes behind; the world discards them.
type turn struct {
	cw721.Contract
	t      kv.Txn
	env    cw721.Env
	sender cw721.Address
	msg    cw721.ExecuteMsg
	*memory
}

// memory is what no contract keeps, and some misconceptions take it to keep.
type memory struct {
	granted map[approvalOf]cw721.Address // by which operator an approval was given
	held    map[grantOf][]string         // tokens of the owner when the operator was named
	owners  []cw721.Address              // who named an operator, the first one first
}

type (
	approvalOf struct {
		token   string
		spender cw721.Address
	}
	grantOf struct{ owner, operator cw721.Address }
)

// truth does what the true contract does.
func (x *turn) truth() (cw721.Response, error) {
	return x.Run(x.t, x.env, cw721.Info{Sender: x.sender}, x.msg)
}

// as does what the true contract would do for another message. It runs in the
// first of all blocks, in which nothing has expired.
func (x *turn) as(who cw721.Address, msg cw721.ExecuteMsg) error {
	_, err := x.Run(x.t, cw721.Env{Self: x.env.Self}, cw721.Info{Sender: who}, msg)
	return err
}

// passes gives the rule by which the true contract lets the sender do a
// message, and the owner of its token; "" where it does not.
func (x *turn) passes(msg cw721.ExecuteMsg) (by cw721.Rule, owner cw721.Address, err error) {
	d, err := x.Decide(x.t, x.env, cw721.Info{Sender: x.sender}, msg)
	if err != nil || d.Owner == nil {
		return "", "", err
	}
	if d.Allowed {
		by = d.Checks[len(d.Checks)-1].Rule
	}
	return by, *d.Owner, nil
}

// remember keeps what a message did that the true contract forgets.
func (x *turn) remember() error {
	switch m := x.msg.(type) {
	case *cw721.Approve:
		by, _, err := x.passes(m)
		if delete(x.granted, approvalOf{m.TokenID, m.Spender}); by == cw721.RuleOperator {
			x.granted[approvalOf{m.TokenID, m.Spender}] = x.sender
		}
		return err
	case *cw721.ApproveAll:
		var ids []string
		for id, err := range cw721.TokenIDsOf(x.t, x.sender, cw721.Walk{}) {
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		x.held[grantOf{x.sender, m.Operator}] = ids
		if !slices.Contains(x.owners, x.sender) {
			x.owners = append(x.owners, x.sender)
		}
	}
	return nil
}

func inclusiveEnd(b cw721.Block) cw721.Block {
	return cw721.Block{Height: max(b.Height, 1) - 1, Time: max(b.Time, 1) - 1}
}

func inSeconds(b cw721.Block) cw721.Block {
	return cw721.Block{Height: b.Height, Time: b.Time / cw721.Time(time.Second)}
}

func defaultDay(x *turn) (cw721.Response, error) {
	day := cw721.UntilTime(x.env.Block.Time + cw721.Time(24*time.Hour))
	switch m := x.msg.(type) {
	case *cw721.Approve:
		if m.Expires == nil {
			x.msg = &cw721.Approve{Spender: m.Spender, TokenID: m.TokenID, Expires: &day}
		}
	case *cw721.ApproveAll:
		if m.Expires == nil {
			x.msg = &cw721.ApproveAll{Operator: m.Operator, Expires: &day}
		}
	}
	return x.truth()
}

func transferKeeps(x *turn) (cw721.Response, error) {
	id := moved(x.msg)
	before, _, err := cw721.LoadToken(x.t, id)
	if err != nil || id == "" {
		return x.truth()
	}
	r, err := x.truth()
	if err != nil {
		return r, err
	}
	after, _, err := cw721.LoadToken(x.t, id)
	for _, a := range before.Approvals {
		if err == nil {
			err = x.as(after.Owner, &cw721.Approve{Spender: a.Spender, TokenID: id, Expires: &a.Expires})
		}
	}
	return r, err
}

// moved is the token that a message gives to another owner; "" for none.
func moved(msg cw721.ExecuteMsg) string {
	switch m := msg.(type) {
	case *cw721.TransferNft:
		return m.TokenID
	case *cw721.SendNft:
		return m.TokenID
	}
	return ""
}

func selfTransferIdle(x *turn) (cw721.Response, error) {
	if m, ok := x.msg.(*cw721.TransferNft); ok {
		by, owner, err := x.passes(m)
		if err == nil && by != "" && owner == m.Recipient {
			return cw721.Response{}, nil
		}
	}
	return x.truth()
}

func operatorHeld(x *turn) (cw721.Response, error) {
	by, owner, err := x.passes(x.msg)
	if err != nil || by != cw721.RuleOperator || slices.Contains(x.held[grantOf{owner, x.sender}], tokenOf(x.msg)) {
		return x.truth()
	}
	// Without the grant it is refused as it is for anybody else.
	if err := x.as(owner, &cw721.RevokeAll{Operator: x.sender}); err != nil {
		return cw721.Response{}, err
	}
	return x.truth()
}

// tokenOf is the token that a message is about for which a grant can be needed.
func tokenOf(msg cw721.ExecuteMsg) string {
	switch m := msg.(type) {
	case *cw721.Approve:
		return m.TokenID
	case *cw721.Revoke:
		return m.TokenID
	case *cw721.Burn:
		return m.TokenID
	}
	return moved(msg)
}

func revokeAllRecalls(x *turn) (cw721.Response, error) {
	r, err := x.truth()
	m, ok := x.msg.(*cw721.RevokeAll)
	if err != nil || !ok {
		return r, err
	}
	for a, by := range x.granted {
		t, _, err := cw721.LoadToken(x.t, a.token)
		if err == nil && by == m.Operator && t.Owner == x.sender {
			err = x.as(x.sender, &cw721.Revoke{Spender: a.spender, TokenID: a.token})
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

func revokeAllApprovals(x *turn) (cw721.Response, error) {
	r, err := x.truth()
	m, ok := x.msg.(*cw721.RevokeAll)
	if err != nil || !ok {
		return r, err
	}
	var ids []string // the store is not written to while it is walked
	for id, err := range cw721.TokenIDsOf(x.t, x.sender, cw721.Walk{}) {
		if err != nil {
			return r, err
		}
		ids = append(ids, id)
	}
	for _, id := range ids {
		if err := x.as(x.sender, &cw721.Revoke{Spender: m.Operator, TokenID: id}); err != nil {
			return r, err
		}
	}
	return r, nil
}

func spenderApproves(x *turn) (cw721.Response, error) {
	if m, ok := x.msg.(*cw721.Approve); ok {
		by, owner, err := x.passes(&cw721.Burn{TokenID: m.TokenID})
		if err == nil && by == cw721.RuleApproval {
			x.sender = owner
		}
	}
	return x.truth()
}

func spenderRevokes(x *turn) (cw721.Response, error) {
	if m, ok := x.msg.(*cw721.Revoke); ok && m.Spender == x.sender {
		by, owner, err := x.passes(&cw721.Burn{TokenID: m.TokenID})
		if err == nil && by == cw721.RuleApproval {
			x.sender = owner
		}
	}
	return x.truth()
}

func operatorAppoints(x *turn) (cw721.Response, error) {
	if _, ok := x.msg.(*cw721.ApproveAll); ok {
		for _, owner := range x.owners {
			for a, err := range cw721.OperatorsOf(x.t, owner, cw721.Walk{}) {
				if err != nil {
					return cw721.Response{}, err
				}
				if a.Spender == x.sender && !a.Expires.Expired(x.env.Block) {
					x.sender = owner
					return x.truth()
				}
			}
		}
	}
	return x.truth()
}

func approveAppends(x *turn) (cw721.Response, error) {
	m, ok := x.msg.(*cw721.Approve)
	if !ok {
		return x.truth()
	}
	before, _, err := cw721.LoadToken(x.t, m.TokenID)
	if err != nil {
		return cw721.Response{}, err
	}
	r, err := x.truth()
	if err != nil {
		return r, err
	}
	after, _, err := cw721.LoadToken(x.t, m.TokenID)
	if err != nil {
		return r, err
	}
	after.Approvals = append(before.Approvals, after.Approvals[len(after.Approvals)-1])
	key := cw721.RecordOf(cw721.Grant{Kind: cw721.GrantApproval, Token: m.TokenID})
	return r, x.t.Set(key, cw721.StoredJSON[cw721.Token]().Encode(after))
}

func startAfterInclusive(c cw721.Contract, r kv.Reader, env cw721.Env, msg cw721.QueryMsg) ([]byte, error) {
	switch m := msg.(type) {
	case *cw721.AllTokens:
		return page("tokens", cw721.TokenIDs(r, cw721.Walk{From: m.StartAfter}), m.Limit)
	case *cw721.TokensQuery:
		return page("tokens", cw721.TokenIDsOf(r, m.Owner, cw721.Walk{From: m.StartAfter}), m.Limit)
	case *cw721.AllOperators:
		return page("operators", cw721.OperatorsOf(r, m.Owner, cw721.Walk{From: (*string)(m.StartAfter)}), m.Limit)
	}
	return c.Answer(r, env, msg)
}

// page answers with the first items of a list, as a query does whose limit is
// given or not.
func page[T any](name string, all iter.Seq2[T, error], limit *uint32) ([]byte, error) {
	n := cw721.DefaultLimit
	if limit != nil {
		n = int(*limit)
	}
	items := []T{}
	for item, err := range all {
		if err != nil {
			return nil, err
		}
		if len(items) == n {
			break
		}
		items = append(items, item)
	}
	return append(append([]byte(`{"`+name+`":`), wire.Encode(items)...), '}'), nil
}
