package tokens

import (
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/picture"
	"ephemera/ui/widget"
)

// pictureOf is what a picture was drawn from and for.
type pictureOf struct {
	picture.Source
	w, h int // the most cells that it may take
	sent bool
}

// shownPicture is the picture beside the metadata, or why there is none.
type shownPicture struct {
	picture.Drawn
	of    pictureOf
	fault string
}

// needs gives the Read that draws the picture of the token that is shown in a box;
// nil where there is none, or it is drawn.
func (t *tokenDetail) needs(st *app.State, box widget.Box) app.Read {
	of := pictureOf{sent: st.SendPicture != nil}
	if t.facts != nil {
		if m := t.facts.token.Extension.Metadata; m != nil {
			of.Source = picture.Source{Data: stored(m.ImageData), Image: stored(m.Image), Dir: st.Media}
		}
	}
	of.w = min(max(box.W*2/5, 24), box.W, 40)
	of.h = min(of.w/2, max(box.H-1, 6))
	if !of.Any() || of.w < 12 {
		t.pic = shownPicture{}
		return nil
	}
	if of == t.pic.of {
		return nil
	}
	profile, send := st.ThemeOptions.Profile, st.SendPicture
	if st.ThemeOptions.NoColor || st.ThemeOptions.ASCII {
		profile = termenv.Ascii
	}
	return func(*chain.View, app.Facts) (tea.Msg, error) {
		out := shownPicture{of: of}
		drawn, err := of.Draw(of.w, of.h, profile, send)
		if out.Drawn = drawn; err != nil {
			out.fault = err.Error()
		}
		return out, nil
	}
}
