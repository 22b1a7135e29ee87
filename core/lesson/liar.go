package lesson

import (
	"iter"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// rule is the one rule in which a contract differs from the true one. What is
// not set is as it is there.
type rule struct {
	// block gives the block that the contract takes for the current one.
	block func(cw721.Block) cw721.Block
	// before is done before the true contract carries out a message; it can give
	// it another sender and message, or take the message away.
	before func(*turn) error
	// after is done after it; the chain discards it where a message is refused.
	after func(*turn) error
	// query can change a query.
	query func(kv.Reader, cw721.QueryMsg) error
}

// liar is the true contract but for the rule of its world.
type liar struct {
	chain.Contract
	*world
}

// turn is a message on its way through a lying contract.
type turn struct {
	*world
	t      kv.Txn
	env    cw721.Env
	sender cw721.Address
	msg    cw721.ExecuteMsg
	// by is the rule by which the true contract lets the sender send the message,
	// about which token, and who owns that; "" where it does not, or where the
	// message is about no token. was are the token's approvals.
	by    cw721.Rule
	owner cw721.Address
	token string
	was   []cw721.Approval
	kept  cw721.ExecuteMsg // is done though a receiver refuses the message
}

// memory is what no contract keeps, and some misconceptions take it to keep:
// which operator gave an approval, and that a token was its owner's when the
// operator was named.
type memory map[[3]string]cw721.Address

func gave(token string, spender cw721.Address) [3]string { return [3]string{token, string(spender)} }

func held(owner, operator cw721.Address, token string) [3]string {
	return [3]string{token, string(owner), string(operator)}
}

func (l liar) env(env cw721.Env) cw721.Env {
	if l.rule.block != nil {
		env.Block = l.rule.block(env.Block)
	}
	return env
}

func (l liar) Query(r kv.Reader, env cw721.Env, sent chain.Message) ([]byte, error) {
	if msg, _, err := l.code.DecodeQuery(sent.JSON, nil); err == nil && l.rule.query != nil {
		if err := l.rule.query(r, msg); err != nil {
			return nil, err
		}
		sent = chain.Message{JSON: cw721.Encode(msg)}
	}
	return l.Contract.Query(r, l.env(env), sent)
}

func (l liar) Execute(t kv.Txn, env cw721.Env, info cw721.Info, sent chain.Message) (a chain.Answer, err error) {
	msg, _, err := l.code.DecodeExecute(sent.JSON, nil)
	if err != nil {
		return a, err
	}
	x := &turn{world: l.world, t: t, env: l.env(env), sender: info.Sender, msg: msg}
	x.by, x.owner, x.token = x.passes(msg)
	was, _, err := cw721.LoadToken(t, x.token)
	if x.was = was.Approvals; err == nil && l.rule.before != nil {
		err = l.rule.before(x)
	}
	if err == nil && x.msg != nil {
		a.Response, err = l.code.RunExecute(t, x.env, cw721.Info{Sender: x.sender}, x.msg)
	}
	if err == nil && l.rule.after != nil {
		err = l.rule.after(x)
	}
	if err == nil {
		err = x.remember()
	}
	l.last = *x
	return a, err
}

// as does what the true contract would do for another message. It runs in the
// first of all blocks, in which nothing has expired.
func (x *turn) as(who cw721.Address, msg cw721.ExecuteMsg) error {
	_, err := x.code.RunExecute(x.t, cw721.Env{Self: x.env.Self}, cw721.Info{Sender: who}, msg)
	return err
}

// passes gives the rule by which the true contract lets the sender do something
// with a token, and the token; "" where it does not, or there is no token.
func (x *turn) passes(msg cw721.ExecuteMsg) (by cw721.Rule, owner cw721.Address, token string) {
	d, err := x.code.Decide(x.t, x.env, cw721.Info{Sender: x.sender}, msg)
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
		if x.by == cw721.RuleOperator {
			x.memory[gave(m.TokenID, m.Spender)] = x.sender
		}
	case *cw721.ApproveAll:
		ids, err := collect(cw721.TokenIDsOf(x.t, x.sender, cw721.Walk{}))
		for _, id := range ids {
			x.memory[held(x.sender, m.Operator, id)] = x.sender
		}
		return err
	}
	return nil
}

// collect gives all of a walk, which then is over: a store is not written to
// while it is walked.
func collect(walk iter.Seq2[string, error]) (ids []string, err error) {
	for id, err := range walk {
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// setApprovals puts others in the place of the token's approvals.
func (x *turn) setApprovals(others func(now []cw721.Approval) []cw721.Approval) error {
	t, _, err := cw721.LoadToken(x.t, x.token)
	if err != nil {
		return err
	}
	t.Approvals = others(t.Approvals)
	return x.t.Set(cw721.GrantRecordKey(cw721.Grant{Kind: cw721.GrantApproval, Token: x.token}), cw721.StoredJSON[cw721.Token]().Encode(t))
}

// revokeAllAnd lets revoke_all also revoke some approvals of the sender's tokens.
func (x *turn) revokeAllAnd(which func(operator cw721.Address, token string, spender cw721.Address) bool) error {
	m, ok := x.msg.(*cw721.RevokeAll)
	if !ok {
		return nil
	}
	ids, err := collect(cw721.TokenIDsOf(x.t, x.sender, cw721.Walk{}))
	for _, id := range ids {
		t, _, fault := cw721.LoadToken(x.t, id)
		if fault != nil {
			return fault
		}
		for _, a := range t.Approvals {
			if which(m.Operator, id, a.Spender) && err == nil {
				err = x.as(x.sender, &cw721.Revoke{Spender: a.Spender, TokenID: id})
			}
		}
	}
	return err
}

// passForOwner lets a spender of a token pass for its owner.
func (x *turn) passForOwner(token string) {
	if by, owner, _ := x.passes(&cw721.Burn{TokenID: token}); by == cw721.RuleApproval {
		x.sender = owner
	}
}
