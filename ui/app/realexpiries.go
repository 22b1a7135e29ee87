package app

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/whocan"
)

// RenewableHint says what the arrow behind the expiry of a grant means. The spender can
// renew such a grant without its owner, so the grant has effect even after its expiry.
const RenewableHint = "renewable without the owner"

// RealExpiries holds the real expiries of grants. The real expiry of a grant is the moment
// until which its spender can move a token with it, if the token's owner does nothing. It
// can be later than the expiry that is stored with the grant, because a spender may be able
// to renew the grant.
//
// Finding a real expiry takes a search. So only those of the grants on the screen are read,
// after the grants are shown. The search is made again when the live grants over the token
// have changed.
type RealExpiries map[cw721.Grant]realExpiry

// realExpiry is the real expiry of a grant with the facts that it follows from.
type realExpiry struct {
	expires       cw721.Expiration
	revision      uint64        // the revision of the chain at which expires is right
	token         string        // the token that the search was about
	liveGrants    []cw721.Grant // grants in force over the token, at most maxLiveGrants
	hasMoreGrants bool          // the token has more grants in force than liveGrants holds
}

// The limits of one background reading.
const (
	// maxSearches is how many searches one background reading makes at most, so that
	// other readings need not wait long. The next reading makes the remaining searches.
	maxSearches = 10
	// maxLiveGrants is how many grants in force over a token are compared. For a token with
	// more of them, the search is made again at every revision.
	maxLiveGrants = 100
)

// ExpiryOf returns the real expiry of a grant. If that was not read yet, it returns the
// expiry that is stored with the grant.
func (r RealExpiries) ExpiryOf(grant cw721.Grant) cw721.Expiration {
	if knownExpiry, isRead := r[grant]; isRead {
		return knownExpiry.expires
	}
	return grant.Expires
}

// IsLaterThanStored reports whether a grant has effect after its expiry, because its real
// expiry is another one.
func (r RealExpiries) IsLaterThanStored(grant cw721.Grant) bool {
	return r.ExpiryOf(grant) != grant.Expires
}

// CountWithLaterExpiry counts those of some grants that have effect after their expiry.
// isExact is false if the real expiry of one of the grants was not read yet. Then there may
// be more.
func (r RealExpiries) CountWithLaterExpiry(grants []cw721.Grant) (count int, isExact bool) {
	isExact = true
	for _, grant := range grants {
		_, isRead := r[grant]
		isExact = isExact && isRead
		if r.IsLaterThanStored(grant) {
			count++
		}
	}
	return count, isExact
}

// NextRead returns the function that reads the real expiries of the grants on the screen. It
// returns nil if all of them were read at the present revision of the chain. It also returns
// nil if the rules of the contract are not known, because then no search is possible.
func (r RealExpiries) NextRead(state *State, shownGrants []cw721.Grant) Read {
	isMissing := slices.ContainsFunc(shownGrants, func(grant cw721.Grant) bool {
		knownExpiry, isRead := r[grant]
		return !isRead || knownExpiry.revision != state.Revision
	})
	if state.NoRulesReason != "" || !isMissing {
		return nil
	}
	return func(view *chain.View, _ Facts) (tea.Msg, error) { return r.Read(view, shownGrants) }
}

// Read returns the real expiries of the shown grants, and all those in r that are of the
// view's revision, because the user may scroll back. It makes at most maxSearches
// searches. If that is not enough, the remaining grants keep their old real expiry, or have
// none yet. If the rules of the contract are not known, Read returns none.
func (r RealExpiries) Read(view *chain.View, shownGrants []cw721.Grant) (RealExpiries, error) {
	read := RealExpiries{}
	if view.Rules == "" {
		return read, nil
	}

	// Keep what was found at this revision.
	for grant, old := range r {
		if old.revision == view.Revision {
			read[grant] = old
		}
	}

	searches := 0
	for _, grant := range shownGrants {
		if _, isRead := read[grant]; isRead {
			continue
		}

		// Search again if the grants in force over the token have changed.
		current, err := readLiveGrants(view, grant)
		if err != nil {
			return read, err
		}
		old, isKnown := r[grant]
		switch {
		case isKnown && current.isSurelyEqual(old):
			current.expires = old.expires
		case searches < maxSearches:
			searches++
			grantOnToken := grant
			grantOnToken.Token = current.token
			current.expires, err = whocan.RealExpiry(context.Background(), view, grantOnToken)
			if err != nil {
				return read, err
			}
		case isKnown:
			// It keeps its earlier revision, so the next reading searches for it again.
			current = old
		default:
			continue
		}
		read[grant] = current
	}
	return read, nil
}

// isSurelyEqual reports whether two real expiries of a grant must be equal, because they
// follow from the same grants in force over the same token. It is false if there are too
// many such grants to compare all of them.
func (r realExpiry) isSurelyEqual(other realExpiry) bool {
	return r.token == other.token && !r.hasMoreGrants && slices.Equal(r.liveGrants, other.liveGrants)
}

// readLiveGrants reads the facts from which the real expiry of a grant follows: a token that the
// grant is about, the first one of the owner for an operator, and the grants in force over that
// token. It does not set the field expires.
func readLiveGrants(view *chain.View, grant cw721.Grant) (current realExpiry, err error) {
	current.revision = view.Revision
	current.token = grant.Token
	if grant.Kind == cw721.GrantOperator {
		current.token, err = view.FirstToken(grant.Owner)
		if err != nil {
			return current, err
		}
	}

	// Collect the grants in force, up to a limit.
	for liveGrant, err := range view.GrantsOver(current.token) {
		switch {
		case err != nil:
			return current, err
		case liveGrant.Expires.HasExpired(view.Clock.Block()):
			continue
		case len(current.liveGrants) == maxLiveGrants:
			current.hasMoreGrants = true
			return current, nil
		}
		current.liveGrants = append(current.liveGrants, liveGrant)
	}
	return current, nil
}
