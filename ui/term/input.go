// Package term connects the explorer with its terminal: it removes the terminal's replies
// from what a person types, asks for the background colour, splits fast typing into keys,
// and lets a shell suspend the program.
//
// Bubbletea v1 reads a late reply as key presses (alt+], then the rest as letters), and each
// letter would trigger a binding. [Input] removes replies whenever they come. The package
// knows bubbletea's messages and themes. It must know nothing of what the explorer shows.
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

// escapeWait is how long ESC waits for the rest of a reply that is due. A terminal
// writes a reply in one piece, so this is enough for it, and too short for a person to
// notice. When no reply is due, the escape key does not wait at all.
const escapeWait = 25 * time.Millisecond

// replyTimeout is how long a reply is due after a question. A later one is still removed.
const replyTimeout = 10 * time.Second

// File is a terminal, such as an [os.File]. Bubbletea needs all of these methods to make the
// terminal raw and to stop reading at the end.
type File interface {
	io.ReadWriteCloser
	Fd() uintptr
	Name() string
}

// ErrGone is the error of a read when the terminal has gone away. Bubbletea would take
// [io.EOF] for silence, and never end.
var ErrGone = errors.New("the terminal has gone away")

// Input reads keys from a terminal and removes the terminal's replies. Pass it to
// tea.WithInput.
type Input struct {
	File
	closesFile bool // Close closes the terminal
	filter     filter
	buf        []byte

	mu            sync.Mutex
	replyDueUntil time.Time   // until when a reply is due; zero: none is
	replies       chan string // to the latest question
}

// NewInput returns an Input for a terminal that the caller closes.
func NewInput(f File) *Input {
	in := &Input{File: f}
	in.filter.handleReply = in.handleReply
	return in
}

// Open returns an Input for standard input if that is a terminal, and else for the
// controlling terminal, so that data can be piped in. It fails if there is no terminal.
func Open() (*Input, error) {
	if xterm.IsTerminal(os.Stdin.Fd()) {
		return NewInput(os.Stdin), nil
	}
	f, err := openTTY()
	if err != nil {
		return nil, fmt.Errorf("the explorer needs a terminal to read keys from: %w", err)
	}
	in := NewInput(f)
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

// Read reads what was typed. It returns as soon as the terminal sends anything, and may
// return no bytes if that was a reply. It fails with [ErrGone].
func (in *Input) Read(p []byte) (int, error) {
	if len(p) <= len(in.filter.pending) {
		return copy(p, in.filter.flush(nil)), nil
	}
	if len(in.buf) < len(p) {
		in.buf = make([]byte, len(p))
	}
	out := p[:0]
	for {
		room := len(p) - len(out) - len(in.filter.pending) // what is held back comes out too
		n, err := in.File.Read(in.buf[:room])
		out = in.filter.feed(out, in.buf[:n])
		if err == io.EOF {
			err = ErrGone // a raw terminal has no other end
		}
		if err != nil {
			return len(in.filter.flush(out)), err
		}
		if !in.filter.isMaybeKey() {
			return len(out), nil
		}
		isFull := len(out)+len(in.filter.pending) >= len(p)
		if isFull || !hasInput(in.Fd(), in.waitAfterEscape()) {
			return len(in.filter.flush(out)), nil
		}
	}
}

// waitAfterEscape returns how long to wait for the rest of a sequence.
func (in *Input) waitAfterEscape() time.Duration {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.replyDueUntil.IsZero() || time.Now().After(in.replyDueUntil) {
		return 0
	}
	return escapeWait
}
