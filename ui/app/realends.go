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

// Outlives is shown where a grant on the screen lasts longer than it says.
const Outlives = "  " + themes.GlyphArrow + " outlives its expiry"

// RealEnds holds the real expiries of grants: until when each lets a token be moved
// if the token's owner does nothing. Each takes a search, so they are read for the
// grants on the screen alone, and after these: no cursor waits for them. A search is
// made again when the live grants over the token have changed, or one has expired.
type RealEnds struct {
	of map[cw721.Grant]realEnd
}

// realEnd is the real expiry of a grant, and what it was derived from.
type realEnd struct {
	expires  cw721.Expiration
	revision uint64 // at which it holds
	token    string
	live     []cw721.Grant // over the token
	more     bool          // there are more live grants, which are not compared
}

const (
	// searchesPerRead bounds the searches of one reading. The next one goes on.
	searchesPerRead = 10
	// liveGrantsRead bounds the live grants over a token that are compared.
	liveGrantsRead = 100
)

// Of returns the real expiry of a grant; until it is known, what the grant says.
func (r RealEnds) Of(g cw721.Grant) cw721.Expiration {
	if end, known := r.of[g]; known {
		return end.expires
	}
	return g.Expires
}

// Later reports whether a grant lasts longer than it says.
func (r RealEnds) Later(g cw721.Grant) bool { return r.Of(g) != g.Expires }

// Needs returns the Read of the grants on the screen; nil if all are known.
func (r RealEnds) Needs(st *State, shown []cw721.Grant) Read {
	isUnknown := func(g cw721.Grant) bool {
		end, known := r.of[g]
		return !known || end.revision != st.Revision
	}
	if !slices.ContainsFunc(shown, isUnknown) {
		return nil
	}
	return func(v *chain.View, _ Facts) (tea.Msg, error) { return r.Read(v, shown) }
}

// Read returns the real expiries of grants in a view. It takes over those of r that
// still hold.
func (r RealEnds) Read(v *chain.View, grants []cw721.Grant) (RealEnds, error) {
	read := RealEnds{of: map[cw721.Grant]realEnd{}}
	searches := 0
	for _, g := range grants {
		old, known := r.of[g]
		if known && old.revision == v.Revision {
			read.of[g] = old
			continue
		}

		now, err := liveGrantsFor(v, g)
		if err != nil {
			return read, err
		}
		switch {
		case known && !now.more && now.token == old.token && slices.Equal(now.live, old.live):
			now.expires = old.expires
		case searches == searchesPerRead:
			if known {
				read.of[g] = old
			}
			continue
		default:
			searches++
			overToken := g
			overToken.Token = now.token
			now.expires, err = reach.RealExpiry(context.Background(), v, overToken)
		}
		if err != nil {
			return read, err
		}
		read.of[g] = now
	}
	return read, nil
}

// liveGrantsFor returns what the real expiry of a grant depends on. An operator is
// tried on the first token of the owner.
func liveGrantsFor(v *chain.View, g cw721.Grant) (end realEnd, err error) {
	end.revision = v.Revision
	end.token = g.Token
	if g.Kind == cw721.GrantOperator {
		end.token, err = v.FirstToken(g.Owner)
		if err != nil {
			return end, err
		}
	}
	for other, err := range v.GrantsOver(end.token) {
		if err != nil {
			return end, err
		}
		if other.Expires.Expired(v.Clock.Block()) {
			continue
		}
		if end.more = len(end.live) == liveGrantsRead; end.more {
			break
		}
		end.live = append(end.live, other)
	}
	return end, nil
}
