package cli_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/ui/term/ptytest"
)

// explorer gives the whole program, as a person starts it.
func explorer(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the whole program")
	}
	cmd := exec.Command("ephemera", args...)
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+t.TempDir(), "HOME="+t.TempDir(), "LANG=C.UTF-8", "LC_ALL=", "NO_COLOR=")
	return cmd
}

func TestATerminalThatAnswersNothingDelaysNothing(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36, Silent: true}, explorer(t, "--demo"))
	screen.WaitFor("EPHEMERA", "CLOCK", "height")
	if raw := screen.Raw(); strings.Contains(raw, ptytest.SlowQuestion) {
		t.Errorf("a silent terminal was asked what the first frame waits for: %q", raw)
	}
	version := ptytest.Start(t, ptytest.Options{Silent: true}, explorer(t, "--version"))
	if status := version.WaitExit(); status != 0 {
		t.Errorf("--version ended with status %d", status)
	}
	if raw := version.Raw(); strings.Contains(raw, "\x1b") {
		t.Errorf("--version asks the terminal something: %q", raw)
	}
}

func TestALateAnswerOfTheTerminalPressesNoKey(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36, Silent: true}, explorer(t, "--demo"))
	before := clockLine(screen.WaitFor("CLOCK  height", "paused"))
	screen.Type("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", "\x1b[?62;c")
	screen.Type("?")
	screen.WaitFor("Help")
	screen.Type(ptytest.Esc)
	after := clockLine(screen.Wait("the help has gone", func(s string) bool {
		return !strings.Contains(s, "Help") && strings.Contains(s, "CLOCK  height") && strings.Contains(s, "paused")
	}))
	if before != after {
		t.Errorf("the clock line was\n%s\nand is\n%s", before, after)
	}
}

func clockLine(screen string) string {
	for _, l := range strings.Split(screen, "\n") {
		if strings.Contains(l, "CLOCK") {
			l, _, _ = strings.Cut(l, "paused")
			return l
		}
	}
	return ""
}

func TestFastTypingIsNotLost(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--demo"))
	before := screen.WaitFor("CLOCK  height 1,1")
	screen.Type("..........")
	height := heightIn(t, before)
	want := "height " + chain.Thousands(uint64(height)+10)
	screen.WaitFor(want)
}

func heightIn(t *testing.T, screen string) int {
	t.Helper()
	_, rest, ok := strings.Cut(screen, "CLOCK  height ")
	if !ok {
		t.Fatalf("no height on the screen:\n%s", screen)
	}
	n := 0
	for _, r := range rest {
		if r == ',' {
			continue
		}
		if r < '0' || r > '9' {
			break
		}
		n = n*10 + int(r-'0')
	}
	return n
}

func TestQuittingGivesTheTerminalBack(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 80, H: 24}, explorer(t, "--demo"))
	screen.WaitFor("CLOCK")
	screen.Type("q")
	if status := screen.WaitExit(); status != 0 {
		t.Errorf("q ended with status %d", status)
	}
	if raw := screen.Raw(); !strings.Contains(raw, "\x1b[?1049l") {
		t.Error("the alternate screen was not left")
	}
}
