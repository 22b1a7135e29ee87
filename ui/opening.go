package ui

import (
	"errors"
	"sync"

	"ephemera/ui/app"
	"ephemera/ui/crash"
)

// keeper keeps the engines that were opened, to close them all at the end,
// whatever the model has come to by then. An engine that comes later is closed
// at once.
type keeper struct {
	mu      sync.Mutex
	engines []app.Engine
	over    bool
}

var errOver = errors.New("the explorer has ended")

// keep makes a way to open an engine one that the keeper knows of.
func (k *keeper) keep(open func() (app.Engine, error)) func() (app.Engine, error) {
	if open == nil {
		return nil
	}
	return func() (app.Engine, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.over {
			return nil, errOver
		}
		e, err := open()
		if err == nil {
			k.engines = append(k.engines, e)
		}
		return e, err
	}
}

// close waits for what is being opened and for transactions under way, and
// closes every engine.
func (k *keeper) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	var errs []error
	for _, e := range k.engines {
		errs = append(errs, e.Close())
	}
	k.engines = nil
	return errors.Join(errs...)
}

// openNow opens at once, while the terminal is made ready, and gives the way to
// wait for that. Who asks again after that opens again.
func openNow(open func() (app.Engine, error)) func() (app.Engine, error) {
	type opened struct {
		engine app.Engine
		err    error
		broken *crash.Panic
	}
	first := make(chan opened, 1)
	go func() {
		var o opened
		defer func() {
			if r := recover(); r != nil {
				o = opened{broken: crash.Caught("opening the database", r)}
			}
			first <- o
			close(first)
		}()
		o.engine, o.err = open()
	}()
	return func() (app.Engine, error) {
		if o, ok := <-first; ok {
			if o.broken != nil {
				panic(o.broken) // here a guard is around it
			}
			return o.engine, o.err
		}
		return open()
	}
}
