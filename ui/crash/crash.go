// Package crash is what happens when the program meets a mistake of its own: a
// panic becomes an error, and the error a report in a file.
//
// A report is for somebody who was not there. It holds what helps to find the
// mistake and nothing that is in a database: a stack has no contents in it, and
// of a panic's value only what the Go runtime itself said is kept, as any other
// text may quote a token or an address. The package must never know what the
// program is about.
//
// A panic can be caught only in the goroutine where it happens. One in a
// goroutine that a library has started, such as a table that is written in the
// background while something else takes the last byte of the disk, ends the
// process with Go's own report, and leaves the terminal as it is: `reset` brings
// it back. That is like a kill, which the database is made to outlive: nothing
// that was acknowledged is lost, and the next start says nothing of it.
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
	// Where is what the program was doing, in a few words.
	Where string
	// What says what happened, without contents.
	What string
	// Stack is where it happened.
	Stack string
}

func (p *Panic) Error() string {
	return fmt.Sprintf("stopped by a mistake of its own, while %s: %s", p.Where, p.What)
}

// Caught makes a Panic of what recover gave. Call it in the deferred function,
// so that the stack still has the place in it. A Panic that was caught before,
// in another goroutine, stays what it is.
func Caught(where string, value any) *Panic {
	if before, ok := value.(*Panic); ok {
		return before
	}
	return &Panic{Where: where, What: what(value), Stack: string(debug.Stack())}
}

func what(value any) string {
	if err, ok := value.(error); ok {
		if said := runtime.Error(nil); errors.As(err, &said) {
			return said.Error()
		}
	}
	return fmt.Sprintf("a panic with a %T", value)
}

// Fact is a line of a report.
type Fact struct{ Name, Value string }

// Write puts a report into a new file in dir, which only its user can read, and
// gives its path. It makes dir where it is missing.
func Write(dir string, at time.Time, p *Panic, facts ...Fact) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	// CreateTemp takes a name that is free, and gives the file to its user alone.
	f, err := os.CreateTemp(dir, at.UTC().Format("crash-20060102-150405-*.txt"))
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text(p, facts))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	return filepath.Abs(f.Name())
}

func text(p *Panic, facts []Fact) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Ephemera %s\n\n", p.Error())
	for _, f := range facts {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	fmt.Fprintf(&b, "\nNothing of a collection is in this file.\n\n%s", p.Stack)
	return b.String()
}
