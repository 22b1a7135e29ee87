package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/muesli/termenv"
	"golang.org/x/image/draw"
)

// CellPicture is a picture as rows of cells.
type CellPicture struct {
	Rows  []string
	Width int // of each row, in cells
}

// Draw loads the picture and draws it in at most width × height cells. send writes to a
// terminal that has Kitty's placeholders. It is nil for other terminals: there a cell shows
// two pixels in the colours of the profile. Draw fails as [Source.Load] does, and for a
// profile without colours.
func (s Source) Draw(width, height int, profile termenv.Profile, send func([]byte) error) (CellPicture, error) {
	if profile == termenv.Ascii {
		return CellPicture{}, errors.New("it is not drawn without colours or in ASCII")
	}
	img, err := s.Load()
	switch {
	case err != nil:
		return CellPicture{}, err
	case send != nil:
		return drawPlaceholders(img, width, height, send)
	}
	return drawBlocks(img, width, height, profile), nil
}

// scaleToFit scales a picture to fit into width × height pixels. A small one grows by a
// whole factor, so that its pixels stay square.
func scaleToFit(img image.Image, width, height int) *image.RGBA {
	from := img.Bounds().Size()
	to := image.Pt(width, max(from.Y*width/from.X, 1))
	if to.Y > height {
		to = image.Pt(max(from.X*height/from.Y, 1), height)
	}
	var scaler draw.Scaler = draw.CatmullRom
	if factor := min(width/from.X, height/from.Y); factor >= 1 {
		to = from.Mul(factor)
		scaler = draw.NearestNeighbor
	}
	scaled := image.NewRGBA(image.Rectangle{Max: to})
	scaler.Scale(scaled, scaled.Bounds(), img, img.Bounds(), draw.Src, nil)
	return scaled
}

const resetStyle = "\x1b[0m"

// drawBlocks draws two pixels in each cell, one above the other. The background shows where
// the picture is transparent.
func drawBlocks(img image.Image, width, height int, profile termenv.Profile) CellPicture {
	pixels := scaleToFit(img, width, 2*height)
	size := pixels.Bounds().Size()
	drawn := CellPicture{Width: size.X}
	for y := 0; y < size.Y; y += 2 {
		var row strings.Builder
		lastStyle := ""
		for x := range size.X {
			block, style := blockOf(pixels.RGBAAt(x, y), pixels.RGBAAt(x, y+1), profile)
			if style != lastStyle {
				row.WriteString(resetStyle)
				if style != "" {
					row.WriteString("\x1b[" + style + "m")
				}
				lastStyle = style
			}
			row.WriteString(block)
		}
		drawn.Rows = append(drawn.Rows, row.String()+resetStyle)
	}
	return drawn
}

// blockOf returns the character for a cell of two pixels, and its colours as SGR
// parameters.
func blockOf(upper, lower color.RGBA, profile termenv.Profile) (block, style string) {
	switch {
	case isTransparent(upper) && isTransparent(lower):
		return " ", ""
	case isTransparent(upper):
		return "▄", colourCode(profile, lower, false)
	case isTransparent(lower):
		return "▀", colourCode(profile, upper, false)
	}
	return "▀", colourCode(profile, upper, false) + ";" + colourCode(profile, lower, true)
}

func isTransparent(c color.RGBA) bool { return c.A < 0x80 }

// colourCode returns the SGR parameters of a colour.
func colourCode(profile termenv.Profile, c color.RGBA, isBackground bool) string {
	return profile.Color(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)).Sequence(isBackground)
}

// pictureID identifies the picture to the terminal. One is shown at a time, so the next
// replaces it. Placeholders carry it as one of 256 colours.
const pictureID = 219

// The size of most cells is less than these pixels.
const (
	cellWidth  = 16
	cellHeight = 32
)

// drawPlaceholders draws by Kitty's graphics protocol: the picture itself is sent, and the
// rows are characters that stand for its parts.
func drawPlaceholders(img image.Image, width, height int, send func([]byte) error) (CellPicture, error) {
	pixels := scaleToFit(img, cellWidth*width, cellHeight*height)
	size := pixels.Bounds().Size()
	columns := min((size.X+cellWidth-1)/cellWidth, width)
	rows := min((size.Y+cellHeight-1)/cellHeight, height)

	var sent bytes.Buffer
	err := kitty.EncodeGraphics(&sent, pixels, &kitty.Options{
		Action:           kitty.TransmitAndPut,
		Quiet:            2,
		ID:               pictureID,
		Format:           kitty.PNG,
		Transmission:     kitty.Direct,
		Chunk:            true,
		VirtualPlacement: true,
		Columns:          columns,
		Rows:             rows,
	})
	if err == nil {
		err = send(sent.Bytes())
	}
	if err != nil {
		return CellPicture{}, errors.New("the terminal does not take it")
	}

	drawn := CellPicture{Width: columns}
	for y := range rows {
		var row strings.Builder
		fmt.Fprintf(&row, "\x1b[38;5;%dm", pictureID)
		for x := range columns {
			row.WriteRune(kitty.Placeholder)
			row.WriteRune(kitty.Diacritic(y))
			row.WriteRune(kitty.Diacritic(x))
		}
		drawn.Rows = append(drawn.Rows, row.String()+resetStyle)
	}
	return drawn, nil
}

// DeleteSequence returns the sequence with which the terminal frees the picture that was sent.
func DeleteSequence() string {
	options := &kitty.Options{
		Action:          kitty.Delete,
		Delete:          kitty.DeleteID,
		DeleteResources: true,
		ID:              pictureID,
		Quiet:           2,
	}
	return ansi.KittyGraphics(nil, options.Options()...)
}

// HasPlaceholders reports whether a terminal has Kitty's placeholders, by the name that the
// terminal gives. Some others have the protocol without them, so asking for the protocol
// is not enough.
func HasPlaceholders(terminal string) bool {
	name := strings.ToLower(terminal)
	return strings.HasPrefix(name, "kitty") || strings.HasPrefix(name, "ghostty")
}
