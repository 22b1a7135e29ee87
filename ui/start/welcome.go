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

// menuEntry is an entry of the welcome menu, such as "d  Look at the demo".
type menuEntry struct {
	key         string // the letter that opens the entry
	title       string
	description string // a few words below the title
	open        func(st *app.State) tea.Cmd
}

// Welcome is the dialog that the explorer shows over an empty database. Its menu offers
// the demo, a new collection, an import, and the lessons.
type Welcome struct {
	cursor int           // the index of the selected entry
	box    widget.Box    // with the frame
	intro  []widget.Line // the lines above the menu, wrapped to the box
}

// menuEntries are the entries of the welcome menu, in its order.
var menuEntries = []menuEntry{
	{
		key:         "d",
		title:       "Look at the demo",
		description: "made up, in memory: nothing can break",
		open:        openDemo,
	},
	{
		key:         "c",
		title:       "Create a collection",
		description: "name, symbol, and you are its minter",
		open:        openCreate,
	},
	{
		key:         "i",
		title:       "Import a contract",
		description: "its storage, from a chain's dump",
		open:        openImport,
	},
	{
		key:         "l",
		title:       "Take a lesson",
		description: "owners, spenders, and when grants expire",
		open:        chooseLesson,
	},
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
		isOnEntry := menuLine >= 0 && menuLine < len(menuEntries)*linesPerEntry
		if widget.IsClick(msg) && isOnEntry {
			return w.openEntry(st, menuLine/linesPerEntry), false
		}
	case tea.KeyMsg:
		if command, isBound := app.FindCommand(w.Commands(st), msg); isBound {
			return command.Do(), false
		}
	}
	return nil, false
}

// maxWelcomeWidth is the largest width of the welcome with its frame, in cells.
const maxWelcomeWidth = 60

// introText is the introduction above the menu.
const introText = "A CW721 collection that you can act on as anyone, with a clock that moves only when you say so."

// Resize wraps the introduction to the box that the welcome may fill.
func (w *Welcome) Resize(b widget.Box) {
	w.box = widget.Box{W: min(b.W, maxWelcomeWidth), H: b.H}
	const indents = 4 // two cells on each side
	width := max(widget.FrameInner(w.box).W-indents, 2)

	w.intro = []widget.Line{{}}
	for _, text := range widget.Wrap(introText, width) {
		w.intro = append(w.intro, widget.Plain("  "+text))
	}
	w.intro = append(w.intro, widget.Line{})
}

// View draws the introduction and the menu in a frame.
func (w *Welcome) View(st *app.State) string {
	lines := slices.Clip(w.intro)
	for i, entry := range menuEntries {
		lines = append(lines, entry.lines(i == w.cursor)...)
	}
	lines = append(lines, widget.Line{})

	inner := widget.FrameInner(w.box)
	frameHeight := w.box.H - inner.H
	box := widget.Box{W: w.box.W, H: min(w.box.H, len(lines)+frameHeight)}
	return widget.Frame(st.Theme, "Ephemera", widget.DrawLines(st.Theme, lines, inner.W), box, widget.Hidden{})
}

// linesPerEntry is the height of a menu entry: its title, and its description below.
const linesPerEntry = 2

// lines returns the lines of a menu entry: key and title, and the description below them.
func (e menuEntry) lines(isSelected bool) []widget.Line {
	pointer := "  "
	role := themes.Text
	if isSelected {
		pointer = themes.GlyphPointer + " "
		role = themes.Strong
	}
	title := widget.In(themes.Accent, "  "+pointer).And(themes.Key, e.key).And(role, "  "+e.title)
	return []widget.Line{title, widget.Muted("       " + e.description)}
}
