package app

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/reach"
	"ephemera/themes"
)

// OutlivesHint is the hint of a list with a grant that has effect after its expiry.
const OutlivesHint = "  " + themes.GlyphArrow + " renewable without the owner"

// RealExpiries holds the real expiries of grants: until when each lets a token be moved
// if the token's owner does nothing. A real expiry takes a search, so only those of the
// grants on the screen are read, after the grants are shown. The search is made again
// at every revision.
type RealExpiries struct {
	of map[cw721.Grant]realExpiry
}

// realExpiry is the real expiry of a grant at a revision of the chain.
type realExpiry struct {
	expires  cw721.Expiration
	revision uint64
}

// searchesPerRead is how many searches one background reading may make, so that other
// readings need not wait long. The next reading makes more.
const searchesPerRead = 10

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

// Read returns the real expiries of grants: until when each lets a token be moved. It
// copies those in r that were read at the same revision, and makes at most searchesPerRead
// searches for others. If that is too few, the remaining grants keep their old real expiry,
// or have none yet. Without a known rule set Read returns none.
func (r RealExpiries) Read(v *chain.View, grants []cw721.Grant) (RealExpiries, error) {
	read := RealExpiries{of: map[cw721.Grant]realExpiry{}}
	if v.Rules == "" {
		return read, nil
	}
	searches := 0
	for _, g := range grants {
		end, isKnown := r.of[g]
		isCurrent := isKnown && end.revision == v.Revision
		if !isCurrent && searches < searchesPerRead {
			expires, err := reach.RealExpiry(context.Background(), v, g)
			if err != nil {
				return read, err
			}
			searches++
			end = realExpiry{expires: expires, revision: v.Revision}
			isKnown = true
		}
		if isKnown {
			read.of[g] = end
		}
	}
	return read, nil
}
