package inspect

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// probedGrant is a grant with the messages that it can be tried with.
type probedGrant struct {
	grant    cw721.Grant
	attempts []attempt
}

// attempt is a message that a spender can send only because of a grant.
type attempt struct {
	action string // such as "transfer"
	msg    cw721.ExecuteMsg
}

// clampAttemptIndex returns index, or the index of the last attempt if that is lower. It
// returns -1 if there are no attempts.
func (p probedGrant) clampAttemptIndex(index int) int { return min(index, len(p.attempts)-1) }

// maxProbedGrants is how many grants the list of the probe has at most.
const maxProbedGrants = 200

// readProbedGrants lists at most maxProbedGrants grants that subject is about, with the
// messages to try, in the order of [sortBySpenderAndExpiry].
func readProbedGrants(
	view *chain.View,
	subject app.Subject,
) (probedGrants []probedGrant, hasMore bool, err error) {
	grants, hasMore, err := app.ReadAtMost(grantsAbout(view, subject), maxProbedGrants)
	if err != nil {
		return nil, false, err
	}
	for _, grant := range grants {
		attempts, err := attemptsWith(view, grant, subject.Token)
		if err != nil {
			return nil, false, err
		}
		probedGrants = append(probedGrants, probedGrant{grant: grant, attempts: attempts})
	}
	sortBySpenderAndExpiry(probedGrants, view.Clock, subject.Account)
	return probedGrants, hasMore, nil
}

// grantsAbout yields, in no special order, the grants that subject is about: those over its
// token, or else those that its account holds and gave, or else all of the collection.
func grantsAbout(view *chain.View, subject app.Subject) iter.Seq2[cw721.Grant, error] {
	switch {
	case subject.Token != nil:
		return view.GrantsOver(*subject.Token)
	case subject.Account != "":
		return grantsIn(
			view.Grants(expiry.Index{Spender: subject.Account}),
			view.Grants(expiry.Index{Owner: subject.Account}))
	}
	return grantsIn(view.List(expiry.List{}, expiry.Walk{}))
}

// grantsIn yields the grants of one list after the other.
func grantsIn(lists ...iter.Seq2[expiry.Entry, error]) iter.Seq2[cw721.Grant, error] {
	return func(yield func(cw721.Grant, error) bool) {
		for _, list := range lists {
			for entry, err := range list {
				if !yield(entry.Grant, err) {
					return
				}
			}
		}
	}
}

// sortBySpenderAndExpiry sorts grants. First come the grants that spender holds, then all
// others. Within each part, the order is: the grants in force that will expire, the soonest
// first; the expired ones, the latest first; those that never expire. If spender is empty,
// there is only one part.
func sortBySpenderAndExpiry(grants []probedGrant, clock chain.Clock, spender cw721.Address) {
	const (
		liveGroup = iota
		expiredGroup
		endlessGroup
		groupCount
	)

	// rank returns the group to which a grant belongs, and its place within the group.
	rank := func(grant cw721.Grant) (group int, distance uint64) {
		if grant.Spender != spender {
			group = groupCount // the groups of other spenders follow those of spender
		}
		end := app.EstimatedTime(clock, grant.Expires)
		switch {
		case grant.Expires.Axis == cw721.Never:
			return group + endlessGroup, 0
		case grant.Expires.HasExpired(clock.Block()):
			return group + expiredGroup, math.MaxUint64 - end // the latest first
		}
		return group + liveGroup, end
	}
	slices.SortStableFunc(grants, func(a, b probedGrant) int {
		groupA, distanceA := rank(a.grant)
		groupB, distanceB := rank(b.grant)
		return cmp.Or(cmp.Compare(groupA, groupB), cmp.Compare(distanceA, distanceB))
	})
}

// attemptedActions are the actions that each kind of grant permits and is tried with. Only
// an operator may approve and revoke for the owner.
var attemptedActions = map[cw721.GrantKind][]string{
	cw721.GrantApproval:     {"transfer", "send", "burn"},
	cw721.GrantOperator:     {"transfer", "send", "burn", "approve", "revoke"},
	cw721.GrantMinterOffer:  {"accept-minter"},
	cw721.GrantCreatorOffer: {"accept-creator"},
}

// attemptsWith returns the messages that a grant can be tried with, one for each action that
// the grant permits. None sends a token if no contract accepts tokens.
//
// An operator may act on every token of the owner. The messages are about preferredToken if
// the owner owns it, and otherwise about the owner's first token. If the owner owns no
// token, there are no messages.
func attemptsWith(view *chain.View, grant cw721.Grant, preferredToken *string) ([]attempt, error) {
	tokenID, isFound, err := tokenToTry(view, grant, preferredToken)
	if err != nil || !isFound {
		return nil, err
	}

	var attempts []attempt
	for _, actionName := range attemptedActions[grant.Kind] {
		action, _ := cw721.ActionNamed(actionName)
		msg := view.Layout.Message(action.Message(tokenID, grant.Spender)) // older contracts have other names
		if send, isSend := msg.(*cw721.SendNft); isSend {
			send.Contract, isFound, err = findAcceptingContract(view)
			if err != nil {
				return nil, err
			}
			if !isFound {
				continue
			}
		}
		attempts = append(attempts, attempt{action: actionName, msg: msg})
	}
	return attempts, nil
}

// tokenToTry returns the token to try a grant on; see [attemptsWith]. isFound is false if the
// owner owns no token.
func tokenToTry(
	view *chain.View,
	grant cw721.Grant,
	preferredToken *string,
) (tokenID string, isFound bool, err error) {
	if grant.Kind != cw721.GrantOperator {
		return grant.Token, true, nil
	}
	if preferredToken != nil {
		token, exists, err := view.Token(*preferredToken)
		if err != nil {
			return "", false, err
		}
		if exists && token.Owner == grant.Owner {
			return token.ID, true, nil
		}
	}
	return firstTokenOf(view, grant.Owner)
}

// firstTokenOf returns the first token of an owner by id. isFound is false if the owner owns
// no token.
func firstTokenOf(view *chain.View, owner cw721.Address) (tokenID string, isFound bool, err error) {
	for first, err := range view.Tokens(owner, cw721.Walk{}) {
		return first.ID, err == nil, err
	}
	return "", false, nil
}

// findAcceptingContract returns an account that is a contract and accepts tokens. If a token
// cannot be sent to it, the reason is a missing permission, and not the receiver.
func findAcceptingContract(view *chain.View) (contract cw721.Address, isFound bool, err error) {
	accounts, err := view.Accounts()
	if err != nil {
		return "", false, err
	}
	for _, account := range accounts {
		if account.Receiver == chain.ReceiverAccepts {
			return account.Address, true, nil
		}
	}
	return "", false, nil
}
