package lesson

import (
	"iter"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// rule is the one rule in which a contract differs from the true one. What is
// not set is as it is there.
type rule struct {
	// block gives the block that the contract takes for the current one.
	block func(cw721.Block) cw721.Block
	// run carries out a message, with [turn.truth] for the true contract.
	run func(*turn) (cw721.Response, error)
	// answer answers a query.
	answer func(cw721.Contract, kv.Reader, cw721.Env, cw721.QueryMsg) ([]byte, error)
	// keepsRefused leaves what a message changed when a receiver refuses it.
	keepsRefused bool
}

// turn is one message on its way through a lying contract. One that is refused
// may leave half of its writes behind; the world discards them.
type turn struct {
	cw721.Contract
	t      kv.Txn
	env    cw721.Env
	sender cw721.Address
	msg    cw721.ExecuteMsg
	memory memory
}

// memory is what no contract keeps, and some misconceptions take it to keep:
// which operator gave an approval, and that a token was its owner's when the
// operator was named.
type memory map[[3]string]cw721.Address

func gave(token string, spender cw721.Address) [3]string { return [3]string{token, string(spender)} }

func held(owner, operator cw721.Address, token string) [3]string {
	return [3]string{token, string(owner), string(operator)}
}

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

// passes gives the rule by which the true contract lets the sender do something
// with a token, and the token; "" where it does not, or there is no token.
func (x *turn) passes(msg cw721.ExecuteMsg) (by cw721.Rule, owner cw721.Address, token string) {
	d, err := x.Decide(x.t, x.env, cw721.Info{Sender: x.sender}, msg)
	if err != nil || !d.Allowed || d.TokenID == nil {
		return "", "", ""
	}
	return d.Checks[len(d.Checks)-1].Rule, *d.Owner, *d.TokenID
}

// remember keeps what a message did that the true contract forgets.
func (x *turn) remember() error {
	switch m := x.msg.(type) {
	case *cw721.Approve:
		delete(x.memory, gave(m.TokenID, m.Spender))
		if by, _, _ := x.passes(m); by == cw721.RuleOperator {
			x.memory[gave(m.TokenID, m.Spender)] = x.sender
		}
	case *cw721.ApproveAll:
		ids, err := collect(cw721.TokenIDsOf(x.t, x.sender, cw721.Walk{}), everything)
		for _, id := range ids {
			x.memory[held(x.sender, m.Operator, id)] = x.sender
		}
		return err
	}
	return nil
}

const everything = -1 // items to collect

// collect takes at most so many items of a walk, which then is over: a store is
// not written to while it is walked.
func collect[T any](walk iter.Seq2[T, error], most int) ([]T, error) {
	items := []T{}
	for item, err := range walk {
		if err != nil || len(items) == most {
			return items, err
		}
		items = append(items, item)
	}
	return items, nil
}

func inclusiveEnd(b cw721.Block) cw721.Block {
	return cw721.Block{Height: max(b.Height, 1) - 1, Time: max(b.Time, 1) - 1}
}

func inSeconds(b cw721.Block) cw721.Block {
	return cw721.Block{Height: b.Height, Time: b.Time / cw721.Time(time.Second)}
}

func defaultDay(x *turn) (cw721.Response, error) {
	if endIn(x.msg) == nil {
		day := cw721.UntilTime(x.env.Block.Time + cw721.Time(24*time.Hour))
		switch m := x.msg.(type) {
		case *cw721.Approve:
			x.msg = &cw721.Approve{Spender: m.Spender, TokenID: m.TokenID, Expires: &day}
		case *cw721.ApproveAll:
			x.msg = &cw721.ApproveAll{Operator: m.Operator, Expires: &day}
		}
	}
	return x.truth()
}

func transferKeeps(x *turn) (cw721.Response, error) {
	keep := func(before, _ []cw721.Approval) []cw721.Approval { return before }
	switch m := x.msg.(type) {
	case *cw721.TransferNft:
		return x.approvals(m.TokenID, keep)
	case *cw721.SendNft:
		return x.approvals(m.TokenID, keep)
	}
	return x.truth()
}

func approveAppends(x *turn) (cw721.Response, error) {
	if m, ok := x.msg.(*cw721.Approve); ok {
		return x.approvals(m.TokenID, func(before, after []cw721.Approval) []cw721.Approval {
			return append(before, after[len(after)-1])
		})
	}
	return x.truth()
}

// approvals does what the true contract does, and then puts others in the place
// of the token's approvals, made of those before and after.
func (x *turn) approvals(id string, others func(before, after []cw721.Approval) []cw721.Approval) (r cw721.Response, err error) {
	before, _, err := cw721.LoadToken(x.t, id) // none has an empty list
	if err == nil {
		r, err = x.truth()
	}
	if err != nil {
		return r, err
	}
	t, _, err := cw721.LoadToken(x.t, id)
	if err != nil {
		return r, err
	}
	t.Approvals = others(before.Approvals, t.Approvals)
	return r, x.t.Set(cw721.RecordOf(cw721.Grant{Kind: cw721.GrantApproval, Token: id}), cw721.StoredJSON[cw721.Token]().Encode(t))
}

func selfTransferIdle(x *turn) (cw721.Response, error) {
	if m, ok := x.msg.(*cw721.TransferNft); ok {
		if by, owner, _ := x.passes(m); by != "" && owner == m.Recipient {
			return cw721.Response{}, nil
		}
	}
	return x.truth()
}

func operatorHeld(x *turn) (cw721.Response, error) {
	by, owner, token := x.passes(x.msg)
	if _, covered := x.memory[held(owner, x.sender, token)]; by == cw721.RuleOperator && !covered {
		// Without the grant it is refused as it is for anybody else.
		if err := x.as(owner, &cw721.RevokeAll{Operator: x.sender}); err != nil {
			return cw721.Response{}, err
		}
	}
	return x.truth()
}

func revokeAllRecalls(x *turn) (cw721.Response, error) {
	return x.revokeAllAnd(func(operator cw721.Address, token string, spender cw721.Address) bool {
		return x.memory[gave(token, spender)] == operator
	})
}

func revokeAllApprovals(x *turn) (cw721.Response, error) {
	return x.revokeAllAnd(func(operator cw721.Address, _ string, spender cw721.Address) bool { return spender == operator })
}

// revokeAllAnd lets revoke_all also revoke some approvals of the sender's tokens.
func (x *turn) revokeAllAnd(which func(operator cw721.Address, token string, spender cw721.Address) bool) (cw721.Response, error) {
	r, err := x.truth()
	m, ok := x.msg.(*cw721.RevokeAll)
	if !ok || err != nil {
		return r, err
	}
	ids, err := collect(cw721.TokenIDsOf(x.t, x.sender, cw721.Walk{}), everything)
	for _, id := range ids {
		t, _, fault := cw721.LoadToken(x.t, id)
		if fault != nil {
			return r, fault
		}
		for _, a := range t.Approvals {
			if which(m.Operator, id, a.Spender) && err == nil {
				err = x.as(x.sender, &cw721.Revoke{Spender: a.Spender, TokenID: id})
			}
		}
	}
	return r, err
}

func spenderApproves(x *turn) (cw721.Response, error) {
	if m, ok := x.msg.(*cw721.Approve); ok {
		x.passForOwner(m.TokenID)
	}
	return x.truth()
}

func spenderRevokes(x *turn) (cw721.Response, error) {
	if m, ok := x.msg.(*cw721.Revoke); ok && m.Spender == x.sender {
		x.passForOwner(m.TokenID)
	}
	return x.truth()
}

// passForOwner lets a spender of a token pass for its owner.
func (x *turn) passForOwner(token string) {
	if by, owner, _ := x.passes(&cw721.Burn{TokenID: token}); by == cw721.RuleApproval {
		x.sender = owner
	}
}

// operatorAppoints finds the owner among those who have a token.
func operatorAppoints(x *turn) (cw721.Response, error) {
	if _, ok := x.msg.(*cw721.ApproveAll); ok {
		ids, err := collect(cw721.TokenIDs(x.t, cw721.Walk{}), everything)
		if err != nil {
			return cw721.Response{}, err
		}
		for _, id := range ids {
			if by, owner, _ := x.passes(&cw721.Revoke{TokenID: id}); by == cw721.RuleOperator {
				x.sender = owner
				break
			}
		}
	}
	return x.truth()
}

func startAfterInclusive(c cw721.Contract, r kv.Reader, env cw721.Env, msg cw721.QueryMsg) ([]byte, error) {
	switch m := msg.(type) {
	case *cw721.AllTokens:
		return page("tokens", cw721.TokenIDs(r, cw721.Walk{From: m.StartAfter}), m.Limit)
	case *cw721.TokensQuery:
		return page("tokens", cw721.TokenIDsOf(r, m.Owner, cw721.Walk{From: m.StartAfter}), m.Limit)
	}
	return c.Answer(r, env, msg)
}

// page answers with the first items of a list, as a query does whose limit is
// given or not.
func page(name string, list iter.Seq2[string, error], limit *uint32) ([]byte, error) {
	n := cw721.DefaultLimit
	if limit != nil {
		n = int(*limit)
	}
	items, err := collect(list, n)
	return append(append([]byte(`{"`+name+`":`), wire.Encode(items)...), '}'), err
}
