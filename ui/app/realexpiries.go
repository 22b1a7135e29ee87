package app

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/reach"
)

// RenewableHint says what the arrow behind the expiry of a grant means: its spender can
// renew it alone, so it has effect after its expiry.
const RenewableHint = "renewable without the owner"

// RealExpiries holds the real expiries of grants: until when each lets a token be moved
// if the token's owner does nothing. A real expiry takes a search, so only those of the
// grants on the screen are read, after the grants are shown. The search is made again
// when the live grants over the token have changed.
type RealExpiries struct {
	of map[cw721.Grant]realExpiry
}

// realExpiry is until when a grant lets a token be moved if the token's owner does nothing, and
// the facts from which that was derived.
type realExpiry struct {
	expires       cw721.Expiration
	revision      uint64        // the revision at which expires holds
	token         string        // the token that was searched for
	liveGrants    []cw721.Grant // over the token, at most liveGrantsRead
	hasMoreGrants bool          // the token has more live grants
}

// The bounds of one background reading.
const (
	// searchesPerRead is how many searches one background reading may make, so that
	// other readings need not wait long. The next reading makes those that are left.
	searchesPerRead = 10
	// liveGrantsRead is how many live grants over a token are compared. For a token with
	// more, the search is made again at every revision.
	liveGrantsRead = 100
)

// Of returns the real expiry of a grant, until which the grant lets a token be moved. As
// long as that is not read, it returns the expiry that is stored with the grant.
func (r RealExpiries) Of(g cw721.Grant) cw721.Expiration {
	if read, isRead := r.of[g]; isRead {
		return read.expires
	}
	return g.Expires
}

// IsLater reports whether a grant has effect after its expiry.
func (r RealExpiries) IsLater(g cw721.Grant) bool { return r.Of(g) != g.Expires }

// CountLater counts the grants that have effect after their expiry. isExact is false if
// the real expiry of some of them was not read, so that there may be more.
func (r RealExpiries) CountLater(grants []cw721.Grant) (count int, isExact bool) {
	isExact = true
	for _, g := range grants {
		_, isRead := r.of[g]
		isExact = isExact && isRead
		if r.IsLater(g) {
			count++
		}
	}
	return count, isExact
}

// Needs returns the function that reads the real expiries of the grants on the screen;
// nil if all of them were read at the revision that is shown, or no rule set is known.
func (r RealExpiries) Needs(st *State, shown []cw721.Grant) Read {
	isMissing := func(g cw721.Grant) bool {
		read, isRead := r.of[g]
		return !isRead || read.revision != st.Revision
	}
	if st.NoRules != "" || !slices.ContainsFunc(shown, isMissing) {
		return nil
	}
	return func(v *chain.View, _ Facts) (tea.Msg, error) { return r.Read(v, shown) }
}

// Read returns the real expiries of the shown grants, and those in r that were read at the
// revision of the view, for when the user scrolls back. It makes at most searchesPerRead
// searches. If that is too few, the remaining grants keep their old real expiry, or have
// none yet. Without a known rule set Read returns none.
func (r RealExpiries) Read(v *chain.View, shown []cw721.Grant) (RealExpiries, error) {
	read := RealExpiries{of: map[cw721.Grant]realExpiry{}}
	if v.Rules == "" {
		return read, nil
	}

	// What was found at this revision is still right.
	for g, old := range r.of {
		if old.revision == v.Revision {
			read.of[g] = old
		}
	}

	searches := 0
	for _, g := range shown {
		if _, isRead := read.of[g]; isRead {
			continue
		}

		// The result depends on the grants in force over the token. If they are the same,
		// so is the result.
		current, err := liveGrantsFor(v, g)
		if err != nil {
			return read, err
		}
		old, isKnown := r.of[g]
		switch {
		case isKnown && current.dependsOnSame(old):
			current.expires = old.expires
		case searches < searchesPerRead:
			searches++
			overToken := g
			overToken.Token = current.token
			current.expires, err = reach.RealExpiry(context.Background(), v, overToken)
			if err != nil {
				return read, err
			}
		case isKnown:
			current = old // of an earlier revision, so the next reading searches again
		default:
			continue
		}
		read.of[g] = current
	}
	return read, nil
}

// dependsOnSame reports whether two real expiries of a grant are sure to be the same,
// because the same live grants over the same token lead to them.
func (r realExpiry) dependsOnSame(other realExpiry) bool {
	return r.token == other.token && !r.hasMoreGrants && slices.Equal(r.liveGrants, other.liveGrants)
}

// liveGrantsFor returns what the real expiry of a grant is derived from: a token that the
// grant covers, and the live grants over that token. An operator grant covers all tokens of
// its owner; the search is made for the first one. The field expires stays empty.
func liveGrantsFor(v *chain.View, g cw721.Grant) (current realExpiry, err error) {
	current.revision = v.Revision
	current.token = g.Token
	if g.Kind == cw721.GrantOperator {
		current.token, err = v.FirstToken(g.Owner)
		if err != nil {
			return current, err
		}
	}

	// Collect the grants in force, up to a limit.
	for other, err := range v.GrantsOver(current.token) {
		switch {
		case err != nil:
			return current, err
		case other.Expires.Expired(v.Clock.Block()):
			continue
		case len(current.liveGrants) == liveGrantsRead:
			current.hasMoreGrants = true
			return current, nil
		}
		current.liveGrants = append(current.liveGrants, other)
	}
	return current, nil
}
