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

// CellPicture is a picture as text for a terminal: rows of characters, which hold the
// escape sequences of their colours.
type CellPicture struct {
	Rows  []string // from top to bottom
	Width int      // of each row, in cells
}

// Draw loads the picture and draws it in at most width × height cells.
//
// If the terminal supports Kitty's placeholders, send writes to the terminal, and Draw sends
// the picture itself with it. For every other terminal send is nil. There each cell shows two
// pixels, one above the other, in the colours of the profile.
//
// Draw fails as [Source.Load] does, if the profile has no colours, and if send fails.
func (s Source) Draw(
	width, height int,
	profile termenv.Profile,
	send func([]byte) error,
) (CellPicture, error) {
	if profile == termenv.Ascii {
		return CellPicture{}, errors.New("it is not drawn without colours or in ASCII")
	}
	img, err := s.Load()
	switch {
	case err != nil:
		return CellPicture{}, err
	case send != nil:
		return drawWithKitty(img, width, height, send)
	}
	return drawBlocks(img, width, height, profile), nil
}

// scaleToFit scales a picture to fit into width × height pixels and keeps its
// proportions. A picture that is smaller is enlarged by a whole factor, so that each of
// its pixels stays a sharp square.
func scaleToFit(img image.Image, width, height int) *image.RGBA {
	size := img.Bounds().Size()
	if factor := min(width/size.X, height/size.Y); factor >= 1 {
		return scale(img, size.Mul(factor), draw.NearestNeighbor)
	}

	heightForWidth := max(size.Y*width/size.X, 1)
	if heightForWidth <= height {
		return scale(img, image.Pt(width, heightForWidth), draw.CatmullRom)
	}
	widthForHeight := max(size.X*height/size.Y, 1)
	return scale(img, image.Pt(widthForHeight, height), draw.CatmullRom)
}

func scale(img image.Image, size image.Point, scaler draw.Scaler) *image.RGBA {
	scaled := image.NewRGBA(image.Rectangle{Max: size})
	scaler.Scale(scaled, scaled.Bounds(), img, img.Bounds(), draw.Src, nil)
	return scaled
}

const resetStyle = "\x1b[0m" // the escape sequence that ends all colours

// drawBlocks draws two pixels in each cell with the characters ▀ and ▄. Where the picture is
// transparent, the background of the terminal is visible. To keep the rows short, an escape
// sequence is written only where the colours change.
func drawBlocks(img image.Image, width, height int, profile termenv.Profile) CellPicture {
	pixels := scaleToFit(img, width, 2*height)
	size := pixels.Bounds().Size()
	picture := CellPicture{Width: size.X}
	for y := 0; y < size.Y; y += 2 {
		var row strings.Builder
		previousStyle := ""
		for x := range size.X {
			upper := pixels.RGBAAt(x, y)
			lower := pixels.RGBAAt(x, y+1) // transparent below the last row
			block, style := blockOf(upper, lower, profile)
			if style != previousStyle {
				row.WriteString(resetStyle)
				if style != "" {
					row.WriteString("\x1b[" + style + "m")
				}
				previousStyle = style
			}
			row.WriteString(block)
		}
		picture.Rows = append(picture.Rows, row.String()+resetStyle)
	}
	return picture
}

// blockOf returns the character for a cell of two pixels, and its colours as the parameters of
// an SGR escape sequence, such as "38;2;255;0;0;48;2;0;0;255", or "" without colours.
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

// isTransparent reports whether a pixel is less than half opaque.
func isTransparent(colour color.RGBA) bool { return colour.A < 0x80 }

// colourCode returns the colour of the profile that is nearest to a colour, as the parameters of
// an SGR escape sequence.
func colourCode(profile termenv.Profile, colour color.RGBA, isBackground bool) string {
	hexCode := fmt.Sprintf("#%02x%02x%02x", colour.R, colour.G, colour.B)
	return profile.Color(hexCode).Sequence(isBackground)
}

// pictureID is the number by which the terminal knows the picture. The explorer shows one
// picture at a time, and a new one replaces it. A placeholder contains the number as its
// colour, which is one of 256.
const pictureID = 219

// A picture is sent with this many pixels for each cell. Cells of most terminals have
// fewer, so the terminal scales the picture down and shows it sharp.
const (
	cellWidth  = 16
	cellHeight = 32
)

// drawWithKitty sends a picture to the terminal with Kitty's graphics protocol. The terminal
// stores it as pictureID and does not show it yet.
//
// The returned rows have one placeholder character for each cell, in place of which the
// terminal draws a piece of the picture. The colour of the placeholder is pictureID, and its
// two diacritics are the row and the column of the piece. So the rows can be moved and clipped
// like text.
func drawWithKitty(img image.Image, width, height int, send func([]byte) error) (CellPicture, error) {
	pixels := scaleToFit(img, cellWidth*width, cellHeight*height)
	size := pixels.Bounds().Size()
	columns := min((size.X+cellWidth-1)/cellWidth, width)
	rows := min((size.Y+cellHeight-1)/cellHeight, height)

	var message bytes.Buffer
	err := kitty.EncodeGraphics(&message, pixels, &kitty.Options{
		Action:           kitty.TransmitAndPut,
		Quiet:            2, // the terminal sends no answers
		ID:               pictureID,
		Format:           kitty.PNG,
		Transmission:     kitty.Direct,
		Chunk:            true,
		VirtualPlacement: true,
		Columns:          columns,
		Rows:             rows,
	})
	if err != nil || send(message.Bytes()) != nil {
		return CellPicture{}, errors.New("the terminal does not take it")
	}

	picture := CellPicture{Width: columns}
	for y := range rows {
		var row strings.Builder
		fmt.Fprintf(&row, "\x1b[38;5;%dm", pictureID)
		for x := range columns {
			row.WriteRune(kitty.Placeholder)
			row.WriteRune(kitty.Diacritic(y))
			row.WriteRune(kitty.Diacritic(x))
		}
		picture.Rows = append(picture.Rows, row.String()+resetStyle)
	}
	return picture, nil
}

// DeleteSequence returns the escape sequence with which the terminal deletes the
// picture that was sent, and frees its memory.
func DeleteSequence() string {
	options := &kitty.Options{
		Action:          kitty.Delete,
		Delete:          kitty.DeleteID,
		DeleteResources: true,
		ID:              pictureID,
		Quiet:           2, // the terminal sends no answer
	}
	return ansi.KittyGraphics(nil, options.Options()...)
}

// HasPlaceholders reports whether a terminal supports Kitty's placeholders. It decides by
// the name that the terminal has answered, such as "kitty(0.42.1)", because some
// terminals support the graphics protocol without placeholders.
func HasPlaceholders(terminal string) bool {
	name := strings.ToLower(terminal)
	return strings.HasPrefix(name, "kitty") || strings.HasPrefix(name, "ghostty")
}
