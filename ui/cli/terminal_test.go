package cli_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/human"
	"ephemera/ui/term/ptytest"
)

// onDisk gives the explorer on a new collection on the disk, and its directory.
func onDisk(t *testing.T) (*ptytest.Term, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	return ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--db", dir)), dir
}

func newCollection(t *testing.T, dir string) {
	t.Helper()
	runs(t, "--db", dir, "init", "--height", "1000", `{"name":"Apes","symbol":"APE"}`)
	runs(t, "--db", dir, "exec", "--as", "creator", `{"mint":{"token_id":"ape-1","owner":"$creator"}}`)
}

// storedHeight asks the closed database for its block.
func storedHeight(t *testing.T, dir string) (height int) {
	t.Helper()
	answer := runs(t, "--db", dir, "clock")
	if _, err := fmt.Sscanf(answer, `{"block":{"height":%d,`, &height); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	return height
}

// The ways in which a terminal goes away, or the program is told to go.
var goings = []struct {
	name          string
	away          func(*ptytest.Term)
	keepsTerminal bool // somebody is there to get it back
}{
	{"SIGHUP", func(s *ptytest.Term) { s.Signal(syscall.SIGHUP) }, false},
	{"SIGHUP again and again", func(s *ptytest.Term) { s.Signal(syscall.SIGHUP); s.Signal(syscall.SIGHUP) }, false},
	{"SIGTERM", func(s *ptytest.Term) { s.Signal(syscall.SIGTERM) }, true},
	{"SIGQUIT", func(s *ptytest.Term) { s.Signal(syscall.SIGQUIT) }, true},
	{"a window that is closed", func(s *ptytest.Term) { s.HangUp() }, false},
}

func TestTheEndInTheMiddleOfWritesKeepsAllThatWasShownAndGivesTheTerminalBack(t *testing.T) {
	acceptHangups(t)
	for _, going := range goings {
		t.Run(going.name, func(t *testing.T) {
			screen, dir := onDisk(t)
			screen.WaitFor("CLOCK  height 1,000", "ape-1")
			screen.Type(strings.Repeat(".", 300))
			shown := heightIn(t, screen.Wait("some of the blocks are there", func(s string) bool {
				return strings.Contains(s, "CLOCK  height") && heightIn(t, s) > 1010
			}))
			going.away(screen)
			if status := screen.WaitExit(); status != 0 {
				t.Errorf("exit status %d", status)
			}
			closedInOrder(t, dir)
			if going.keepsTerminal && !strings.Contains(screen.Raw(), leaveAlternateScreen) {
				t.Error("the alternate screen was not left")
			}
			height := storedHeight(t, dir)
			if height < shown || height > 1300 {
				t.Errorf("the stored height is %d, the screen showed %d", height, shown)
			}
			steps := strings.Count(runs(t, "--db", dir, "history", "--limit", "1000"), " clock +1 block to ")
			if steps != height-1000 {
				t.Errorf("%d steps of the clock are in the history, and it moved by %d blocks", steps, height-1000)
			}
		})
	}
}

func TestTheExplorerEndsWithItsTerminalEvenIfSIGHUPIsIgnored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	cmd := explorer(t, "--db", dir)
	deaf := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh"}, cmd.Args...)...)
	deaf.Env = cmd.Env
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, deaf)
	screen.WaitFor("CLOCK", "ape-1")
	screen.HangUp()
	screen.WaitExit()
	closedInOrder(t, dir)
}

func TestAShellSuspendsAndResumesTheExplorer(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no shell with job control to try")
	}
	cmd := explorer(t, "--demo")
	shell := exec.Command(bash, "--norc", "--noprofile", "-i")
	shell.Env = append(cmd.Env, "PS1=prompt> ", "HISTFILE=")
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, shell)
	screen.WaitFor("prompt>")
	screen.Type(strings.Join(cmd.Args, " "), ptytest.Enter)
	before := heightIn(t, screen.WaitFor("CLOCK  height", "1 Tokens"))

	screen.Type(ptytest.CtrlZ)
	screen.WaitFor("Stopped", "prompt>")
	screen.Type("echo $((6*7))", ptytest.Enter)
	screen.WaitFor("42")
	screen.Type("fg", ptytest.Enter)
	again := screen.WaitFor("CLOCK  height", "1 Tokens")
	if now := heightIn(t, again); now != before {
		t.Errorf("the height was %d and is %d after a rest", before, now)
	}
	screen.Type(".")
	screen.WaitFor("CLOCK  height " + human.Thousands(uint64(before)+1))
	if !strings.Contains(afterLast(screen.Raw(), enterAlternateScreen), takeMouse) {
		t.Error("the mouse was not taken again")
	}

	// Asked to by somebody else, it gives the terminal back as well.
	chaintest.OK(t, suspend(jobOf(t, screen), false))
	screen.WaitFor("Stopped", "prompt>")
	if last := afterLast(screen.Raw(), enterAlternateScreen); !strings.Contains(last, leaveAlternateScreen) || !strings.Contains(last, showCursor) {
		t.Error("the screen or the cursor was not given back")
	}
	screen.Type("fg", ptytest.Enter)
	screen.WaitFor("CLOCK  height "+human.Thousands(uint64(before)+1), "1 Tokens")

	// Stopped from outside, there is no time to give the terminal back.
	chaintest.OK(t, suspend(jobOf(t, screen), true))
	screen.WaitFor("Stopped", "prompt>")
	screen.Type("fg", ptytest.Enter)
	screen.WaitFor("CLOCK  height", "1 Tokens")
	screen.Type(".")
	screen.WaitFor("CLOCK  height " + human.Thousands(uint64(before)+2))
	screen.Type(ptytest.CtrlC)
	screen.WaitFor("prompt>")
}

// jobOf gives the process that runs in the foreground of a terminal.
func jobOf(t *testing.T, screen *ptytest.Term) int {
	t.Helper()
	return chaintest.Must(screen.Foreground())(t)
}

func afterLast(s, sep string) string { return s[strings.LastIndex(s, sep)+1:] }

func TestWithoutAShellCtrlZDoesNothing(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--demo"))
	screen.WaitFor("CLOCK  height", "1 Tokens")
	screen.Type(ptytest.CtrlZ)
	screen.WaitFor("no shell could bring the explorer back")
	screen.Type("q")
}

func TestATerminalOfNoSizeAndBackShowsTheSame(t *testing.T) {
	screen, _ := onDisk(t)
	before := screen.Wait("the whole token is there", func(s string) bool { // no approvals, no metadata
		return strings.Contains(s, "nothing will expire") && strings.Count(s, "none") == 2 && strings.Contains(s, "owner of 1, minter, creator")
	})
	for _, size := range [][2]int{{0, 0}, {1, 1}, {120, 1}, {1, 36}, {3, 2}} {
		screen.Resize(size[0], size[1])
		screen.Type(".", "u")
	}
	screen.Resize(120, 36)
	screen.Wait("the screen is as it was, but for the notice", func(s string) bool {
		return firstLines(s, 30) == firstLines(before, 30)
	})
}

func TestATerminalThatDoesNotKnowItsSizeGetsTheUsualOne(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{Unsized: true}, explorer(t, "--demo"))
	screen.WaitFor("EPHEMERA", "CLOCK  height")
}

func TestADumbTerminalIsRefusedWithTheCommandsToUse(t *testing.T) {
	cmd := explorer(t, "--demo")
	cmd.Env = append(cmd.Env, "TERM=dumb")
	screen := ptytest.Start(t, ptytest.Options{W: 200, H: 36}, cmd)
	if status := screen.WaitExit(); status != 2 {
		t.Errorf("exit status %d", status)
	}
	if said := screen.Raw(); !strings.Contains(said, "TERM is dumb; info, query, why") || strings.Contains(said, "\x1b[") {
		t.Errorf("it says %q", said)
	}
}

func firstLines(s string, n int) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

// Sequences that a program sends to a terminal.
const (
	enterAlternateScreen = "\x1b[?1049h"
	leaveAlternateScreen = "\x1b[?1049l"
	showCursor           = "\x1b[?25h"
	takeMouse            = "\x1b[?1002h"
)
