package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

func (a *app) where() Where {
	return Where{
		Dir: a.global.db, Memory: a.global.memory, ReadOnly: a.global.readOnly, Wait: a.global.wait,
		Compare: a.global.compare, CallLimit: a.global.callLimit,
	}
}

// work is what a command does with its arguments.
type work func(cmd *cobra.Command, args []string) error

// begins makes a command's work of a function. What fails before it is about
// how the command was called.
func (a *app) begins(fn work) work {
	return func(cmd *cobra.Command, args []string) error {
		if err := holdsText(cmd); err != nil {
			return err
		}
		a.started = true
		return fn(cmd, args)
	}
}

// inDatabase is begins for work on a database that is there.
func (a *app) inDatabase(fn func(db *Database, args []string) error) work {
	return a.begins(func(_ *cobra.Command, args []string) error {
		return a.onCollection(func(db *Database) error { return fn(db, args) })
	})
}

// onCollection opens a database that holds a collection. One that is not there
// is not made: a question about nothing should leave nothing behind.
func (a *app) onCollection(fn func(*Database) error) error {
	if a.empty() {
		return chain.ErrNoCollection
	}
	return a.open(a.where(), func(db *Database) error {
		if _, ok := db.Config(); !ok {
			return chain.ErrNoCollection
		}
		return fn(db)
	})
}

// empty tells that the directory of the database is missing or empty.
func (a *app) empty() bool {
	if a.global.memory || a.held != nil {
		return false
	}
	entries, err := os.ReadDir(a.global.db)
	return errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0
}

// open opens a database for fn and closes it after, also when fn panics.
func (a *app) open(w Where, fn func(*Database) error) (err error) {
	if a.held != nil {
		return fn(a.held)
	}
	var db *Database
	err = WhenFree(a.ctx, a.global.wait, func() (err error) { db, err = a.Open(w); return err })
	if err != nil {
		return err
	}
	defer func() {
		if closing := db.Close(); closing != nil {
			err = errors.Join(err, closing)
		}
	}()
	return fn(db)
}

// print writes one answer and ends its line: compact for programs, indented on a
// terminal.
func (a *app) print(answer []byte) error {
	if isTerminal(a.Stdout) && !a.global.json {
		answer = a.forEyes(answer)
	}
	return a.write(func(w *bufio.Writer) error {
		_, _ = w.Write(answer) // Flush gives its error
		return w.WriteByte('\n')
	})
}

// member is the name of a member at the beginning of an indented line.
var member = regexp.MustCompile(`(?m)^( *)("(?:[^"\\]|\\.)*"):`)

// forEyes indents an answer and colours the names in it.
func (a *app) forEyes(answer []byte) []byte {
	v := jsontext.Value(bytes.Clone(answer))
	if v.Indent(jsontext.WithIndent("  ")) != nil {
		return answer
	}
	lines := widget.SafeLines(string(v), strings.Count(string(v), "\n")+1)
	text := strings.Join(lines, "\n")
	return []byte(member.ReplaceAllString(text, "$1"+a.coloured(a.Stdout, "36", "$2")+":"))
}

// write lets fn write to stdout.
func (a *app) write(fn func(*bufio.Writer) error) error { return writeTo(answers{a}, fn) }

func writeTo(out io.Writer, fn func(*bufio.Writer) error) error {
	w := bufio.NewWriter(out)
	if err := fn(w); err != nil {
		return err
	}
	return w.Flush()
}

// answers is stdout, where answers go, and the help as well. The run fails with
// what first went wrong there, whether whoever wrote looks at it or not.
type answers struct{ *app }

func (w answers) Write(p []byte) (int, error) {
	if w.out == nil {
		notUTF8 := term.NotUTF8(os.Getenv)
		w.app.out = &textWriter{to: w.Stdout, change: func(s string) string { return escaped(s, notUTF8) }}
	}
	n, err := w.out.Write(p)
	if err != nil && w.unsaid == nil {
		w.app.unsaid = fmt.Errorf("stdout: the answer could not be written: %w", err)
	}
	return n, w.unsaid
}
