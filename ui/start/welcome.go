// Package start shows the welcome over an empty database, and the forms that
// create or import a collection. The functions that open files and databases come
// with [app.Options].
package start

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// menuEntry is a line of the welcome menu, such as "d  Look at the demo".
type menuEntry struct {
	key         string // the letter that opens the entry
	title       string
	description string // a few words beside or below the title
	open        func(st *app.State) tea.Cmd
	// unavailableText says how to reach the entry when the database already has a
	// collection, such as "ephemera --demo shows it". It is empty for an entry that
	// another command of the explorer replaces then.
	unavailableText string
}

// Welcome is the dialog that the explorer shows over an empty database. Its menu offers
// the demo, a new collection, an import, and the lessons.
type Welcome struct {
	cursor int        // the index of the selected entry
	box    widget.Box // with the frame

	// The layout, which depends on the box.
	intro       []widget.Line // the lines above the menu
	isBeside    bool          // the descriptions of the entries are beside their titles
	entryHeight int           // the lines of an entry: 2 with its description below, else 1
}

// needsEmpty says how to reach a menu entry that fills an empty database.
const needsEmpty = "needs an empty database: ephemera --db DIR"

// menuEntries are the entries of the welcome menu, in its order.
var menuEntries = []menuEntry{
	{
		key:             "d",
		title:           "Look at the demo",
		description:     "made up, in memory: nothing can break",
		open:            openDemo,
		unavailableText: "ephemera --demo shows it",
	},
	{
		key:             "c",
		title:           "Create a collection",
		description:     "name, symbol, and you are its minter",
		open:            openCreate,
		unavailableText: needsEmpty,
	},
	{
		key:             "i",
		title:           "Import a contract",
		description:     "its storage, from a chain's dump",
		open:            openImport,
		unavailableText: needsEmpty,
	},
	{
		key:         "l",
		title:       "Take a lesson",
		description: "owners, spenders, and when grants expire",
		open:        chooseLesson,
	},
}

// UnavailableMenuCommands returns the entries of the welcome menu as disabled commands,
// each with the reason. A database that has a collection lists them in the command
// palette, so that a search for "import" finds how to do it.
func UnavailableMenuCommands() []app.Command {
	var commands []app.Command
	for _, entry := range menuEntries {
		if entry.unavailableText != "" {
			command := app.Command{Name: entry.title, Group: app.GroupProgram}
			commands = append(commands, command.DisabledIf(true, entry.unavailableText))
		}
	}
	return commands
}

// openDemo returns the command that creates the demo collection in memory and shows it
// in place of the database, which stays empty.
func openDemo(st *app.State) tea.Cmd {
	open := st.OpenDemo
	return func() tea.Msg {
		e, err := open()
		return app.OpenedMsg{Engine: e, Err: err, InMemory: true}
	}
}

// chooseLesson asks the root of the explorer to open its list of lessons.
func chooseLesson(*app.State) tea.Cmd {
	return func() tea.Msg { return app.ChooseLessonMsg{} }
}

// Commands returns the keys of the menu: enter opens the selected entry, j and k select
// the next and the previous one and wrap around at the ends, and each entry's own
// letter opens it. q ends the program.
func (w *Welcome) Commands(st *app.State) []app.Command {
	move := func(by int) tea.Cmd {
		w.cursor = (w.cursor + len(menuEntries) + by) % len(menuEntries)
		return nil
	}
	commands := []app.Command{
		app.DialogCommand("enter", "open", func() tea.Cmd { return w.openEntry(st, w.cursor) }, "enter"),
		app.DialogCommand("q", "quit", func() tea.Cmd { return tea.Quit }, "q"),
	}
	commands = append(commands, app.OppositeCommands("j k ↓ ↑", "choose", move, +1, "j down tab", "k up shift+tab")...)
	for i, entry := range menuEntries {
		openThis := func() tea.Cmd { return w.openEntry(st, i) }
		commands = append(commands, app.DialogCommand(entry.key, entry.title, openThis, entry.key))
	}
	return commands
}

// openEntry opens the menu entry at an index, and selects it.
func (w *Welcome) openEntry(st *app.State, index int) tea.Cmd {
	w.cursor = index
	return menuEntries[index].open(st)
}

// Update opens the entry that is clicked, or runs the command of a key. It never
// reports that the dialog is done: the welcome stays until the root shows a collection.
func (w *Welcome) Update(st *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		menuLine := msg.Y - len(w.intro)
		isOnEntry := menuLine >= 0 && menuLine < len(menuEntries)*w.entryHeight
		if widget.IsClick(msg) && isOnEntry {
			return w.openEntry(st, menuLine/w.entryHeight), false
		}
	case tea.KeyMsg:
		if command, isBound := app.FindCommand(w.Commands(st), msg); isBound {
			return command.Do(), false
		}
	}
	return nil, false
}

// Widths of the welcome, in cells.
const (
	maxWelcomeWidth = 78 // with the frame
	maxIntroWidth   = 52 // of the introduction, a sentence above the menu
	titleWidth      = 22 // of an entry's title
	// minWidthForDescriptions is the width inside the frame from which an entry's
	// description is beside its title.
	minWidthForDescriptions = 72
)

// introText is the introduction above the menu.
const introText = "A CW721 collection that you can act on as anyone, with a clock that moves only when you say so."

// keyLines are the lines below the menu.
var keyLines = []widget.Line{{}, widget.Muted("  enter opens, q quits"), {}}

// Resize lays the welcome out for the box that it may fill. In a narrow box the
// description of an entry is below its title if there is enough height, and otherwise
// omitted. A low box omits the introduction.
func (w *Welcome) Resize(b widget.Box) {
	w.box = widget.Box{W: min(b.W, maxWelcomeWidth), H: b.H}
	inner := widget.FrameInner(w.box)

	w.intro = []widget.Line{{}}
	for _, text := range widget.Wrap(introText, min(max(inner.W-4, 2), maxIntroWidth)) {
		w.intro = append(w.intro, widget.Plain("  "+text))
	}
	w.intro = append(w.intro, widget.Line{})

	// The descriptions are beside the titles, below them, or left out.
	linesForMenu := inner.H - len(w.intro) - len(keyLines)
	w.isBeside = inner.W >= minWidthForDescriptions
	w.entryHeight = 1
	if !w.isBeside && linesForMenu >= 2*len(menuEntries) {
		w.entryHeight = 2
	}

	// The menu matters more than the introduction.
	if linesForMenu < len(menuEntries) {
		w.intro = nil
	}
}

// View draws the menu in a frame.
func (w *Welcome) View(st *app.State) string {
	box := w.box
	inner := widget.FrameInner(box)
	frameHeight := box.H - inner.H

	lines := slices.Clip(w.intro)
	for i, entry := range menuEntries {
		lines = append(lines, w.entryLines(entry, i == w.cursor)...)
	}
	if inner.H >= len(lines)+len(keyLines) {
		lines = append(lines, keyLines...)
	}
	box.H = min(box.H, len(lines)+frameHeight)
	return widget.Frame(st.Theme, "Ephemera", widget.DrawLines(st.Theme, lines, inner.W), box, widget.Hidden{})
}

// entryLines returns the one or two lines of a menu entry.
func (w *Welcome) entryLines(entry menuEntry, isSelected bool) []widget.Line {
	pointer := "  "
	role := themes.Text
	if isSelected {
		pointer = themes.GlyphPointer + " "
		role = themes.Strong
	}
	title := widget.In(themes.Accent, "  "+pointer).
		And(themes.Key, entry.key).
		And(role, "  "+widget.Fit(entry.title, titleWidth))
	if w.isBeside {
		title = title.Muted(entry.description)
	}
	lines := []widget.Line{title}
	if w.entryHeight == 2 {
		lines = append(lines, widget.Muted("       "+entry.description))
	}
	return lines
}
