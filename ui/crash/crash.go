// Package crash handles a mistake of the program itself: a panic becomes an error, and the
// error a report in a file.
//
// A report contains nothing from a database: a stack contains no data, and of the panic's
// value only the text of the Go runtime is kept, because any other text may quote a token or
// an address. The package must never know what the program is about.
//
// A panic can be caught only in its own goroutine. One in a goroutine of a library ends the
// process with Go's own report and leaves the terminal in raw mode, which `reset` ends. An
// example is a table that Badger writes while another process takes the last byte of the
// disk. The database survives that like a kill: nothing that was acknowledged is lost.
package crash

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Panic is a panic that was caught.
type Panic struct {
	Activity string // what the program was doing, such as "reading the store"
	Cause    string // the text of the Go runtime, or the type of the panic's value
	Stack    string // the stack of the goroutine
}

func (p *Panic) Error() string {
	return fmt.Sprintf("stopped by a bug in the program, while %s: %s", p.Activity, p.Cause)
}

// Caught returns the value of recover as a Panic. Call it in the deferred function, while the
// stack still shows where the panic happened. A Panic, which another goroutine has caught
// before, is returned unchanged.
func Caught(activity string, value any) *Panic {
	if caught, ok := value.(*Panic); ok {
		return caught
	}
	cause := fmt.Sprintf("a panic with a %T", value)
	err, _ := value.(error) // nil for a value that is no error
	if runtimeErr, ok := errors.AsType[runtime.Error](err); ok {
		cause = runtimeErr.Error()
	}
	return &Panic{Activity: activity, Cause: cause, Stack: string(debug.Stack())}
}

// Write writes a report about a panic to a new file in dir, which it creates if necessary, and
// returns the path of the file. facts are lines of the report, such as "system: linux/amd64".
func Write(dir string, panicTime time.Time, caught *Panic, facts ...string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}

	// CreateTemp chooses an unused name and makes the file private.
	file, err := os.CreateTemp(dir, panicTime.UTC().Format("crash-20060102-150405-*.txt"))
	if err != nil {
		return "", err
	}
	_, writeErr := fmt.Fprintf(
		file,
		"Ephemera %v\n\n%s\n\nNothing of a collection is in this file.\n\n%s",
		caught,
		strings.Join(facts, "\n"),
		caught.Stack,
	)
	if err := errors.Join(writeErr, file.Close()); err != nil {
		return "", err
	}
	return filepath.Abs(file.Name())
}
