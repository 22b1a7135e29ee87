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

// Danger is a reason why a grant surprises people.
type Danger string

// The reasons that [Dangling] finds.
const (
	DangerLostGiver   Danger = "lost giver"       // the operator who gave it may not give it any more
	DangerReturned    Danger = "returned token"   // an operator reaches a token that left the owner and came back
	DangerWaiting     Danger = "waiting operator" // an operator whose owner has no token now
	DangerSelf        Danger = "to oneself"       // the owner is the spender
	DangerUnit        Danger = "unlikely end"     // see [UnitWarning]
	DangerEndless     Danger = "endless operator" // an operator whose grant never expires
	DangerOutlives    Danger = "outlives expiry"  // a grant whose spender keeps access after it expires, see [RealEnd]
	DangerLapsed      Danger = "lapsed offer"     // a role offer that has expired but still stands
	DangerRoyaltyHole Danger = "royalty"          // a royalty that somebody else than the creator set
)

// Harm is how much harm a danger can do.
type Harm int

// The levels of harm, the worst first.
const (
	HarmAccess  Harm = iota // somebody has access that the owner does not see or did not give
	HarmLasting             // access that was given lasts longer, or covers more, than people expect
	HarmNone                // nobody gains anything
)

// Harm returns the level of harm of a danger.
func (d Danger) Harm() Harm {
	switch d {
	case DangerSelf, DangerLapsed: // nobody gets anything by these
		return HarmNone
	case DangerUnit, DangerEndless, DangerWaiting: // given on purpose, perhaps for too long
		return HarmLasting
	}
	return HarmAccess
}

// Finding is one grant, role offer or royalty that surprises people.
type Finding struct {
	Danger Danger
	// Grant is the surprising grant or offer; zero for a royalty.
	Grant cw721.Grant
	// Token is the token that the grant reaches; nil if the finding is about no single
	// token.
	Token *string
	// Node is the message of the history that caused the finding; 0 if it is not
	// known, as after an import.
	Node history.ID
	// Text describes the finding in one sentence.
	Text string
	// By can revoke the grant by sending Remedy. Both are empty if nobody can, or if one
	// message is not enough.
	By     cw721.Address
	Remedy cw721.ExecuteMsg
}

// HistoryGapError reports that [Dangling] could not examine the messages before a node of the
// history, because they are not stored: the collection was imported, or the history pruned.
type HistoryGapError struct {
	// First is the first node that is stored.
	First history.ID
}

// Error says what may be missing for that reason.
func (e *HistoryGapError) Error() string {
	return fmt.Sprintf("the messages before #%d are not in the history, so it is not known who gave the grants of that time, and whether they still may", e.First)
}

// Dangling finds what is surprising about the grants of a collection: first what
// [DanglingGrants] finds, then what only the history shows, newest message first. It reads
// all grants and the history up to the head, which takes long in a large collection; a
// caller that stops early saves the rest. An error ends the sequence.
//
// Dangling yields everything that it can find before it fails with an error that wraps a
// [*chain.NoRulesError], as DanglingGrants does, a [*HistoryGapError], or both.
func Dangling(ctx context.Context, v *chain.View) iter.Seq2[Finding, error] {
	return kv.Sequence(func(yield func(Finding) bool) error {
		var notExamined error
		for _, findings := range []iter.Seq2[Finding, error]{DanglingGrants(ctx, v), danglingHistory(v)} {
			for found, err := range findings {
				// An incomplete search goes on with what is left, and fails at the end.
				isIncomplete := errors.As(err, new(*chain.NoRulesError)) || errors.As(err, new(*HistoryGapError))
				if err != nil && !isIncomplete {
					return err
				}
				if isIncomplete {
					notExamined = errors.Join(notExamined, err)
					break // the error is the last that findings yields
				}
				if !yield(found) {
					return nil
				}
			}
		}
		return notExamined
	})
}

// DanglingGrants finds what the grants show by themselves, without the history. An error ends
// the sequence.
//
// If no rule set is known and the contract itself does not show whether a grant outlives
// its expiry, DanglingGrants yields everything else before it fails with an error that wraps
// a [*chain.NoRulesError].
func DanglingGrants(ctx context.Context, v *chain.View) iter.Seq2[Finding, error] {
	return kv.Sequence(func(yield func(Finding) bool) error {
		var unknownEnd *chain.NoRulesError
		for entry, err := range v.Grants(expiry.Index{}) {
			if err != nil {
				return err
			}
			found, err := findingsAbout(ctx, v, entry.Grant)
			if err != nil && !errors.As(err, &unknownEnd) {
				return err
			}
			for _, finding := range found {
				if !yield(finding) {
					return nil
				}
			}
		}
		if unknownEnd != nil {
			return fmt.Errorf("whether a grant outlives its expiry is not known: %w", unknownEnd)
		}
		return nil
	})
}

// findingsAbout returns what is surprising about one grant. If it fails with a
// [*chain.NoRulesError], it has not found out whether the grant outlives its expiry, and the
// findings are all others.
func findingsAbout(ctx context.Context, v *chain.View, grant cw721.Grant) ([]Finding, error) {
	found, err := examineGrant(v, grant)
	if err != nil {
		return nil, err
	}
	return appendOutliving(ctx, found, v, grant)
}

// appendOutliving appends a finding if the spender of a grant keeps access after the grant
// expires. It fails with a [*chain.NoRulesError] if that cannot be determined.
func appendOutliving(ctx context.Context, found []Finding, v *chain.View, g cw721.Grant) ([]Finding, error) {
	really, text, err := RealEnd(ctx, v, g)
	if err != nil || really == g.Expires {
		return found, err
	}
	return append(found, grantFinding(DangerOutlives, g, text)), nil
}

// examineGrant returns what the record of a grant shows by itself, without the history and
// without a search.
func examineGrant(v *chain.View, g cw721.Grant) (found []Finding, err error) {
	name := grantName(v, g)
	owner := v.DisplayName(g.Owner)
	if warning := UnitWarning(g.Expires, v.Clock); warning != "" {
		found = append(found, grantFinding(DangerUnit, g, fmt.Sprintf("%s expires at %s: %s", name, human.Expiry(g.Expires), warning)))
	}

	// Most grants that have expired are harmless. An offer that has expired blocks nothing
	// either, but misleads.
	isExpired := g.Expires.Expired(v.Clock.Block())
	isOffer := g.Kind == cw721.GrantMinterOffer || g.Kind == cw721.GrantCreatorOffer
	switch {
	case isOffer && isExpired:
		clause := expiryClause(g.Expires, v.Clock.Block())
		return append(found, grantFinding(DangerLapsed, g, fmt.Sprintf("%s has expired (%s) and is still stored; nobody can accept it", name, clause))), nil
	case isOffer || isExpired:
		return found, nil
	case g.Owner == g.Spender:
		return append(found, grantFinding(DangerSelf, g, fmt.Sprintf("%s gives a permission that %s has anyway", name, owner))), nil
	}

	// The rest is about operators, who may act on all tokens of an owner.
	if g.Kind != cw721.GrantOperator {
		return found, nil
	}

	if g.Expires.Axis == cw721.Never {
		found = append(found, grantFinding(DangerEndless, g, fmt.Sprintf("%s never expires, and covers every token that %s will ever own", name, owner)))
	}

	// An operator of an owner without tokens is easily forgotten.
	tokens, err := v.Holdings(g.Owner)
	if err != nil {
		return nil, err
	}
	if tokens == 0 {
		text := fmt.Sprintf("%s is live although %s owns no token now: %s may act on the next token that %s gets", name, owner, v.DisplayName(g.Spender), owner)
		found = append(found, grantFinding(DangerWaiting, g, text))
	}
	return found, nil
}

// grantFinding returns a finding about a grant, with the message that revokes it.
func grantFinding(danger Danger, g cw721.Grant, text string) Finding {
	finding := Finding{Danger: danger, Grant: g, Text: text, By: g.Owner, Remedy: revokingMessage(g)}
	if g.Kind == cw721.GrantApproval {
		finding.Token = &g.Token
	}
	return finding
}

// revokingMessage returns the message by which the owner revokes a grant; nil for the
// offer of a role, which can only be replaced.
func revokingMessage(g cw721.Grant) cw721.ExecuteMsg {
	switch g.Kind {
	case cw721.GrantApproval:
		return &cw721.Revoke{Spender: g.Spender, TokenID: g.Token}
	case cw721.GrantOperator:
		return &cw721.RevokeAll{Operator: g.Spender}
	}
	return nil
}
