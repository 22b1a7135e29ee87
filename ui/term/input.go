// Package term connects the explorer with its terminal: it removes the terminal's replies
// from what a person types, asks for the background colour, splits fast typing into keys,
// and lets a shell suspend the program. It must know nothing of what the explorer shows.
//
// Bubbletea v1 reads a late reply as key presses (alt+], then the rest as letters), and each
// letter would trigger a binding. [Input] removes replies whenever they come. A kind of reply
// that is not removed yet belongs in isReply or recogniseDCS, a key in plainKey.
package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	xterm "github.com/charmbracelet/x/term"
)

// escapeWait is how long Read waits after ESC for the rest of a sequence, while a reply of
// the terminal is expected. A terminal writes a reply in one piece, and a person does not
// notice the delay.
const escapeWait = 25 * time.Millisecond

// replyTimeout is how long after a question a reply is expected. A later one is still removed if
// one read returns it whole.
const replyTimeout = 10 * time.Second

// File is a terminal, such as [os.Stdin], with the methods that bubbletea needs to make it raw and
// to stop reading.
type File interface {
	io.ReadWriteCloser
	Fd() uintptr
	Name() string
}

// Program is the part of a bubbletea program that [Jobs] needs to suspend it.
type Program interface {
	ReleaseTerminal() error
	RestoreTerminal() error
}

// ErrGone is returned by Read when the terminal has gone away, for example because its
// window was closed. Bubbletea would take [io.EOF] for a pause in typing.
var ErrGone = errors.New("the terminal has gone away")

// Input reads keys from a terminal and removes the terminal's replies to questions.
// Pass it to tea.WithInput.
type Input struct {
	File
	closesFile bool   // Close closes the terminal, since Open has opened it
	filter     filter // removes the replies
	readBuffer []byte // what one read of the terminal returned, replies included

	mu            sync.Mutex  // guards the fields below
	replyDueUntil time.Time   // until when an answer to Ask is expected; zero: none is expected
	replyChannel  chan string // where Ask waits for replies; nil before the first question
}

// NewInput returns an Input for a terminal that the caller closes.
func NewInput(file File) *Input {
	in := &Input{File: file}
	in.filter.handleReply = in.handleReply
	return in
}

// Open returns an Input for standard input if that is a terminal, and else for the
// controlling terminal, so that data can be piped in. It fails if there is no terminal.
func Open() (*Input, error) {
	if xterm.IsTerminal(os.Stdin.Fd()) {
		return NewInput(os.Stdin), nil
	}
	file, err := openTTY()
	if err != nil {
		return nil, fmt.Errorf("the explorer needs a terminal to read keys from: %w", err)
	}
	in := NewInput(file)
	in.closesFile = true
	return in, nil
}

// Close closes the terminal if [Open] opened it.
func (in *Input) Close() error {
	if in.closesFile {
		return in.File.Close()
	}
	return nil
}

// Read reads the keys that were typed into p. It returns as soon as the terminal has sent
// anything. It returns 0 bytes if that was only a reply. It fails with [ErrGone] when the
// terminal has gone away, and otherwise with the error of the terminal's own Read.
func (in *Input) Read(p []byte) (int, error) {
	// Without space in p for more than the pending bytes, return these alone.
	if len(p) <= len(in.filter.pendingBytes) {
		return copy(p, in.filter.flush(nil)), nil
	}
	if len(in.readBuffer) < len(p) {
		in.readBuffer = make([]byte, len(p))
	}
	out := p[:0]

	// Read until a key is complete. ESC alone is a key only if nothing follows it at once.
	for {
		freeBytes := len(p) - len(out) - len(in.filter.pendingBytes) // the pending bytes go into p too
		readCount, err := in.File.Read(in.readBuffer[:freeBytes])
		out = in.filter.feed(out, in.readBuffer[:readCount])
		if err == io.EOF {
			err = ErrGone // a raw terminal has no other end
		}
		if err != nil {
			return len(in.filter.flush(out)), err
		}
		if !in.filter.isMaybeKey() {
			return len(out), nil
		}
		if len(out)+len(in.filter.pendingBytes) >= len(p) || !hasInput(in.Fd(), in.waitAfterEscape()) {
			return len(in.filter.flush(out)), nil
		}
	}
}

// waitAfterEscape returns how long to wait after ESC for the rest of a sequence.
func (in *Input) waitAfterEscape() time.Duration {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.replyDueUntil.IsZero() || time.Now().After(in.replyDueUntil) {
		return 0
	}
	return escapeWait
}
