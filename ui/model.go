package ui

import (
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// Options is what the explorer is started with.
type Options struct {
	// Open gives the engine. It runs in a command, after the first frame. A
	// database without a collection gives an engine whose Config says so.
	Open func() (Engine, error)
	// Theme is what to draw with, ThemeOptions what others are made with.
	Theme        *themes.Theme
	ThemeOptions themes.Options
	// InMemory tells that nothing is kept.
	InMemory bool
	// MadeUp tells that what is opened is the demo, so that a newcomer is told
	// what to try.
	MadeUp bool
	// ReadOnly tells that every write is refused.
	ReadOnly bool
	// Actor is the name of who acts first; empty takes the first account.
	Actor string
	// NoMotion stills what moves by itself.
	NoMotion bool
	// Demo opens the demo, for the door of the welcome.
	Demo func() (Engine, error)
	// Scratch opens an empty chain in memory, for lessons; nil where there are
	// none. Progress keeps how far the learner is.
	Scratch  func() (*chain.Chain, error)
	Progress lesson.Keeper
	// Import reads a dump of a contract's storage into the empty database that
	// Open gave, with the rules, prefix and clock of g; an empty prefix is taken
	// from the dump. progress is told how many records are in. It runs in a
	// command, and a failed one leaves the database empty. nil where dumps
	// cannot be read.
	Import func(path string, g chain.Genesis, progress func(n int)) error
	// Save lets write fill a file. Without replace it fails with fs.ErrExist where
	// there is a file of that name. It runs in a command; nil where files cannot
	// be written.
	Save func(path string, replace bool, write func(io.Writer) error) error
	// Wall is the time of day, for the genesis of a new collection and for
	// toasts. The core never sees it.
	Wall func() time.Time
	// Copy hands a text to the clipboard of the terminal; nil where there is
	// none.
	Copy func(text string) error
	// After gives a message after a while; nil is tea.Tick. Tests hand in one
	// that does not wait.
	After func(time.Duration, tea.Msg) tea.Cmd
}

func after(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// Model is the root of the explorer.
type Model struct {
	opts    Options
	desk    *Desk
	size    widget.Box
	screens []Screen
	current int
	dialogs []Dialog
	awaited int          // commands of keys that have not given their message yet
	ahead   []tea.KeyMsg // what was typed meanwhile
	clock   clockPanel
	book    *lessonBook
	home    *home // what a lesson was begun from; nil while none is played
	notes   widget.Notes
	noted   int    // the last notice before the top dialog opened
	drawn   string // the frame; empty since something may have changed
	opening bool
	openErr error   // why the engine could not be opened
	ask     tea.Cmd // asks the terminal for its background; nil for no terminal
	reading bool    // a view is being read
	again   bool    // keys wait for the reading after that one
	stale   bool    // the facts may be out of date
	held    bool    // keys wait for what is read
	quit    bool
}

// New makes the explorer.
func New(o Options) *Model {
	if o.Wall == nil {
		o.Wall = time.Now
	}
	if o.After == nil {
		o.After = after
	}
	book := newLessonBook(o.Scratch, o.Progress)
	return &Model{
		opts:    o,
		opening: true,
		desk: &Desk{
			Theme: o.Theme, ThemeOptions: o.ThemeOptions, Session: Session{InMemory: o.InMemory},
			Copy: o.Copy, Save: o.Save, Motion: !o.NoMotion, Now: o.Wall(),
			queue: new(queue),
		},
		screens: newScreens(book),
		book:    book,
		clock:   clockPanel{after: o.After},
	}
}

// openedMsg brings the engine.
type openedMsg struct {
	engine   Engine
	err      error
	inMemory bool // what happens to it is not kept, whatever was opened first
}

// Init opens the engine, behind the first frame. Keys wait until there are rows
// that they can be about.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.ask, m.await(open(m.opts.Open))) }

func open(do func() (Engine, error)) tea.Cmd {
	return func() tea.Msg {
		e, err := do()
		return openedMsg{engine: e, err: err}
	}
}

// Update takes every message of the program.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, done := msg.(keyDoneMsg); done && len(m.ahead) == 0 {
		return m, m.keyDone() // one of those after each key, for which nothing is drawn anew
	}
	m.desk.Now, m.drawn = m.opts.Wall(), ""
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(widget.Box{W: msg.Width, H: msg.Height})
	case tea.KeyMsg:
		cmd = m.keys(msg)
	case tea.MouseMsg:
		cmd = m.mouse(msg)
	case doneMsg:
		next := m.desk.queue.next()
		if msg.engine == nil || msg.engine == m.desk.Engine {
			cmd = m.handle(msg.msg)
		}
		cmd = tea.Batch(next, cmd)
	default:
		cmd = m.handle(msg)
	}
	return m, tea.Batch(cmd, m.read())
}

// handle takes what is neither input nor size.
func (m *Model) handle(msg tea.Msg) tea.Cmd {
	if cmd, ok := m.lesson(msg); ok {
		return cmd
	}
	switch msg := msg.(type) {
	case nil:
		return nil
	case openedMsg:
		return m.opened(msg)
	case readMsg:
		return m.took(msg)
	case Answer:
		return m.deliver(msg)
	case keyDoneMsg:
		return m.keyDone()
	case thenMsg:
		if msg.engine != m.desk.Engine {
			return nil
		}
		return m.await(msg.do())
	case openDialogMsg:
		if msg.engine != nil && msg.engine != m.desk.Engine {
			return nil
		}
		return tea.Batch(m.push(msg.dialog), m.await(msg.then))
	case closeDialogMsg:
		m.pop()
		return nil
	case operatorFormMsg:
		return m.await(operatorForm(m.desk, msg))
	case showScreenMsg:
		return m.show(m.at(Kind(msg)))
	case actAsMsg:
		return m.actAs(cw721.Address(msg))
	case sayMsg:
		m.say(msg.level, msg.text)
		return nil
	case backgroundMsg:
		m.dress(msg)
		return nil
	case themeMsg:
		m.desk.Theme = msg.theme
		return nil
	case tickMsg:
		return m.clock.tick(m.desk, int(msg))
	case executedMsg, movedMsg, walkedMsg, changedMsg:
		m.stale = true
		return tea.Batch(m.report(msg), m.broadcast(msg))
	}
	return m.broadcast(msg)
}

// broadcast hands the outcome of a write to every dialog and screen.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for i := 0; i < len(m.dialogs); i++ {
		d := m.dialogs[i]
		cmd, done := d.Update(m.desk, msg)
		cmds = append(cmds, cmd)
		if done {
			m.remove(d)
			i--
		}
	}
	for _, s := range m.screens {
		cmds = append(cmds, s.Update(m.desk, msg))
	}
	return tea.Batch(cmds...)
}

// greeting is what a newcomer is told in the demo. It stands where notices do
// until the first of them.
const greeting = "made up, so try any key: e next end, w why, u undo"

func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.opening = false
	if m.openErr = msg.err; msg.err != nil {
		return nil
	}
	left := m.desk.Engine
	m.clock.changed()
	_, created := msg.engine.Config()
	m.desk.Session = Session{Engine: msg.engine, Created: created, InMemory: m.opts.InMemory || msg.inMemory, ReadOnly: m.opts.ReadOnly}
	if !created {
		return m.push(newWelcome(m.opts))
	}
	m.screens, m.stale = newScreens(m.book), true
	m.resize(m.size)
	m.dialogs = nil // the welcome, and what was opened from there
	if msg.inMemory && msg.engine != left || m.opts.MadeUp {
		m.say(levelInfo, greeting)
	}
	var close tea.Cmd
	if left != nil && left != msg.engine {
		close = closeEngine(m.desk, left) // nobody else will
	}
	return m.hold(close)
}

// firstActor names who acts when nobody has chosen yet.
func (m *Model) firstActor() string {
	if run := m.book.run; run != nil {
		return run.session.Lesson.Actor()
	}
	return m.opts.Actor
}

func (m *Model) actAs(a cw721.Address) tea.Cmd {
	m.desk.Actor = a
	m.say(levelGood, "acting as "+m.desk.Call(a))
	m.stale = true
	return nil
}

// turn changes to a screen because a person said so: what was only mentioned on
// the one before is over.
func (m *Model) turn(i int) tea.Cmd {
	if n, ok := m.notes.Current(); ok && n.Level == levelInfo {
		m.hush(n)
	}
	return m.show(i)
}

// show changes to a screen.
func (m *Model) show(i int) tea.Cmd {
	if i < 0 || i >= len(m.screens) {
		return nil
	}
	if s := m.subject(); !s.Empty() {
		m.desk.Looked = s
	}
	m.current = i
	m.resize(m.size)
	if m.desk.Has() {
		m.screens[i].Refresh(m.desk)
	}
	if m.screens[i].Kind() == KindLessons && !m.book.ready() {
		return m.book.load(false)
	}
	return nil
}

// What follows is for what drives the explorer without a terminal.

// State is what all screens share.
func (m *Model) State() *Desk { return m.desk }

// Screens are the screens in the order of their keys.
func (m *Model) Screens() []Screen { return m.screens }

// Dialogs are those that are open, the top one last.
func (m *Model) Dialogs() []Dialog { return m.dialogs }

// Book is what is known of the lessons.
func (m *Model) Book() *lessonBook { return m.book }

// Redraw draws the frame anew, as [Model.View] must have drawn it already.
func (m *Model) Redraw() string { return m.draw() }

// Reread gives the command that reads all that is shown once more.
func (m *Model) Reread() tea.Cmd {
	m.stale = true
	return m.read()
}
