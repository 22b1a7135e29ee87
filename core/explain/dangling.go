package explain

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
)

// Danger is a reason why a grant, the offer of a role or a royalty surprises people. examineGrant
// finds what the record of a grant shows, and backwardSearch what only the history shows.
type Danger string

// The reasons that [Dangling] finds.
const (
	// DangerLostGiver is about an approval that an operator gave who may not give it any more.
	DangerLostGiver Danger = "lost giver"
	// DangerReturnedToken is about an operator who may act on a token again, because the token
	// left the owner and came back.
	DangerReturnedToken Danger = "returned token"
	// DangerWaitingOperator is about an operator whose owner has no token now.
	DangerWaitingOperator Danger = "waiting operator"
	// DangerGrantToSelf is about a grant that an owner gave to himself.
	DangerGrantToSelf Danger = "to oneself"
	// DangerWrongUnit is about an expiry that was probably typed in a wrong unit, see
	// [UnitWarning].
	DangerWrongUnit Danger = "unlikely end"
	// DangerNeverExpires is about an operator whose grant never expires.
	DangerNeverExpires Danger = "endless operator"
	// DangerOutlivesExpiry is about a grant whose spender keeps access after it expires, see
	// [DescribeAccessEnd].
	DangerOutlivesExpiry Danger = "outlives expiry"
	// DangerExpiredOffer is about the offer of a role that has expired but is still stored.
	DangerExpiredOffer Danger = "lapsed offer"
	// DangerRoyaltyHole is about a royalty that somebody other than the creator set.
	DangerRoyaltyHole Danger = "royalty"
)

// Finding is one grant (an approval or an operator), role offer or royalty that surprises
// people.
type Finding struct {
	Danger Danger
	Grant  cw721.Grant // the zero value for a royalty
	// Token is the id of the token that the finding is about. It is nil if the finding is not
	// about a single token, for example because an operator may act on all tokens of an owner.
	Token   *string
	Node    history.ID       // the message that caused the finding; 0 if that is not known
	Text    string           // in one sentence
	Remover cw721.Address    // can remove the cause of the finding; empty if nobody can
	Remedy  cw721.ExecuteMsg // by which Remover can do that; nil if one message is not enough
}

// HistoryGapError reports that [Dangling] could not examine the oldest messages, because
// they are not stored. The collection was imported, or its history was pruned.
type HistoryGapError struct {
	First history.ID // the first node of the history that is stored
}

// Error says which messages are missing, and what is not known for that reason.
func (e *HistoryGapError) Error() string {
	return fmt.Sprintf("the messages before #%d are not in the history, so it is not known who gave the grants of that time, and whether they still may", e.First)
}

// Dangling yields what [DanglingGrants] finds, and then what only the history shows, the
// newest message first. It reads all grants and the whole history, which takes long in a large
// collection.
//
// An error ends the sequence. If something could not be examined, Dangling first yields all
// that it can find. Then it fails with an error that wraps a [*chain.NoRulesError], a
// [*HistoryGapError], or both.
func Dangling(ctx context.Context, view *chain.View) iter.Seq2[Finding, error] {
	return kv.Sequence(func(yield func(Finding) bool) error {
		sources := []iter.Seq2[Finding, error]{DanglingGrants(ctx, view), danglingHistory(view)}
		var incompleteErr error // what could not be examined, and why
		for _, findings := range sources {
			for finding, err := range findings {
				// If one source is incomplete, go on with the other one, and fail at the end. The
				// error is the last that a source yields.
				if errors.As(err, new(*chain.NoRulesError)) || errors.As(err, new(*HistoryGapError)) {
					incompleteErr = errors.Join(incompleteErr, err)
					break
				}
				if err != nil {
					return err
				}
				if !yield(finding) {
					return nil
				}
			}
		}
		return incompleteErr
	})
}

// DanglingGrants yields what is surprising about the grants of a collection, as far as their
// own records show it. It does not read the history. An error ends the sequence.
//
// If the rules of the contract are not known, it can be unknown whether the spender of a
// grant keeps access after the grant has expired. DanglingGrants then yields everything
// else, and fails at the end with an error that wraps a [*chain.NoRulesError].
func DanglingGrants(ctx context.Context, view *chain.View) iter.Seq2[Finding, error] {
	return kv.Sequence(func(yield func(Finding) bool) error {
		var unknownEndErr *chain.NoRulesError
		for entry, err := range view.Grants(expiry.Index{}) {
			if err != nil {
				return err
			}
			findings, err := examineGrant(view, entry.Grant)
			if err != nil {
				return err
			}
			accessEnd, text, err := DescribeAccessEnd(ctx, view, entry.Grant)
			if err != nil && !errors.As(err, &unknownEndErr) {
				return err
			}
			if err == nil && accessEnd != entry.Expires {
				findings = append(findings, grantFinding(DangerOutlivesExpiry, entry.Grant, "%s", text))
			}
			for _, finding := range findings {
				if !yield(finding) {
					return nil
				}
			}
		}
		if unknownEndErr != nil {
			return fmt.Errorf("whether a grant outlives its expiry is not known: %w", unknownEndErr)
		}
		return nil
	})
}

// examineGrant looks at the record of the grant and at the number of the owner's tokens, and
// not at the history.
func examineGrant(view *chain.View, grant cw721.Grant) (findings []Finding, err error) {
	grantNoun := grantName(view, grant)
	ownerName := view.DisplayName(grant.Owner)
	if warning := UnitWarning(grant.Expires, view.Clock); warning != "" {
		findings = append(findings, grantFinding(DangerWrongUnit, grant,
			"%s expires at %s: %s", grantNoun, human.Expiry(grant.Expires), warning))
	}

	// An expired grant is harmless, so it is no finding. An expired offer of a role is a
	// finding, because it is still stored, and that misleads people.
	currentBlock := view.Clock.Block()
	isExpired := grant.Expires.HasExpired(currentBlock)
	switch {
	case grant.Kind.IsOffer() && isExpired:
		return append(findings, grantFinding(DangerExpiredOffer, grant,
			"%s has expired (%s) and is still stored; nobody can accept it",
			grantNoun, expiryClause(grant.Expires, currentBlock))), nil
	case grant.Kind.IsOffer() || isExpired:
		return findings, nil
	case grant.Owner == grant.Spender:
		return append(findings, grantFinding(DangerGrantToSelf, grant,
			"%s gives a permission that %s has anyway", grantNoun, ownerName)), nil
	case grant.Kind != cw721.GrantOperator:
		return findings, nil
	}

	// An operator may act on all tokens of an owner. An owner without tokens easily forgets that
	// there still is one.
	if grant.Expires.Axis == cw721.Never {
		findings = append(findings, grantFinding(DangerNeverExpires, grant,
			"%s never expires, and covers every token that %s will ever own", grantNoun, ownerName))
	}
	tokenCount, err := view.Holdings(grant.Owner)
	if err == nil && tokenCount == 0 {
		findings = append(findings, grantFinding(DangerWaitingOperator, grant,
			"%s is live although %s owns no token now: %s may act on the next token that %s gets",
			grantNoun, ownerName, view.DisplayName(grant.Spender), ownerName))
	}
	return findings, err
}

// grantFinding returns a finding about a grant, with the message by which the owner revokes
// it. The offer of a role cannot be revoked but only replaced by another offer.
func grantFinding(danger Danger, grant cw721.Grant, format string, args ...any) Finding {
	finding := Finding{
		Danger:  danger,
		Grant:   grant,
		Text:    fmt.Sprintf(format, args...),
		Remover: grant.Owner,
	}
	switch grant.Kind {
	case cw721.GrantApproval:
		finding.Token = &grant.Token
		finding.Remedy = &cw721.Revoke{Spender: grant.Spender, TokenID: grant.Token}
	case cw721.GrantOperator:
		finding.Remedy = &cw721.RevokeAll{Operator: grant.Spender}
	}
	return finding
}
