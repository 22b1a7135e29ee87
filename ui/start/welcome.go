// Package start is what an empty database is met with: the welcome, and the
// forms that create a collection or import one.
//
// How files are opened and databases made is handed in with app.Options.
package start

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// door is one way on from the welcome.
type door struct {
	key, title, about string
	do                func(st *app.State) tea.Cmd
	// later says what it takes once there is a collection; empty where another
	// command does the same then.
	later string
}

// Welcome stands on an empty database: demo, create, import, lessons.
type Welcome struct {
	doors  []door
	cursor int
	box    widget.Box
	rows   []int // the door on each line, -1 for none
}

// NewWelcome makes the welcome, with the doors that the options allow.
func NewWelcome(st *app.State) *Welcome { return &Welcome{doors: doors(st)} }

func doors(st *app.State) (all []door) {
	const empty = "needs an empty database: ephemera --db DIR"
	if st.OpenDemo != nil {
		all = append(all, door{"d", "Look at the demo", "made up, in memory: nothing can break", func(st *app.State) tea.Cmd { return openDemo(st) }, "ephemera --demo shows it"})
	}
	all = append(all, door{"c", "Create a collection", "name, symbol, and you are its minter", func(st *app.State) tea.Cmd { return openCreate(st) }, empty})
	if st.Import != nil {
		all = append(all, door{"i", "Import a contract", "its storage, as a chain's node prints it", func(st *app.State) tea.Cmd { return openImport(st) }, empty})
	}
	if st.Scratch != nil {
		all = append(all, door{"l", "Take a lesson", "owners, spenders, and when grants expire", func(*app.State) tea.Cmd { return func() tea.Msg { return app.ChooseLessonMsg{} } }, ""})
	}
	return all
}

// DoorCommands are the doors where there is a collection already: none of them
// can be gone through, and the palette says so.
func DoorCommands(st *app.State) (all []app.Command) {
	for _, x := range doors(st) {
		if x.later != "" {
			all = append(all, app.Command{Name: x.title, Group: app.GroupProgram}.Unless(true, x.later))
		}
	}
	return all
}

// openDemo leaves the empty database for the demo, which is only in memory.
func openDemo(st *app.State) tea.Cmd {
	open := st.OpenDemo
	return func() tea.Msg {
		e, err := open()
		return app.OpenedMsg{Engine: e, Err: err, InMemory: true}
	}
}

func (w *Welcome) Resize(b widget.Box) { w.box = b }

func (w *Welcome) Commands(st *app.State) []app.Command {
	all := slices.Concat([]app.Command{
		app.Key("enter", "open", func() tea.Cmd { return w.doors[w.cursor].do(st) }, "enter"),
		app.Key("q", "quit", func() tea.Cmd { return tea.Quit }, "q"),
	}, app.Pair("j k ↓ ↑", "choose", func(by int) tea.Cmd {
		w.cursor = (w.cursor + len(w.doors) + by) % len(w.doors)
		return nil
	}, +1, "j down tab", "k up shift+tab"))
	for i, x := range w.doors {
		all = append(all, app.Key(x.key, x.title, func() tea.Cmd { w.cursor = i; return x.do(st) }, x.key))
	}
	return all
}

func (w *Welcome) Update(st *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		if widget.Clicked(msg) && msg.Y < len(w.rows) && w.rows[msg.Y] >= 0 {
			w.cursor = w.rows[msg.Y]
			return w.doors[w.cursor].do(st), false
		}
	case tea.KeyMsg:
		if c, ok := app.Find(w.Commands(st), msg); ok {
			return c.Do(), false
		}
	}
	return nil, false
}

const welcomeWidth = 78

// View draws the doors. Where it is low the words around them go, and where it
// is narrow the words about a door stand below it.
func (w *Welcome) View(st *app.State) string {
	th := st.Theme
	box := widget.Box{W: min(w.box.W, welcomeWidth), H: w.box.H}
	inner := widget.FrameInner(box)
	var lines []widget.Line
	w.rows = w.rows[:0]
	add := func(door int, l widget.Line) { lines, w.rows = append(lines, l), append(w.rows, door) }
	intro := widget.Wrap("A CW721 collection that you can act on as anyone, with a clock that moves only when you say so.", min(max(inner.W-4, 2), 52))
	below := inner.W < 72 && inner.H >= len(intro)+2*len(w.doors)+5
	if inner.H >= len(intro)+len(w.doors)+5 {
		add(-1, nil)
		for _, l := range intro {
			add(-1, widget.In(themes.Text, "  "+l))
		}
		add(-1, nil)
	}
	for i, x := range w.doors {
		sign, role := "  ", themes.Text
		if i == w.cursor {
			sign, role = themes.GlyphPointer+" ", themes.Strong
		}
		l := widget.In(themes.Accent, "  "+sign).And(themes.Key, x.key).And(role, "  "+widget.Fit(x.title, 22))
		switch {
		case below:
			add(i, l)
			add(i, widget.In(themes.Muted, "       "+x.about))
		case inner.W < 72:
			add(i, l)
		default:
			add(i, l.And(themes.Muted, x.about))
		}
	}
	if inner.H >= len(lines)+3 {
		add(-1, nil)
		add(-1, widget.In(themes.Muted, "  enter opens, q quits"))
		add(-1, nil)
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Fit(th, inner.W)
	}
	box.H = min(box.H, len(lines)+box.H-inner.H)
	return widget.Frame(th, "Ephemera", strings.Join(out, "\n"), box, widget.Hidden{})
}
