package cw721

import (
	"errors"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// loadToken returns the token with an id. The caller must not change the token. It fails
// with an [*Error] of kind not_found if the token does not exist.
//
// It keeps the token in memory and does not load it again the next time, because a message
// needs its token twice: to decide about it and to execute it.
func (c *call) loadToken(tokenID string) (*Token, error) {
	if c.loadedToken != nil && c.loadedTokenID == tokenID {
		return c.loadedToken, nil
	}

	token, ok, err := tokensMap.Load(c.reader, tokenID)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, notFound(tokenID)
	}
	c.loadedToken = &token
	c.loadedTokenID = tokenID
	return &token, nil
}

// moveToken gives a token to a new owner. It removes the token's approvals; the
// operators of either owner stay (spec §5).
func (x *execution) moveToken(tokenID string, newOwner Address) error {
	token, err := x.loadToken(tokenID)
	if err != nil {
		return err
	}
	if err := x.removeFromOwnerIndex(token.Owner, tokenID); err != nil {
		return err
	}

	moved := *token
	moved.Owner = newOwner
	moved.Approvals = []Approval{}
	return x.saveToken(tokenID, moved)
}

// saveToken writes a token and its entry in the owner index, which lists the tokens of
// each owner.
func (x *execution) saveToken(tokenID string, token Token) error {
	for _, record := range TokenRecords(tokenID, token) {
		if err := x.writer.Set(record.Key, record.Value); err != nil {
			return err
		}
	}
	return nil
}

// removeFromOwnerIndex deletes the entry of a token in the owner index, which lists the
// tokens of each owner.
func (x *execution) removeFromOwnerIndex(owner Address, tokenID string) error {
	return ownersMap.Remove(x.writer, ownerKey{First: owner, Second: tokenID})
}

// decide permits the owner of the token, its approved spenders, and the owner's operators.
func (m *TransferNft) decide(c *call) (*Decision, error) { return c.decideMove(m.TokenID) }

// execute gives the token to the recipient. A recipient that is a contract gets no message.
func (m *TransferNft) execute(x *execution) error {
	if err := x.checkAddress(m.Recipient, "recipient"); err != nil {
		return err
	}
	x.addActionAttributes("transfer_nft", "recipient", string(m.Recipient), "token_id", m.TokenID)
	return x.moveToken(m.TokenID, m.Recipient)
}

// decide permits the owner of the token, its approved spenders, and the owner's operators.
func (m *SendNft) decide(c *call) (*Decision, error) { return c.decideMove(m.TokenID) }

// execute transfers the token and asks the chain to pass the message on to the
// receiving contract.
func (m *SendNft) execute(x *execution) error {
	if err := x.checkAddress(m.Contract, "contract"); err != nil {
		return err
	}

	body := wire.Encode(receiveMsg{
		ReceiveNft: receiveNft{Sender: x.sender, TokenID: m.TokenID, Msg: m.Msg},
	})
	delivery := &WasmExecute{Contract: m.Contract, Msg: body, Funds: []Coin{}}
	x.response.Messages = append(x.response.Messages, OutMsg{Wasm: delivery})
	x.addActionAttributes("send_nft", "recipient", string(m.Contract), "token_id", m.TokenID)
	return x.moveToken(m.TokenID, m.Contract)
}

// decide permits the owner of the token, its approved spenders, and the owner's operators.
func (m *Burn) decide(c *call) (*Decision, error) { return c.decideMove(m.TokenID) }

// execute deletes the token with its approvals. Another token with the same ID can be minted
// afterwards.
func (m *Burn) execute(x *execution) error {
	owner := *x.response.Decision.Owner // of the token, as the decision has loaded it
	if err := tokensMap.Remove(x.writer, m.TokenID); err != nil {
		return err
	}
	if err := x.removeFromOwnerIndex(owner, m.TokenID); err != nil {
		return err
	}

	x.addActionAttributes("burn")
	if x.ruleSet().burnReportsOwner {
		x.addAttributes("owner", string(owner))
	}
	x.addAttributes("token_id", m.TokenID)
	return x.addToTokenCount(-1)
}

// errTokenCountTooLow reports that the stored number of tokens is 0 while a token is burned.
var errTokenCountTooLow = errors.New("there is a token but none is counted")

// addToTokenCount adds change, which is +1 or -1, to the stored number of tokens. It fails
// with a [*kv.CorruptError] if the result would be negative.
func (x *execution) addToTokenCount(change int) error {
	n, err := LoadTokenCount(x.reader)
	if err != nil {
		return err
	}
	if change < 0 && n == 0 {
		return &kv.CorruptError{Key: countItem.Key(), Err: errTokenCountTooLow}
	}
	return countItem.Save(x.writer, n+uint64(change))
}

// decide permits the owner of the token and the owner's operators.
func (m *Approve) decide(c *call) (*Decision, error) { return c.decideApproving(m.TokenID) }

// execute permits the spender to transfer or burn the token until the approval expires. The
// approval replaces an earlier one of the same spender, and is added at the end of the list.
func (m *Approve) execute(x *execution) error {
	if err := x.checkAddress(m.Spender, "spender"); err != nil {
		return err
	}
	expires, err := x.checkExpires(m.Expires)
	if err != nil {
		return err
	}

	x.addActionAttributes("approve", "spender", string(m.Spender), "token_id", m.TokenID)
	return x.replaceApprovals(m.TokenID, m.Spender, Approval{Spender: m.Spender, Expires: expires})
}

// decide permits the owner of the token and the owner's operators.
func (m *Revoke) decide(c *call) (*Decision, error) { return c.decideApproving(m.TokenID) }

// execute removes the approval of the spender on the token. It succeeds if there is none.
func (m *Revoke) execute(x *execution) error {
	if err := x.checkAddress(m.Spender, "spender"); err != nil {
		return err
	}
	x.addActionAttributes("revoke", "spender", string(m.Spender), "token_id", m.TokenID)
	return x.replaceApprovals(m.TokenID, m.Spender)
}

// checkExpires returns the expiration of a new grant, where nil means never. It refuses a
// grant that would already be expired in the current block.
func (x *execution) checkExpires(e *Expiration) (Expiration, error) {
	expires := orNever(e)
	if expires.Expired(x.env.Block) {
		return expires, errAlreadyExpired.withField("expires")
	}
	return expires, nil
}

// replaceApprovals removes the spender's approvals of a token and appends the
// replacements to the token's approvals (spec §5).
func (x *execution) replaceApprovals(tokenID string, spender Address, replacements ...Approval) error {
	token, err := x.loadToken(tokenID)
	if err != nil {
		return err
	}

	isOfSpender := func(approval Approval) bool { return approval.Spender == spender }
	others := slices.DeleteFunc(slices.Clone(token.Approvals), isOfSpender)
	changed := *token
	changed.Approvals = append(others, replacements...)
	return tokensMap.Save(x.writer, tokenID, changed) // the owner index stays as it is
}

// decide permits anyone, because the grant covers only the sender's own tokens.
func (m *ApproveAll) decide(c *call) (*Decision, error) { return c.allowAnyone() }

// execute permits the operator to act on every token that the sender owns now or later,
// until the grant expires. It replaces the operator's earlier grant.
func (m *ApproveAll) execute(x *execution) error {
	// Unlike approve, the contract checks the expiry before the address (spec §5).
	expires, err := x.checkExpires(m.Expires)
	if err != nil {
		return err
	}
	if err := x.checkAddress(m.Operator, "operator"); err != nil {
		return err
	}

	x.addActionAttributes("approve_all", "operator", string(m.Operator))
	return operatorsMap.Save(x.writer, operatorKey{First: x.sender, Second: m.Operator}, expires)
}

// decide permits anyone, because the message removes only a grant of the sender.
func (m *RevokeAll) decide(c *call) (*Decision, error) { return c.allowAnyone() }

// execute removes the grant that the sender gave to the operator. It succeeds if there is
// none. It removes no approvals that the operator gave or received.
func (m *RevokeAll) execute(x *execution) error {
	if err := x.checkAddress(m.Operator, "operator"); err != nil {
		return err
	}
	x.addActionAttributes("revoke_all", "operator", string(m.Operator))
	return operatorsMap.Remove(x.writer, operatorKey{First: x.sender, Second: m.Operator})
}
