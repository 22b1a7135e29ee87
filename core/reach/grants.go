package reach

import (
	"context"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// RealExpiry returns when a grant really ends: until when its spender can move the token, or
// have it moved, while the token's owner does nothing. That can be later than the grant's
// own expiration. An operator, for example, can approve himself without an expiry while he
// is operator. The result is an expiration that is never if the spender can still move the
// token after the grant has expired. Otherwise it is the grant's own expiration, and also for
// the offer of a role and for an expired grant.
//
// RealExpiry asks [Ask]'s search whether the token can be transferred in the block of the
// expiry, by the built-in rules. Without a rule set the compiled contract decides, and
// RealExpiry fails with a [*chain.NoRulesError] if it cannot. An operator grant is tried on
// the token that it names, or on the first token of its owner if it names none.
func RealExpiry(ctx context.Context, v *chain.View, g cw721.Grant) (cw721.Expiration, error) {
	movesToken := g.Kind == cw721.GrantApproval || g.Kind == cw721.GrantOperator
	isExpired := g.Expires.Expired(v.Clock.Block())
	if !movesToken || isExpired || g.Spender == g.Owner {
		return g.Expires, nil
	}
	end, err := v.Clock.ToExpiry(g.Expires, 0)
	if err != nil { // it never expires, or the clock cannot get so far
		return g.Expires, nil
	}

	// An operator may move any token of the owner, so try the first.
	if g.Kind == cw721.GrantOperator && g.Token == "" {
		g.Token, err = v.FirstToken(g.Owner)
		if err != nil {
			return g.Expires, err
		}
	}
	if err := v.CheckRules(); err != nil {
		return expiryByTrial(v, g, end.Block(), err)
	}

	// Ask whether the spender alone can make a transfer possible after the expiry.
	transfer, _ := cw721.ActionNamed("transfer")
	q := Question{
		Action:     transfer,
		Token:      g.Token,
		After:      new(end.Block()),
		Unmoved:    true,
		onlySender: g.Spender,
	}
	s, err := prepare(ctx, v, q)
	if cw721.AsError(err) != nil {
		return g.Expires, nil // the token does not exist, or its owner has none
	}
	if err != nil {
		return g.Expires, err
	}
	s.compiled = false
	if err := s.run(); err != nil {
		return g.Expires, err
	}
	if s.answer.Verdict == Way {
		return cw721.Expiration{}, nil // never
	}
	return g.Expires, nil
}

// expiryByTrial is [RealExpiry] for a contract without a rule set. end is the block in which
// the grant expires. The spender sends the compiled contract a transfer in that block, and
// then the same after an approval of himself in the block of the view. In every release of
// cw721 no other messages of the spender keep a token movable. If both transfers are refused
// and the contract is no known release, expiryByTrial fails with noRules.
func expiryByTrial(v *chain.View, g cw721.Grant, end cw721.Block, noRules error) (cw721.Expiration, error) {
	module, isCompiled, err := v.Module()
	if err != nil {
		return g.Expires, err
	}
	if !isCompiled {
		return g.Expires, noRules
	}

	// Without rules, send the messages that could do it.
	approval := chain.TimedMessage{
		Block:   v.Clock.Block(),
		Sender:  g.Spender,
		Message: cw721.Encode(&cw721.Approve{Spender: g.Spender, TokenID: g.Token}),
	}
	transfer := chain.TimedMessage{
		Block:   end,
		Sender:  g.Spender,
		Message: cw721.Encode(&cw721.TransferNft{Recipient: g.Spender, TokenID: g.Token}),
	}
	for _, way := range [][]chain.TimedMessage{{transfer}, {approval, transfer}} {
		_, refusal, err := v.TryMessages(way)
		if err != nil {
			return g.Expires, err
		}
		if refusal == nil {
			return cw721.Expiration{}, nil // never
		}
	}

	// An unknown contract may have other messages that do it.
	if _, isRelease := module.Release(); !isRelease {
		return g.Expires, noRules
	}
	return g.Expires, nil
}
