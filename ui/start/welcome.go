// Package start shows the welcome over an empty database, and the forms that
// create or import a collection. The functions that open files and databases come
// with [app.Options].
package start

import (
	"strings"

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
	entries     []menuEntry
	cursor      int // the index of the selected entry
	box         widget.Box
	entryOfLine []int // for each line of the view, the index of its entry; -1 is none
}

// NewWelcome returns the welcome with the menu entries that st permits.
func NewWelcome(st *app.State) *Welcome { return &Welcome{entries: menuEntries(st)} }

// menuEntries returns the entries of the welcome menu: look at the demo, create a
// collection, import one, take a lesson. An entry is left out if the program was
// started without the function that it needs, such as st.OpenDemo.
func menuEntries(st *app.State) []menuEntry {
	var entries []menuEntry
	const needsEmpty = "needs an empty database: ephemera --db DIR"
	if st.OpenDemo != nil {
		entries = append(entries, menuEntry{
			key:             "d",
			title:           "Look at the demo",
			description:     "made up, in memory: nothing can break",
			open:            openDemo,
			unavailableText: "ephemera --demo shows it",
		})
	}
	entries = append(entries, menuEntry{
		key:             "c",
		title:           "Create a collection",
		description:     "name, symbol, and you are its minter",
		open:            openCreate,
		unavailableText: needsEmpty,
	})
	if st.Import != nil {
		entries = append(entries, menuEntry{
			key:             "i",
			title:           "Import a contract",
			description:     "its storage, as a chain's node prints it",
			open:            openImport,
			unavailableText: needsEmpty,
		})
	}
	if st.Scratch != nil {
		entries = append(entries, menuEntry{
			key:         "l",
			title:       "Take a lesson",
			description: "owners, spenders, and when grants expire",
			open:        chooseLesson,
		})
	}
	return entries
}

// UnavailableMenuCommands returns the entries of the welcome menu as disabled commands,
// each with the reason. A database that has a collection lists them in the command
// palette, so that a search for "import" finds how to do it.
func UnavailableMenuCommands(st *app.State) []app.Command {
	var commands []app.Command
	for _, entry := range menuEntries(st) {
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

// Resize sets the box that the welcome is drawn in.
func (w *Welcome) Resize(b widget.Box) { w.box = b }

// Commands returns the keys of the menu: enter opens the selected entry, j and k select
// the next and the previous one and wrap around at the ends, and each entry's own
// letter opens it. q ends the program.
func (w *Welcome) Commands(st *app.State) []app.Command {
	move := func(by int) tea.Cmd {
		w.cursor = (w.cursor + len(w.entries) + by) % len(w.entries)
		return nil
	}
	commands := []app.Command{
		app.DialogCommand("enter", "open", func() tea.Cmd { return w.openEntry(st, w.cursor) }, "enter"),
		app.DialogCommand("q", "quit", func() tea.Cmd { return tea.Quit }, "q"),
	}
	commands = append(commands, app.OppositeCommands("j k ↓ ↑", "choose", move, +1, "j down tab", "k up shift+tab")...)
	for i, entry := range w.entries {
		openThis := func() tea.Cmd { return w.openEntry(st, i) }
		commands = append(commands, app.DialogCommand(entry.key, entry.title, openThis, entry.key))
	}
	return commands
}

// openEntry opens the menu entry at an index, and selects it.
func (w *Welcome) openEntry(st *app.State, index int) tea.Cmd {
	w.cursor = index
	return w.entries[index].open(st)
}

// Update opens the entry that is clicked, or runs the command of a key. It never
// reports that the dialog is done: the welcome stays until the root shows a collection.
func (w *Welcome) Update(st *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		isOnEntry := msg.Y < len(w.entryOfLine) && w.entryOfLine[msg.Y] >= 0
		if widget.IsClick(msg) && isOnEntry {
			return w.openEntry(st, w.entryOfLine[msg.Y]), false
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

// View draws the menu in a frame. A low terminal omits the introduction. In a narrow
// terminal the description of an entry is below its title if there is enough height,
// and otherwise omitted.
func (w *Welcome) View(st *app.State) string {
	box := widget.Box{W: min(w.box.W, maxWelcomeWidth), H: w.box.H}
	inner := widget.FrameInner(box)
	lines := w.lines(inner)
	view := make([]string, len(lines))
	for i, line := range lines {
		view[i] = line.Fit(st.Theme, inner.W)
	}
	frameHeight := box.H - inner.H
	box.H = min(box.H, len(lines)+frameHeight)
	return widget.Frame(st.Theme, "Ephemera", strings.Join(view, "\n"), box, widget.Hidden{})
}

// lines returns the lines inside the frame. It also sets entryOfLine, so that a click
// can be matched with the entry on its line.
func (w *Welcome) lines(inner widget.Box) (lines []widget.Line) {
	const noEntry = -1
	w.entryOfLine = w.entryOfLine[:0]
	add := func(entryIndex int, line widget.Line) {
		lines = append(lines, line)
		w.entryOfLine = append(w.entryOfLine, entryIndex)
	}

	const introText = "A CW721 collection that you can act on as anyone, with a clock that moves only when you say so."
	intro := widget.Wrap(introText, min(max(inner.W-4, 2), maxIntroWidth))
	const extraLines = 5 // the blank ones around the introduction and the menu, and the line of keys
	if inner.H >= len(intro)+len(w.entries)+extraLines {
		add(noEntry, nil)
		for _, line := range intro {
			add(noEntry, widget.In(themes.Text, "  "+line))
		}
		add(noEntry, nil)
	}

	isBeside := inner.W >= minWidthForDescriptions
	isBelow := !isBeside && inner.H >= len(intro)+2*len(w.entries)+extraLines
	for i, entry := range w.entries {
		pointer := "  "
		role := themes.Text
		if i == w.cursor {
			pointer = themes.GlyphPointer + " "
			role = themes.Strong
		}
		line := widget.In(themes.Accent, "  "+pointer).
			And(themes.Key, entry.key).
			And(role, "  "+widget.Fit(entry.title, titleWidth))
		if isBeside {
			line = line.And(themes.Muted, entry.description)
		}
		add(i, line)
		if isBelow {
			add(i, widget.In(themes.Muted, "       "+entry.description))
		}
	}

	const keyLines = 3 // the keys, between two blank lines
	if inner.H >= len(lines)+keyLines {
		add(noEntry, nil)
		add(noEntry, widget.In(themes.Muted, "  enter opens, q quits"))
		add(noEntry, nil)
	}
	return lines
}
