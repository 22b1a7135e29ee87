// Film makes an animated SVG of screens of a terminal. Each line of its input names
// a file with what tmux has captured, how many seconds it shows, and a caption. A
// frame draws only the lines that differ from the one before. See .ci/film.
package main

import (
	"bufio"
	"fmt"
	"html"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The size of a cell in units of the picture.
const cellW, cellH = 8.4, 18

const ground = "#1a1b26"

// style is how a cell is drawn.
type style struct {
	fg, bg string
	bold   bool
}

// set takes the parameters of a style sequence.
func (s *style) set(params string) {
	codes := strings.Split(params, ";")
	for i := 0; i < len(codes); i++ {
		switch code := codes[i]; code {
		case "", "0":
			*s = style{}
		case "1":
			s.bold = true
		case "22":
			s.bold = false
		case "39":
			s.fg = ""
		case "49":
			s.bg = ""
		case "38", "48": // the theme has no other colours than 2;R;G;B
			var rgb [3]int
			for j := range rgb {
				rgb[j], _ = strconv.Atoi(codes[i+2+j])
			}
			i += 4
			colour := fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2])
			if code == "38" {
				s.fg = colour
			} else {
				s.bg = colour
			}
		}
	}
}

// film collects the frames.
type film struct {
	out     strings.Builder
	classes map[style]int // of texts
}

// area is a rectangle in one colour.
type area struct {
	x, y, w, h float64
	colour     string
}

// areas are those of a line, from left to right.
type areas []area

// add adds a rectangle, which makes the last one wider where it can.
func (a *areas) add(x, y, w, h float64, colour string) {
	if n := len(*a); n > 0 {
		last := &(*a)[n-1]
		if last.colour == colour && last.y == y && last.h == h && x < last.x+last.w+0.01 {
			last.w = max(last.w, x+w-last.x)
			return
		}
	}
	*a = append(*a, area{x, y, w, h, colour})
}

// block is which part of a cell a sign fills. Fonts leave gaps between such signs.
var block = map[string]struct{ from, height float64 }{"▀": {0, 0.5}, "▄": {0.5, 0.5}, "█": {0, 1}}

// row draws a line of the screen, of w cells.
func (f *film) row(line string, y float64, w int) {
	var grounds, blocks areas
	var texts strings.Builder
	grounds.add(0, y, float64(w)*cellW, cellH, ground)
	var now style
	x, text, start, ink := 0, "", 0, style{}
	flush := func() {
		if strings.TrimSpace(text) != "" {
			class, ok := f.classes[ink]
			if !ok {
				class = len(f.classes)
				f.classes[ink] = class
			}
			fmt.Fprintf(&texts, `<text class="t%d" x="%.5g" y="%.5g" textLength="%.5g">%s</text>`,
				class, float64(start)*cellW, y+13.5, float64(x-start)*cellW, html.EscapeString(text))
		}
		text = ""
	}
	for state := byte(0); line != ""; {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		if width == 0 {
			if params, ok := strings.CutPrefix(seq, "\x1b["); ok && strings.HasSuffix(params, "m") {
				now.set(strings.TrimSuffix(params, "m"))
			}
			continue
		}
		at := float64(x) * cellW
		if now.bg != "" {
			grounds.add(at, y, float64(width)*cellW, cellH, now.bg)
		}
		plain := style{fg: now.fg, bold: now.bold}
		if part, ok := block[seq]; ok {
			flush()
			blocks.add(at, y+part.from*cellH, cellW, part.height*cellH, now.fg)
		} else if seq == " " && text != "" || plain == ink && text != "" {
			text += seq
		} else {
			flush()
			text, start, ink = seq, x, plain
		}
		x += width
	}
	flush()
	for _, a := range append(grounds, blocks...) {
		fmt.Fprintf(&f.out, `<path fill="%s" d="M%.5g %.5gh%.5gv%.5gh-%.5g"/>`, a.colour, a.x, a.y, a.w, a.h, a.w)
	}
	f.out.WriteString(texts.String())
}

func main() {
	f := film{classes: map[style]int{}}
	var starts []float64
	var before []string
	total, w, h := 0.0, 0, 0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fields := strings.Split(in.Text(), "\t")
		raw, err := os.ReadFile(fields[0])
		seconds, bad := strconv.ParseFloat(fields[1], 64)
		if err != nil || bad != nil {
			fmt.Fprintln(os.Stderr, err, bad)
			os.Exit(1)
		}
		lines := append(strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n"), "\x1b[1;38;2;122;162;247m "+fields[2])
		if before == nil {
			h = len(lines)
			for _, l := range lines {
				w = max(w, ansi.StringWidth(l))
			}
		}
		fmt.Fprintf(&f.out, "<g id=\"f%d\">\n", len(starts))
		for i, l := range lines {
			if before == nil || before[i] != l {
				f.row(l, float64(i)*cellH, w)
			}
		}
		f.out.WriteString("</g>\n")
		starts, before = append(starts, total), lines
		total += seconds
	}
	fmt.Printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 %.5g %d">`, float64(w)*cellW+20, h*cellH+20)
	fmt.Printf("\n<style>path{shape-rendering:crispEdges}text{font:14px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}\n")
	for s, class := range f.classes {
		if s.fg == "" {
			s.fg = "#c0caf5"
		}
		fmt.Printf(".t%d{fill:%s", class, s.fg)
		if s.bold {
			fmt.Print(";font-weight:bold")
		}
		fmt.Println("}")
	}
	fmt.Printf("g{animation:%.4gs infinite step-end}\n", total)
	for i, at := range starts[1:] {
		fmt.Printf("#f%d{animation-name:k%d}@keyframes k%d{0%%{visibility:hidden}%.4g%%{visibility:visible}}\n", i+1, i+1, i+1, 100*at/total)
	}
	fmt.Printf("@media(prefers-reduced-motion){g{animation:none!important}}</style>\n<path fill=\"%s\" d=\"M-10-10H9999V9999H-10\"/>\n%s</svg>\n", ground, f.out.String())
}
