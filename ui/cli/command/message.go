package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

// MaxMessageBytes is how many bytes a message may have: far more than a chain accepts, and
// far less than the memory.
const MaxMessageBytes = 1 << 20

// minStdinWait is how long a command with messages on stdin waits at least for a database that
// another process has open. The program that writes the first message may have it open until
// it ends.
const minStdinWait = 5 * time.Second

// WithMessage is [App.WithDatabase] for a command whose argument is a message. If it is "-", fn is
// called for each message on stdin before the next is read. The error of each is printed, and
// one that is not a refusal ends the command. The database is opened after the first message
// was read, because that can take long.
func (a *App) WithMessage(fn func(db *Database, msg []byte) error) commandFunc {
	return a.Action(func(args []string) error {
		if args[0] != "-" {
			msg, err := a.ReadMessage(args[0])
			if err != nil {
				return err
			}
			return a.WithCollection(func(db *Database) error { return fn(db, msg) })
		}

		readMessage := a.stdinMessages()
		msg, err := readMessage()
		if err == io.EOF { // the contract refuses an empty message
			return a.WithCollection(func(db *Database) error { return fn(db, nil) })
		}
		if err != nil {
			return err
		}
		a.Global.OpenOptions.Wait = max(a.Global.OpenOptions.Wait, minStdinWait)
		return a.WithCollection(func(db *Database) error {
			status := statusDone
			for err == nil && status <= StatusRefused {
				status = max(status, a.Report(fn(db, msg)))
				msg, err = readMessage()
			}
			if err != nil && err != io.EOF {
				status = max(status, a.Report(err))
			}
			return &SilentExit{Status: status}
		})
	})
}

// ReadMessage returns the text of the argument MSG: the argument itself, the content of a file
// for "@FILE", or stdin for "-".
func (a *App) ReadMessage(arg string) ([]byte, error) {
	name, isFile := strings.CutPrefix(arg, "@")
	if isFile || arg == "-" {
		return ReadUntilDone(a.Ctx, func() ([]byte, error) { return a.ReadFile(name) })
	}
	if len(arg) > MaxMessageBytes {
		return nil, tooLongError("MSG")
	}
	return []byte(arg), nil
}

// stdinMessages returns a function that reads the next message on stdin: a JSON value, or
// all that is left of a text that is no JSON, so that the contract refuses it. At the end of
// stdin the function fails with [io.EOF].
func (a *App) stdinMessages() func() ([]byte, error) {
	input := &limitedInput{Reader: a.Stdin}
	decoder := jsontext.NewDecoder(input, jsontext.AllowDuplicateNames(true))
	isOver := false
	readNext := func() ([]byte, error) {
		if isOver {
			return nil, io.EOF
		}
		input.size = 0
		msg, err := decoder.ReadValue()
		isOver = err != nil
		if IsError[*jsontext.SyntacticError](err) {
			var rest []byte
			rest, err = io.ReadAll(input)
			msg = append(decoder.UnreadBuffer(), rest...)
		}
		switch {
		case err == io.EOF || IsError[*UsageError](err):
			return nil, err
		case err != nil:
			return nil, ReadError("stdin", err)
		case len(msg) > MaxMessageBytes:
			return nil, tooLongError("stdin")
		}
		return bytes.Clone(msg), nil
	}
	return func() ([]byte, error) { return ReadUntilDone(a.Ctx, readNext) }
}

// limitedInput fails with a [*UsageError] when it was read far beyond the size of one message.
type limitedInput struct {
	io.Reader
	size int // the bytes that were read since the last message
}

func (l *limitedInput) Read(buffer []byte) (int, error) {
	if l.size > 2*MaxMessageBytes {
		return 0, tooLongError("stdin")
	}
	n, err := l.Reader.Read(buffer)
	l.size += n
	return n, err
}

// tooLongError is the error for a file or an argument that is longer than [MaxMessageBytes].
func tooLongError(name string) error {
	return UsageErrorf("%s: holds more than %d bytes, expected one message", name, MaxMessageBytes)
}

// ReadUntilDone returns what read returns. If ctx is done first, it returns an error and leaves
// read running in the background, because reading a pipe or a keyboard cannot be interrupted.
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

// DifferenceError returns how the built-in contract differs from the compiled one for a
// message, as an error. It is nil if they agree.
func DifferenceError(receipt chain.Receipt) error {
	if receipt.Difference == nil {
		return nil
	}
	return &chain.DifferenceError{Difference: *receipt.Difference}
}

// PrintNotes prints to stderr what a compiled contract logged, which members of a message the
// contract ignored, and which members tokens lose that cw721 does not know.
func (a *App) PrintNotes(receipt chain.Receipt) {
	for _, line := range receipt.LogLines {
		a.Errorf("debug: %s", line)
	}
	for _, member := range receipt.IgnoredMembers {
		a.Errorf("%s", member)
	}
	for _, change := range receipt.Changes {
		if loss := explain.DescribeLoss(cw721.TokenChange(change.Key, change.OldValue, change.NewValue)); loss != "" {
			a.Errorf("note: %s", loss)
		}
	}
}
