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

// help is the dialog that lists the keys that can be pressed now, under headings such as
// "Clock". Typed text narrows the list, and enter presses the chosen key. The list is made
// from the same commands that the keys carry out, so it always says what the keys really do.
type help struct {
	groups      []keyGroup     // all keys
	query       widget.Edit    // the field with the typed text
	shown       []app.Command  // the commands that match the typed text, in order
	chosenIndex int            // the index in shown of the chosen command; -1 for none
	scroll      *widget.Scroll // the list
	box         widget.Box     // the size of the dialog with its frame
}

// keyGroup is a heading of the help and the commands that are listed under it.
type keyGroup struct {
	title    string
	commands []app.Command
}

// legend explains the signs of the lists and the clock below the keys of the help. A sign
// is listed as a key that does nothing.
var legend = app.KeysForHelp("Signs and colours",
	app.Bind("● ◆ ○ →", "approval, operator, expired, "+app.RenewableHint),
	app.Bind("◗ 2 +", "on the clock: so many grants expire, + is ten or more"),
	app.Bind("colours", "of a warning: never expires; bold on the clock: this row's"),
)

// newHelp returns the help for commands. It groups them under their headings, which are in
// the order of their first commands. It leaves out disabled commands and those without a
// key.
func newHelp(commands []app.Command) *help {
	h := &help{query: widget.NewEdit(), chosenIndex: -1, scroll: widget.NewScroll()}
	for _, command := range commands {
		keyText := command.Binding.Help().Key
		if keyText == "" || !command.Binding.Enabled() {
			continue
		}
		if command.Name != "" {
			command.Binding.SetHelp(keyText, command.Name)
		}

		// Add the key to its group. The first key of a group adds the group.
		i := slices.IndexFunc(h.groups, func(group keyGroup) bool { return group.title == command.Group })
		if i < 0 {
			i = len(h.groups)
			h.groups = append(h.groups, keyGroup{title: command.Group})
		}
		h.groups[i].commands = append(h.groups[i].commands, command)
	}
	return h
}

// refresh lists the commands that match the typed text, and scrolls so that the chosen one is in
// view. A command matches if its key, its name and its phrases together contain every word of
// the text. Groups without a match are left out.
func (h *help) refresh() {
	typedWords := strings.Fields(strings.ToLower(h.query.Value()))
	var groups []keyGroup
	h.shown = nil
	for _, group := range h.groups {
		var matching []app.Command
		for _, command := range group.commands {
			help := command.Binding.Help()
			text := strings.ToLower(help.Key + " " + help.Desc + " " + command.Phrases)
			if !slices.ContainsFunc(typedWords, func(word string) bool { return !strings.Contains(text, word) }) {
				matching = append(matching, command)
			}
		}
		if len(matching) > 0 {
			groups = append(groups, keyGroup{title: group.title, commands: matching})
			h.shown = append(h.shown, matching...)
		}
	}

	// Only the chosen command is drawn as selected.
	lines := h.layOut(groups)
	h.scroll.RefreshLines(lines)
	for i, line := range lines {
		if slices.ContainsFunc(line, func(span widget.Span) bool { return span.Role == themes.Selected }) {
			h.scroll.Show(i)
			break
		}
	}
}

// helpWidth is the largest width of the help, in cells.
const helpWidth = 108

// Resize fits the dialog into a box. The dialog is as high as the list of all keys, if that
// fits, so that its height does not change while the user types.
func (h *help) Resize(box widget.Box) {
	const queryHeight = 1
	frameHeight := box.H - widget.FrameInner(box).H

	// The width decides how many lines the list has.
	h.box = widget.Box{W: min(box.W, helpWidth), H: box.H}
	listHeight := len(h.layOut(h.groups))
	h.box.H = min(box.H, listHeight+queryHeight+frameHeight)

	inner := widget.FrameInner(h.box)
	h.scroll.Resize(widget.Box{W: inner.W, H: inner.H - queryHeight})
	h.refresh()
}

// Typing is true: letters are searched for.
func (h *help) Typing() bool { return true }

// Commands lists the keys of the help itself, for the footer. The keys that scroll are left
// out if the whole list is in view.
func (h *help) Commands(*app.State) []app.Command {
	keys := []key.Binding{
		app.Bind("enter", "press it"),
		app.Bind("esc", "close", "esc", "?"),
		app.Bind("↓ ↑", "choose", "down", "up"),
	}
	if h.scroll.Hidden() != (widget.HiddenCounts{}) {
		keys = append(keys, app.Bind("pgdn", "read on", "pgdown"), app.Bind("pgup", "read back"))
	}
	return app.KeysForHelp(app.GroupHere, keys...)
}

// Update handles a key or the mouse. It returns true if the help is to close: after esc,
// and after enter, whose command presses the chosen key once the help is gone.
func (h *help) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	keyMsg, ok := msg.(tea.KeyMsg)
	if !ok {
		h.scroll.Update(msg)
		return nil, false
	}
	switch keyMsg.String() {
	case "esc", "?":
		return nil, true
	case "enter":
		if h.chosenIndex < 0 || len(h.shown) == 0 { // no key is chosen
			return nil, true
		}
		chosen := h.shown[h.chosenIndex]
		chosenKey := term.Key(chosen.Binding.Keys()[0])
		return app.Send(pressMsg(chosenKey)), true
	case "up":
		h.chooseAt(h.chosenIndex - 1)
	case "down":
		h.chooseAt(h.chosenIndex + 1)
	case "pgup", "pgdown", "ctrl+d", "ctrl+u":
		h.scroll.Update(msg)
	default: // it edits the text, and the first binding that matches is chosen
		previousText := h.query.Value()
		h.query.Update(keyMsg)
		if h.query.Value() == previousText {
			return nil, false
		}
		h.chosenIndex = -1
		if strings.TrimSpace(h.query.Value()) != "" {
			h.chosenIndex = 0
		}
		h.refresh()
	}
	return nil, false
}

// chooseAt chooses the binding at an index. An index outside of the list chooses the
// first or the last binding.
func (h *help) chooseAt(index int) {
	h.chosenIndex = max(min(index, len(h.shown)-1), 0)
	h.refresh()
}

// View draws the help in its frame: a line with the typed text, and the list of keys below
// it. The frame says how many lines are hidden above those in view. The list itself says how
// many are hidden below.
func (h *help) View(state *app.State) string {
	const promptWidth = 2
	innerWidth := widget.FrameInner(h.box).W
	prompt := widget.Styled(themes.Key, "/ ").Fit(state.Theme, min(promptWidth, innerWidth))

	const hasFocus = true
	search := prompt + h.query.View(state.Theme, innerWidth-promptWidth, hasFocus, "type to search")
	keyList := h.scroll.View(state.Theme)
	if len(h.shown) == 0 {
		advice := widget.Muted("no key here does that; esc and : find everything by name")
		keyList = advice.Fit(state.Theme, innerWidth)
	}
	content := widget.JoinVertically(search, keyList)
	hiddenAbove := widget.HiddenCounts{Above: h.scroll.Hidden().Above}
	return widget.Frame(state.Theme, "Help", content, h.box, hiddenAbove)
}

// twoColumnsWidth is the width, in cells, from which the list of keys is drawn in two
// columns.
const twoColumnsWidth = 88

// layOut returns the lines of a list of keys. In a wide dialog, the groups are in two
// columns of about the same height. A group is never split between the columns.
func (h *help) layOut(groups []keyGroup) []widget.Line {
	const firstIndex = 0 // groups begin with the first binding
	width := widget.FrameInner(h.box).W
	if width < twoColumnsWidth {
		return h.stackGroups(groups, firstIndex, width)
	}

	const ruleWidth = 3 // cells between the columns
	columnWidth := (width - ruleWidth) / 2

	// Groups go to the left column until it is half as high as all of them together.
	halfHeight := len(h.stackGroups(groups, firstIndex, columnWidth)) / 2
	groupsInLeft := 0
	commandsInLeft := 0
	for groupsInLeft < len(groups) {
		leftHeight := len(h.stackGroups(groups[:groupsInLeft], firstIndex, columnWidth))
		if leftHeight >= halfHeight {
			break
		}
		commandsInLeft += len(groups[groupsInLeft].commands)
		groupsInLeft++
	}

	// The other groups go to the right column.
	left := h.stackGroups(groups[:groupsInLeft], firstIndex, columnWidth)
	right := h.stackGroups(groups[groupsInLeft:], commandsInLeft, columnWidth)
	if len(right) == 0 {
		return left
	}
	return widget.Columns(left, right, columnWidth)
}

// stackGroups returns the lines of groups of keys, one group below the other, with a blank
// line between two groups. firstIndex is the index in h.shown of the first command
// of groups. It is needed to find the chosen one, which is highlighted.
func (h *help) stackGroups(groups []keyGroup, firstIndex, width int) (lines []widget.Line) {
	chosenInGroup := h.chosenIndex - firstIndex
	for i, group := range groups {
		if i > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, group.lines(width, chosenInGroup)...)
		chosenInGroup -= len(group.commands)
	}
	return lines
}

// lines returns the lines of a group of keys: its heading, and below it a line for each
// key with its label, such as "u  Undo". A label that is too long for the width continues
// on the next line. chosenIndex is the index in this group of the command to highlight.
// An index outside of the group highlights none.
func (g keyGroup) lines(width, chosenIndex int) []widget.Line {
	// The keys form one column, as wide as the widest key, and the labels form another.
	keyWidth := 0
	for _, command := range g.commands {
		keyText := widget.Safe(command.Binding.Help().Key)
		keyWidth = max(keyWidth, widget.Width(keyText))
	}
	const (
		gapWidth      = 2
		minLabelWidth = 20
	)
	labelWidth := max(width-keyWidth-gapWidth, minLabelWidth)

	lines := []widget.Line{widget.Styled(themes.Title, g.title)}
	for i, command := range g.commands {
		keyRole, labelRole := themes.Key, themes.Text
		if i == chosenIndex {
			keyRole, labelRole = themes.Selected, themes.Selected
		}
		keyText := widget.Safe(command.Binding.Help().Key)
		label := widget.Safe(command.Binding.Help().Desc)
		keyColumn := widget.Styled(keyRole, widget.Fit(keyText, keyWidth))
		for _, part := range widget.Wrap(label, labelWidth) {
			lines = append(lines, keyColumn.Append(labelRole, "  "+part))
			keyColumn = widget.Plain(widget.Fit("", keyWidth)) // blank beside the other parts
		}
	}
	return lines
}
