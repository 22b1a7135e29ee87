package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// Text is what a [Scroll] shows. Its owner adds line after line.
type Text struct {
	lines []Line
	links map[int]tea.Cmd // by the index of the line
}

// Add appends lines without links.
func (t *Text) Add(lines ...Line) { t.lines = append(t.lines, lines...) }

// AddLinked appends a line with a link, the command that enter runs while the cursor is on the
// line, such as one that opens an account. A nil link is none.
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

	keys      ListKeys
	lines     []Line
	links     map[int]tea.Cmd // by the index of the line
	box       Box
	sideBlock sideBlock

	wrapped         []Line // the lines, wrapped to the box
	lineStarts      []int  // lineStarts[i] is the index in wrapped at which lines[i] begins
	top             int    // index into wrapped of the first line in view
	linkLineIndexes []int  // the indexes in lines of the lines with links
	linkCursor      int    // index into linkLineIndexes
}

// sideBlock is a block on the right of some lines, such as the picture of a token beside
// its attributes.
type sideBlock struct {
	rows         []string // drawn already, each width cells wide; nil if there is no block
	width        int      // in cells
	lineIndex    int      // index in [Scroll].lines of the line beside the first row
	wrappedIndex int      // index in [Scroll].wrapped of that line; -1 if there is no block
}

const (
	minWidthBeside = 30 // the least width, in cells, of lines beside a block such as a picture
	blockGapWidth  = 2  // cells between these lines and the block
)

// NewScroll makes an empty scroll.
func NewScroll() *Scroll { return &Scroll{keys: newListKeys()} }

// Set replaces the lines by those of another text, and scrolls to the top. If the same
// text was read again, use [Scroll.RefreshLines].
func (s *Scroll) Set(lines []Line) {
	s.lines = lines
	s.top = 0
	s.linkCursor = 0
	s.wrap()
}

// RefreshLines replaces the lines by those of the same text, read again, and stays at the same
// number of lines from the top.
func (s *Scroll) RefreshLines(lines []Line) {
	s.lines = lines
	s.wrap()
}

// Write is [Scroll.RefreshLines] with links.
func (s *Scroll) Write(text Text) {
	s.links = text.links
	s.RefreshLines(text.lines)
}

// SetAside puts a block, such as a picture, on the right of the lines from lineIndex on. In a
// narrow box these continue below it. The rows are drawn already, each width cells wide; none
// removes the block. The next Set, RefreshLines, Write or Resize shows it.
func (s *Scroll) SetAside(rows []string, width, lineIndex int) {
	s.sideBlock = sideBlock{rows: rows, width: width, lineIndex: lineIndex}
}

// Resize gives the scroll its box.
func (s *Scroll) Resize(box Box) {
	s.box = box
	s.wrap()
}

// HiddenCounts counts the lines above and below the box.
func (s *Scroll) Hidden() HiddenCounts { return countHidden(s.top, s.box.H, len(s.wrapped)) }

// Lines returns the number of lines, wrapped to the box.
func (s *Scroll) Lines() int { return len(s.wrapped) }

// wrap breaks the lines at the width of the box. Lines beside the block on the right get only
// the width that it leaves. If that is too little, the block gets empty lines of its own.
func (s *Scroll) wrap() {
	s.wrapped = s.wrapped[:0]
	s.lineStarts = s.lineStarts[:0]
	s.linkLineIndexes = nil
	s.sideBlock.wrappedIndex = -1
	for i, line := range s.lines {
		// The block on the right begins beside this line.
		if i == s.sideBlock.lineIndex && len(s.sideBlock.rows) > 0 {
			s.sideBlock.wrappedIndex = len(s.wrapped)
			if s.widthOfLine(s.sideBlock.wrappedIndex) == 0 { // no room for text beside the block
				s.wrapped = append(s.wrapped, make([]Line, len(s.sideBlock.rows))...)
			}
		}
		if s.links[i] != nil {
			s.linkLineIndexes = append(s.linkLineIndexes, i)
		}
		start := len(s.wrapped)
		s.lineStarts = append(s.lineStarts, start)
		s.wrapped = append(s.wrapped, WrapLine(line, s.widthOfLine(start))...)
	}

	// The text must be at least as high as the block.
	if s.sideBlock.wrappedIndex >= 0 {
		end := s.sideBlock.wrappedIndex + len(s.sideBlock.rows)
		s.wrapped = append(s.wrapped, make([]Line, max(0, end-len(s.wrapped)))...)
	}
	s.clampTop()
}

// rowBeside returns the row of the block on the right beside the wrapped line with an index.
func (s *Scroll) rowBeside(index int) (row string, hasRow bool) {
	rowIndex := index - s.sideBlock.wrappedIndex
	if s.sideBlock.wrappedIndex < 0 || rowIndex < 0 || rowIndex >= len(s.sideBlock.rows) {
		return "", false
	}
	return s.sideBlock.rows[rowIndex], true
}

// widthOfLine returns how many cells the text of the wrapped line with an index may take: 0
// beside a block that leaves fewer than minWidthBeside.
func (s *Scroll) widthOfLine(index int) int {
	if _, hasRow := s.rowBeside(index); !hasRow {
		return s.box.W
	}
	width := s.box.W - s.sideBlock.width - blockGapWidth
	if width < minWidthBeside {
		return 0
	}
	return width
}

// Show scrolls as little as needed to bring the line with an index, if there is one, and the
// three lines below it into view.
func (s *Scroll) Show(index int) {
	if index >= len(s.lineStarts) {
		return
	}
	start := s.lineStarts[index]
	const linesToShow = 4
	s.top = clamp(s.top, start+linesToShow-s.box.H, start)
	s.clampTop()
}

// scroll scrolls down by a number of lines, or up by a negative one.
func (s *Scroll) scroll(lines int) {
	s.top += lines
	s.clampTop()
}

// clampTop brings the first line in view back within the text.
func (s *Scroll) clampTop() {
	s.top = clamp(s.top, 0, max(0, len(s.wrapped)-s.box.H))
}

// Bindings lists the keys that scroll.
func (s *Scroll) Bindings() []key.Binding { return s.keys.Moves() }

// Update scrolls by key or wheel. A step of one line can instead move the cursor to
// another link; see [Scroll.moveByLine].
func (s *Scroll) Update(msg tea.Msg) {
	lines := s.keys.stepOf(msg, s.box.H)
	if lines == 1 || lines == -1 {
		s.moveByLine(lines)
		return
	}
	s.scroll(lines)
}

// moveByLine moves the cursor to the next line with a link if direction is 1, or to the
// previous one if it is -1. If that line is not in view, or another part of the screen
// has the focus, it scrolls by one line. If the cursor is then out of view, it moves to
// the first link below the top.
func (s *Scroll) moveByLine(direction int) {
	next := s.linkCursor + direction
	if !s.HasFocus || !s.isLinkInView(next) {
		s.scroll(direction)
	}

	if s.isLinkInView(next) {
		s.linkCursor = next
		return
	}
	if !s.isLinkInView(s.linkCursor) {
		s.linkCursor = max(0, slices.IndexFunc(s.linkLineIndexes, func(lineIndex int) bool {
			return s.lineStarts[lineIndex] >= s.top
		}))
	}
}

// Link returns the link under the cursor and the index of its line in the text. The link is
// nil if there is none in view.
func (s *Scroll) Link() (link tea.Cmd, lineIndex int) {
	if !s.HasFocus || !s.isLinkInView(s.linkCursor) {
		return nil, 0
	}
	lineIndex = s.linkLineIndexes[s.linkCursor]
	return s.links[lineIndex], lineIndex
}

// isLinkInView reports whether there is a link with an index, and its line is in view.
func (s *Scroll) isLinkInView(index int) bool {
	if index < 0 || index >= len(s.linkLineIndexes) {
		return false
	}
	start := s.lineStarts[s.linkLineIndexes[index]]
	return start >= s.top && start < s.top+s.linesInView()
}

// linesInView returns how many lines are in view. If there are more below, the last
// line of the box counts them instead. A box of one line always shows text.
func (s *Scroll) linesInView() int {
	if s.box.H > 1 && s.top+s.box.H < len(s.wrapped) {
		return s.box.H - 1
	}
	return s.box.H
}

// View draws the lines in view. If there are more lines below, the last line counts
// them: "▾ 12 more lines".
func (s *Scroll) View(theme *themes.Theme) string {
	if s.box.W <= 0 || s.box.H <= 0 {
		return Fill("", s.box)
	}
	selected := -1 // the line with the link under the cursor
	if link, lineIndex := s.Link(); link != nil {
		selected = s.lineStarts[lineIndex]
	}
	var lines []string
	for index := s.top; index < s.top+s.linesInView(); index++ {
		if index >= len(s.wrapped) {
			lines = append(lines, spaces(s.box.W))
			continue
		}
		width := s.widthOfLine(index)
		line := s.wrapped[index].Fit(theme, width)
		if index == selected {
			line = drawSelectedLink(theme, s.wrapped[index], width)
		}
		row, hasRow := s.rowBeside(index)
		switch {
		case hasRow && width == 0: // no room for text beside the block, so the block stands at the left
			line = row + spaces(s.box.W-s.sideBlock.width)
		case hasRow:
			line += spaces(blockGapWidth) + row
		}
		lines = append(lines, line)
	}
	if hiddenCount := len(s.wrapped) - s.top - len(lines); hiddenCount > 0 && len(lines) < s.box.H {
		line := Faint(themes.GlyphDown + " " + comma(hiddenCount) + " more lines")
		lines = append(lines, line.Fit(theme, s.box.W))
	}
	return strings.Join(lines, "\n")
}

// drawSelectedLink draws the line under the cursor in the style of a selection. If there is
// room, a pointer at the right end says that enter opens something.
func drawSelectedLink(theme *themes.Theme, line Line, width int) string {
	const pointerWidth = 2
	text := line.String()
	if Width(text)+pointerWidth > width {
		return theme.Render(themes.Selected, Fit(text, width))
	}
	pointer := FitRight(themes.GlyphPointer, pointerWidth)
	return theme.Render(themes.Selected, Fit(text, width-pointerWidth)+pointer)
}
