package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// Text is what a [Scroll] shows. It is written line by line.
type Text struct {
	lines []Line
	links map[int]tea.Cmd // by the index of the line
}

// Add writes lines.
func (t *Text) Add(lines ...Line) { t.lines = append(t.lines, lines...) }

// AddLinked writes a line with a link: the command that follows it. A nil link is none.
func (t *Text) AddLinked(line Line, link tea.Cmd) {
	if t.links == nil {
		t.links = map[int]tea.Cmd{}
	}
	t.links[len(t.lines)] = link
	t.Add(line)
}

// Len returns the number of lines.
func (t *Text) Len() int { return len(t.lines) }

// Scroll shows lines in a box. It wraps long lines and scrolls over the rest. Lines
// are wrapped when they or the box change, not when they are drawn.
//
// While the scroll has the focus, j and k move a cursor over the lines with links, and
// scroll if there is none in view.
type Scroll struct {
	HasFocus bool // the scroll has the keys

	keys  ListKeys
	lines []Line
	links map[int]tea.Cmd // by the index of the line
	box   Box
	aside aside

	wrapped    []Line // lines, wrapped to the box
	top        int    // the first wrapped line in view
	linkLines  []linkLine
	linkCursor int // index into linkLines
}

// linkLine is a line with a link.
type linkLine struct {
	wrapped int // index of the wrapped line at which it starts
	link    tea.Cmd
}

// aside is a block on the right of some lines, such as a picture.
type aside struct {
	rows  []string // drawn already
	width int
	line  int // index of the line beside its first row
	start int // index of the wrapped line beside its first row, negative if there is none
}

const (
	// minWidthBeside is the least width of lines beside a block.
	minWidthBeside = 30
	// asideGap is the space between lines and the block.
	asideGap = 2
)

// NewScroll makes an empty scroll.
func NewScroll() *Scroll { return &Scroll{keys: newListKeys()} }

// Set replaces the lines and goes to the top.
func (s *Scroll) Set(lines []Line) {
	s.lines = lines
	s.top = 0
	s.linkCursor = 0
	s.wrap()
}

// Keep replaces the lines and keeps the position.
func (s *Scroll) Keep(lines []Line) {
	s.lines = lines
	s.wrap()
}

// Write replaces the lines and links, and keeps the position.
func (s *Scroll) Write(t Text) {
	s.links = t.links
	s.Keep(t.lines)
}

// SetAside puts rows on the right of the lines from an index on. The rows are drawn
// already, each width cells wide. Lines that have too little room beside the rows go
// on below. The next Set, Keep, Write or Resize shows the rows.
func (s *Scroll) SetAside(rows []string, width, line int) {
	s.aside = aside{rows: rows, width: width, line: line}
}

// Resize gives the scroll its box.
func (s *Scroll) Resize(b Box) {
	s.box = b
	s.wrap()
}

// Hidden counts the lines that the box has no room for.
func (s *Scroll) Hidden() Hidden { return hiddenLines(s.top, s.box.H, len(s.wrapped)) }

// Lines returns the number of lines, wrapped to the box.
func (s *Scroll) Lines() int { return len(s.wrapped) }

// wrap wraps the lines to the box, and leaves room for the block beside them.
func (s *Scroll) wrap() {
	s.wrapped = s.wrapped[:0]
	s.linkLines = nil
	s.aside.start = -1
	for i, line := range s.lines {
		if i == s.aside.line && len(s.aside.rows) > 0 {
			s.aside.start = len(s.wrapped)
			if s.widthOfLine(s.aside.start) == 0 {
				s.addEmptyLines(len(s.aside.rows))
			}
		}
		if link := s.links[i]; link != nil {
			s.linkLines = append(s.linkLines, linkLine{wrapped: len(s.wrapped), link: link})
		}
		s.wrapped = append(s.wrapped, WrapLine(line, s.widthOfLine(len(s.wrapped)))...)
	}
	if s.aside.start >= 0 {
		end := s.aside.start + len(s.aside.rows)
		s.addEmptyLines(max(0, end-len(s.wrapped)))
	}
	s.scroll(0)
}

func (s *Scroll) addEmptyLines(n int) {
	s.wrapped = append(s.wrapped, make([]Line, n)...)
}

// rowBeside returns the row of the block beside a wrapped line.
func (s *Scroll) rowBeside(i int) (row string, found bool) {
	firstRow := s.aside.start
	if firstRow < 0 || i < firstRow || i >= firstRow+len(s.aside.rows) {
		return "", false
	}
	return s.aside.rows[i-firstRow], true
}

// widthOfLine returns the width for a wrapped line. It is 0 beside a block that leaves
// too little room.
func (s *Scroll) widthOfLine(i int) int {
	if _, isBeside := s.rowBeside(i); !isBeside {
		return s.box.W
	}
	width := s.box.W - s.aside.width - asideGap
	if width < minWidthBeside {
		return 0
	}
	return width
}

// Show scrolls so that a line is in view, with three of the lines that follow.
func (s *Scroll) Show(line int) {
	start := 0
	for _, l := range s.lines[:line] {
		start += len(WrapLine(l, s.box.W))
	}
	const shown = 4
	s.top = clamp(s.top, start+shown-s.box.H, start)
	s.scroll(0)
}

// scroll scrolls by a number of lines.
func (s *Scroll) scroll(lines int) {
	s.top = clamp(s.top+lines, 0, max(0, len(s.wrapped)-s.box.H))
}

// Bindings lists the keys.
func (s *Scroll) Bindings() []key.Binding { return s.keys.Moves() }

// Update scrolls by key or wheel, and reports whether the message was for the scroll.
func (s *Scroll) Update(msg tea.Msg) bool {
	if lines, isStep := s.keys.step(msg, s.box.H); isStep {
		if lines == 1 || lines == -1 {
			s.moveByLine(lines)
		} else {
			s.scroll(lines)
		}
		return true
	}
	pressed, isKey := msg.(tea.KeyMsg)
	switch {
	case isKey && key.Matches(pressed, s.keys.Top):
		s.scroll(-len(s.wrapped))
	case isKey && key.Matches(pressed, s.keys.Bottom):
		s.scroll(len(s.wrapped))
	default:
		return false
	}
	return true
}

// moveByLine moves the cursor to the next link in view, or scrolls by a line. direction
// is 1 or -1.
func (s *Scroll) moveByLine(direction int) {
	next := s.linkCursor + direction
	if !s.HasFocus || !s.isLinkInView(next) {
		s.scroll(direction)
	}
	if s.isLinkInView(next) {
		s.linkCursor = next
	} else if !s.isLinkInView(s.linkCursor) {
		isBelowTop := func(l linkLine) bool { return l.wrapped >= s.top }
		s.linkCursor = max(0, slices.IndexFunc(s.linkLines, isBelowTop))
	}
}

// Link returns the link under the cursor, nil if there is none in view.
func (s *Scroll) Link() tea.Cmd {
	if !s.HasFocus || !s.isLinkInView(s.linkCursor) {
		return nil
	}
	return s.linkLines[s.linkCursor].link
}

// isLinkInView reports whether the line of a link is in view.
func (s *Scroll) isLinkInView(i int) bool {
	if i < 0 || i >= len(s.linkLines) {
		return false
	}
	line := s.linkLines[i].wrapped
	return line >= s.top && line < s.top+s.linesInView()
}

// linesInView returns how many lines are in view. If there are more below, the last
// line of the box says so instead.
func (s *Scroll) linesInView() int {
	if s.hasMoreLine() {
		return s.box.H - 1
	}
	return s.box.H
}

func (s *Scroll) hasMoreLine() bool {
	return s.box.H > 1 && s.top+s.box.H < len(s.wrapped)
}

// View draws what is in view. If there are more lines below, the last line counts
// them.
func (s *Scroll) View(th *themes.Theme) string {
	if s.box.W <= 0 || s.box.H <= 0 {
		return Fill("", s.box)
	}
	var out strings.Builder
	for y := range s.box.H {
		if y > 0 {
			out.WriteByte('\n')
		}
		i := s.top + y
		switch {
		case y == s.box.H-1 && s.hasMoreLine():
			more := humanize.Comma(int64(len(s.wrapped) - i))
			out.WriteString(In(themes.Faint, themes.GlyphDown+" "+more+" more lines").Fit(th, s.box.W))
		case i < len(s.wrapped):
			s.drawLine(&out, th, i)
		default:
			out.WriteString(spaces(s.box.W))
		}
	}
	return out.String()
}

// drawLine draws a wrapped line, with the row of the block beside it.
func (s *Scroll) drawLine(out *strings.Builder, th *themes.Theme, i int) {
	width := s.widthOfLine(i)
	if s.Link() != nil && s.linkLines[s.linkCursor].wrapped == i {
		out.WriteString(drawSelectedLink(th, s.wrapped[i], width))
	} else {
		s.wrapped[i].draw(out, th, width, false)
	}

	row, isBeside := s.rowBeside(i)
	switch {
	case isBeside && width > 0:
		out.WriteString(spaces(asideGap) + row)
	case isBeside:
		out.WriteString(row + spaces(s.box.W-s.aside.width))
	}
}

// drawSelectedLink draws the line under the cursor in one style, with a pointer at its
// end if there is room.
func drawSelectedLink(th *themes.Theme, line Line, width int) string {
	const pointerWidth = 2
	text := line.String()
	if Width(text)+pointerWidth > width {
		return th.Render(themes.Selected, Fit(text, width))
	}
	return th.Render(themes.Selected, Fit(text, width-pointerWidth)+FitRight(themes.GlyphPointer, pointerWidth))
}
