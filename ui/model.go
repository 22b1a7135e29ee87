package ui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/grants"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
	"ephemera/ui/lessons"
	"ephemera/ui/widget"
)

// Model is the explorer's bubbletea model. It owns the state, the screens and
// the open dialogs, and routes every message to one of them.
type Model struct {
	state *app.State // what all screens and dialogs share
	size  widget.Box // the size of the terminal

	screens       []app.Screen // in the order of their keys
	currentScreen int          // the index in screens of the one that is shown
	trail         []app.Screen // the screens that "back" returns to, the latest last
	dialogs       []app.Dialog // the open dialogs, the top one last
	keys          typedKeys    // the typed keys that wait until a command is done
	isWelcoming   bool         // the demo's welcome is drawn, until the first key or click
	clock         clockPanel   // the panel at the bottom
	notices       notices      // the short sentences about what was done

	book       *lessons.Book       // the lessons, and the one that is played
	ownSession *interruptedSession // what a lesson interrupted; nil if no lesson is played

	isOpening   bool    // the database is being opened
	openErr     error   // why the database could not be opened
	askTerminal tea.Cmd // reads the terminal's properties; nil without a terminal

	isReading     bool // a reading of the facts or the screen is under way
	hasStaleFacts bool // the facts may be out of date
	hasReadFailed bool // the last reading failed; see [Model.readMissing]

	frame         string     // the last frame that was drawn; "" if it may be out of date
	bodyBox       widget.Box // the box that the screens were given
	lastDialogRow dialogRow  // where the top dialog was drawn, so that it stays there
	tallDialog    app.Dialog // the last one that did not fit beside the list, so that it is centred
	flashCount    int        // the number of flashes so far
	clickedKey    string     // the key of the row that was clicked last, for double clicks
	clickedAt     time.Time  // when it was clicked
	isQuitting    bool       // the program ends, so nothing is drawn or read any more
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
	open := m.holdKeysUntilDone(blockingWork, openCommand(m.state.Open))
	return tea.Batch(m.askTerminal, open)
}

// Update handles a message, and then reads what is missing on the screen. It clears the last
// frame, so that View draws a new one. The message that a command is done changes nothing if
// no key waits for the command, so the last frame stays.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if done, ok := msg.(workDoneMsg); ok {
		m.keys.runningCounts[done]--
		if len(m.keys.waiting) == 0 {
			return m, nil // nothing has changed, so the frame stays
		}
	}

	m.state.Now = m.state.WallTime()
	m.frame = ""
	switch msg.(type) {
	case tea.KeyMsg, pressMsg, tea.MouseMsg, tea.WindowSizeMsg, app.DoneMsg:
		m.hasReadFailed = false // a reading that failed before may succeed now
	}
	cmd := m.route(msg)
	m.centreTallDialog()
	return m, tea.Batch(cmd, m.readMissing())
}

// route hands a message to its handler, and returns the handler's command. Typed keys wait
// until that command is done. There are two exceptions: the handlers of keys decide
// themselves what the next key waits for, and no key waits for timers and background work.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
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
	return m.holdKeysUntilDone(blockingWork, m.handle(msg))
}

// handle handles every message except keys, timers and background work. A message without a
// case here goes to handleLesson, which hands it to all screens if it is not about a lesson.
func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case nil:
		return nil

	// The terminal.
	case tea.WindowSizeMsg:
		m.resize(widget.Box{W: msg.Width, H: msg.Height})
		return nil
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
		return m.writeDone(msg)
	case app.ContinueMsg:
		if msg.Engine != m.state.Engine { // another chain is shown by now
			return nil
		}
		return msg.Do()
	case app.ExecutedMsg, app.MovedMsg, app.UndoRedoMsg, app.ChangedMsg:
		m.hasStaleFacts = true
		return tea.Batch(m.reportOutcome(msg), m.broadcast(msg))

	// Dialogs and screens.
	case app.OpenDialogMsg:
		m.pushDialog(msg.Dialog)
		return msg.Then
	case app.OpenAnsweredMsg:
		return m.openWithAnswer(msg)
	case app.RecordMsg:
		return history.OpenRecord(m.state, scenario.HistoryPart(msg))
	case app.WhyMsg:
		return inspect.OpenWhy(m.state, app.Subject(msg))
	case app.ClockFormMsg:
		return openClockForm(m.state, msg.Moment)
	case app.GrantFormMsg:
		return grants.OpenForm(m.state, msg)
	case app.ShowScreenMsg:
		return m.followLink(app.Kind(msg))

	// The user's choices, and notices.
	case app.ActAsMsg:
		m.actAs(msg)
		return nil
	case themeMsg:
		m.state.Theme = msg.theme
		return nil
	case app.NoticeMsg:
		m.showNotice(msg.Level, msg.Text)
		return nil
	case stillWaitingMsg:
		m.showWaitNotice(msg)
		return nil
	case flashOverMsg:
		m.endFlash(msg)
		return nil
	case tickMsg:
		return m.clock.tick(m.state, int(msg))
	}
	return m.handleLesson(msg)
}

// writeDone starts the next write in the queue, and handles the outcome of the one that has
// finished. It ignores an outcome of an engine that is no longer shown.
func (m *Model) writeDone(msg app.DoneMsg) tea.Cmd {
	next := m.state.Queue.Next()
	if msg.Engine != nil && msg.Engine != m.state.Engine {
		return next
	}
	return tea.Batch(next, m.handle(msg.Msg))
}

// broadcast hands a message, such as the outcome of a write, to every dialog and every
// screen, also those that are not shown.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd

	// Go over a copy, because a dialog may close and leave m.dialogs.
	for _, dialog := range slices.Clone(m.dialogs) {
		cmd, _ := m.updateDialog(dialog, msg)
		cmds = append(cmds, cmd)
	}
	for _, screen := range m.screens {
		cmds = append(cmds, screen.Update(m.state, msg))
	}
	return tea.Batch(cmds...)
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
func (m *Model) Dialogs() []app.Dialog { return m.dialogs }

// Book returns the lessons.
func (m *Model) Book() *lessons.Book { return m.book }

// Reread returns a command that reads everything on the screen again.
func (m *Model) Reread() tea.Cmd {
	m.hasStaleFacts = true
	return m.readMissing()
}
