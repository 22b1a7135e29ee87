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
const greeting = "made up and in memory, so try any key"

// openFunc opens an engine, which is a chain in a database or in memory.
type openFunc = func() (app.Engine, error)

// openCommand returns the command that opens an engine, which is a chain in a database or in
// memory. Its message brings the engine, or the error if that failed.
func openCommand(openEngine openFunc) tea.Cmd {
	return func() tea.Msg {
		engine, err := openEngine()
		return app.OpenedMsg{Engine: engine, Err: err}
	}
}

// showOpened shows the collection of an engine that was opened. If the engine has no
// collection yet, it shows the welcome instead. If another engine was shown before, it
// returns the command that closes that one. If opening has failed, it only keeps the error,
// which is drawn in place of a screen.
func (m *Model) showOpened(msg app.OpenedMsg) tea.Cmd {
	m.isOpening = false
	m.openErr = msg.Err
	if msg.Err != nil {
		return nil
	}

	// The engine can be the one that is shown already, if a collection was created in it.
	previousEngine := m.state.Engine
	isOtherEngine := previousEngine != msg.Engine
	_, hasCollection := msg.Engine.Config()
	m.state.Session = app.Session{
		Engine:   msg.Engine,
		Created:  hasCollection,
		Actor:    msg.Actor,
		InMemory: m.state.MemoryOnly || msg.InMemory,
	}
	m.clock.forgetExpired()
	if !hasCollection {
		m.pushDialog(&start.Welcome{})
		return nil
	}

	// Show new screens, which read what they need.
	m.screens = newScreens(m.book, m.hiddenColumns())
	m.trail = nil
	m.hasStaleFacts = true
	m.resize(m.size)
	m.closeDialogs()                                              // the welcome, and the forms that were opened from it
	m.isWelcoming = m.state.Demo || msg.InMemory && isOtherEngine // it is the demo
	if m.isWelcoming {
		m.showNotice(app.LevelInfo, greeting)
	}
	if previousEngine != nil && isOtherEngine {
		return app.CloseEngine(m.state, previousEngine)
	}
	return nil
}

// retryOpening returns the command that tries to open the database again after a failure.
// That helps if another program had the database open and has closed it meanwhile.
func (m *Model) retryOpening() tea.Cmd {
	if m.openErr == nil || m.isOpening {
		return nil
	}
	m.isOpening = true
	return openCommand(m.state.Open)
}

// openFailedView draws a text that says why the database could not be opened, and which keys
// work now.
func (m *Model) openFailedView(box widget.Box) string {
	theme := m.state.Theme
	title := widget.Fit(" "+themes.GlyphNo+" the database could not be opened", box.W)
	keys := widget.Fit("   r tries again   q quits", box.W)

	reason := widget.Safe(m.openErr.Error())
	reasonWidth := max(box.W-4, 2)
	lines := []string{"", theme.Render(themes.Bad, title), ""}
	for _, line := range widget.Wrap(reason, reasonWidth) {
		lines = append(lines, "   "+line)
	}
	lines = append(lines, "", theme.Render(themes.Muted, keys))
	return widget.Fill(strings.Join(lines, "\n"), box)
}

// hasWelcome reports whether the welcome is open. It is the first dialog of a database that
// has no collection yet.
func (m *Model) hasWelcome() bool {
	if len(m.dialogs) == 0 {
		return false
	}
	_, ok := m.dialogs[0].(*start.Welcome)
	return ok
}

// engineRegistry remembers every engine that was opened, and closes them all when the
// program ends. It may be used from any goroutine.
type engineRegistry struct {
	mu       sync.Mutex
	engines  []app.Engine // the engines that were opened
	isClosed bool         // closeAll was called, so no engine may be opened any more
}

// errProgramEnded is the error of an attempt to open an engine after closeAll. Nobody would
// close that engine.
var errProgramEnded = errors.New("the explorer has ended")

// recordingOpener returns a function that does the same as openEngine, and also adds the opened
// engine to the registry. After closeAll, the function fails with [errProgramEnded]. If
// openEngine is nil, recordingOpener returns nil.
func (r *engineRegistry) recordingOpener(openEngine openFunc) openFunc {
	if openEngine == nil {
		return nil
	}
	return func() (app.Engine, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.isClosed {
			return nil, errProgramEnded
		}
		engine, err := openEngine()
		if err != nil {
			return nil, err
		}
		r.engines = append(r.engines, engine)
		return engine, nil
	}
}

// closeAll closes every engine. It first waits for an engine that is being opened, and each
// engine waits for its running transactions. It returns the errors of all engines.
func (r *engineRegistry) closeAll() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isClosed = true
	var errs []error
	for _, engine := range r.engines {
		errs = append(errs, engine.Close())
	}
	return errors.Join(errs...)
}

// openEarly starts to open an engine at once, on another goroutine, so that the database is
// opened while the terminal is being set up. The first call of the returned function waits
// for that engine, and panics if opening it has panicked. Later calls open the engine again.
func openEarly(openEngine openFunc) openFunc {
	// openOrPanic panics with the stack of its own goroutine.
	openOrPanic := func() (app.Engine, error) {
		defer func() {
			if cause := recover(); cause != nil {
				panic(crash.Caught("opening the database", cause))
			}
		}()
		return openEngine()
	}

	// openOnce opens the engine once, and returns the result to every caller. A panic is
	// also repeated for every caller.
	openOnce := sync.OnceValues(openOrPanic)
	go func() {
		defer func() { _ = recover() }() // the returned function panics with the same value
		_, _ = openOnce()
	}()

	// Only the first call uses the early result. Later calls come after a failure.
	var wasCalled atomic.Bool
	return func() (app.Engine, error) {
		if wasCalled.Swap(true) {
			return openEngine()
		}
		return openOnce()
	}
}
