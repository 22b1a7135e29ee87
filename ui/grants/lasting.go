package grants

import (
	"context"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/reach"
	"ephemera/themes"
	"ephemera/ui/app"
)

// lasting says of grants whether their spenders, or whom they can hand them to,
// can move a token after they have expired. That is a search for each, so it is
// read for the rows on the screen alone: with their cells where they were there
// before, and else once they show.
type lasting struct {
	revision uint64
	of       map[string]bool // by the keys of rows
}

// and adds what grants do to what is known at the revision of a view.
func (l lasting) and(v *chain.View, grants map[string]expiry.Entry) (lasting, error) {
	out := lasting{v.Revision, map[string]bool{}}
	if l.revision == v.Revision {
		maps.Copy(out.of, l.of)
	}
	for key, e := range grants {
		really, err := reach.RealEnd(context.Background(), v, e.Grant)
		if err != nil {
			return out, err
		}
		out.of[key] = really != e.Expires
	}
	return out, nil
}

// onScreen are the grants on the screen that nothing is known of at a revision.
func (g *Screen) onScreen(revision uint64) map[string]expiry.Entry {
	lacks := map[string]expiry.Entry{}
	for _, row := range g.table.InView() {
		if _, known := g.lasting.of[row.Key]; !known || g.lasting.revision != revision {
			lacks[row.Key] = g.entries[row.Key]
		}
	}
	return lacks
}

// outlasting reads it for rows that have come onto the screen; nil where it is
// known.
func (g *Screen) outlasting(st *app.State) app.Read {
	known, lacks := g.lasting, g.onScreen(st.Revision)
	if len(lacks) == 0 {
		return nil
	}
	return func(v *chain.View, _ app.Facts) (tea.Msg, error) { return known.and(v, lacks) }
}

// showLasting puts a sign behind the expiries that are outlived, and tells whether
// there is one.
func (g *Screen) showLasting() (some bool) {
	at := g.views[0].column // of the expiry
	for _, row := range g.table.InView() {
		if g.lasting.of[row.Key] {
			row.Cells[at][1].Text = " " + themes.GlyphArrow
		}
		some = some || g.lasting.of[row.Key]
	}
	return some
}
