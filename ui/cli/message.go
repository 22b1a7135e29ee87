package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// longestMessage is the most that a message may hold, in bytes: far more than
// a chain takes, and far less than memory.
const longestMessage = 1 << 20

// message gives the text of a MSG: the text itself, @FILE, or - for stdin.
// Whether it is a message is for the contract to say.
func (a *app) message(ctx context.Context, arg string) ([]byte, error) {
	if arg == "-" {
		return untilDone(ctx, func() ([]byte, error) { return readMessages(a.Stdin) })
	}
	if name, ok := strings.CutPrefix(arg, "@"); ok {
		return untilDone(ctx, func() ([]byte, error) { return readFile(name) })
	}
	if len(arg) > longestMessage {
		return nil, tooLong("MSG")
	}
	return []byte(arg), nil
}

func readFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer file.Close()
	return readMessage(name, file)
}

// longestStream is the most that many messages may hold, in bytes.
const longestStream = 64 << 20

// readMessages reads one message or many from stdin.
func readMessages(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, longestStream+1))
	switch {
	case err != nil:
		return nil, unreadable("stdin", err)
	case len(text) > longestStream:
		return nil, misused("stdin: holds more than %d bytes of messages", longestStream)
	}
	for _, msg := range messages(text) {
		if len(msg) > longestMessage {
			return nil, tooLong("stdin")
		}
	}
	return text, nil
}

func readMessage(name string, r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, longestMessage+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	if len(text) > longestMessage {
		return nil, tooLong(name)
	}
	return text, nil
}

func tooLong(name string) error {
	return misused("%s: holds more than %d bytes, expected one message", name, longestMessage)
}

// unreadable makes a sentence of an error about a file.
func unreadable(name string, err error) error {
	return misused("%s: cannot be read: %v", name, reason(err))
}

// reason leaves out of an error what the sentence around it says already.
func reason(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// untilDone gives what read gives, or stops waiting for it at an interruption:
// reading from a pipe or a keyboard can take for ever.
func untilDone[T any](ctx context.Context, read func() (T, error)) (T, error) {
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
