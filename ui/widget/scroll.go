package widget

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// Scroll shows lines that may be longer and more than its box: long ones are
// wrapped, the rest scrolls. Wrapping is done when the lines or the box change,
// not when they are drawn.
type Scroll struct {
	keys  ListKeys
	lines []Line
	shown []Line // wrapped to the box
	box   Box
	top   int
	aside aside

	Focus bool // the scroll has the keys
	links map[int]tea.Cmd
	stops []stop
	at    int // in stops
}

// aside is what stands on the right of some lines.
type aside struct {
	rows []string // drawn already
	w    int
	from int // the line from which they stand there
	at   int // where that is shown
}

// leastBeside is the least room that lines need beside something else.
const leastBeside = 30

// NewScroll makes an empty view.
func NewScroll() *Scroll { return &Scroll{keys: newListKeys()} }

// Set replaces the lines and goes to the top.
func (s *Scroll) Set(lines []Line) {
	s.lines, s.top, s.at = lines, 0, 0
	s.wrap()
}

// Keep replaces the lines and stays where it is, for content that is shown
// again.
func (s *Scroll) Keep(lines []Line) {
	s.lines = lines
	s.wrap()
}

// Resize gives the view its box.
func (s *Scroll) Resize(b Box) {
	s.box = b
	s.wrap()
}

// Beside puts rows, drawn already and each w cells wide, on the right of the lines
// from one on; no rows take them away. Where that leaves the lines too little room
// they go on below. It shows with the next Set, Keep or Resize.
func (s *Scroll) Beside(rows []string, w, from int) { s.aside = aside{rows: rows, w: w, from: from} }

func (s *Scroll) wrap() {
	s.shown, s.stops = s.shown[:0], nil
	s.aside.at = -1
	for i, l := range s.lines {
		if i == s.aside.from && len(s.aside.rows) > 0 {
			s.aside.at = len(s.shown)
			if s.room(s.aside.at) == 0 {
				s.shown = append(s.shown, make([]Line, len(s.aside.rows))...)
			}
		}
		if to := s.links[i]; to != nil {
			s.stops = append(s.stops, stop{len(s.shown), to})
		}
		s.shown = append(s.shown, WrapLine(l, s.room(len(s.shown)))...)
	}
	if s.aside.at >= 0 {
		s.shown = append(s.shown, make([]Line, max(0, s.aside.at+len(s.aside.rows)-len(s.shown)))...)
	}
	s.move(0)
}

// beside gives the row that stands on the right of the i-th that is shown.
func (s *Scroll) beside(i int) (row string, ok bool) {
	if i -= s.aside.at; s.aside.at < 0 || i < 0 || i >= len(s.aside.rows) {
		return "", false
	}
	return s.aside.rows[i], true
}

// room is how wide the i-th line that is shown may be.
func (s *Scroll) room(i int) int {
	if _, ok := s.beside(i); !ok {
		return s.box.W
	}
	if room := s.box.W - s.aside.w - 2; room >= leastBeside {
		return room
	}
	return 0
}

// Show scrolls so that a line is in view, with some of what follows.
func (s *Scroll) Show(line int) {
	at := 0
	for _, l := range s.lines[:line] {
		at += len(WrapLine(l, s.box.W))
	}
	s.top = clamp(s.top, at+4-s.box.H, at)
	s.move(0)
}

func (s *Scroll) move(d int) { s.top = clamp(s.top+d, 0, max(0, len(s.shown)-s.box.H)) }

// Bindings lists the keys for help texts.
func (s *Scroll) Bindings() []key.Binding { return s.keys.Moves() }

// Update scrolls by key or wheel and says whether the message was for the view.
func (s *Scroll) Update(msg tea.Msg) bool {
	d, ok := s.keys.step(msg, s.box.H)
	k, pressed := msg.(tea.KeyMsg)
	switch {
	case ok && (d == 1 || d == -1):
		s.step(d)
	case ok:
		s.move(d)
	case pressed && key.Matches(k, s.keys.Top):
		s.move(-len(s.shown))
	case pressed && key.Matches(k, s.keys.Bottom):
		s.move(len(s.shown))
	default:
		return false
	}
	return true
}

// View draws what is in view. When there is more, the last line says so.
func (s *Scroll) View(th *themes.Theme) string {
	if s.box.W <= 0 || s.box.H <= 0 {
		return Fill("", s.box)
	}
	var b strings.Builder
	below := len(s.shown) - s.top - s.box.H
	for y := range s.box.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		i := s.top + y
		switch {
		case y == s.box.H-1 && below > 0 && s.box.H > 1:
			b.WriteString(In(themes.Faint, themes.GlyphDown+" "+humanize.Comma(int64(below+1))+" more lines").Fit(th, s.box.W))
		case i < len(s.shown):
			room := s.room(i)
			if s.Link() != nil && s.stops[s.at].row == i {
				b.WriteString(drawLink(th, s.shown[i], room))
			} else {
				s.shown[i].fit(&b, th, room, false)
			}
			if row, ok := s.beside(i); ok && room > 0 {
				b.WriteString("  " + row)
			} else if ok {
				b.WriteString(row + spaces(s.box.W-s.aside.w))
			}
		default:
			b.WriteString(spaces(s.box.W))
		}
	}
	return b.String()
}

// WrapLine breaks a line into lines of at most w cells. What follows the first
// is indented a little more than the line itself.
func WrapLine(l Line, w int) []Line {
	if w <= 0 || l.width(w) <= w {
		return []Line{l}
	}
	hang := 0
	if len(l) > 0 {
		text := l[0].Text
		hang = len(text) - len(strings.TrimLeft(text, " ")) + 2
	}
	if hang > w/2 {
		hang = 0
	}
	var out []Line
	cur, left := Line{}, w
	for _, s := range l {
		text := s.Text
		for len(text) > 0 {
			part := text
			if len(part) > maxSafe { // Safe would cut it
				part = part[:runeStart(part, maxSafe)]
			}
			text = text[len(part):]
			for safe := Safe(part); safe != ""; {
				if Width(safe) <= left {
					cur, left = append(cur, Span{s.Role, safe}), left-Width(safe)
					break
				}
				end, next := 0, 0
				if left > 0 {
					end, next = breakAt(safe, left)
				}
				if next == end && left < w-hang && endsBlank(cur) && firstWord(safe) <= (w-hang)/2 {
					end, next = 0, 0 // a short word goes to the next line before it is broken
				}
				if end == 0 && next == 0 && left >= w-hang {
					end, next = len(safe), len(safe) // wider than the box: it is cut when drawn
				}
				cur = append(cur, Span{s.Role, safe[:end]})
				out, safe = append(out, cur), safe[next:]
				cur, left = Line{{themes.Text, spaces(hang)}}, w-hang
			}
		}
	}
	return append(out, cur)
}

// endsBlank tells whether what comes next begins a word.
func endsBlank(l Line) bool {
	return len(l) > 0 && strings.HasSuffix(l[len(l)-1].Text, " ")
}

// firstWord is the width of a text up to its first blank.
func firstWord(text string) int {
	word, _, _ := strings.Cut(text, " ")
	return Width(word)
}
