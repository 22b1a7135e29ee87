package ui

import (
	"errors"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/crash"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

// greeting is the first notice in the demo.
const greeting = "made up, so try any key: e next expiry, w why, u undo"

// openFunc opens an engine.
type openFunc = func() (app.Engine, error)

// open returns the command that opens an engine.
func open(openEngine openFunc) tea.Cmd {
	return func() tea.Msg {
		engine, err := openEngine()
		return app.OpenedMsg{Engine: engine, Err: err}
	}
}

// opened shows the collection of an engine that was opened, or the welcome if it
// has none. The screens begin anew, and the engine shown before is closed.
func (m *Model) opened(msg app.OpenedMsg) tea.Cmd {
	m.opening = false
	m.openErr = msg.Err
	if msg.Err != nil {
		return nil
	}

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
		m.push(start.NewWelcome(m.state))
		return nil
	}

	m.screens = newScreens(m.book, m.hiddenColumns())
	m.trail = nil
	m.stale = true
	m.resize(m.size)
	m.closeDialogs() // the welcome, and the forms opened from it
	if msg.InMemory && isOther || m.state.Demo {
		m.say(app.LevelInfo, greeting)
	}
	if previous != nil && isOther {
		return app.CloseEngine(m.state, previous)
	}
	return nil
}

// retryOpening opens the database again after a failure: another program may
// have closed it meanwhile.
func (m *Model) retryOpening() tea.Cmd {
	if m.openErr == nil || m.opening {
		return nil
	}
	m.opening = true
	return open(m.state.Open)
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

// keeper remembers every engine that was opened, and closes them all when the
// program ends. It may be used from any goroutine.
type keeper struct {
	mu      sync.Mutex
	engines []app.Engine
	closed  bool
}

var errOver = errors.New("the explorer has ended")

// keep returns openEngine with every opened engine remembered; nil for nil.
// After close, the returned function fails with errOver.
func (k *keeper) keep(openEngine openFunc) openFunc {
	if openEngine == nil {
		return nil
	}
	return func() (app.Engine, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.closed {
			return nil, errOver
		}
		engine, err := openEngine()
		if err == nil {
			k.engines = append(k.engines, engine)
		}
		return engine, err
	}
}

// close waits for an opening that is under way and for running transactions,
// and closes every engine.
func (k *keeper) close() error {
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

// openNow starts opening at once, while the terminal is made ready. The first
// call of the returned function waits for that; later calls open again. A panic
// during the opening is passed on to the first caller.
func openNow(openEngine openFunc) openFunc {
	type result struct {
		engine app.Engine
		err    error
		broken *crash.Panic
	}
	first := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if cause := recover(); cause != nil {
				r = result{broken: crash.Caught("opening the database", cause)}
			}
			first <- r
			close(first)
		}()
		r.engine, r.err = openEngine()
	}()

	return func() (app.Engine, error) {
		r, ok := <-first
		if !ok {
			return openEngine()
		}
		if r.broken != nil {
			panic(r.broken) // the guard catches it here
		}
		return r.engine, r.err
	}
}
