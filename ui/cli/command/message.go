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
	// MaxMessageBytes is how many bytes a message may have: far more than a chain
	// accepts, and far less than the memory.
	MaxMessageBytes = 1 << 20
	// maxStreamBytes is how many bytes the messages on stdin may have together.
	maxStreamBytes = 64 << 20
)

// WithMessage is [App.Action] for a command whose argument is a message. It calls fn with
// the database and the message. If the argument is "-", it calls fn once for each message
// on stdin, prints the error of each, and stops after an error that is not a refusal.
//
// The messages are read before the database is opened, because reading a pipe can take long.
// If the program that writes to the pipe used the same database, it would wait forever.
func (a *App) WithMessage(fn func(db *Database, msg []byte) error) commandFunc {
	return a.Action(func(args []string) error {
		messages, err := a.collectMessages(args[0])
		if err != nil {
			return err
		}
		return a.WithCollection(func(db *Database) error {
			if len(messages) == 1 {
				return fn(db, messages[0])
			}
			handle := func(msg []byte) error { return fn(db, msg) }
			return a.handleMessages(messages, handle)
		})
	})
}

// handleMessages calls handle with each message and prints its errors. It stops when a.Ctx is
// done, and after an error that is not a refusal. It returns the highest exit status as a
// [*SilentExit].
func (a *App) handleMessages(messages [][]byte, handle func(msg []byte) error) error {
	status := statusDone
	for _, msg := range messages {
		// An interruption counts like a failed message.
		if err := a.Ctx.Err(); err != nil {
			return &SilentExit{Status: a.Report(err)}
		}
		status = max(status, a.Report(handle(msg)))
		if status > StatusRefused {
			break
		}
	}
	return &SilentExit{Status: status}
}

// ReadMessage returns the text of a MSG, which is what the help calls an argument with a
// message. The text is the argument itself, the content of a file for "@FILE", or stdin for
// "-". The contract decides later whether the text is a valid message.
func (a *App) ReadMessage(arg string) ([]byte, error) {
	messages, err := a.collectMessages(arg)
	return bytes.Join(messages, []byte("\n")), err
}

// collectMessages returns the messages of an argument MSG: the argument itself, the content
// of a file for "@FILE", or each message on stdin for "-".
func (a *App) collectMessages(arg string) ([][]byte, error) {
	if arg == "-" {
		return ReadUntilDone(a.Ctx, a.readStdinMessages)
	}
	if name, ok := strings.CutPrefix(arg, "@"); ok {
		return ReadUntilDone(a.Ctx, func() ([][]byte, error) {
			text, err := a.ReadFile(name)
			return [][]byte{text}, err
		})
	}
	if len(arg) > MaxMessageBytes {
		return nil, tooLongError("MSG")
	}
	return [][]byte{[]byte(arg)}, nil
}

// readStdinMessages reads the messages on stdin.
func (a *App) readStdinMessages() ([][]byte, error) {
	text, err := io.ReadAll(io.LimitReader(a.Stdin, maxStreamBytes+1))
	switch {
	case err != nil:
		return nil, ReadError("stdin", err)
	case len(text) > maxStreamBytes:
		return nil, UsageErrorf("stdin: holds more than %d bytes of messages", maxStreamBytes)
	}
	messages := splitMessages(text)
	for _, msg := range messages {
		if len(msg) > MaxMessageBytes {
			return nil, tooLongError("stdin")
		}
	}
	return messages, nil
}

// splitMessages splits a text that is a sequence of JSON values into these values. It
// returns any other text as one message, so that the contract refuses it.
func splitMessages(text []byte) (messages [][]byte) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		value, err := decoder.ReadValue()
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
	text, err := io.ReadAll(io.LimitReader(file, MaxMessageBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxMessageBytes {
		return nil, tooLongError(file.name)
	}
	return text, nil
}

// tooLongError is the error for a file or an argument that is longer than [MaxMessageBytes].
func tooLongError(name string) error {
	return UsageErrorf("%s: holds more than %d bytes, expected one message", name, MaxMessageBytes)
}

// ReadError returns an error of reading a file as a [*UsageError] that names the file.
func ReadError(name string, err error) error {
	return UsageErrorf("%s: cannot be read: %v", name, causeOf(err))
}

// causeOf returns the cause of an error of the file system, without the name of the file. It
// returns any other error as it is.
func causeOf(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
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
	case received := <-results:
		return received.value, received.err
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("waiting for input: %w", ctx.Err())
	}
}

// AddAsFlag adds --as to a command that works on a collection.
func (a *App) AddAsFlag(cmd *cobra.Command, senderName *string) {
	cmd.Flags().StringVar(senderName, "as", "", "`WHO` acts: the name of an account, or an address")
	CompleteFlag(cmd, "as", a.Complete(AccountNames))
}

// ResolveWho is [Resolve] with the latest state of a database.
func ResolveWho(db *Database, flag, who string) (cw721.Address, error) {
	return chain.Read(db, func(view *chain.View) (cw721.Address, error) {
		return Resolve(view, flag, who)
	})
}

// DifferenceError returns how the built-in contract differs from the compiled one for a
// message, as an error. It is nil if they agree.
func DifferenceError(receipt chain.Receipt) error {
	if receipt.Difference == nil {
		return nil
	}
	return &chain.DifferenceError{Difference: *receipt.Difference}
}

// PrintNotes prints to stderr what a compiled contract logged, and which members of a
// message the contract ignored.
func (a *App) PrintNotes(receipt chain.Receipt) {
	for _, line := range receipt.LogLines {
		a.Errorf("debug: %s", line)
	}
	for _, member := range receipt.IgnoredMembers {
		a.Errorf("%s", member)
	}
}
