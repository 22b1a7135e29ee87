package ptytest

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Question is something that a program asks its terminal.
type Question int

// What a program can ask a terminal: its background, its attributes, its name.
const (
	AskBackground Question = iota + 1
	AskAttributes
	AskName
)

// Screen is what a terminal would show of what is written to it. It knows the
// sequences that bubbletea's renderer writes.
type Screen struct {
	w, h  int
	x, y  int
	wrap  bool // the last column is written; the next character goes to a new line
	style Style
	cells [][]cell
	main  [][]cell // the main screen while the other one shows
	rest  []byte   // the start of a sequence
}

type cell struct {
	text  string // empty in the second column of a wide character
	style Style
}

// NewScreen makes an empty screen.
func NewScreen(w, h int) *Screen { return &Screen{w: w, h: h, cells: grid(w, h)} }

func grid(w, h int) [][]cell {
	g := make([][]cell, h)
	for y := range g {
		g[y] = row(w)
	}
	return g
}

func row(w int) []cell { return slices.Repeat([]cell{{text: " "}}, w) }

// clone is a copy of what the screen shows.
func (s *Screen) clone() *Screen {
	copied := NewScreen(s.w, s.h)
	for y := range s.cells {
		copy(copied.cells[y], s.cells[y])
	}
	return copied
}

// ClearLastCell empties the last cell of the last line.
func (s *Screen) ClearLastCell() { s.cells[s.h-1][s.w-1] = cell{text: " "} }

// Resize changes the size and keeps what fits.
func (s *Screen) Resize(w, h int) {
	old := s.cells
	s.w, s.h, s.cells = w, h, grid(w, h)
	for y := 0; y < min(h, len(old)); y++ {
		copy(s.cells[y], old[y])
	}
	if s.main != nil {
		s.main = grid(w, h)
	}
	s.x, s.y, s.wrap = min(s.x, w-1), min(s.y, h-1), false
}

// String is the text on the screen, without the spaces at the ends of lines.
func (s *Screen) String() string {
	lines := make([]string, s.h)
	for y, r := range s.cells {
		var line strings.Builder
		for _, c := range r {
			line.WriteString(c.text)
		}
		lines[y] = strings.TrimRight(line.String(), " ")
	}
	return strings.Join(lines, "\n")
}

// Styled is the text on the screen with a [Style] in brackets before each cell whose
// style is another one than that of the cell before it.
func (s *Screen) Styled() string {
	var text strings.Builder
	for _, r := range s.cells {
		last := Style{}
		for _, c := range r {
			if c.style != last {
				text.WriteString(c.style.String())
				last = c.style
			}
			text.WriteString(c.text)
		}
		text.WriteString("\n")
	}
	return text.String()
}

// Write takes output of a program and gives the questions in it.
func (s *Screen) Write(p []byte) []Question {
	b := append(s.rest, p...)
	b, cut := whole(b)
	var asked []Question
	for len(b) > 0 {
		seq, width, n, state := ansi.DecodeSequence(b, 0, nil)
		if state != 0 { // it goes on in what is written next
			break
		}
		switch {
		case width > 0:
			s.print(string(seq), width)
		case len(seq) == 1:
			s.control(seq[0])
		default:
			if q := s.sequence(string(seq)); q != 0 {
				asked = append(asked, q)
			}
		}
		b = b[n:]
	}
	s.rest = append(bytes.Clone(b), cut...)
	return asked
}

// whole splits off a character at the end of which bytes are still to come: the
// one before it would be taken for its beginning.
func whole(b []byte) (whole, cut []byte) {
	for n := 1; n <= min(len(b), utf8.UTFMax); n++ {
		if at := len(b) - n; utf8.RuneStart(b[at]) {
			if !utf8.FullRune(b[at:]) {
				return b[:at], b[at:]
			}
			break
		}
	}
	return b, nil
}

func (s *Screen) print(text string, width int) {
	if s.wrap || s.x+width > s.w {
		s.x, s.wrap = 0, false
		s.down()
	}
	s.cells[s.y][s.x] = cell{text, s.style}
	for i := 1; i < width && s.x+i < s.w; i++ {
		s.cells[s.y][s.x+i] = cell{"", s.style}
	}
	if s.x += width; s.x >= s.w {
		s.x, s.wrap = s.w-1, true
	}
}

func (s *Screen) down() {
	if s.y++; s.y == s.h {
		s.y = s.h - 1
		s.cells = append(s.cells[1:], row(s.w))
	}
}

func (s *Screen) control(c byte) {
	switch c {
	case '\r':
		s.x, s.wrap = 0, false
	case '\n':
		s.down()
	case '\b':
		s.x, s.wrap = max(0, s.x-1), false
	case '\t':
		s.x = min(s.w-1, s.x/8*8+8)
	}
}

func (s *Screen) sequence(seq string) Question {
	if strings.HasPrefix(seq, "\x1b]11;?") {
		return AskBackground
	}
	body, ok := strings.CutPrefix(seq, "\x1b[")
	if !ok || body == "" {
		return 0
	}
	final := body[len(body)-1]
	params := body[:len(body)-1]
	switch {
	case final == 'c' && (params == "" || params == "0"):
		return AskAttributes
	case final == 'q' && strings.HasPrefix(params, ">"):
		return AskName
	case strings.HasPrefix(params, "?"):
		if strings.Contains(params, "1049") {
			s.alternate(final == 'h')
		}
		return 0
	case final == 'm':
		s.style = s.style.after(params)
		return 0
	}
	s.wrap = false
	s.move(final, number(params, 0), number(params, 1))
	return 0
}

// move does what is left: the sequences that move and erase. a and b are the
// parameters, 0 when missing.
func (s *Screen) move(final byte, a, b int) {
	n := max(1, a)
	switch final {
	case 'A':
		s.y = max(0, s.y-n)
	case 'B':
		s.y = min(s.h-1, s.y+n)
	case 'C':
		s.x = min(s.w-1, s.x+n)
	case 'D':
		s.x = max(0, s.x-n)
	case 'G':
		s.x = min(s.w, n) - 1
	case 'd':
		s.y = min(s.h, n) - 1
	case 'H', 'f':
		s.y, s.x = min(s.h, n)-1, min(s.w, max(1, b))-1
	case 'K':
		s.erase(s.y, a)
	case 'J':
		s.eraseLines(a)
	case 'L':
		for range min(n, s.h-s.y) {
			copy(s.cells[s.y+1:], s.cells[s.y:s.h-1])
			s.cells[s.y] = row(s.w)
		}
	case 'M':
		for range min(n, s.h-s.y) {
			copy(s.cells[s.y:], s.cells[s.y+1:])
			s.cells[s.h-1] = row(s.w)
		}
	}
}

// erase clears a line from the cursor (0), to it (1) or whole (2).
func (s *Screen) erase(y, how int) {
	from, to := s.x, s.w
	switch how {
	case 1:
		from, to = 0, s.x+1
	case 2:
		from = 0
	}
	for x := from; x < to; x++ {
		s.cells[y][x] = cell{text: " "}
	}
}

func (s *Screen) eraseLines(how int) {
	for y := range s.cells {
		switch {
		case y == s.y:
			s.erase(y, min(how, 2))
		case how >= 2, how == 0 && y > s.y, how == 1 && y < s.y:
			s.cells[y] = row(s.w)
		}
	}
}

// alternate switches to the second screen and back.
func (s *Screen) alternate(on bool) {
	switch {
	case on && s.main == nil:
		s.main, s.cells = s.cells, grid(s.w, s.h)
	case !on && s.main != nil:
		s.cells, s.main = s.main, nil
	}
}

func number(params string, i int) int {
	parts := strings.Split(params, ";")
	if i >= len(parts) {
		return 0
	}
	n, _ := strconv.Atoi(parts[i]) // what is no number counts as missing
	return n
}
