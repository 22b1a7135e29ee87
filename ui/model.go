package ui

import (
	"cmp"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/grants"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
	"ephemera/ui/lessons"
	"ephemera/ui/picture"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

// Model is the root of the explorer.
type Model struct {
	state   *app.State
	size    widget.Box
	screens []app.Screen
	current int
	trail   []app.Screen // from where keys led on to where the person is; the numbers begin anew
	dialogs []app.Dialog
	keys    typedKeys
	clock   clockPanel
	book    *lessons.Book
	home    *home // what a lesson was begun from; nil while none is played
	notes   widget.Notes
	kept    keptPlace
	flashes int    // how many there were
	noted   int    // the last notice before the top dialog opened
	drawn   string // the frame; empty since something may have changed
	opening bool
	openErr error   // why the engine could not be opened
	ask     tea.Cmd // asks the terminal about itself; nil for no terminal
	reading bool    // see keys.go, also for failed and stale
	failed  bool
	stale   bool
	quit    bool
	differs bool // a difference of the two contracts was shown
}

// New makes the explorer.
func New(o app.Options) *Model {
	if o.Wall == nil {
		o.Wall = time.Now
	}
	book := lessons.NewBook(o)
	return &Model{
		opening: true,
		state: &app.State{
			Options: o,
			Session: app.Session{InMemory: o.MemoryOnly},
			Now:     o.Wall(),
			Queue:   new(app.Queue),
		},
		screens: newScreens(book, o.HiddenColumns),
		keys:    typedKeys{turn: 1},
		book:    book,
	}
}

// Init opens the engine, behind the first frame. Keys wait until there are rows
// that they can be about.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.ask, m.await(otherWork, open(m.state.Open))) }

func open(do func() (app.Engine, error)) tea.Cmd {
	return func() tea.Msg {
		e, err := do()
		return app.OpenedMsg{Engine: e, Err: err}
	}
}

// Update takes every message of the program.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if done, ok := msg.(workDoneMsg); ok {
		m.keys.underWay[done]--
		if len(m.keys.waiting) == 0 {
			return m, nil // one follows every command, and nothing is drawn anew for it
		}
	}
	m.state.Now, m.drawn = m.state.Wall(), ""
	switch msg.(type) {
	case tea.KeyMsg, pressMsg, tea.MouseMsg, tea.WindowSizeMsg, app.DoneMsg:
		m.failed = false // something has happened, so what failed may work now
	}
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(widget.Box{W: msg.Width, H: msg.Height})
	case tea.KeyMsg:
		cmd = m.typed(msg)
	case workDoneMsg:
		cmd = m.pressWaiting()
	case pressMsg:
		cmd = m.press(tea.KeyMsg(msg))
	case tea.MouseMsg:
		cmd = m.await(otherWork, m.mouse(msg))
	case app.BackgroundMsg:
		cmd = msg.Cmd
	case app.TimerMsg:
		cmd = tea.Tick(msg.Delay, func(time.Time) tea.Msg { return msg.Msg })
	default:
		cmd = m.await(otherWork, m.handle(msg))
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
	case app.OpenedMsg:
		return m.opened(msg)
	case readMsg:
		return m.showRead(msg)
	case app.Answer:
		return m.deliver(msg)
	case app.DoneMsg:
		return m.writeDone(msg)
	case stillWaitingMsg:
		m.sayStillWaiting(msg)
		return nil
	case app.ContinueMsg:
		if msg.Engine != m.state.Engine {
			return nil
		}
		return msg.Do()
	case app.OpenDialogMsg:
		return tea.Batch(m.push(msg.Dialog), msg.Then)
	case app.OpenAnsweredMsg:
		return m.openAnswered(msg)
	case app.RecordMsg:
		return history.OpenRecord(m.state, scenario.HistoryPart(msg))
	case app.WhyMsg:
		return inspect.OpenWhy(m.state, app.Subject(msg))
	case app.OperatorFormMsg:
		return grants.OperatorForm(m.state, msg)
	case app.ShowScreenMsg:
		to := slices.IndexFunc(m.screens, func(s app.Screen) bool { return s.Kind() == app.Kind(msg) })
		if to != m.current {
			m.trail = append(m.trail, m.screens[m.current])
		}
		return m.show(to)
	case app.ActAsMsg:
		m.actAs(msg)
		return nil
	case app.NoticeMsg:
		m.say(msg.Level, msg.Text)
		return nil
	case answersMsg:
		m.dress(msg)
		return nil
	case themeMsg:
		m.state.Theme = msg.theme
		return nil
	case flashedMsg:
		if int(msg) == m.flashes {
			m.state.Flash = nil
		}
		return nil
	case tickMsg:
		return m.clock.tick(m.state, int(msg))
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		m.stale = true
		return tea.Batch(m.report(msg), m.broadcast(msg))
	}
	return m.broadcast(msg)
}

// openAnswered opens a dialog that has its first answer, unless another engine
// was read for it.
func (m *Model) openAnswered(msg app.OpenAnsweredMsg) tea.Cmd {
	if msg.Answer.Engine != m.state.Engine {
		return nil
	}
	return tea.Batch(m.push(msg.Dialog), m.deliver(msg.Answer))
}

// writeDone takes the outcome of a write, and starts the next one.
func (m *Model) writeDone(msg app.DoneMsg) tea.Cmd {
	next := m.state.Queue.Next()
	if msg.Engine != nil && msg.Engine != m.state.Engine {
		return next
	}
	return tea.Batch(next, m.handle(msg.Msg))
}

// broadcast hands the outcome of a write to every dialog and screen.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, d := range slices.Clone(m.dialogs) {
		cmd, _ := m.updateDialog(d, msg)
		cmds = append(cmds, cmd)
	}
	for _, s := range m.screens {
		cmds = append(cmds, s.Update(m.state, msg))
	}
	return tea.Batch(cmds...)
}

// updateDialog hands a message to a dialog, which goes when it is done.
func (m *Model) updateDialog(d app.Dialog, msg tea.Msg) (cmd tea.Cmd, done bool) {
	cmd, done = d.Update(m.state, msg)
	if done {
		m.remove(d)
	}
	return cmd, done
}

// greeting is what a newcomer is told in the demo. It stands where notices do
// until the first of them.
const greeting = "made up, so try any key: e next expiry, w why, u undo"

func (m *Model) opened(msg app.OpenedMsg) tea.Cmd {
	m.opening = false
	if m.openErr = msg.Err; msg.Err != nil {
		return nil
	}
	left := m.state.Engine
	m.clock.changed()
	_, created := msg.Engine.Config()
	m.state.Session = app.Session{Engine: msg.Engine, Created: created, Actor: msg.Actor, InMemory: m.state.MemoryOnly || msg.InMemory}
	if !created {
		return m.push(start.NewWelcome(m.state))
	}
	m.screens, m.trail, m.stale = newScreens(m.book, m.hiddenColumns()), nil, true
	m.resize(m.size)
	m.closeDialogs() // the welcome, and what was opened from there
	if msg.InMemory && msg.Engine != left || m.state.Demo {
		m.say(app.LevelInfo, greeting)
	}
	var close tea.Cmd
	if left != nil && left != msg.Engine {
		close = app.CloseEngine(m.state, left) // nobody else will
	}
	return close
}

// firstActor names who acts when nobody has chosen yet.
func (m *Model) firstActor() string {
	if run := m.book.Run; run != nil {
		return run.Session.Lesson.Actor()
	}
	return m.state.FirstActor
}

func (m *Model) actAs(msg app.ActAsMsg) {
	m.state.Actor = msg.Address
	m.stale = true
	m.say(app.LevelGood, "acting as "+cmp.Or(msg.Name, m.state.DisplayName(msg.Address)))
}

// turn changes to a screen because a person said so: what was only mentioned on
// the one before is over.
func (m *Model) turn(i int) tea.Cmd {
	if n, ok := m.notes.Current(); ok && n.Level == app.LevelInfo {
		m.hush()
	}
	m.trail = nil
	return m.show(i)
}

// show changes to a screen.
func (m *Model) show(i int) tea.Cmd {
	if i < 0 || i >= len(m.screens) {
		return nil
	}
	if s := m.subject(); !s.Empty() {
		m.state.LastSelection = s
	}
	leave := m.freePicture(i)
	m.current = i
	m.resize(m.size)
	if m.state.HasCollection() {
		m.screens[i].Refresh(m.state)
	}
	if m.screens[i].Kind() == app.KindLessons && !m.book.Ready() {
		return tea.Batch(leave, m.book.Load(false))
	}
	return leave
}

// freePicture has the terminal free the picture of a screen that another takes
// the place of.
func (m *Model) freePicture(next int) tea.Cmd {
	send := m.state.SendPicture
	if send == nil || m.screens[m.current].Kind() != app.KindTokens || next == m.current {
		return nil
	}
	m.state.PicturesFreed++
	return func() tea.Msg {
		_ = send([]byte(picture.Forget())) // a terminal that has gone has no picture either
		return nil
	}
}

// What follows is for what drives the explorer without a terminal.

// State is what all screens share.
func (m *Model) State() *app.State { return m.state }

// Dialogs are those that are open, the top one last.
func (m *Model) Dialogs() []app.Dialog { return m.dialogs }

// Book is what is known of the lessons.
func (m *Model) Book() *lessons.Book { return m.book }

// Reread gives the command that reads all that is shown once more.
func (m *Model) Reread() tea.Cmd {
	m.stale = true
	return m.read()
}
