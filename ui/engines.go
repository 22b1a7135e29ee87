package ui

import (
	"errors"
	"sync"
	"sync/atomic"

	"ephemera/ui/app"
	"ephemera/ui/crash"
)

// openFunc opens an engine, which is a chain in a database or in memory.
type openFunc = func() (app.Engine, error)

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

// openEarly starts to open an engine at once, on another goroutine, while the terminal is being
// set up. The first call of the returned function waits for that engine, and panics if opening
// it has panicked. Later calls open the engine again.
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
