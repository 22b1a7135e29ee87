package tokens

import (
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/picture"
	"ephemera/ui/widget"
)

// shownPicture is the picture beside the metadata, or the reason that there is none.
type shownPicture struct {
	picture.CellPicture
	key   pictureKey // what the picture was drawn from
	fault string     // why it could not be drawn; "" if it was
}

// pictureKey holds everything that a drawn picture depends on.
type pictureKey struct {
	picture.Source
	maxWidth   int  // in cells
	maxHeight  int  // in cells
	isSent     bool // it is sent to the terminal as a bitmap, not drawn with characters
	freedCount int  // [app.State.PicturesFreed] when it was drawn
}

// Limits of the width of a picture, in cells. In less room, none is drawn.
const (
	minPictureWidth = 12
	maxPictureWidth = 40
)

// readPicture returns the background read that draws the token's picture for a box. If the
// token has no picture, or the box is too small for one, readPicture removes the picture
// before, and the read makes the terminal free its memory. readPicture returns nil if there
// is nothing to do.
func (d *tokenDetail) readPicture(state *app.State, box widget.Box) app.Read {
	sendPicture := state.SendPicture
	key := d.nextPicture(state, box)
	if !key.MayHavePicture() || key.maxWidth < minPictureWidth {
		wasSent := d.picture.key.isSent
		d.picture = shownPicture{}
		if !wasSent {
			return nil
		}
		return func(*chain.View, app.Facts) (tea.Msg, error) {
			// Sending fails only if the terminal is gone, and its memory with it.
			_ = sendPicture([]byte(picture.DeleteSequence()))
			return shownPicture{}, nil
		}
	}
	if key == d.picture.key {
		return nil
	}

	// The picture is drawn on another goroutine, from copies of what the state says now.
	profile := state.ThemeOptions.Profile
	if state.ThemeOptions.NoColor || state.ThemeOptions.ASCII {
		profile = termenv.Ascii
	}
	return func(*chain.View, app.Facts) (tea.Msg, error) {
		cellPicture, err := key.Draw(key.maxWidth, key.maxHeight, profile, sendPicture)
		newPicture := shownPicture{CellPicture: cellPicture, key: key}
		if err != nil {
			newPicture.fault = err.Error()
		}
		return newPicture, nil
	}
}

// nextPicture returns what the picture of the token in the pane would be drawn from, and
// its largest size in a box. Its Source is empty if the token has no metadata.
func (d *tokenDetail) nextPicture(state *app.State, box widget.Box) pictureKey {
	key := pictureKey{isSent: state.SendPicture != nil, freedCount: state.PicturesFreed}
	if d.facts != nil && d.facts.token.Extension.Metadata != nil {
		metadata := d.facts.token.Extension.Metadata
		key.Source = picture.Source{
			Data:  valueOrEmpty(metadata.ImageData),
			Image: valueOrEmpty(metadata.Image),
			Dir:   state.Media,
		}
	}

	// The picture takes two fifths of the width, but at least 24 cells if the box has them. A
	// cell is about twice as high as wide, so half as many lines make a square.
	key.maxWidth = min(max(box.W*2/5, 24), box.W, maxPictureWidth)
	key.maxHeight = min(key.maxWidth/2, max(box.H-1, 6))
	return key
}
