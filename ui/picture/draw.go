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

// Drawn is a picture as rows of cells, each Width wide.
type Drawn struct {
	Rows  []string
	Width int
}

// Draw loads the picture and draws it in at most w×h cells. send writes to a
// terminal that has Kitty's placeholders, and is nil for one that has not: there a
// cell is two pixels in the colours of the profile. Its errors are those of [Source.Load].
func (s Source) Draw(w, h int, p termenv.Profile, send func([]byte) error) (Drawn, error) {
	if p == termenv.Ascii {
		return Drawn{}, errors.New("it is not drawn without colours or in ASCII")
	}
	img, err := s.Load()
	switch {
	case err != nil:
		return Drawn{}, err
	case send != nil:
		return placeholders(img, w, h, send)
	}
	return blocks(img, w, h, p), nil
}

// fitted scales a picture to fit a box of pixels. A small one grows by whole
// steps, so that its own pixels stay square.
func fitted(img image.Image, w, h int) *image.RGBA {
	from := img.Bounds().Size()
	var scaler draw.Scaler = draw.CatmullRom
	to := image.Pt(w, max(from.Y*w/from.X, 1))
	if to.Y > h {
		to = image.Pt(max(from.X*h/from.Y, 1), h)
	}
	if n := min(w/from.X, h/from.Y); n >= 1 {
		to, scaler = from.Mul(n), draw.NearestNeighbor
	}
	out := image.NewRGBA(image.Rectangle{Max: to})
	scaler.Scale(out, out.Bounds(), img, img.Bounds(), draw.Src, nil)
	return out
}

// blocks draws two pixels in each cell, one above the other. Where the picture is
// transparent the ground shows.
func blocks(img image.Image, w, h int, p termenv.Profile) Drawn {
	px := fitted(img, w, 2*h)
	size := px.Bounds().Size()
	out := Drawn{Width: size.X}
	for y := 0; y < size.Y; y += 2 {
		var row strings.Builder
		style := ""
		for x := range size.X {
			upper, lower := ink(p, px.RGBAAt(x, y), false), ink(p, px.RGBAAt(x, y+1), true)
			sign := "▀"
			switch {
			case upper == "" && lower == "":
				sign = " "
			case upper == "":
				sign, upper, lower = "▄", ink(p, px.RGBAAt(x, y+1), false), ""
			case lower != "":
				upper += ";"
			}
			if now := upper + lower; now != style {
				row.WriteString("\x1b[0m")
				if now != "" {
					row.WriteString("\x1b[" + now + "m")
				}
				style = now
			}
			row.WriteString(sign)
		}
		out.Rows = append(out.Rows, row.String()+"\x1b[0m")
	}
	return out
}

// ink is the code of a colour; empty where the pixel is rather transparent.
func ink(p termenv.Profile, c color.RGBA, ground bool) string {
	if c.A < 0x80 {
		return ""
	}
	return p.Color(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)).Sequence(ground)
}

// id names the picture to the terminal. One shows at a time, so the next takes
// the place of the one before. It is a colour of 256, as placeholders carry it.
const id = 219

// placeholders draws by the graphics protocol of Kitty: the picture itself is sent,
// and the rows are letters that stand for parts of it.
func placeholders(img image.Image, w, h int, send func([]byte) error) (Drawn, error) {
	px := fitted(img, 16*w, 32*h) // more pixels than most cells have
	size := px.Bounds().Size()
	out := Drawn{Width: min((size.X+15)/16, w)} // it is scaled to these cells
	rows := min((size.Y+31)/32, h)
	var all bytes.Buffer
	err := kitty.EncodeGraphics(&all, px, &kitty.Options{
		Action: kitty.TransmitAndPut, Quiet: 2, ID: id, Format: kitty.PNG, Transmission: kitty.Direct, Chunk: true,
		VirtualPlacement: true, Columns: out.Width, Rows: rows,
	})
	if err = errors.Join(err, send(all.Bytes())); err != nil {
		return Drawn{}, errors.New("the terminal does not take it")
	}
	for y := range rows {
		var row strings.Builder
		fmt.Fprintf(&row, "\x1b[38;5;%dm", id)
		for x := range out.Width {
			row.WriteRune(kitty.Placeholder)
			row.WriteRune(kitty.Diacritic(y))
			row.WriteRune(kitty.Diacritic(x))
		}
		out.Rows = append(out.Rows, row.String()+"\x1b[0m")
	}
	return out, nil
}

// Forget is what has the terminal free the picture that was sent.
func Forget() string {
	return ansi.KittyGraphics(nil, (&kitty.Options{Action: kitty.Delete, Delete: kitty.DeleteID, DeleteResources: true, ID: id, Quiet: 2}).Options()...)
}

// HasPlaceholders tells by the name that a terminal gives itself whether it has
// Kitty's placeholders. Others have the protocol without them, so that asking for
// the protocol would not tell.
func HasPlaceholders(terminal string) bool {
	name := strings.ToLower(terminal)
	return strings.HasPrefix(name, "kitty") || strings.HasPrefix(name, "ghostty")
}
