package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// help is the dialog that lists the keys in force under headings such as "Clock". Typed
// text narrows the list to the keys whose words contain it, and enter presses the chosen
// key. The list is made of the bindings that the keys are matched with, so it cannot
// differ from what the keys do.
type help struct {
	groups      []keyGroup
	query       widget.Edit
	shown       []key.Binding // the bindings that match the query, in order
	chosenIndex int           // an index into shown; -1 for none
	scroll      *widget.Scroll
	box         widget.Box // with the frame
}

// keyGroup is the bindings under a heading.
type keyGroup struct {
	title    string
	bindings []key.Binding
}

// newHelp returns the help for commands, grouped by their headings in the order in which
// these occur. It leaves out disabled commands and those without a key.
func newHelp(commands []app.Command) *help {
	h := &help{query: widget.NewEdit(), chosenIndex: -1, scroll: widget.NewScroll()}
	for _, c := range commands {
		b := c.Binding
		if b.Help().Key == "" || !b.Enabled() {
			continue
		}
		if c.Name != "" {
			b.SetHelp(b.Help().Key, c.Name)
		}

		// Add the key to its group, which begins with the first key that is in it.
		i := slices.IndexFunc(h.groups, func(g keyGroup) bool { return g.title == c.Group })
		if i < 0 {
			i = len(h.groups)
			h.groups = append(h.groups, keyGroup{title: c.Group})
		}
		h.groups[i].bindings = append(h.groups[i].bindings, b)
	}
	return h
}

// filter returns the groups with the bindings that contain every word of a text,
// in their keys, their labels or their synonyms.
func (h *help) filter(text string) (groups []keyGroup) {
	words := strings.Fields(strings.ToLower(text))
	lacksAWord := func(b key.Binding) bool {
		label := b.Help().Desc
		searched := strings.ToLower(b.Help().Key + " " + label + " " + synonyms(label))
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(searched, word) })
	}
	for _, g := range h.groups {
		g.bindings = slices.DeleteFunc(slices.Clone(g.bindings), lacksAWord)
		if len(g.bindings) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// refresh lists the bindings that match the typed text, and scrolls so that the chosen
// one is in view.
func (h *help) refresh() {
	groups := h.filter(h.query.Value())
	h.shown = nil
	for _, g := range groups {
		h.shown = append(h.shown, g.bindings...)
	}
	lines := h.layOut(groups)
	h.scroll.Keep(lines)
	if y := slices.IndexFunc(lines, isSelected); y >= 0 {
		h.scroll.Show(y)
	}
}

// isSelected reports whether a line holds the chosen binding.
func isSelected(line widget.Line) bool {
	return slices.ContainsFunc(line, func(s widget.Span) bool { return s.Role == themes.Selected })
}

// helpWidth is the largest width of the help, in cells.
const helpWidth = 108

// Resize gives the dialog the height of the whole list, so that the dialog does
// not change while the user types.
func (h *help) Resize(b widget.Box) {
	h.box = widget.Box{W: min(b.W, helpWidth), H: b.H}
	frame := b.H - widget.FrameInner(b).H
	h.box.H = min(b.H, len(h.layOut(h.groups))+1+frame)
	inner := widget.FrameInner(h.box)
	h.scroll.Resize(widget.Box{W: inner.W, H: inner.H - 1})
	h.refresh()
}

// Typing is true: letters are searched for.
func (h *help) Typing() bool { return true }

// Commands lists the keys of the help itself for the footer. Those that scroll are left
// out if the whole list is in view.
func (h *help) Commands(*app.State) []app.Command {
	keys := []key.Binding{app.Bind("enter", "press it"), app.Bind("esc", "close", "esc", "?"), app.Bind("↓ ↑", "choose", "down", "up")}
	if h.scroll.Hidden() != (widget.Hidden{}) {
		keys = append(keys, app.Bind("pgdn", "read on", "pgdown"), app.Bind("pgup", "read back"))
	}
	return app.KeysForHelp(app.GroupHere, keys...)
}

// Update handles a key or the mouse. It returns true if the help is to close: after esc,
// and after enter, whose command presses the chosen key once the help is gone.
func (h *help) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		h.scroll.Update(msg)
		return nil, false
	}
	switch k.String() {
	case "esc", "?":
		return nil, true
	case "enter":
		if h.chosenIndex < 0 || len(h.shown) == 0 { // no key is chosen
			return nil, true
		}
		press := term.Key(h.shown[h.chosenIndex].Keys()[0])
		return app.Send(pressMsg(press)), true
	case "up":
		h.choose(h.chosenIndex - 1)
	case "down":
		h.choose(h.chosenIndex + 1)
	case "pgup", "pgdown", "ctrl+d", "ctrl+u":
		h.scroll.Update(msg)
	default:
		h.editQuery(msg)
	}
	return nil, false
}

// editQuery changes the query. It chooses the first binding, or none if the query
// is empty.
func (h *help) editQuery(msg tea.Msg) {
	before := h.query.Value()
	h.query.Update(msg)
	if h.query.Value() == before {
		return
	}
	h.chosenIndex = -1
	if strings.TrimSpace(h.query.Value()) != "" {
		h.chosenIndex = 0
	}
	h.refresh()
}

// choose moves the cursor to the binding at an index, or the nearest one.
func (h *help) choose(i int) {
	h.chosenIndex = max(min(i, len(h.shown)-1), 0)
	h.refresh()
}

// View draws the help in its frame: the search text above the list of keys. The frame
// counts the lines above those in view; the list itself counts the lines below.
func (h *help) View(st *app.State) string {
	w := widget.FrameInner(h.box).W
	search := widget.In(themes.Key, "/ ").Fit(st.Theme, min(2, w)) + h.query.View(st.Theme, w-2, true, "type to search")
	keys := h.scroll.View(st.Theme)
	if len(h.shown) == 0 {
		keys = widget.Muted("no key here does that; esc and : find everything by name").Fit(st.Theme, w)
	}
	return widget.Frame(st.Theme, "Help", widget.JoinV(search, keys), h.box, widget.Hidden{Above: h.scroll.Hidden().Above})
}

// twoColumnsWidth is the width, in cells, from which the list of keys has two columns.
const twoColumnsWidth = 88

// layOut returns the lines of the list: the groups, each a heading with its keys. In a wide
// dialog they stand in two columns of about even height. No group is split.
func (h *help) layOut(groups []keyGroup) []widget.Line {
	width := widget.FrameInner(h.box).W
	if width < twoColumnsWidth {
		return h.stack(groups, 0, width)
	}

	const rule = 3 // cells between the columns
	columnWidth := (width - rule) / 2

	// Groups go to the left column until it is half as high as all of them together.
	half := len(h.stack(groups, 0, columnWidth)) / 2
	inLeft, shownInLeft := 0, 0
	for inLeft < len(groups) && len(h.stack(groups[:inLeft], 0, columnWidth)) < half {
		shownInLeft += len(groups[inLeft].bindings)
		inLeft++
	}
	left := h.stack(groups[:inLeft], 0, columnWidth)
	right := h.stack(groups[inLeft:], shownInLeft, columnWidth)
	if len(right) == 0 {
		return left
	}
	return widget.Columns(left, right, columnWidth)
}

// stack returns the lines of groups below each other, with a blank line between two. The
// bindings of the groups are in h.shown from the index first on.
func (h *help) stack(groups []keyGroup, first, width int) (lines []widget.Line) {
	chosen := h.chosenIndex - first
	for i, g := range groups {
		if i > 0 {
			lines = append(lines, widget.Line{})
		}
		lines = append(lines, g.lines(width, chosen)...)
		chosen -= len(g.bindings) // relative to the next group
	}
	return lines
}

// lines returns the lines of a group: its heading, and below it the keys in one column
// and their labels in the next. A label that is too long for width continues on the next
// line. chosen is the index of the chosen binding in this group; any index outside the
// group chooses none.
func (g keyGroup) lines(width, chosen int) []widget.Line {
	keyWidth := 0
	for _, b := range g.bindings {
		keyWidth = max(keyWidth, widget.Width(widget.Safe(b.Help().Key)))
	}

	// Keys stand in one column, and what they do in the next.
	labelWidth := max(width-keyWidth-2, 20)

	lines := []widget.Line{widget.In(themes.Title, g.title)}
	for i, b := range g.bindings {
		keyRole, labelRole := themes.Key, themes.Text
		if i == chosen {
			keyRole, labelRole = themes.Selected, themes.Selected
		}
		line := widget.In(keyRole, widget.Fit(widget.Safe(b.Help().Key), keyWidth))
		for _, part := range widget.Wrap(widget.Safe(b.Help().Desc), labelWidth) {
			lines = append(lines, line.And(labelRole, "  "+part))
			line = widget.Plain(widget.Fit("", keyWidth))
		}
	}
	return lines
}
