// Package ptytest runs a program in a terminal of its own, for tests: it types
// keys, waits until the screen shows a text, resizes, and kills.
//
// The terminal is a pty and a small screen ([Screen]). It answers the questions
// that terminals are asked, or stays silent. Tests wait for what they expect
// and never sleep; the one bound is against hanging.
package ptytest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// Hang is how long a test waits for anything before it fails. It is no measure
// of speed.
const Hang = 20 * time.Second

// SlowQuestion is what bubbletea asks a terminal, after its background, where
// nobody has told that before: where the cursor is. It waits for five seconds
// for an answer. Ephemera asks for the background alone.
const SlowQuestion = "\x1b[6n"

// Keys as a terminal sends them.
const (
	Enter = "\r"
	Esc   = "\x1b"
	Up    = "\x1b[A"
	CtrlC = "\x03"
	CtrlZ = "\x1a"
)

// Options describe the terminal.
type Options struct {
	W, H int // 80×24 when zero
	// Unsized makes the terminal claim that it has 0×0 cells.
	Unsized bool
	// Background, as "#rrggbb", is what the terminal answers when it is asked.
	Background string
	Name       string // what the terminal answers that it is; where it is empty it does not
	// Silent makes it answer nothing, as some terminals do.
	Silent bool
}

// Term is a program running in a terminal.
type Term struct {
	t    testing.TB
	tty  *os.File
	cmd  *exec.Cmd
	opts Options

	mu     sync.Mutex
	screen *Screen
	raw    bytes.Buffer
	came   []came
	news   chan struct{} // closed and replaced when output comes
	over   chan struct{} // closed when the program has ended and all is read
	err    error         // of the program
}

// came says when output came that ends at a byte of the whole.
type came struct {
	end int
	at  time.Time
}

// environment is that of the tests, without what it says of a terminal: whether
// they run in CI, without colours or in another language changes what a program
// shows, and the program runs in the terminal of the test.
func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TMUX", "STY":
			return true
		}
		return strings.HasPrefix(name, "TERM_") || strings.HasPrefix(name, "LC_")
	})
	return append(env, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8")
}

// Start runs a command in a new terminal, with the variables of the command
// added to those of the tests. TERM is xterm-256color unless the command's say
// otherwise. The program is killed when the test ends.
func Start(t testing.TB, o Options, cmd *exec.Cmd) *Term {
	t.Helper()
	if o.W == 0 || o.H == 0 {
		o.W, o.H = 80, 24
	}
	cmd.Env = append(environment(), cmd.Env...)
	size := &pty.Winsize{Rows: uint16(o.H), Cols: uint16(o.W)}
	if o.Unsized {
		size = &pty.Winsize{}
	}
	tty, err := pty.StartWithSize(cmd, size)
	if err != nil {
		t.Fatalf("start %s in a terminal: %v", cmd.Path, err)
	}
	if tty, err = closable(tty); err != nil {
		t.Fatalf("start %s in a terminal: %v", cmd.Path, err)
	}
	term := &Term{t: t, tty: tty, cmd: cmd, opts: o, screen: NewScreen(o.W, o.H), news: make(chan struct{}), over: make(chan struct{})}
	go term.read()
	t.Cleanup(term.Kill)
	return term
}

func (t *Term) read() {
	buf := make([]byte, 32<<10)
	for {
		n, err := t.tty.Read(buf)
		at := time.Now()
		t.mu.Lock()
		t.raw.Write(buf[:n])
		t.came = append(t.came, came{t.raw.Len(), at})
		asked := t.screen.Write(buf[:n])
		close(t.news)
		t.news = make(chan struct{})
		t.mu.Unlock()
		for _, q := range asked {
			t.answer(q)
		}
		if err != nil { // the program has closed its end
			t.err = t.cmd.Wait()
			close(t.over)
			return
		}
	}
}

// answer replies to a question as a terminal does.
func (t *Term) answer(q Question) {
	if t.opts.Silent {
		return
	}
	switch q {
	case AskName:
		if t.opts.Name != "" {
			t.Type("\x1bP>|" + t.opts.Name + "\x1b\\")
		}
	case AskBackground:
		if hex, ok := strings.CutPrefix(t.opts.Background, "#"); ok && len(hex) == 6 {
			r, g, b := hex[0:2], hex[2:4], hex[4:6]
			t.Type("\x1b]11;rgb:" + r + r + "/" + g + g + "/" + b + b + "\x1b\\")
		}
	case AskAttributes:
		t.Type("\x1b[?62;22c")
	}
}

// Type sends keys, or anything else that a terminal sends.
func (t *Term) Type(keys ...string) {
	t.t.Helper()
	for _, k := range keys {
		if _, err := t.tty.WriteString(k); err != nil {
			t.t.Errorf("type %q: %v", k, err)
			return
		}
	}
}

// Screen is what the terminal shows, a line for each row, without the spaces at
// their ends.
func (t *Term) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.String()
}

// Settled is a copy of the screen once the program has written nothing for a while, which is
// many times the time of a frame.
func (t *Term) Settled() *Screen {
	const calm = 150 * time.Millisecond
	for {
		t.mu.Lock()
		screen, news := t.screen.clone(), t.news
		t.mu.Unlock()
		select {
		case <-news:
		case <-t.over:
			return screen
		case <-time.After(calm):
			return screen
		}
	}
}

// Raw is everything that the program has written.
func (t *Term) Raw() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.raw.String()
}

// Came tells when the program had first written all of a text, which does not
// count the time that this terminal takes to show it. It is zero while the
// program has not written it in one piece.
func (t *Term) Came(text string) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if start := bytes.Index(t.raw.Bytes(), []byte(text)); start >= 0 {
		for _, c := range t.came {
			if c.end >= start+len(text) {
				return c.at
			}
		}
	}
	return time.Time{}
}

// WaitFor waits until the screen holds all the texts, and fails the test when it
// does not come to that.
func (t *Term) WaitFor(texts ...string) string {
	t.t.Helper()
	return t.Wait("the screen shows "+strings.Join(texts, " and "), func(screen string) bool {
		for _, s := range texts {
			if !strings.Contains(screen, s) {
				return false
			}
		}
		return true
	})
}

// Wait waits until the screen is as wanted and gives it.
func (t *Term) Wait(what string, wanted func(screen string) bool) string {
	t.t.Helper()
	timeout := time.After(Hang)
	for {
		t.mu.Lock()
		screen, news := t.screen.String(), t.news
		t.mu.Unlock()
		if wanted(screen) {
			return screen
		}
		select {
		case <-news:
		case <-t.over:
			if screen = t.Screen(); wanted(screen) {
				return screen
			}
			t.t.Fatalf("the program ended (%v) before %s; the screen shows\n%s", t.err, what, screen)
		case <-timeout:
			t.t.Fatalf("waited %v until %s; the screen shows\n%s", Hang, what, t.Screen())
		}
	}
}

// Resize changes the size of the terminal; the program is told. The least screen
// has one cell, whatever size the terminal claims to have.
func (t *Term) Resize(w, h int) {
	t.t.Helper()
	t.mu.Lock()
	t.screen.Resize(max(w, 1), max(h, 1))
	t.mu.Unlock()
	if err := setSize(t.tty, w, h); err != nil {
		t.t.Fatalf("resize: %v", err)
	}
}

// WaitExit waits for the program to end and gives its exit status.
func (t *Term) WaitExit() int {
	t.t.Helper()
	select {
	case <-t.over:
	case <-time.After(Hang):
		t.t.Fatalf("the program is still running after %v; the screen shows\n%s", Hang, t.Screen())
	}
	var exit *exec.ExitError
	if t.err != nil && !errors.As(t.err, &exit) {
		t.t.Fatalf("wait for the program: %v", t.err)
	}
	return t.cmd.ProcessState.ExitCode()
}

// Signal sends a signal to the program. One that has ended just before misses nothing.
func (t *Term) Signal(s os.Signal) {
	t.t.Helper()
	if err := t.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.t.Fatalf("signal %v: %v", s, err)
	}
}

// HangUp takes the terminal away, as closing its window does.
func (t *Term) HangUp() {
	t.t.Helper()
	if err := t.tty.Close(); err != nil {
		t.t.Fatalf("hang up: %v", err)
	}
}

// Kill ends the program if it still runs, and closes the terminal.
func (t *Term) Kill() {
	select {
	case <-t.over:
	default:
		_ = t.cmd.Process.Kill() // it may have ended by itself just now
		<-t.over
	}
	_ = t.tty.Close()
}
