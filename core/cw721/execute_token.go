package cw721

import (
	"cmp"
	"errors"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Reader is what the contract reads its state from.
type Reader = kv.Reader

// loadToken loads a token or refuses with not found. A call is about one token,
// which its decision loads first, so it is kept.
func (c *call) loadToken(id string) (*Token, error) {
	if c.loadedToken != nil && c.loadedTokenID == id {
		return c.loadedToken, nil
	}
	t, ok, err := tokensMap.Load(c.reader, id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, notFound(id)
	}
	c.loadedToken, c.loadedTokenID = &t, id
	return &t, nil
}

// moveToken gives the token to a new owner: its approvals end, the owner's
// operators do not (spec §5).
func (x *execution) moveToken(id string, to Address) error {
	t, err := x.loadToken(id)
	if err != nil {
		return err
	}
	moved := *t
	moved.Owner, moved.Approvals = to, []Approval{}
	return cmp.Or(x.removeFromOwnerIndex(t.Owner, id), x.saveToken(id, moved))
}

// saveToken writes a token with its entry in the owner index, whose value is
// the length of the token's id (spec §1.1).
func (x *execution) saveToken(id string, t Token) error {
	return cmp.Or(tokensMap.Save(x.writer, id, t), ownersMap.Save(x.writer, ownerKey{First: t.Owner, Second: id}, uint64(len(id))))
}

// removeFromOwnerIndex removes a token from the owner index.
func (x *execution) removeFromOwnerIndex(owner Address, id string) error {
	return ownersMap.Remove(x.writer, ownerKey{First: owner, Second: id})
}

func (m *TransferNft) decide(c *call) (*Decision, error) { return c.decideMove(m.TokenID) }

func (m *TransferNft) execute(x *execution) error {
	if err := x.checkAddress(m.Recipient, "recipient"); err != nil {
		return err
	}
	x.addActionAttributes("transfer_nft", "recipient", string(m.Recipient), "token_id", m.TokenID)
	return x.moveToken(m.TokenID, m.Recipient)
}

func (m *SendNft) decide(c *call) (*Decision, error) { return c.decideMove(m.TokenID) }

func (m *SendNft) execute(x *execution) error {
	if err := x.checkAddress(m.Contract, "contract"); err != nil {
		return err
	}
	body := append([]byte(`{"receive_nft":`), wire.Encode(receiveNft{x.sender, m.TokenID, m.Msg})...)
	x.response.Messages = append(x.response.Messages, OutMsg{Wasm: &WasmExecute{
		Contract: m.Contract, Msg: append(body, '}'), Funds: []Coin{},
	}})
	x.addActionAttributes("send_nft", "recipient", string(m.Contract), "token_id", m.TokenID)
	return x.moveToken(m.TokenID, m.Contract)
}

func (m *Burn) decide(c *call) (*Decision, error) { return c.decideMove(m.TokenID) }

func (m *Burn) execute(x *execution) error {
	owner := *x.decision.Owner
	if err := cmp.Or(tokensMap.Remove(x.writer, m.TokenID), x.removeFromOwnerIndex(owner, m.TokenID)); err != nil {
		return err
	}
	x.addActionAttributes("burn")
	if x.ruleSet().burnReportsOwner {
		x.addAttributes("owner", string(owner))
	}
	x.addAttributes("token_id", m.TokenID)
	return x.addToTokenCount(-1)
}

var errCountBehind = errors.New("there is a token but none is counted")

// addToTokenCount moves the number of tokens.
func (x *execution) addToTokenCount(by int) error {
	n, err := LoadTokenCount(x.reader)
	if err != nil {
		return err
	}
	if by < 0 && n == 0 {
		return &kv.CorruptError{Key: countItem.Key(), Err: errCountBehind}
	}
	return countItem.Save(x.writer, n+uint64(by))
}

func (m *Approve) decide(c *call) (*Decision, error) { return c.decideApproving(m.TokenID) }

func (m *Approve) execute(x *execution) error {
	if err := x.checkAddress(m.Spender, "spender"); err != nil {
		return err
	}
	expires := orNever(m.Expires)
	if expires.Expired(x.env.Block) {
		return errAlreadyExpired.withField("expires")
	}
	x.addActionAttributes("approve", "spender", string(m.Spender), "token_id", m.TokenID)
	return x.replaceApproval(m.TokenID, m.Spender, &Approval{m.Spender, expires})
}

func (m *Revoke) decide(c *call) (*Decision, error) { return c.decideApproving(m.TokenID) }

func (m *Revoke) execute(x *execution) error {
	if err := x.checkAddress(m.Spender, "spender"); err != nil {
		return err
	}
	x.addActionAttributes("revoke", "spender", string(m.Spender), "token_id", m.TokenID)
	return x.replaceApproval(m.TokenID, m.Spender, nil)
}

// replaceApproval takes the spender's entries out and puts the new one, if
// any, at the end (spec §5). The owner stays, and so does the owner index.
func (x *execution) replaceApproval(id string, spender Address, entry *Approval) error {
	t, err := x.loadToken(id)
	if err != nil {
		return err
	}
	changed := *t
	changed.Approvals = slices.DeleteFunc(slices.Clone(t.Approvals), func(a Approval) bool { return a.Spender == spender })
	if entry != nil {
		changed.Approvals = append(changed.Approvals, *entry)
	}
	return tokensMap.Save(x.writer, id, changed)
}

func (m *ApproveAll) decide(c *call) (*Decision, error) { return c.allowAnyone() }

func (m *ApproveAll) execute(x *execution) error {
	// Unlike approve, the expiry is looked at before the address (spec §5).
	expires := orNever(m.Expires)
	if expires.Expired(x.env.Block) {
		return errAlreadyExpired.withField("expires")
	}
	if err := x.checkAddress(m.Operator, "operator"); err != nil {
		return err
	}
	x.addActionAttributes("approve_all", "operator", string(m.Operator))
	return operatorsMap.Save(x.writer, operatorKey{First: x.sender, Second: m.Operator}, expires)
}

func (m *RevokeAll) decide(c *call) (*Decision, error) { return c.allowAnyone() }

func (m *RevokeAll) execute(x *execution) error {
	if err := x.checkAddress(m.Operator, "operator"); err != nil {
		return err
	}
	x.addActionAttributes("revoke_all", "operator", string(m.Operator))
	return operatorsMap.Remove(x.writer, operatorKey{First: x.sender, Second: m.Operator})
}
