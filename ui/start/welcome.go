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
	phrases     string // see [app.Command.FoundBy]
	openCommand func(st *app.State) tea.Cmd
	// unavailableText says how to reach the entry when the database already has a
	// collection, such as "ephemera --demo shows it". It is empty if another command of
	// the explorer then does the same as the entry.
	unavailableText string
}

// Welcome is the dialog that the explorer shows over an empty database. Its menu offers
// the demo, a new collection, an import, and the lessons.
type Welcome struct {
	cursor int        // the index of the selected entry
	box    widget.Box // the box that the dialog may fill, with its frame

	// The layout depends on the box; see [Welcome.Resize].
	intro                 []widget.Line // the lines above the menu
	areDescriptionsBeside bool          // the description of an entry is beside its title
	entryHeight           int           // 2 if the description of an entry is below its title, and otherwise 1
}

// needsEmpty is the unavailableText of an entry that fills an empty database.
const needsEmpty = "needs an empty database: ephemera --db DIR"

// menuEntries are the entries of the welcome menu, in its order.
var menuEntries = []menuEntry{
	{
		key:             "d",
		title:           "Look at the demo",
		description:     "made up, in memory: nothing can break",
		phrases:         "example, sample, try",
		openCommand:     openDemo,
		unavailableText: "ephemera --demo shows it",
	},
	{
		key:             "c",
		title:           "Create a collection",
		description:     "name, symbol, and you are its minter",
		phrases:         "instantiate, new collection, start over, another collection",
		openCommand:     openCreate,
		unavailableText: needsEmpty,
	},
	{
		key:             "i",
		title:           "Import a contract",
		description:     "its storage, from a chain's dump",
		phrases:         "load, open a file, migrate",
		openCommand:     openImport,
		unavailableText: needsEmpty,
	},
	{
		key:         "l",
		title:       "Take a lesson",
		description: "owners, spenders, and when grants expire",
		openCommand: func(*app.State) tea.Cmd { return app.Send(app.ChooseLessonMsg{}) },
	},
}

// UnavailableMenuCommands returns entries of the welcome menu as disabled commands, each
// with a text that says how to reach it. When the database already has a collection, the
// command palette lists them. So a search for "import" there finds how to import a
// contract.
func UnavailableMenuCommands() (commands []app.Command) {
	for _, entry := range menuEntries {
		if entry.unavailableText != "" {
			command := app.Command{Name: entry.title, Phrases: entry.phrases, Group: app.GroupProgram}
			commands = append(commands, command.DisabledIf(true, entry.unavailableText))
		}
	}
	return commands
}

// openDemo returns the command that creates the demo collection in memory. The explorer
// then shows it in place of the database, which stays empty.
func openDemo(state *app.State) tea.Cmd {
	createDemo := state.OpenDemo
	return func() tea.Msg {
		engine, err := createDemo()
		return app.OpenedMsg{Engine: engine, Err: err, InMemory: true}
	}
}

// Commands returns the keys of the menu. Enter opens the selected entry, and each entry's
// own letter opens that entry. The keys j and k select the next and the previous entry,
// and wrap around at the ends of the menu. The key q ends the program.
func (w *Welcome) Commands(state *app.State) []app.Command {
	commands := []app.Command{
		app.DialogCommand("enter", "open", func() tea.Cmd { return w.openEntry(state, w.cursor) }),
		app.DialogCommand("q", "quit", func() tea.Cmd { return tea.Quit }),
	}
	commands = append(commands, app.OppositeCommands("j k ↓ ↑", "choose", func(steps int) tea.Cmd {
		w.cursor = (w.cursor + len(menuEntries) + steps) % len(menuEntries)
		return nil
	}, +1, "j down tab", "k up shift+tab")...)
	for i, entry := range menuEntries {
		commands = append(commands, app.DialogCommand(entry.key, entry.title,
			func() tea.Cmd { return w.openEntry(state, i) }))
	}
	return commands
}

// openEntry selects the menu entry at an index, and returns the command that opens it.
func (w *Welcome) openEntry(state *app.State, index int) tea.Cmd {
	w.cursor = index
	return menuEntries[index].openCommand(state)
}

// Update opens the entry that is clicked, or runs the command of a key. done is always
// false, because the welcome stays until the explorer shows a collection.
func (w *Welcome) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		menuLine := msg.Y - len(w.intro)
		if widget.IsClick(msg) && menuLine >= 0 && menuLine < len(menuEntries)*w.entryHeight {
			return w.openEntry(state, menuLine/w.entryHeight), false
		}
	case tea.KeyMsg:
		if command, isBound := app.FindCommand(w.Commands(state), msg); isBound {
			return command.Do(), false
		}
	}
	return nil, false
}

// The widths of the welcome, in cells.
const (
	maxWelcomeWidth = 78 // of the dialog, with its frame
	maxIntroWidth   = 52 // of the introduction above the menu
	titleWidth      = 22 // of an entry's title
	// minWidthForDescriptions is the smallest width inside the frame with which an
	// entry's description is beside its title.
	minWidthForDescriptions = 72
)

// introText is the introduction above the menu.
const introText = "A CW721 collection that you can act on as anyone, with a clock that moves only when you say so."

// keyLines are the lines below the menu.
var keyLines = []widget.Line{nil, widget.Muted("  enter opens, q quits"), nil}

// Resize computes the layout of the welcome for the box that it may fill. In a wide box
// the description of an entry is beside its title. In a narrow box it is below the title
// if there is enough height. Otherwise there are no descriptions. A low box has no
// introduction either.
func (w *Welcome) Resize(box widget.Box) {
	w.box = widget.Box{W: min(box.W, maxWelcomeWidth), H: box.H}
	inner := widget.FrameInner(w.box)

	// An empty line stands above and below the introduction.
	intro := []widget.Line{nil}
	textWidth := min(max(inner.W-4, 2), maxIntroWidth) // without two cells on each side
	for _, text := range widget.Wrap(introText, textWidth) {
		intro = append(intro, widget.Plain("  "+text))
	}
	intro = append(intro, nil)

	// The descriptions are beside the titles, below them, or left out.
	linesForMenu := inner.H - len(intro) - len(keyLines)
	w.areDescriptionsBeside = inner.W >= minWidthForDescriptions
	w.entryHeight = 1
	if !w.areDescriptionsBeside && linesForMenu >= 2*len(menuEntries) {
		w.entryHeight = 2
	}

	// The menu is more important than the introduction.
	w.intro = nil
	if linesForMenu >= len(menuEntries) {
		w.intro = intro
	}
}

// View draws the introduction and the menu in a frame. The lines with the keys are below
// the menu if there is enough height for them.
func (w *Welcome) View(state *app.State) string {
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
	body := widget.DrawLines(state.Theme, lines, inner.W)
	return widget.Frame(state.Theme, "Ephemera", body, box, widget.HiddenCounts{})
}

// entryLines returns the one or two lines of a menu entry.
func (w *Welcome) entryLines(entry menuEntry, isSelected bool) []widget.Line {
	pointer := "  "
	titleRole := themes.Text
	if isSelected {
		pointer = themes.GlyphPointer + " "
		titleRole = themes.Strong
	}
	title := widget.Styled(themes.Accent, "  "+pointer).
		Append(themes.Key, entry.key).
		Append(titleRole, "  "+widget.Fit(entry.title, titleWidth))
	if w.areDescriptionsBeside {
		title = title.Muted(entry.description)
	}
	lines := []widget.Line{title}
	if w.entryHeight == 2 {
		lines = append(lines, widget.Muted("       "+entry.description))
	}
	return lines
}
