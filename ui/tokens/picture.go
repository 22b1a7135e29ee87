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
	// freed is [app.State.PicturesFreed] at the time.
	freed int
}

// shownPicture is the picture beside the metadata, or why there is none.
type shownPicture struct {
	picture.Drawn
	of    pictureOf
	fault string
}

// without is no picture, while the terminal may still hold the one that was shown.
func (p shownPicture) without() shownPicture { return shownPicture{of: pictureOf{sent: p.of.sent}} }

// needs gives the Read that draws the picture of the token that is shown in a box;
// nil where it is drawn. Where there is none, the terminal frees the one before.
func (t *tokenDetail) needs(st *app.State, box widget.Box) app.Read {
	send := st.SendPicture
	of := pictureOf{sent: send != nil, freed: st.PicturesFreed}
	if t.facts != nil {
		if m := t.facts.token.Extension.Metadata; m != nil {
			of.Source = picture.Source{Data: stored(m.ImageData), Image: stored(m.Image), Dir: st.Media}
		}
	}
	of.w = min(max(box.W*2/5, 24), box.W, 40)
	of.h = min(of.w/2, max(box.H-1, 6))
	if !of.Any() || of.w < 12 {
		held := t.pic.of.sent
		t.pic = shownPicture{}
		if !held {
			return nil
		}
		return func(*chain.View, app.Facts) (tea.Msg, error) {
			_ = send([]byte(picture.Forget())) // a terminal that has gone has no picture either
			return shownPicture{}, nil
		}
	}
	if of == t.pic.of {
		return nil
	}
	profile := st.ThemeOptions.Profile
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
