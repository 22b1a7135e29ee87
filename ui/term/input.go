// Package term stands between the explorer and the terminal it runs in: it
// keeps the terminal's replies out of what a person types, asks for the
// background colour, and takes fast typing apart.
//
// Bubbletea v1 reads a reply that comes late as key presses (alt+], then the
// rest as letters), and each letter would trigger a binding. [Input] drops
// replies whenever they come. It knows bubbletea's messages and themes; it must
// know nothing of what the explorer shows.
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

// patience is how long the byte ESC waits for the rest of a reply that is due.
// A terminal writes a reply in one piece, so this is long for it and too short
// to be felt. When no reply is due, the escape key does not wait at all.
const patience = 25 * time.Millisecond

// overdue is when a reply that was asked for is no longer due. It is dropped
// all the same if it comes.
const overdue = 10 * time.Second

// File is a terminal, as [os.File] is one. Bubbletea makes the terminal raw, and
// stops reading at the end, only if its input has all of this.
type File interface {
	io.ReadWriteCloser
	Fd() uintptr
	Name() string
}

// ErrGone is returned by a read when the terminal has gone away. Bubbletea takes
// an end of its input for a silence, and would stay for ever.
var ErrGone = errors.New("the terminal has gone away")

// Input reads keys from a terminal and drops the terminal's replies. Hand it to
// tea.WithInput.
type Input struct {
	File
	owned  bool
	filter filter
	buf    []byte

	mu     sync.Mutex
	due    time.Time   // until when a reply is due; zero when none is
	answer chan string // of the latest question
}

// NewInput reads from a terminal that the caller closes.
func NewInput(f File) *Input {
	in := &Input{File: f}
	in.filter.onReply = in.replied
	return in
}

// Open reads from standard input when that is a terminal, and else from the
// controlling terminal, so that data may be piped in. It fails when there is no
// terminal at all.
func Open() (*Input, error) {
	if xterm.IsTerminal(os.Stdin.Fd()) {
		return NewInput(os.Stdin), nil
	}
	f, err := openTTY()
	if err != nil {
		return nil, fmt.Errorf("the explorer needs a terminal to read keys from: %w", err)
	}
	in := NewInput(f)
	in.owned = true
	return in, nil
}

// Close closes the terminal if [Open] opened it.
func (in *Input) Close() error {
	if in.owned {
		return in.File.Close()
	}
	return nil
}

// Read reads what was typed. It returns as soon as the terminal has given
// something, and may return nothing when that was a reply.
func (in *Input) Read(p []byte) (int, error) {
	if len(p) <= len(in.filter.held) {
		return copy(p, in.filter.flush(nil)), nil
	}
	if len(in.buf) < len(p) {
		in.buf = make([]byte, len(p))
	}
	out := p[:0]
	for {
		// What is held comes out too: leave it its room.
		n, err := in.File.Read(in.buf[:len(p)-len(out)-len(in.filter.held)])
		out = in.filter.feed(out, in.buf[:n])
		if err == io.EOF {
			err = ErrGone // a raw terminal has no other end
		}
		if err != nil {
			return len(in.filter.flush(out)), err
		}
		if !in.filter.waiting() {
			return len(out), nil
		}
		if len(out)+len(in.filter.held) >= len(p) || !ready(in.Fd(), in.wait()) {
			return len(in.filter.flush(out)), nil
		}
	}
}

// wait is how long to look out for the rest of a sequence.
func (in *Input) wait() time.Duration {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.due.IsZero() || time.Now().After(in.due) {
		return 0
	}
	return patience
}
