package ui

import (
	"cmp"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/grants"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
	"ephemera/ui/lessons"
	"ephemera/ui/widget"
)

// Model is the explorer's bubbletea model. It holds the parts of the explorer, hands every
// message to them, and draws them. The parts don't know the Model.
type Model struct {
	state    *app.State     // what all screens and dialogs share
	terminal widget.Box     // the size of the terminal
	screens  screenSet      // the screens of the chain that is shown
	dialogs  dialogStack    // the open dialogs
	keys     keyQueue       // the typed keys that wait until a command is done
	reading  reading        // reads the facts and what the screen needs
	clock    clockPanel     // the panel at the bottom
	notices  notices        // the short sentences about what was done
	click    clickedRow     // the row that was clicked last
	book     *lessons.Book  // the lessons, and the one that is played
	own      *ownCollection // what a lesson interrupted; nil if no lesson is played

	isWelcoming bool    // the demo's welcome is drawn, until the first key or click
	isOpening   bool    // the database is being opened
	openErr     error   // why the database could not be opened
	askTerminal tea.Cmd // reads the terminal's properties; nil without a terminal
	isQuitting  bool    // the program ends, so nothing is drawn or read any more

	commands []app.Command // everything that can be done now; nil if it must be made anew
	frame    string        // the last frame that was drawn; "" if it may be out of date
}

// New returns the explorer with the given options. It shows nothing before the database
// is open; [Model.Init] returns the command that opens it.
func New(options app.Options) *Model {
	if options.WallTime == nil {
		options.WallTime = time.Now
	}
	book := lessons.NewBook(options)
	return &Model{
		state: &app.State{
			Options: options,
			Session: app.Session{InMemory: options.MemoryOnly},
			Now:     options.WallTime(),
			Queue:   new(app.Queue),
		},
		screens:   newScreens(book, options.HiddenColumns),
		book:      book,
		isOpening: true,
	}
}

// Init opens the database and asks the terminal for its properties. Keys wait
// until the database is open.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.askTerminal, m.keys.await(blockingWork, openCommand(m.state.Open)))
}

// Update hands a message to what it is for, gives the screens and the top dialog their boxes,
// and then reads what is missing on the screen.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if done, ok := msg.(workDoneMsg); ok && !m.keys.workDone(done) {
		return m, nil // no key waits, so nothing has changed, and the frame stays
	}

	m.state.Now = m.state.WallTime()
	m.frame = ""
	switch msg.(type) {
	case tea.KeyMsg, pressMsg, tea.MouseMsg, tea.WindowSizeMsg, app.DoneMsg:
		m.reading.hasFailed = false // a reading that failed before may succeed now
	}
	cmd := m.route(msg)
	m.fit()
	return m, tea.Batch(cmd, m.readMissing())
}

// route hands a message to its handler, and returns the handler's command. Typed keys wait
// until that command is done. There are two exceptions: the handlers of keys decide
// themselves what the next key waits for, and no key waits for timers and background work.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(widget.Box{W: msg.Width, H: msg.Height})
		return m.pressWaiting()
	case tea.KeyMsg:
		return m.receiveKey(msg)
	case workDoneMsg:
		return m.pressWaiting()
	case pressMsg:
		return m.press(tea.KeyMsg(msg))
	case app.BackgroundMsg:
		return msg.Cmd
	case app.TimerMsg:
		return tea.Tick(msg.Delay, func(time.Time) tea.Msg { return msg.Msg })
	}
	return m.keys.await(blockingWork, m.handle(msg))
}

// handle handles every message except keys, sizes, timers and background work. A message without a
// case here goes to all dialogs and screens.
func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case nil:
		return nil

	// The terminal.
	case tea.MouseMsg:
		return m.handleMouse(msg)
	case terminalMsg:
		m.adaptToTerminal(msg)
		return nil

	// Reading and writing.
	case app.OpenedMsg:
		return m.showOpened(msg)
	case readMsg:
		return m.showRead(msg)
	case app.Answer:
		return m.deliver(msg)
	case app.DoneMsg:
		next := m.state.Queue.Next()
		if msg.Engine != nil && msg.Engine != m.state.Engine { // another chain is shown by now
			return next
		}
		return tea.Batch(next, m.handle(msg.Msg))
	case app.ContinueMsg:
		if msg.Engine != m.state.Engine {
			return nil
		}
		return msg.Do()
	case app.ExecutedMsg, app.MovedMsg, app.UndoRedoMsg, app.ChangedMsg:
		m.reading.hasStaleFacts = true
		return tea.Batch(m.reportOutcome(msg), m.broadcast(msg))

	// Dialogs and screens.
	case app.OpenDialogMsg:
		m.openDialog(msg.Dialog)
		return msg.Then
	case app.OpenAnsweredMsg:
		if msg.Answer.Engine != m.state.Engine {
			return nil
		}
		m.openDialog(msg.Dialog)
		return m.deliver(msg.Answer)
	case app.RecordMsg:
		return history.OpenRecord(m.state, scenario.HistoryPart(msg))
	case app.WhyMsg:
		return inspect.OpenWhy(m.state, app.Subject(msg))
	case app.ClockFormMsg:
		return openClockForm(m.state, msg.Moment)
	case app.GrantFormMsg:
		return grants.OpenForm(m.state, msg)
	case app.ShowScreenMsg:
		return m.screens.followLink(m.state, app.Kind(msg))

	// Another chain in place of the user's own.
	case app.PlayMsg:
		return m.showOther(msg)
	case app.LeaveMsg:
		return m.showOwn(msg)

	// The user's choices, and notices.
	case app.ActAsMsg:
		m.state.Actor = msg.Address
		m.reading.hasStaleFacts = true
		m.notices.show(m.state, app.LevelGood, "acting as "+cmp.Or(msg.Name, m.state.DisplayName(msg.Address)))
		return nil
	case themeMsg:
		m.state.Theme = msg.theme
		return nil
	case app.NoticeMsg:
		m.notices.show(m.state, msg.Level, msg.Text)
		return nil
	case stillWaitingMsg:
		if m.keys.stillWaits(msg) {
			m.notices.show(m.state, app.LevelInfo, "the keys wait until the database has answered")
		}
		return nil
	case flashOverMsg:
		m.clock.endFlash(m.state, msg)
		return nil
	case tickMsg:
		return m.clock.tick(m.state, int(msg))
	}
	return m.broadcast(msg)
}

// broadcast hands a message, such as the outcome of a write, to every dialog and every
// screen, also those that are not shown.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	cmds := m.dialogs.broadcast(m.state, msg)
	for _, screen := range m.screens.all {
		cmds = append(cmds, screen.Update(m.state, msg))
	}
	return tea.Batch(cmds...)
}

// deliver hands an answer to the screen or dialog that asked for it. It drops an answer that
// was read from another engine than the one that is shown. It also drops an answer for a
// dialog that was closed, or for a screen that a lesson has replaced.
func (m *Model) deliver(answer app.Answer) tea.Cmd {
	if answer.Engine != m.state.Engine || answer.Msg == nil {
		return nil
	}
	for _, dialog := range m.dialogs.open {
		if any(dialog) == answer.Asker {
			cmd, _ := m.dialogs.update(m.state, dialog, answer.Msg)
			return cmd
		}
	}
	for _, screen := range m.screens.all {
		if any(screen) == answer.Asker {
			return screen.Update(m.state, answer.Msg)
		}
	}
	return nil
}

// readMissing returns the command that reads whatever is missing on the screen; nil if nothing
// is.
func (m *Model) readMissing() tea.Cmd {
	if m.openErr != nil || m.isQuitting {
		return nil
	}
	return m.reading.next(m.state, m.screen(), &m.keys)
}

// showRead shows what was read for the screen. New facts also concern the open forms, which
// preview their messages again, and the task of a lesson, which may be done now.
func (m *Model) showRead(msg readMsg) tea.Cmd {
	if !m.reading.finish(m.state, msg) {
		return nil
	}
	if msg.facts == nil {
		if msg.err != nil {
			m.notices.show(m.state, app.LevelBad, msg.err.Error())
		}
		return m.deliver(msg.Answer)
	}
	return tea.Batch(m.deliver(msg.Answer), m.broadcast(app.FactsChangedMsg{}))
}

// openDialog opens a dialog over the others.
func (m *Model) openDialog(dialog app.Dialog) {
	m.dialogs.push(dialog)
	m.notices.dialogOpened()
	if _, stopsClock := dialog.(app.ClockStopper); stopsClock {
		m.clock.pause()
	}
	m.fit()
}

// resize gives everything the size of the terminal. A terminal that does not know its size
// reports 0×0. It is treated as 80×24.
func (m *Model) resize(box widget.Box) {
	if box == (widget.Box{}) {
		box = widget.Box{W: 80, H: 24}
	}
	m.terminal = box
	m.book.Resize(box)
	m.fit()
}

// isSizeKnown is false before the first [tea.WindowSizeMsg]. Until then nothing is drawn, and
// keys wait, because what they do can depend on what is in view.
func (m *Model) isSizeKnown() bool { return m.terminal != widget.Box{} }

// layout returns where the parts of a frame are.
func (m *Model) layout() layout {
	panelWidth, linesAbove := m.book.PanelSize()
	l := newLayout(m.terminal, panelWidth, linesAbove, m.state.UnreadableReason == "")
	_, isAboutDialog := m.notices.aboutDialog()
	l.hasNotice = isAboutDialog && m.dialogs.top() != nil
	return l
}

// fit gives the top dialog and the screens their boxes. A dialog that is drawn beside the
// screen leaves it less room.
func (m *Model) fit() {
	m.commands = nil // something may have changed
	if !m.isSizeKnown() {
		return
	}
	l := m.layout()
	m.dialogs.fit(m.state, l, m.screen())
	m.screens.fit(l.body(&m.dialogs, m.screen()).box)
}

// screen returns the screen that is shown.
func (m *Model) screen() app.Screen { return m.screens.shown(m.state) }

// target returns what gets the keys.
func (m *Model) target() keyTarget {
	target := keyTarget{dialog: m.dialogs.top(), commands: m.Commands}
	if m.state.HasCollection() {
		target.screen = m.screen()
	}
	return target
}

// quit ends the program. The last frame is empty, so that nothing of the explorer stays
// in the terminal.
func (m *Model) quit() tea.Cmd {
	m.isQuitting = true
	return tea.Quit
}

// State, Dialogs, Book and Reread are for tests that drive the explorer.

// State returns the shared state.
func (m *Model) State() *app.State { return m.state }

// Dialogs returns the open dialogs, the top one last.
func (m *Model) Dialogs() []app.Dialog { return m.dialogs.open }

// Book returns the lessons.
func (m *Model) Book() *lessons.Book { return m.book }

// Reread returns a command that reads everything on the screen again.
func (m *Model) Reread() tea.Cmd {
	m.reading.hasStaleFacts = true
	return m.readMissing()
}

// themeMsg asks the [Model] to draw everything with another theme.
type themeMsg struct{ theme *themes.Theme }
