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
)

// The bounds of messages that a user gives.
const (
	// LongestMessage is how many bytes a message may have: far more than a chain
	// accepts, and far less than the memory.
	LongestMessage = 1 << 20
	// longestStream is how many bytes the messages on stdin may have together.
	longestStream = 64 << 20
)

// WithMessage returns a command's action that calls fn with the database and the message
// of its argument. With "-" it calls fn once for each message on stdin, prints what
// goes wrong with each, and stops after an error that is not a refusal.
//
// The message is read before the database is opened: a database that waits for a pipe
// would lock out the program that writes to the pipe.
func (a *App) WithMessage(fn func(db *Database, msg []byte) error) commandFunc {
	return a.Action(func(args []string) error {
		messages, err := a.readMessages(args[0])
		if err != nil {
			return err
		}
		return a.WithCollection(func(db *Database) error {
			if len(messages) == 1 {
				return fn(db, messages[0])
			}
			return a.eachMessage(messages, func(msg []byte) error { return fn(db, msg) })
		})
	})
}

// eachMessage calls handle with each message and prints its errors, until a.Ctx is done or
// an error is not a refusal. It returns the highest exit status as an error.
func (a *App) eachMessage(messages [][]byte, handle func(msg []byte) error) error {
	status := statusDone
	for _, msg := range messages {
		err := a.Ctx.Err() // an interruption counts like a failed message
		if err == nil {
			err = handle(msg)
		}
		status = max(status, a.Report(err))
		if status > Refused {
			break
		}
	}
	return &SilentExit{Exit: status}
}

// ReadMessage returns the text of a MSG: the argument itself, the content of @FILE, or
// stdin for "-". The contract decides whether it is a message.
func (a *App) ReadMessage(arg string) ([]byte, error) {
	messages, err := a.readMessages(arg)
	return bytes.Join(messages, []byte("\n")), err
}

// readMessages returns the messages of a MSG. Only stdin can have several.
func (a *App) readMessages(arg string) ([][]byte, error) {
	if arg == "-" {
		return ReadUntilDone(a.Ctx, func() ([][]byte, error) { return splitStream(a.Stdin) })
	}
	if name, ok := strings.CutPrefix(arg, "@"); ok {
		return ReadUntilDone(a.Ctx, func() ([][]byte, error) {
			text, err := a.ReadFile(name)
			return [][]byte{text}, err
		})
	}
	if len(arg) > LongestMessage {
		return nil, tooLong("MSG")
	}
	return [][]byte{[]byte(arg)}, nil
}

// splitStream reads the messages on stdin.
func splitStream(stdin io.Reader) ([][]byte, error) {
	text, err := io.ReadAll(io.LimitReader(stdin, longestStream+1))
	switch {
	case err != nil:
		return nil, Unreadable("stdin", err)
	case len(text) > longestStream:
		return nil, UsageErrorf("stdin: holds more than %d bytes of messages", longestStream)
	}
	messages := splitMessages(text)
	for _, msg := range messages {
		if len(msg) > LongestMessage {
			return nil, tooLong("stdin")
		}
	}
	return messages, nil
}

// splitMessages returns the JSON values that follow one another in a text. A text that is
// anything else is returned whole, so that the contract refuses it.
func splitMessages(text []byte) (messages [][]byte) {
	values := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		value, err := values.ReadValue()
		if err == io.EOF && len(messages) > 0 {
			return messages
		}
		if err != nil {
			return [][]byte{text}
		}
		messages = append(messages, bytes.Clone(value))
	}
}

// ReadFile reads a file, or stdin for "-", that is no longer than a message.
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

// tooLong is the error for a file or an argument that is longer than [LongestMessage].
func tooLong(name string) error {
	return UsageErrorf("%s: holds more than %d bytes, expected one message", name, LongestMessage)
}

// Unreadable returns an error of reading a file as a sentence that names it.
func Unreadable(name string, err error) error {
	return UsageErrorf("%s: cannot be read: %v", name, causeOf(err))
}

// causeOf returns an error without the name of the file.
func causeOf(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// ReadUntilDone returns what read returns. If ctx is done first, it returns an error and
// leaves read running in the background, because reading from a pipe or a keyboard can
// take forever and cannot be interrupted.
func ReadUntilDone[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}

	// The buffer lets the goroutine end even if nobody waits for it any more.
	results := make(chan result, 1)
	go func() {
		value, err := read()
		results <- result{value: value, err: err}
	}()
	select {
	case r := <-results:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("waiting for input: %w", ctx.Err())
	}
}

// AsFlag adds --as to a command that works on a collection.
func (a *App) AsFlag(cmd *cobra.Command, as *string) {
	cmd.Flags().StringVar(as, "as", "", "`WHO` acts: the name of an account, or an address")
	CompleteFlag(cmd, "as", a.Complete(AccountNames))
}

// ResolveWho returns the address of a WHO, which a flag holds. It fails as [Resolve] does.
func ResolveWho(db *Database, flag, who string) (cw721.Address, error) {
	return chain.Read(db, func(v *chain.View) (cw721.Address, error) { return Resolve(v, flag, who) })
}

// DifferenceError returns how the built-in contract differs from the compiled one for a
// message, as an error. It is nil if they agree.
func DifferenceError(r chain.Receipt) error {
	if r.Difference == nil {
		return nil
	}
	return &chain.DifferenceError{Difference: *r.Difference}
}

// PrintNotes prints to stderr what a compiled contract logged, and which members of a
// message the contract ignored.
func (a *App) PrintNotes(r chain.Receipt) {
	for _, line := range r.Debug {
		a.Errorf("debug: %s", line)
	}
	for _, member := range r.Ignored {
		a.Errorf("%s", member)
	}
}
