package whocan

import (
	"context"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// RealExpiry returns when the spender of a grant really loses access to the token if the owner
// does nothing. That is never if the spender can still move the token after the grant has
// expired: an operator can approve himself without an expiry while he is operator. It is the
// grant's own expiration for an expired grant and for the offer of a role.
//
// RealExpiry searches like [Ask] for a way to transfer the token in the block of the expiry, for an
// operator grant the first token of its owner if it names none. If the rule set is not known, the
// compiled contract is tried instead. RealExpiry fails with a [*chain.NoRulesError] if that does
// not give an answer either.
func RealExpiry(ctx context.Context, view *chain.View, grant cw721.Grant) (cw721.Expiration, error) {
	// Only approvals and operator grants let somebody else move a token.
	if grant.Kind.IsOffer() || grant.Spender == grant.Owner || grant.Expires.HasExpired(view.Clock.Block()) {
		return grant.Expires, nil
	}
	expiryClock, err := view.Clock.ToExpiry(grant.Expires, 0) // 0 units before the expiry
	if err != nil {                                           // it never expires, or the clock cannot get so far
		return grant.Expires, nil
	}

	if grant.Kind == cw721.GrantOperator && grant.Token == "" {
		grant.Token, err = view.FirstToken(grant.Owner)
		if err != nil {
			return grant.Expires, err
		}
	}

	if err := view.CheckRules(); err != nil {
		return tryToKeepAccess(view, grant, expiryClock.Block(), err)
	}

	transfer, _ := cw721.ActionNamed("transfer")
	question := Question{
		Action:        transfer,
		Token:         grant.Token,
		After:         new(expiryClock.Block()),
		TokenMustStay: true,
		onlySender:    grant.Spender,
	}
	s, err := prepare(ctx, view, question)
	if cw721.AsError(err) != nil {
		return grant.Expires, nil // the token does not exist, or its owner has none
	}
	if err != nil {
		return grant.Expires, err
	}
	s.isCompiled = false // the built-in rules alone decide
	if err := s.run(); err != nil {
		return grant.Expires, err
	}
	if s.answer.Verdict == WayExists {
		return cw721.Expiration{}, nil // never
	}
	return grant.Expires, nil
}

// tryToKeepAccess is [RealExpiry] for a contract whose rule set is not known.
//
// It tries two ways on the compiled contract: the spender transfers the token in expiryBlock,
// or approves himself before that. In every release of cw721, these are the only ways by which
// a spender keeps access. If both are refused and the contract is no known release,
// tryToKeepAccess fails with unknownRulesErr.
func tryToKeepAccess(
	view *chain.View,
	grant cw721.Grant,
	expiryBlock cw721.Block,
	unknownRulesErr error,
) (cw721.Expiration, error) {
	module, isCompiled, err := view.Module()
	if err != nil {
		return grant.Expires, err
	}
	if !isCompiled {
		return grant.Expires, unknownRulesErr
	}

	approval := chain.TimedMessage{
		Block:   view.Clock.Block(),
		Sender:  grant.Spender,
		Message: cw721.Encode(&cw721.Approve{Spender: grant.Spender, TokenID: grant.Token}),
	}
	transfer := chain.TimedMessage{
		Block:   expiryBlock,
		Sender:  grant.Spender,
		Message: cw721.Encode(&cw721.TransferNft{Recipient: grant.Spender, TokenID: grant.Token}),
	}
	for _, messages := range [][]chain.TimedMessage{{transfer}, {approval, transfer}} {
		_, refusal, err := view.TryMessages(messages)
		if err != nil {
			return grant.Expires, err
		}
		if refusal == nil {
			return cw721.Expiration{}, nil // never
		}
	}

	if _, isRelease := module.Release(); !isRelease {
		return grant.Expires, unknownRulesErr
	}
	return grant.Expires, nil
}
