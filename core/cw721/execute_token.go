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

// token loads a token or refuses with not found. A call is about one token,
// which its decision loads first, so it is kept.
func (c *call) token(id string) (*Token, error) {
	if c.loaded != nil && c.loadedID == id {
		return c.loaded, nil
	}
	t, ok, err := tokensMap.Load(c.r, id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, notFound(id)
	}
	c.loaded, c.loadedID = &t, id
	return &t, nil
}

// move gives the token to a new owner: its approvals end, the owner's
// operators do not (spec §5).
func (x *exec) move(id string, to Address) error {
	t, err := x.token(id)
	if err != nil {
		return err
	}
	moved := *t
	moved.Owner, moved.Approvals = to, []Approval{}
	return cmp.Or(x.unlist(t.Owner, id), x.saveToken(id, moved))
}

// saveToken writes a token with its entry in the owner index, whose value is
// the length of the token's id (spec §1.1).
func (x *exec) saveToken(id string, t Token) error {
	return cmp.Or(tokensMap.Save(x.w, id, t), ownersMap.Save(x.w, ownerKey{First: t.Owner, Second: id}, uint64(len(id))))
}

// unlist removes a token from the owner index.
func (x *exec) unlist(owner Address, id string) error {
	return ownersMap.Remove(x.w, ownerKey{First: owner, Second: id})
}

func (m *TransferNft) decide(c *call) (*Decision, error) { return c.maySend(m.TokenID) }

func (m *TransferNft) execute(x *exec) error {
	if err := x.address(m.Recipient, "recipient"); err != nil {
		return err
	}
	x.act("transfer_nft", "recipient", string(m.Recipient), "token_id", m.TokenID)
	return x.move(m.TokenID, m.Recipient)
}

func (m *SendNft) decide(c *call) (*Decision, error) { return c.maySend(m.TokenID) }

func (m *SendNft) execute(x *exec) error {
	if err := x.address(m.Contract, "contract"); err != nil {
		return err
	}
	body := append([]byte(`{"receive_nft":`), wire.Encode(receiveNft{x.sender, m.TokenID, m.Msg})...)
	x.response.Messages = append(x.response.Messages, OutMsg{Wasm: &WasmExecute{
		Contract: m.Contract, Msg: append(body, '}'), Funds: []Coin{},
	}})
	x.act("send_nft", "recipient", string(m.Contract), "token_id", m.TokenID)
	return x.move(m.TokenID, m.Contract)
}

func (m *Burn) decide(c *call) (*Decision, error) { return c.maySend(m.TokenID) }

func (m *Burn) execute(x *exec) error {
	owner := *x.decision.Owner
	if err := cmp.Or(tokensMap.Remove(x.w, m.TokenID), x.unlist(owner, m.TokenID)); err != nil {
		return err
	}
	x.act("burn")
	if x.rules().reportsOwner {
		x.report("owner", string(owner))
	}
	x.report("token_id", m.TokenID)
	return x.count(-1)
}

var errCountBehind = errors.New("there is a token but none is counted")

// count moves the number of tokens.
func (x *exec) count(by int) error {
	n, err := LoadCount(x.r)
	if err != nil {
		return err
	}
	if by < 0 && n == 0 {
		return &kv.CorruptError{Key: countItem.Key(), Err: errCountBehind}
	}
	return countItem.Save(x.w, n+uint64(by))
}

func (m *Approve) decide(c *call) (*Decision, error) { return c.mayApprove(m.TokenID) }

func (m *Approve) execute(x *exec) error {
	if err := x.address(m.Spender, "spender"); err != nil {
		return err
	}
	expires := orNever(m.Expires)
	if expires.Expired(x.env.Block) {
		return errAlreadyExpired.at("expires")
	}
	x.act("approve", "spender", string(m.Spender), "token_id", m.TokenID)
	return x.replaceApproval(m.TokenID, m.Spender, &Approval{m.Spender, expires})
}

func (m *Revoke) decide(c *call) (*Decision, error) { return c.mayApprove(m.TokenID) }

func (m *Revoke) execute(x *exec) error {
	if err := x.address(m.Spender, "spender"); err != nil {
		return err
	}
	x.act("revoke", "spender", string(m.Spender), "token_id", m.TokenID)
	return x.replaceApproval(m.TokenID, m.Spender, nil)
}

// replaceApproval takes the spender's entries out and puts the new one, if
// any, at the end (spec §5). The owner stays, and so does the owner index.
func (x *exec) replaceApproval(id string, spender Address, entry *Approval) error {
	t, err := x.token(id)
	if err != nil {
		return err
	}
	changed := *t
	changed.Approvals = slices.DeleteFunc(slices.Clone(t.Approvals), func(a Approval) bool { return a.Spender == spender })
	if entry != nil {
		changed.Approvals = append(changed.Approvals, *entry)
	}
	return tokensMap.Save(x.w, id, changed)
}

func (m *ApproveAll) decide(c *call) (*Decision, error) { return c.anyone() }

func (m *ApproveAll) execute(x *exec) error {
	// Unlike approve, the expiry is looked at before the address (spec §5).
	expires := orNever(m.Expires)
	if expires.Expired(x.env.Block) {
		return errAlreadyExpired.at("expires")
	}
	if err := x.address(m.Operator, "operator"); err != nil {
		return err
	}
	x.act("approve_all", "operator", string(m.Operator))
	return operatorsMap.Save(x.w, operatorKey{First: x.sender, Second: m.Operator}, expires)
}

func (m *RevokeAll) decide(c *call) (*Decision, error) { return c.anyone() }

func (m *RevokeAll) execute(x *exec) error {
	if err := x.address(m.Operator, "operator"); err != nil {
		return err
	}
	x.act("revoke_all", "operator", string(m.Operator))
	return operatorsMap.Remove(x.w, operatorKey{First: x.sender, Second: m.Operator})
}
