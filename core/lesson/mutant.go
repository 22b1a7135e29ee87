package lesson

import (
	"iter"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// mutation is the one rule in which a mutant differs from the true contract. Where a
// function is nil, the mutant does not differ.
type mutation struct {
	// block returns the block that the mutant takes for the current one.
	block func(cw721.Block) cw721.Block
	// before runs before a message is executed. It can change the sender and the message
	// of the call, or set the message to nil, so that nothing is executed.
	before func(*mutantCall) error
	// after runs after a message was executed. The chain discards its writes if a
	// receiving contract refuses the message.
	after func(*mutantCall) error
	// query runs before a query is answered, and can change it.
	query func(kv.Reader, cw721.QueryMsg) error
}

// mutant is the true contract with the mutation of its world.
type mutant struct {
	chain.Contract
	world *world
}

// mutantCall is a message that a mutant executes.
type mutantCall struct {
	world  *world
	txn    kv.Txn
	env    cw721.Env
	sender cw721.Address
	msg    cw721.ExecuteMsg

	// allowedBy is the rule by which the true contract lets the sender send the message
	// about the token with the ID tokenID, which belongs to owner. All three are empty if
	// the message is not allowed or is about no token.
	allowedBy cw721.Rule
	owner     cw721.Address
	tokenID   string
	// approvals are the token's approvals before the message.
	approvals []cw721.Approval

	// sentAnyway is executed if a receiving contract refuses msg. It is nil for most calls.
	sentAnyway cw721.ExecuteMsg
}

// approvalKey identifies the approval of a spender for a token.
type approvalKey struct {
	tokenID string
	spender cw721.Address
}

// heldKey identifies a token among those that an owner held when naming an operator.
type heldKey struct {
	owner    cw721.Address
	operator cw721.Address
	tokenID  string
}

// env returns the env of a call with the block of the mutation.
func (m mutant) env(env cw721.Env) cw721.Env {
	if m.world.mutation.block != nil {
		env.Block = m.world.mutation.block(env.Block)
	}
	return env
}

// Query answers a query as the mutant. The true contract refuses a query that cannot be
// decoded.
func (m mutant) Query(r kv.Reader, env cw721.Env, sent chain.Message) ([]byte, error) {
	msg, _, err := m.world.contract.DecodeQuery(sent.JSON, nil)
	if err == nil && m.world.mutation.query != nil {
		if err := m.world.mutation.query(r, msg); err != nil {
			return nil, err
		}
		sent = chain.Message{JSON: cw721.Encode(msg)}
	}
	return m.Contract.Query(r, m.env(env), sent)
}

// Execute executes a message as the mutant, and stores the call in the world.
func (m mutant) Execute(txn kv.Txn, env cw721.Env, info cw721.Info, sent chain.Message) (chain.Answer, error) {
	msg, _, err := m.world.contract.DecodeExecute(sent.JSON, nil)
	if err != nil {
		return chain.Answer{}, err
	}
	c := &mutantCall{world: m.world, txn: txn, env: m.env(env), sender: info.Sender, msg: msg}
	response, err := c.run()
	m.world.lastCall = *c
	return chain.Answer{Response: response}, err
}

// run executes the message between the two functions of the mutation.
func (c *mutantCall) run() (response cw721.Response, err error) {
	c.allowedBy, c.owner, c.tokenID = c.decide(c.msg)
	token, _, err := cw721.LoadToken(c.txn, c.tokenID)
	if err != nil {
		return response, err
	}
	c.approvals = token.Approvals

	mutation := c.world.mutation
	if mutation.before != nil {
		if err := mutation.before(c); err != nil {
			return response, err
		}
	}
	if c.msg != nil {
		response, err = c.world.contract.RunExecute(c.txn, c.env, cw721.Info{Sender: c.sender}, c.msg)
		if err != nil {
			return response, err
		}
	}
	if mutation.after != nil {
		if err := mutation.after(c); err != nil {
			return response, err
		}
	}
	return response, c.recordOperatorGrants()
}

// runAs executes another message as the true contract does in its first block, in which
// no grant has expired.
func (c *mutantCall) runAs(sender cw721.Address, msg cw721.ExecuteMsg) error {
	env := cw721.Env{Self: c.env.Self}
	_, err := c.world.contract.RunExecute(c.txn, env, cw721.Info{Sender: sender}, msg)
	return err
}

// decide returns the rule by which the true contract lets the sender send a message about
// a token, the token's owner and its ID. All three are empty if the message is not allowed
// or is about no token.
func (c *mutantCall) decide(msg cw721.ExecuteMsg) (rule cw721.Rule, owner cw721.Address, tokenID string) {
	decision, err := c.world.contract.Decide(c.txn, c.env, cw721.Info{Sender: c.sender}, msg)
	if err != nil || !decision.Allowed || decision.TokenID == nil {
		return "", "", ""
	}
	lastCheck := decision.Checks[len(decision.Checks)-1]
	return lastCheck.Rule, *decision.Owner, *decision.TokenID
}

// recordOperatorGrants notes which operator gave an approval, and which tokens the
// owner held when an operator was named. The true contract stores neither; two
// mutants behave as if it did.
func (c *mutantCall) recordOperatorGrants() error {
	switch msg := c.msg.(type) {
	case *cw721.Approve:
		approval := approvalKey{tokenID: msg.TokenID, spender: msg.Spender}
		delete(c.world.approvedBy, approval)
		if c.allowedBy == cw721.RuleOperator {
			c.world.approvedBy[approval] = c.sender
		}

	case *cw721.ApproveAll:
		owned, err := c.ownedTokens()
		if err != nil {
			return err
		}
		for _, tokenID := range owned {
			c.world.heldWhenNamed[heldKey{owner: c.sender, operator: msg.Operator, tokenID: tokenID}] = true
		}
	}
	return nil
}

// ownedTokens returns the IDs of the tokens that the sender owns.
func (c *mutantCall) ownedTokens() ([]string, error) {
	return collectIDs(cw721.TokenIDsOf(c.txn, c.sender, cw721.Walk{}))
}

// collectIDs reads a walk over token IDs to its end, because a store must not be written
// during a walk.
func collectIDs(walk iter.Seq2[string, error]) (ids []string, err error) {
	for id, err := range walk {
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// setApprovals replaces the approvals of the call's token by what change returns for them.
func (c *mutantCall) setApprovals(change func(current []cw721.Approval) []cw721.Approval) error {
	token, _, err := cw721.LoadToken(c.txn, c.tokenID)
	if err != nil {
		return err
	}
	token.Approvals = change(token.Approvals)
	key := cw721.GrantRecordKey(cw721.Grant{Kind: cw721.GrantApproval, Token: c.tokenID})
	return c.txn.Set(key, cw721.StoredJSON[cw721.Token]().Encode(token))
}

// revokeApprovals revokes approvals of the sender's tokens if the message is revoke_all:
// those for which isRevoked returns true. The operator is that of the message.
func (c *mutantCall) revokeApprovals(isRevoked func(operator cw721.Address, approval approvalKey) bool) error {
	msg, ok := c.msg.(*cw721.RevokeAll)
	if !ok {
		return nil
	}
	owned, err := c.ownedTokens()
	if err != nil {
		return err
	}
	for _, tokenID := range owned {
		token, _, err := cw721.LoadToken(c.txn, tokenID)
		if err != nil {
			return err
		}
		for _, approval := range token.Approvals {
			if !isRevoked(msg.Operator, approvalKey{tokenID: tokenID, spender: approval.Spender}) {
				continue
			}
			if err := c.runAs(c.sender, &cw721.Revoke{Spender: approval.Spender, TokenID: tokenID}); err != nil {
				return err
			}
		}
	}
	return nil
}

// actAsOwner replaces the sender by the owner of a token if the sender is a spender of it.
func (c *mutantCall) actAsOwner(tokenID string) {
	rule, owner, _ := c.decide(&cw721.Burn{TokenID: tokenID})
	if rule == cw721.RuleApproval {
		c.sender = owner
	}
}
