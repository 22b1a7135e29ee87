package ui

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/crash"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

// greeting is the first notice of the demo.
const greeting = "made up, so try any key: e next expiry, w why, u undo"

// openFunc opens an engine.
type openFunc = func() (app.Engine, error)

// openCommand returns the command that opens an engine: a chain in a database or in
// memory. Its message brings the engine or the error.
func openCommand(openEngine openFunc) tea.Cmd {
	return func() tea.Msg {
		engine, err := openEngine()
		return app.OpenedMsg{Engine: engine, Err: err}
	}
}

// showOpened shows the collection of an engine that was opened, or the welcome if it
// has none. The screens begin anew, and the engine shown before is closed.
func (m *Model) showOpened(msg app.OpenedMsg) tea.Cmd {
	m.isOpening = false
	m.openErr = msg.Err
	if msg.Err != nil {
		return nil
	}

	// Show the engine that was opened, which can be the same one with a new collection.
	previous := m.state.Engine
	isOther := previous != msg.Engine
	_, created := msg.Engine.Config()
	m.state.Session = app.Session{
		Engine:   msg.Engine,
		Created:  created,
		Actor:    msg.Actor,
		InMemory: m.state.MemoryOnly || msg.InMemory,
	}
	m.clock.forgetExpired()
	if !created {
		m.pushDialog(&start.Welcome{})
		return nil
	}

	// The screens begin anew, and read what they need.
	m.screens = newScreens(m.book, m.hiddenColumns())
	m.trail = nil
	m.hasStaleFacts = true
	m.resize(m.size)
	m.closeDialogs() // the welcome, and the forms opened from it
	if msg.InMemory && isOther || m.state.Demo {
		m.showNotice(app.LevelInfo, greeting)
	}
	if previous != nil && isOther {
		return app.CloseEngine(m.state, previous)
	}
	return nil
}

// retryOpening opens the database again after a failure: another program may
// have closed it meanwhile.
func (m *Model) retryOpening() tea.Cmd {
	if m.openErr == nil || m.isOpening {
		return nil
	}
	m.isOpening = true
	return openCommand(m.state.Open)
}

// openFailedView says why the database could not be opened, and which keys work.
func (m *Model) openFailedView(box widget.Box) string {
	th := m.state.Theme
	title := widget.Fit(" "+themes.GlyphNo+" the database could not be opened", box.W)
	keys := widget.Fit("   r tries again   q quits", box.W)

	lines := []string{"", th.Render(themes.Bad, title), ""}
	for _, line := range widget.Wrap(widget.Safe(m.openErr.Error()), max(box.W-4, 2)) {
		lines = append(lines, "   "+line)
	}
	lines = append(lines, "", th.Render(themes.Muted, keys))
	return widget.Fill(strings.Join(lines, "\n"), box)
}

// hasWelcome reports whether the welcome is shown, because the database has no
// collection yet.
func (m *Model) hasWelcome() bool {
	if len(m.dialogs) == 0 {
		return false
	}
	_, ok := m.dialogs[0].(*start.Welcome)
	return ok
}

// engineRegistry remembers every engine that was opened, a chain with its database, and
// closes them all when the program ends. It may be used from any goroutine.
type engineRegistry struct {
	mu      sync.Mutex
	engines []app.Engine // those that were opened, until closeAll
	closed  bool         // closeAll was called: no engine may be opened any more
}

// errProgramEnded is the error for an engine that would be opened after closeAll, which
// nobody would close.
var errProgramEnded = errors.New("the explorer has ended")

// recording returns a function that calls openEngine and adds the engine to the
// registry; nil for nil. After closeAll, the returned function fails with
// [errProgramEnded].
func (k *engineRegistry) recording(openEngine openFunc) openFunc {
	if openEngine == nil {
		return nil
	}
	return func() (app.Engine, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.closed {
			return nil, errProgramEnded
		}
		engine, err := openEngine()
		if err == nil {
			k.engines = append(k.engines, engine)
		}
		return engine, err
	}
}

// closeAll waits for an opening that is under way and for running transactions,
// and closes every engine.
func (k *engineRegistry) closeAll() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	var errs []error
	for _, engine := range k.engines {
		errs = append(errs, engine.Close())
	}
	k.engines = nil
	return errors.Join(errs...)
}

// openEarly starts opening an engine at once, on another goroutine, so that the database
// opens while the terminal is being set up. The first call of the returned function
// waits for that opening, and panics if it panicked; later calls open again.
func openEarly(openEngine openFunc) openFunc {
	open := sync.OnceValues(func() (app.Engine, error) {
		defer func() {
			if cause := recover(); cause != nil {
				panic(crash.Caught("opening the database", cause)) // with the stack of this goroutine
			}
		}()
		return openEngine()
	})
	go func() {
		defer func() { _ = recover() }() // the call of the returned function panics again
		_, _ = open()
	}()

	// Only the first call takes the early opening. A later one comes after a failure.
	var wasCalled atomic.Bool
	return func() (app.Engine, error) {
		if wasCalled.Swap(true) {
			return openEngine()
		}
		return open()
	}
}
