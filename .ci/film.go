// Film makes an animated SVG of terminal screens. Each line of its input has three
// fields separated by tabs: a file with a screen that tmux captured, the seconds that
// the screen shows, and a caption. A frame draws only the lines that differ from the
// frame before. See .ci/film.
package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The measures of the picture, in SVG units.
const (
	cellWidth  = 8.4
	cellHeight = 18.0
	baseline   = 13.5 // distance from the top of a cell to the baseline of its text
	margin     = 10.0 // around the screen
)

// The colours of the picture.
const (
	backgroundColour = "#1a1b26"
	textColour       = "#c0caf5"
	captionStyle     = "\x1b[1;38;2;122;162;247m" // the escape sequence before a caption
)

// style is how a cell is drawn.
type style struct {
	foreground string // such as "#1a1b26"; "" is the default
	background string // likewise
	bold       bool
	struck     bool
}

// apply changes a style by the parameters of an escape sequence, such as
// "1;38;2;122;162;247". It knows only the codes that the explorer's themes use.
func (s *style) apply(params string) {
	codes := strings.Split(params, ";")
	for i := 0; i < len(codes); i++ {
		switch codes[i] {
		case "", "0":
			*s = style{}
		case "1":
			s.bold = true
		case "9":
			s.struck = true
		case "22":
			s.bold = false
		case "29":
			s.struck = false
		case "39":
			s.foreground = ""
		case "49":
			s.background = ""
		case "38": // followed by 2;R;G;B
			s.foreground = hexColour(codes[i+2 : i+5])
			i += 4
		case "48": // followed by 2;R;G;B
			s.background = hexColour(codes[i+2 : i+5])
			i += 4
		}
	}
}

// hexColour returns a colour such as "#1a1b26" for three decimal numbers.
func hexColour(rgb []string) string {
	colour := "#"
	for _, component := range rgb {
		value, _ := strconv.Atoi(component)
		colour += fmt.Sprintf("%02x", value)
	}
	return colour
}

// rectangle is an area in one colour.
type rectangle struct {
	x, y, width, height float64
	colour              string
}

// appendRectangle appends a rectangle. If it continues the previous one to the right, the
// previous one becomes wider instead.
func appendRectangle(all []rectangle, r rectangle) []rectangle {
	if len(all) == 0 {
		return append(all, r)
	}
	const rounding = 0.01 // a smaller gap is an error of computing with fractions
	previous := &all[len(all)-1]
	isSameRow := previous.y == r.y && previous.height == r.height
	isAdjacent := r.x < previous.x+previous.width+rounding
	if isSameRow && isAdjacent && previous.colour == r.colour {
		previous.width = max(previous.width, r.x+r.width-previous.x)
		return all
	}
	return append(all, r)
}

// blockGlyphs are the glyphs that fill a part of a cell. top is where that part begins, and
// height is how high it is, both as a fraction of the cell. Such glyphs are drawn as
// rectangles, because fonts leave gaps between them.
var blockGlyphs = map[string]struct{ top, height float64 }{
	"▀": {top: 0, height: 0.5},
	"▄": {top: 0.5, height: 0.5},
	"█": {top: 0, height: 1},
}

// lineDrawer draws one line of a screen.
type lineDrawer struct {
	film   *film
	y      float64 // the top of the line, in SVG units
	style  style   // of the next glyph
	column int     // of the next glyph, from 0

	backgrounds []rectangle     // drawn first
	blocks      []rectangle     // of blockGlyphs
	texts       strings.Builder // the SVG of finished texts

	// text has the last glyphs, which are drawn as one text because they have one style.
	text       string
	textStyle  style
	textColumn int // where text begins
}

// drawCell draws a glyph that is width cells wide.
func (d *lineDrawer) drawCell(glyph string, width int) {
	x := float64(d.column) * cellWidth
	if d.style.background != "" {
		d.backgrounds = appendRectangle(d.backgrounds, rectangle{
			x:      x,
			y:      d.y,
			width:  float64(width) * cellWidth,
			height: cellHeight,
			colour: d.style.background,
		})
	}

	// Draw a block at once, and collect other glyphs as long as the style stays the same.
	textStyle := style{foreground: d.style.foreground, bold: d.style.bold, struck: d.style.struck}
	block, isBlock := blockGlyphs[glyph]
	continuesText := d.text != "" && (glyph == " " && !d.textStyle.struck || textStyle == d.textStyle)
	switch {
	case isBlock:
		d.endText()
		d.blocks = appendRectangle(d.blocks, rectangle{
			x:      x,
			y:      d.y + block.top*cellHeight,
			width:  cellWidth,
			height: block.height * cellHeight,
			colour: d.style.foreground,
		})
	case continuesText:
		d.text += glyph
	default:
		d.endText()
		d.text = glyph
		d.textStyle = textStyle
		d.textColumn = d.column
	}
	d.column += width
}

// endText writes the glyphs that were collected in d.text as an SVG text to d.texts, unless
// all are blanks. In either case d.text is empty afterwards.
func (d *lineDrawer) endText() {
	if strings.TrimSpace(d.text) != "" {
		x := float64(d.textColumn) * cellWidth
		length := float64(d.column-d.textColumn) * cellWidth
		fmt.Fprintf(&d.texts, `<text class="t%d" x="%.5g" y="%.5g" textLength="%.5g">%s</text>`,
			d.film.classOf(d.textStyle), x, d.y+baseline, length, html.EscapeString(d.text))
	}
	d.text = ""
}

// film collects the frames of the animation.
type film struct {
	frames  strings.Builder // the SVG of all frames
	classes map[style]int   // the number of each style of texts
	starts  []float64       // for each frame, the second at which it appears
	seconds float64         // the length of all frames so far
	lines   []string        // of the previous frame; nil before the first
	width   int             // of the screen, in cells
	height  int             // of the screen, in lines
}

// classOf returns the number of a style's CSS class.
func (f *film) classOf(s style) int {
	class, known := f.classes[s]
	if !known {
		class = len(f.classes)
		f.classes[s] = class
	}
	return class
}

// addFrame adds a frame with the lines of a screen, which shows for some seconds. The first
// frame decides the size of the picture. Later frames draw only the lines that have changed.
func (f *film) addFrame(lines []string, seconds float64) {
	isFirst := f.lines == nil
	if isFirst {
		f.height = len(lines)
		for _, line := range lines {
			f.width = max(f.width, ansi.StringWidth(line))
		}
	}

	fmt.Fprintf(&f.frames, "<g id=\"f%d\">\n", len(f.starts))
	for i, line := range lines {
		if isFirst || f.lines[i] != line {
			f.drawLine(line, float64(i)*cellHeight)
		}
	}
	f.frames.WriteString("</g>\n")

	f.starts = append(f.starts, f.seconds)
	f.seconds += seconds
	f.lines = lines
}

// drawLine draws one line of a screen over whatever the frames before drew there.
func (f *film) drawLine(line string, y float64) {
	wholeLine := rectangle{
		y:      y,
		width:  float64(f.width) * cellWidth,
		height: cellHeight,
		colour: backgroundColour,
	}
	d := lineDrawer{film: f, y: y, backgrounds: []rectangle{wholeLine}}

	// Go through the line glyph by glyph. An escape sequence has no width. It changes the
	// style of the glyphs after it.
	state := byte(0)
	for line != "" {
		sequence, width, length, nextState := ansi.DecodeSequence(line, state, nil)
		line = line[length:]
		state = nextState
		if width > 0 {
			d.drawCell(sequence, width)
			continue
		}
		params, isControl := strings.CutPrefix(sequence, "\x1b[")
		if isControl && strings.HasSuffix(params, "m") {
			d.style.apply(strings.TrimSuffix(params, "m"))
		}
	}
	d.endText()

	// Draw the rectangles first, so that they lie below the texts.
	for _, r := range append(d.backgrounds, d.blocks...) {
		fmt.Fprintf(&f.frames, `<path fill="%s" d="M%.5g %.5gh%.5gv%.5gh-%.5g"/>`, r.colour, r.x, r.y, r.width, r.height, r.width)
	}
	f.frames.WriteString(d.texts.String())
}

// write writes the film as one animated SVG picture.
func (f *film) write(w io.Writer) {
	width := float64(f.width)*cellWidth + 2*margin
	height := float64(f.height)*cellHeight + 2*margin

	// The screen begins at 0, so its margin begins at -10.
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 %.5g %.5g">`+"\n", width, height)
	fmt.Fprintln(w, "<style>")
	f.writeStyles(w)
	f.writeAnimation(w)
	fmt.Fprintln(w, "</style>")

	// Fill the background, and draw the frames on it.
	fmt.Fprintf(w, "<path fill=\"%s\" d=\"M-10-10H9999V9999H-10\"/>\n", backgroundColour)
	fmt.Fprintf(w, "%s</svg>\n", f.frames.String())
}

// writeStyles writes the CSS of texts and rectangles.
func (f *film) writeStyles(w io.Writer) {
	fmt.Fprintln(w, "path{shape-rendering:crispEdges}")
	fmt.Fprintln(w, "text{font:14px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}")
	for s, class := range f.classes {
		colour := s.foreground
		if colour == "" {
			colour = textColour
		}
		weight := ""
		if s.bold {
			weight = ";font-weight:bold"
		}
		if s.struck {
			weight += ";text-decoration:line-through"
		}
		fmt.Fprintf(w, ".t%d{fill:%s%s}\n", class, colour, weight)
	}
}

// writeAnimation writes the CSS of the animation. Each frame becomes visible at its second,
// and stays visible below the later ones. For people who want no motion there is no
// animation, so all frames are visible at once.
func (f *film) writeAnimation(w io.Writer) {
	fmt.Fprintf(w, "g{animation:%.4gs infinite step-end}\n", f.seconds)
	for i, start := range f.starts {
		if i == 0 {
			continue // the first frame is always visible
		}
		percent := 100 * start / f.seconds
		fmt.Fprintf(w, "#f%d{animation-name:k%d}\n", i, i)
		fmt.Fprintf(w, "@keyframes k%d{0%%{visibility:hidden}%.4g%%{visibility:visible}}\n", i, percent)
	}
	fmt.Fprintln(w, "@media(prefers-reduced-motion){g{animation:none!important}}")
}

// main reads lines from stdin, each with a captured screen, and writes the film of them to
// stdout.
func main() {
	f := &film{classes: map[style]int{}}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		if err := addCapture(f, input.Text()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	f.write(os.Stdout)
}

// addCapture adds the frame that a line of the input describes. The line has the name of a
// file with a screen, how many seconds to show the screen, and a caption to write above it,
// separated by tabs.
func addCapture(f *film, line string) error {
	fields := strings.Split(line, "\t")
	if len(fields) != 3 {
		return fmt.Errorf("%q: expected a file, seconds and a caption, separated by tabs", line)
	}
	screen, err := os.ReadFile(fields[0])
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseFloat(fields[1], 64)
	if err != nil {
		return err
	}

	lines := strings.Split(strings.TrimSuffix(string(screen), "\n"), "\n")
	caption := captionStyle + " " + fields[2]
	f.addFrame(append([]string{caption}, lines...), seconds)
	return nil
}
