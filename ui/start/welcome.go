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

// menuEntry is a choice of the welcome.
type menuEntry struct {
	key         string
	title       string
	description string
	open        func(st *app.State) tea.Cmd
	// unavailableText says what to do once there is a collection; empty if another command
	// does the same then.
	unavailableText string
}

// Welcome is the dialog over an empty database. It offers the demo, a new
// collection, an import and the lessons.
type Welcome struct {
	entries     []menuEntry
	cursor      int
	box         widget.Box
	entryOfLine []int // the index of the door on each line; -1 for none
}

// NewWelcome returns the welcome with the doors that the options allow.
func NewWelcome(st *app.State) *Welcome { return &Welcome{entries: menuEntries(st)} }

// menuEntries returns the doors that the options allow.
func menuEntries(st *app.State) (all []menuEntry) {
	const needsEmpty = "needs an empty database: ephemera --db DIR"
	if st.OpenDemo != nil {
		all = append(all, menuEntry{key: "d", title: "Look at the demo", description: "made up, in memory: nothing can break", open: openDemo, unavailableText: "ephemera --demo shows it"})
	}
	all = append(all, menuEntry{key: "c", title: "Create a collection", description: "name, symbol, and you are its minter", open: openCreate, unavailableText: needsEmpty})
	if st.Import != nil {
		all = append(all, menuEntry{key: "i", title: "Import a contract", description: "its storage, as a chain's node prints it", open: openImport, unavailableText: needsEmpty})
	}
	if st.Scratch != nil {
		all = append(all, menuEntry{key: "l", title: "Take a lesson", description: "owners, spenders, and when grants expire", open: chooseLesson})
	}
	return all
}

// UnavailableMenuCommands lists the doors in the palette of a database with a collection,
// disabled, with the reason.
func UnavailableMenuCommands(st *app.State) (all []app.Command) {
	for _, d := range menuEntries(st) {
		if d.unavailableText != "" {
			all = append(all, app.Command{Name: d.title, Group: app.GroupProgram}.DisabledIf(true, d.unavailableText))
		}
	}
	return all
}

// openDemo shows the demo, which is only in memory, in place of the database.
func openDemo(st *app.State) tea.Cmd {
	open := st.OpenDemo
	return func() tea.Msg {
		e, err := open()
		return app.OpenedMsg{Engine: e, Err: err, InMemory: true}
	}
}

func chooseLesson(*app.State) tea.Cmd {
	return func() tea.Msg { return app.ChooseLessonMsg{} }
}

func (w *Welcome) Resize(b widget.Box) { w.box = b }

func (w *Welcome) Commands(st *app.State) []app.Command {
	move := func(by int) tea.Cmd {
		w.cursor = (w.cursor + len(w.entries) + by) % len(w.entries)
		return nil
	}
	all := []app.Command{
		app.DialogCommand("enter", "open", func() tea.Cmd { return w.openEntry(st, w.cursor) }, "enter"),
		app.DialogCommand("q", "quit", func() tea.Cmd { return tea.Quit }, "q"),
	}
	all = append(all, app.OppositeCommands("j k ↓ ↑", "choose", move, +1, "j down tab", "k up shift+tab")...)
	for i, d := range w.entries {
		all = append(all, app.DialogCommand(d.key, d.title, func() tea.Cmd { return w.openEntry(st, i) }, d.key))
	}
	return all
}

// openEntry opens the door at an index, and leaves the cursor there.
func (w *Welcome) openEntry(st *app.State, index int) tea.Cmd {
	w.cursor = index
	return w.entries[index].open(st)
}

func (w *Welcome) Update(st *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		isOnDoor := msg.Y < len(w.entryOfLine) && w.entryOfLine[msg.Y] >= 0
		if widget.IsClick(msg) && isOnDoor {
			return w.openEntry(st, w.entryOfLine[msg.Y]), false
		}
	case tea.KeyMsg:
		if c, ok := app.FindCommand(w.Commands(st), msg); ok {
			return c.Do(), false
		}
	}
	return nil, false
}

const (
	maxWelcomeWidth         = 78 // the largest width of the welcome
	maxIntroWidth           = 52 // the largest width of its introduction
	minWidthForDescriptions = 72 // the width inside the frame from which a door's text is beside its title
	titleWidth              = 22
)

// View draws the doors. In a low terminal the introduction is left out, and in a
// narrow one the text about a door is below its title if there is room.
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

// lines returns the lines inside the frame, and notes the door on each of them.
func (w *Welcome) lines(inner widget.Box) (lines []widget.Line) {
	const noDoor = -1
	w.entryOfLine = w.entryOfLine[:0]
	add := func(door int, line widget.Line) {
		lines = append(lines, line)
		w.entryOfLine = append(w.entryOfLine, door)
	}

	intro := widget.Wrap("A CW721 collection that you can act on as anyone, with a clock that moves only when you say so.", min(max(inner.W-4, 2), maxIntroWidth))
	const blankLines = 5 // around the introduction and the doors, with the line of the keys
	if inner.H >= len(intro)+len(w.entries)+blankLines {
		add(noDoor, nil)
		for _, line := range intro {
			add(noDoor, widget.In(themes.Text, "  "+line))
		}
		add(noDoor, nil)
	}

	isWide := inner.W >= minWidthForDescriptions
	aboutBelow := !isWide && inner.H >= len(intro)+2*len(w.entries)+blankLines
	for i, d := range w.entries {
		pointer, role := "  ", themes.Text
		if i == w.cursor {
			pointer, role = themes.GlyphPointer+" ", themes.Strong
		}
		title := widget.In(themes.Accent, "  "+pointer).And(themes.Key, d.key).And(role, "  "+widget.Fit(d.title, titleWidth))
		if isWide {
			title = title.And(themes.Muted, d.description)
		}
		add(i, title)
		if aboutBelow {
			add(i, widget.In(themes.Muted, "       "+d.description))
		}
	}

	if inner.H >= len(lines)+3 {
		add(noDoor, nil)
		add(noDoor, widget.In(themes.Muted, "  enter opens, q quits"))
		add(noDoor, nil)
	}
	return lines
}
