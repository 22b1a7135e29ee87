package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// DifferenceError gives what the built-in contract would have done otherwise, as an
// error.
func DifferenceError(r chain.Receipt) error {
	if r.Difference == nil {
		return nil
	}
	return &chain.DifferenceError{Difference: *r.Difference}
}

// WithMessage makes a command's work of a function on a database that is there
// and the message that its argument holds. The message is read first: to wait
// for a pipe with the database open would lock out whoever writes to the pipe.
func (a *App) WithMessage(fn func(db *Database, msg []byte) error) commandFunc {
	return a.Action(func(cmd *cobra.Command, args []string) error {
		msg, err := a.ReadMessage(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		all := [][]byte{msg}
		if args[0] == "-" {
			all = splitMessages(msg)
		}
		return a.WithCollection(func(db *Database) error {
			if len(all) == 1 {
				return fn(db, all[0])
			}
			status := statusDone
			for _, msg := range all {
				err := cmd.Context().Err()
				if err == nil {
					err = fn(db, msg)
				}
				status = max(status, a.Report(err))
				if status > Refused {
					break
				}
			}
			return &SilentExit{status}
		})
	})
}

// splitMessages gives the JSON values that stand one after another in a text; the
// text itself where it is anything else, for the contract to refuse.
func splitMessages(text []byte) (all [][]byte) {
	values := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		value, err := values.ReadValue()
		if err == io.EOF && len(all) > 0 {
			return all
		}
		if err != nil {
			return [][]byte{text}
		}
		all = append(all, bytes.Clone(value))
	}
}

// AsFlag adds --as to a command on a database that is there.
func (a *App) AsFlag(cmd *cobra.Command, as *string) {
	cmd.Flags().StringVar(as, "as", "", "`WHO` acts: the name of an account, or an address")
	_ = cmd.RegisterFlagCompletionFunc("as", a.CompleteNames) // fails only for a flag that is not there
}

// ResolveWho resolves a WHO outside of a view.
func ResolveWho(db *Database, flag, text string) (cw721.Address, error) {
	return chain.Read(db, func(v *chain.View) (cw721.Address, error) { return Resolve(v, flag, text) })
}

// LongestMessage is the most that a message may hold, in bytes: far more than
// a chain takes, and far less than memory.
const LongestMessage = 1 << 20

// ReadMessage gives the text of a MSG: the text itself, @FILE, or - for stdin.
// Whether it is a message is for the contract to say.
func (a *App) ReadMessage(ctx context.Context, arg string) ([]byte, error) {
	if arg == "-" {
		return ReadUntilDone(ctx, func() ([]byte, error) { return readMessages(a.Stdin) })
	}
	if name, ok := strings.CutPrefix(arg, "@"); ok {
		return ReadUntilDone(ctx, func() ([]byte, error) { return a.ReadFile(name) })
	}
	if len(arg) > LongestMessage {
		return nil, tooLong("MSG")
	}
	return []byte(arg), nil
}

// ReadFile reads a file, or with - stdin, that is no longer than a message.
func (a *App) ReadFile(name string) ([]byte, error) {
	file, err := a.Input(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, LongestMessage+1))
	if err == nil && len(text) > LongestMessage {
		err = tooLong(file.name)
	}
	return text, err
}

// longestStream is the most that many messages may hold, in bytes.
const longestStream = 64 << 20

// readMessages reads one message or many from stdin.
func readMessages(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, longestStream+1))
	switch {
	case err != nil:
		return nil, Unreadable("stdin", err)
	case len(text) > longestStream:
		return nil, UsageErrorf("stdin: holds more than %d bytes of messages", longestStream)
	}
	for _, msg := range splitMessages(text) {
		if len(msg) > LongestMessage {
			return nil, tooLong("stdin")
		}
	}
	return text, nil
}

func tooLong(name string) error {
	return UsageErrorf("%s: holds more than %d bytes, expected one message", name, LongestMessage)
}

// Unreadable makes a sentence of an error about a file.
func Unreadable(name string, err error) error {
	return UsageErrorf("%s: cannot be read: %v", name, causeOf(err))
}

// causeOf leaves out of an error what the sentence around it says already.
func causeOf(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// ReadUntilDone gives what read gives, or stops waiting for it at an interruption:
// reading from a pipe or a keyboard can take for ever.
func ReadUntilDone[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	came := make(chan outcome, 1)
	go func() {
		value, err := read()
		came <- outcome{value, err}
	}()
	select {
	case o := <-came:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("waiting for input: %w", ctx.Err())
	}
}

// PrintNotes says on stderr what a compiled contract logged, and names the members of a
// message that the contract passed over.
func (a *App) PrintNotes(r chain.Receipt) {
	for _, line := range r.Debug {
		a.Errorf("debug: %s", widget.Safe(line))
	}
	for _, m := range r.Ignored {
		a.Errorf("%s", widget.Safe(m.String()))
	}
}
