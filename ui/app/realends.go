package app

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/reach"
	"ephemera/themes"
)

// Outlives is said where a grant on the screen lasts longer than it says.
const Outlives = "  " + themes.GlyphArrow + " outlives its expiry"

// RealEnds are the moments until which grants really let a token be moved if its
// owner does nothing. Each takes a search, so they are read for the grants on the
// screen alone, and after these: no cursor waits for them.
type RealEnds struct {
	Revision uint64 // of the view that they were read in
	of       map[cw721.Grant]cw721.Expiration
}

// Of is the real end of a grant; while nobody has looked, what the grant says.
func (r RealEnds) Of(g cw721.Grant) cw721.Expiration {
	if end, known := r.of[g]; known {
		return end
	}
	return g.Expires
}

// Later tells whether the real end of a grant is later than it says.
func (r RealEnds) Later(g cw721.Grant) bool { return r.Of(g) != g.Expires }

// Needs gives the Read of the grants on the screen; nil where all are known.
func (r RealEnds) Needs(st *State, shown []cw721.Grant) Read {
	for _, g := range shown {
		if _, known := r.of[g]; !known || r.Revision != st.Revision {
			return func(v *chain.View, _ Facts) (tea.Msg, error) { return r.Read(v, shown) }
		}
	}
	return nil
}

// Read gives the real ends of grants in a view, of which some may be known.
func (r RealEnds) Read(v *chain.View, grants []cw721.Grant) (RealEnds, error) {
	out := RealEnds{v.Revision, map[cw721.Grant]cw721.Expiration{}}
	for _, g := range grants {
		end, known := r.of[g]
		if !known || r.Revision != v.Revision {
			var err error
			if end, err = reach.RealExpiry(context.Background(), v, g); err != nil {
				return out, err
			}
		}
		out.of[g] = end
	}
	return out, nil
}
