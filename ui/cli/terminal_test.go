package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/human"
	"ephemera/ui/term/ptytest"
)

// startOnDisk starts the explorer on a new collection, and returns its directory.
func startOnDisk(t *testing.T) (*ptytest.Term, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	return ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--db", dir)), dir
}

// newCollection creates a database with one token at height 1000.
func newCollection(t *testing.T, dir string) {
	t.Helper()
	runs(t, "--db", dir, "init", "--height", "1000", `{"name":"Apes","symbol":"APE"}`)
	runs(t, "--db", dir, "exec", "--as", "creator", `{"mint":{"token_id":"ape-1","owner":"$creator"}}`)
}

// storedHeight returns the height of the clock in a closed database.
func storedHeight(t *testing.T, dir string) (height int) {
	t.Helper()
	answer := runs(t, "--db", dir, "clock")
	if _, err := fmt.Sscanf(answer, `{"block":{"height":%d,`, &height); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	return height
}

// endings are the ways in which the explorer is ended from outside. The terminal is given
// back only where it still exists.
var endings = []struct {
	name          string
	end           func(*ptytest.Term)
	keepsTerminal bool
}{
	{"SIGHUP", func(s *ptytest.Term) { s.Signal(syscall.SIGHUP) }, false},
	{"SIGHUP again and again", func(s *ptytest.Term) { s.Signal(syscall.SIGHUP); s.Signal(syscall.SIGHUP) }, false},
	{"SIGTERM", func(s *ptytest.Term) { s.Signal(syscall.SIGTERM) }, true},
	{"SIGQUIT", func(s *ptytest.Term) { s.Signal(syscall.SIGQUIT) }, true},
	{"a window that is closed", func(s *ptytest.Term) { s.HangUp() }, false},
}

func TestAnEndingDuringWritesKeepsWhatWasShownAndGivesTheTerminalBack(t *testing.T) {
	acceptHangups(t)
	for _, ending := range endings {
		t.Run(ending.name, func(t *testing.T) {
			screen, dir := startOnDisk(t)
			screen.WaitFor("CLOCK  height 1,000", "ape-1")
			screen.Type(strings.Repeat(".", 300))
			shown := heightIn(t, screen.Wait("some of the blocks are there", func(s string) bool {
				return strings.Contains(s, "CLOCK  height") && heightIn(t, s) > 1010
			}))
			ending.end(screen)
			if status := screen.WaitExit(); status != 0 {
				t.Errorf("exit status %d", status)
			}
			closedInOrder(t, dir)
			if ending.keepsTerminal && !strings.Contains(screen.Raw(), leaveAlternateScreen) {
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
	ignoring := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh"}, cmd.Args...)...)
	ignoring.Env = cmd.Env
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, ignoring)
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
	before := heightIn(t, screen.WaitFor("CLOCK  height", "UTC", "1 Tokens"))

	screen.Type(ptytest.CtrlZ)
	screen.WaitFor("Stopped", "prompt>")
	screen.Type("echo $((6*7))", ptytest.Enter)
	screen.WaitFor("42")
	screen.Type("fg", ptytest.Enter)
	again := screen.WaitFor("CLOCK  height", "UTC", "1 Tokens")
	if after := heightIn(t, again); after != before {
		t.Errorf("the height was %d and is %d after a rest", before, after)
	}
	screen.Type(".")
	screen.WaitFor("CLOCK  height " + human.Thousands(uint64(before)+1))
	if !strings.Contains(afterLast(screen.Raw(), enterAlternateScreen), takeMouse) {
		t.Error("the mouse was not taken again")
	}

	// SIGTSTP from another process gives the terminal back as well.
	chaintest.OK(t, suspend(foregroundProcess(t, screen), false))
	screen.WaitFor("Stopped", "prompt>")
	if last := afterLast(screen.Raw(), enterAlternateScreen); !strings.Contains(last, leaveAlternateScreen) || !strings.Contains(last, showCursor) {
		t.Error("the screen or the cursor was not given back")
	}
	screen.Type("fg", ptytest.Enter)
	screen.WaitFor("CLOCK  height "+human.Thousands(uint64(before)+1), "1 Tokens")

	// SIGSTOP leaves no time to give the terminal back.
	chaintest.OK(t, suspend(foregroundProcess(t, screen), true))
	screen.WaitFor("Stopped", "prompt>")
	screen.Type("fg", ptytest.Enter)
	screen.WaitFor("CLOCK  height", "UTC", "1 Tokens")
	screen.Type(".")
	screen.WaitFor("CLOCK  height " + human.Thousands(uint64(before)+2))
	screen.Type(ptytest.CtrlC)
	screen.WaitFor("ctrl+c again quits")
	screen.Type(ptytest.CtrlC)
	screen.WaitFor("prompt>")
}

// foregroundProcess returns the process in the foreground of a terminal.
func foregroundProcess(t *testing.T, screen *ptytest.Term) int {
	t.Helper()
	return chaintest.Must(screen.Foreground())(t)
}

// afterLast returns the part of a text from the last separator on, without its first byte.
func afterLast(s, sep string) string { return s[strings.LastIndex(s, sep)+1:] }

func TestWithoutAShellCtrlZDoesNothing(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--demo"))
	screen.WaitFor("CLOCK  height", "1 Tokens")
	screen.Type(ptytest.CtrlZ)
	screen.WaitFor("there is no shell here that could resume the explorer")
	screen.Type("q")
}

func TestAScreenIsTheSameAfterSizesThatHoldNothing(t *testing.T) {
	screen, _ := startOnDisk(t)
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

func TestTheExplorerStartsInATerminalWithoutASize(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{Unsized: true}, explorer(t, "--demo"))
	screen.WaitFor("EPHEMERA", " height 1,102")
}

func TestADumbTerminalIsRefusedWithTheCommandsToUse(t *testing.T) {
	cmd := explorer(t, "--demo")
	cmd.Env = append(cmd.Env, "TERM=dumb")
	screen := ptytest.Start(t, ptytest.Options{W: 200, H: 36}, cmd)
	if status := screen.WaitExit(); status != 2 {
		t.Errorf("exit status %d", status)
	}
	if raw := screen.Raw(); !strings.Contains(raw, "TERM is dumb; info, query, why") || strings.Contains(raw, "\x1b[") {
		t.Errorf("the terminal shows %q", raw)
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

func TestAnUpdateAsksOnATerminalWhereARefusalWasExpected(t *testing.T) {
	const story = `accounts: {alice: }
steps:
  - as: alice
    instantiate: {name: Apes, symbol: APE}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
    expect: error
  - as: alice
    execute: {burn: {token_id: "1"}}
    expect: error
`
	once := strings.Replace(story, "expect: error", `expect: "ok"`, 1)
	for _, c := range []struct {
		replies []string
		status  int
		want    string
	}{
		{[]string{"n"}, 2, story},
		{[]string{""}, 2, story},
		{[]string{"y", "n"}, 2, story},
		{[]string{"y", "Yes"}, 0, strings.Replace(once, "expect: error", `expect: "ok"`, 1)},
	} {
		file := filepath.Join(t.TempDir(), "story.yaml")
		chaintest.OK(t, os.WriteFile(file, []byte(story), 0o600))
		screen := ptytest.Start(t, ptytest.Options{W: 200, H: 36}, explorer(t, "run", "--update", file))
		for i, reply := range c.replies {
			screen.Wait("the next question", func(s string) bool { return strings.Count(s, "Write ok? [y/N]") == i+1 })
			screen.Type(reply, ptytest.Enter)
		}
		if status := screen.WaitExit(); status != c.status {
			t.Errorf("%q: exit status %d", c.replies, status)
		}
		got := chaintest.Must(os.ReadFile(file))(t)
		if strings.ReplaceAll(string(got), `"ok"`, "ok") != strings.ReplaceAll(c.want, `"ok"`, "ok") {
			t.Errorf("%q: the file is\n%s", c.replies, got)
		}
	}
}
