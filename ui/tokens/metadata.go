package tokens

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/picture"
	"ephemera/ui/widget"
)

// labelWidth is the width in cells of the labels of the metadata, such as "description".
const labelWidth = 14

// shortURI returns a URI shortened in the middle, so that it and the label "uri  " fit on
// a line of width cells.
func shortURI(uri string, width int) string {
	uriWidth := max(width-len("uri  "), 1)
	return widget.Shorten(uri, uriWidth)
}

// metadataLines lists a token's metadata below a heading of two lines. If the URI was
// shortened at the top of the details, it follows in full. pictureFault says why there is
// no picture. It is empty if there is one or nothing to draw.
func metadataLines(token chain.Token, width int, pictureFault string) []widget.Line {
	lines := []widget.Line{nil, widget.Header("Metadata")}
	if token.Extension.Metadata == nil {
		lines = append(lines, widget.Faint("none"))
	} else {
		lines = append(lines, fieldLines(token.Extension.Metadata, width, pictureFault)...)
	}
	if uri := token.TokenURI; uri != nil && shortURI(*uri, width) != *uri {
		lines = append(lines, nil, widget.Muted("uri  ").Text(*uri))
	}
	return lines
}

// fieldLines lists the metadata fields that are set with their values, then the traits,
// and names the fields that are not set on one line. pictureFault says why there is no
// picture; it is empty if there is one or nothing to draw.
func fieldLines(metadata *cw721.Metadata, width int, pictureFault string) (lines []widget.Line) {
	if pictureFault != "" {
		lines = append(lines, labelLine("picture").Append(themes.Faint, pictureFault))
	}

	// List what is set, and collect the names of what is not.
	var unsetNames []string
	fields := []struct {
		name  string
		value *string
	}{
		{"name", metadata.Name},
		{"description", metadata.Description},
		{"image", metadata.Image},
		{"image data", metadata.ImageData},
		{"external url", metadata.ExternalURL},
		{"background", metadata.BackgroundColor},
		{"animation", metadata.AnimationURL},
		{"youtube", metadata.YoutubeURL},
	}
	for _, field := range fields {
		if field.value == nil {
			unsetNames = append(unsetNames, field.name)
			continue
		}
		lines = append(lines, valueLines(field.name, *field.value, width)...)
	}
	if metadata.Attributes == nil {
		unsetNames = append(unsetNames, "traits")
	} else {
		lines = append(lines, traitLines(*metadata.Attributes)...)
	}
	if len(unsetNames) > 0 {
		lines = append(lines, widget.Faint("not set: "+strings.Join(unsetNames, ", ")))
	}
	return lines
}

// labelLine returns a line that begins with a label, padded to the column of the values.
func labelLine(label string) widget.Line {
	return widget.Muted(widget.Fit(label, labelWidth))
}

// valueLines returns the lines of a field: its label, and a line for each line of the
// value up to [app.MaxListLines]. It shortens a data URI, which may be as long as a
// picture, in the middle.
func valueLines(name, value string, width int) (lines []widget.Line) {
	if strings.HasPrefix(value, "data:") {
		valueWidth := max(width/2-labelWidth, 20) // half of the line with the label
		return []widget.Line{labelLine(name).Text(widget.Shorten(value, valueWidth))}
	}
	label := name
	for i, text := range strings.Split(value, "\n") {
		if i == app.MaxListLines {
			indent := widget.Fit("", labelWidth)
			return append(lines, widget.Faint(indent+themes.GlyphEllipsis+" more lines"))
		}
		lines = append(lines, labelLine(label).Text(text))
		label = ""
	}
	return lines
}

// traitLines returns the number of traits, and a line such as "· eyes: laser" for each of
// the first [app.MaxListLines].
func traitLines(traits []cw721.Trait) []widget.Line {
	lines := []widget.Line{labelLine("traits").Text(human.Thousands(len(traits)))}
	for i, trait := range traits {
		if i == app.MaxListLines {
			count := human.Thousands(len(traits) - i)
			more := "  " + themes.GlyphEllipsis + " " + count + " more"
			return append(lines, widget.Faint(more))
		}
		line := widget.Muted("  " + themes.GlyphDot + " " + trait.TraitType + ": ").Text(trait.Value)
		if trait.DisplayType != nil {
			line = line.Append(themes.Faint, " ("+*trait.DisplayType+")")
		}
		lines = append(lines, line)
	}
	return lines
}

// shownPicture is the picture beside the metadata, or the reason that there is none.
type shownPicture struct {
	picture.CellPicture
	key   pictureKey // what the picture was drawn from
	fault string     // why it could not be drawn; "" if it was
}

// pictureKey holds everything that a drawn picture depends on. While it stays the same,
// the picture need not be drawn again.
type pictureKey struct {
	picture.Source
	maxWidth   int  // in cells
	maxHeight  int  // in cells
	isSent     bool // it is sent to the terminal as a bitmap, not drawn with characters
	freedCount int  // [app.State.PicturesFreed] when it was drawn
}

// withoutCells returns a picture that shows nothing. It remembers whether the picture
// before was sent to the terminal, which keeps that in its memory until the explorer
// deletes it.
func (p shownPicture) withoutCells() shownPicture {
	return shownPicture{key: pictureKey{isSent: p.key.isSent}}
}

// Limits of the width of a picture, in cells. In less room than the least width, no
// picture is drawn.
const (
	minPictureWidth = 12
	maxPictureWidth = 40
)

// readPicture returns the background read that draws the token's picture for a box. If the
// token has no picture, or the box is too small for one, readPicture removes the picture
// before, and the read makes the terminal free its memory. readPicture returns nil if there
// is nothing to do.
func (d *tokenDetail) readPicture(state *app.State, box widget.Box) app.Read {
	key := d.pictureKey(state, box)
	if !key.MayHavePicture() || key.maxWidth < minPictureWidth {
		return d.removePicture(state)
	}
	if key == d.picture.key {
		return nil
	}

	// The picture is drawn on another goroutine, from copies of what the state says now.
	sendPicture := state.SendPicture
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

// pictureKey returns what the picture of the token in the pane would be drawn from, and
// its largest size in a box. Its Source is empty if the token has no metadata.
func (d *tokenDetail) pictureKey(state *app.State, box widget.Box) pictureKey {
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

// removePicture removes the picture from the pane. It returns the background read that
// makes the terminal free the memory of the picture. It returns nil if no picture was sent
// to the terminal.
func (d *tokenDetail) removePicture(state *app.State) app.Read {
	sendPicture := state.SendPicture
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

// valueOrEmpty returns the text of an optional field, or "" for nil.
func valueOrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
