package cw721

import (
	"errors"
	"fmt"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// loadToken returns a token, which the caller must not change. It fails with an [*Error] of kind
// not_found. It loads the token once, because a message needs it twice: to decide and to execute.
func (c *call) loadToken(tokenID string) (*Token, error) {
	if c.loadedToken != nil && c.loadedTokenID == tokenID {
		return c.loadedToken, nil
	}

	token, exists, err := tokensMap.Load(c.reader, tokenID)
	if err != nil {
		return nil, err
	}
	if !exists {
		text := fmt.Sprintf("token %s not found", wire.AppendString(nil, tokenID))
		return nil, &Error{Kind: KindNotFound, Text: text, Field: "token_id"}
	}
	c.loadedToken = &token
	c.loadedTokenID = tokenID
	return &token, nil
}

// moveToken removes the token's approvals; the operators of either owner stay (spec §5).
func (e *execution) moveToken(tokenID string, newOwner Address) error {
	token, err := e.loadToken(tokenID)
	if err != nil {
		return err
	}
	if err := e.removeFromOwnerIndex(token.Owner, tokenID); err != nil {
		return err
	}

	movedToken := *token
	movedToken.Owner = newOwner
	movedToken.Approvals = []Approval{}
	return e.saveToken(tokenID, movedToken)
}

// saveToken writes a token and its entry in the owner index.
func (e *execution) saveToken(tokenID string, token Token) error {
	for _, record := range TokenRecords(tokenID, token) {
		if err := e.writer.Set(record.Key, record.Value); err != nil {
			return err
		}
	}
	return nil
}

func (e *execution) removeFromOwnerIndex(owner Address, tokenID string) error {
	return ownersMap.Remove(e.writer, ownerKey{First: owner, Second: tokenID})
}

func (m *TransferNft) execute(exec *execution) error {
	if err := exec.checkAddress(m.Recipient, "recipient"); err != nil {
		return err
	}
	exec.addActionAttributes("transfer_nft", "recipient", string(m.Recipient), "token_id", m.TokenID)
	return exec.moveToken(m.TokenID, m.Recipient)
}

// execute transfers the token and asks the chain to pass the message on.
func (m *SendNft) execute(exec *execution) error {
	if err := exec.checkAddress(m.Contract, "contract"); err != nil {
		return err
	}

	notice := receiveNft{Sender: exec.sender, TokenID: m.TokenID, Msg: m.Msg}
	body := wire.Encode(receiveMsg{ReceiveNft: notice})
	delivery := &WasmExecute{Contract: m.Contract, Msg: body, Funds: []Coin{}}
	exec.response.Messages = append(exec.response.Messages, OutMsg{Wasm: delivery})
	exec.addActionAttributes("send_nft", "recipient", string(m.Contract), "token_id", m.TokenID)
	return exec.moveToken(m.TokenID, m.Contract)
}

func (m *Burn) execute(exec *execution) error {
	tokenOwner := *exec.response.Decision.Owner // as loaded for the decision
	if err := tokensMap.Remove(exec.writer, m.TokenID); err != nil {
		return err
	}
	if err := exec.removeFromOwnerIndex(tokenOwner, m.TokenID); err != nil {
		return err
	}

	exec.addActionAttributes("burn")
	if exec.ruleSet().burnReportsOwner {
		exec.addAttributes("owner", string(tokenOwner))
	}
	exec.addAttributes("token_id", m.TokenID)
	return exec.addToTokenCount(-1)
}

var errTokenCountTooLow = errors.New("there is a token but none is counted")

// addToTokenCount adds +1 or -1. It fails with a [*kv.CorruptError] below 0.
func (e *execution) addToTokenCount(change int) error {
	count, err := LoadTokenCount(e.reader)
	if err != nil {
		return err
	}
	if change < 0 && count == 0 {
		return &kv.CorruptError{Key: countItem.Key(), Err: errTokenCountTooLow}
	}
	return countItem.Save(e.writer, count+uint64(change))
}

// execute replaces an earlier approval of the same spender, at the end of the list.
func (m *Approve) execute(exec *execution) error {
	if err := exec.checkAddress(m.Spender, "spender"); err != nil {
		return err
	}
	expires, err := exec.checkExpiration(m.Expires)
	if err != nil {
		return err
	}

	exec.addActionAttributes("approve", "spender", string(m.Spender), "token_id", m.TokenID)
	approval := Approval{Spender: m.Spender, Expires: expires}
	return exec.replaceApprovals(m.TokenID, m.Spender, approval)
}

// execute succeeds if there is no approval.
func (m *Revoke) execute(exec *execution) error {
	if err := exec.checkAddress(m.Spender, "spender"); err != nil {
		return err
	}
	exec.addActionAttributes("revoke", "spender", string(m.Spender), "token_id", m.TokenID)
	return exec.replaceApprovals(m.TokenID, m.Spender)
}

// checkExpiration returns the expiration of a new permission, or refuses one that has expired.
func (e *execution) checkExpiration(requestedExpiry *Expiration) (Expiration, error) {
	expires := expirationOrNever(requestedExpiry)
	if expires.HasExpired(e.env.Block) {
		return expires, errAlreadyExpired.withField("expires")
	}
	return expires, nil
}

// replaceApprovals replaces the spender's approvals of a token (spec §5).
func (e *execution) replaceApprovals(tokenID string, spender Address, replacements ...Approval) error {
	token, err := e.loadToken(tokenID)
	if err != nil {
		return err
	}

	changedToken := *token
	changedToken.Approvals = append(
		slices.DeleteFunc(slices.Clone(token.Approvals), func(a Approval) bool { return a.Spender == spender }),
		replacements...)

	// The owner index stays as it is.
	return tokensMap.Save(e.writer, tokenID, changedToken)
}

// execute replaces an earlier permission of the same operator.
func (m *ApproveAll) execute(exec *execution) error {
	// Unlike approve, the contract checks the expiry before the address (spec §5).
	expires, err := exec.checkExpiration(m.Expires)
	if err != nil {
		return err
	}
	if err := exec.checkAddress(m.Operator, "operator"); err != nil {
		return err
	}

	exec.addActionAttributes("approve_all", "operator", string(m.Operator))
	key := operatorKey{First: exec.sender, Second: m.Operator}
	return operatorsMap.Save(exec.writer, key, expires)
}

// execute succeeds if there is no such permission. It removes no approvals that the operator
// gave or received.
func (m *RevokeAll) execute(exec *execution) error {
	if err := exec.checkAddress(m.Operator, "operator"); err != nil {
		return err
	}
	exec.addActionAttributes("revoke_all", "operator", string(m.Operator))
	return operatorsMap.Remove(exec.writer, operatorKey{First: exec.sender, Second: m.Operator})
}
