package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ephemera/ui/term/ptytest"
)

// explorer returns the program with arguments and with a home of its own, not started.
func explorer(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the whole program")
	}
	cmd := exec.Command("ephemera", args...)
	cmd.Env = []string{"XDG_DATA_HOME=" + t.TempDir(), "HOME=" + t.TempDir()}
	return cmd
}

func TestASilentTerminalDelaysNothing(t *testing.T) {
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

func TestALateAnswerOfTheTerminalIsNoKey(t *testing.T) {
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

func TestTheExplorerUnderstandsTheExtendedKeysOfTerminals(t *testing.T) {
	for _, extended := range []struct{ help, escape, capital, quit string }{
		{"\x1b[63;2u", "\x1b[27u", "\x1b[69;2u", "\x1b[99;5u"},
		{"\x1b[47:63;2u", "\x1b[27;129u", "\x1b[101:69;2:1u", "\x1b[1089::99;5u"},
		{"\x1b[27;2;63~", "\x1b[27;1;27~", "\x1b[27;2;69~", "\x1b[27;5;99~"},
	} {
		screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--demo"))
		before := clockLine(screen.WaitFor("CLOCK  height", "paused"))
		screen.Type(extended.help)
		screen.WaitFor("Help")
		screen.Type(extended.escape)
		screen.Wait("the help has gone", func(s string) bool {
			return !strings.Contains(s, "Help") && strings.Contains(s, "CLOCK  height")
		})
		screen.Type(extended.capital)
		screen.Wait("E has moved the clock", func(s string) bool { return clockLine(s) != "" && clockLine(s) != before })
		screen.Type(extended.quit)
		screen.WaitFor("ctrl+c again quits") // the demo is only in memory
		screen.Type(extended.quit)
		if status := screen.WaitExit(); status != 0 {
			t.Errorf("%q ended with status %d", extended.quit, status)
		}
	}
}

// clockLine returns the line of the clock on a screen, up to the word paused.
func clockLine(screen string) string {
	for _, l := range strings.Split(screen, "\n") {
		if strings.Contains(l, "CLOCK") {
			l, _, _ = strings.Cut(l, "paused")
			return l
		}
	}
	return ""
}

// heightIn returns the height that the clock on a screen shows.
func heightIn(t *testing.T, screen string) int {
	t.Helper()
	_, rest, ok := strings.Cut(screen, "CLOCK  height ")
	if !ok {
		t.Fatalf("no height on the screen:\n%s", screen)
	}
	digits, _, _ := strings.Cut(rest, " ")
	height, _ := strconv.Atoi(strings.ReplaceAll(digits, ",", "")) // 0 if it is not drawn completely
	return height
}

func TestAPictureIsSentToATerminalThatSaysItIsKittyAndToNoOther(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36, Name: "kitty(0.42.1)"}, explorer(t, "--demo"))
	screen.WaitFor("Metadata", "\U0010eeee")
	if raw := screen.Raw(); !strings.Contains(raw, "\x1b_G") {
		t.Errorf("no picture is sent: %.2000q", raw)
	}
	other := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--demo"))
	other.WaitFor("Metadata", "▀▀▀▀")
	if strings.Contains(other.Raw(), "\x1b_G") {
		t.Error("a picture is sent to a terminal that has not said what it is")
	}
}

func TestTheExplorerStartsAsTheConfigurationSaysAndWithWhoActedLast(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	start := func(args ...string) *ptytest.Term {
		cmd := explorer(t, append(args, "--db", dir)...)
		cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home)
		return ptytest.Start(t, ptytest.Options{W: 120, H: 36}, cmd)
	}
	if status := start("init", "--as", "creator", `{"name":"Apes","symbol":"APE"}`).WaitExit(); status != 0 {
		t.Fatalf("init ended with status %d", status)
	}
	start("accounts", "add", "zoe").WaitExit()
	config := filepath.Join(home, "ephemera", "config.yaml")
	os.MkdirAll(filepath.Dir(config), 0o700)
	os.WriteFile(config, []byte("theme: light\nmouse: false\n"), 0o600)

	screen := start()
	screen.WaitFor("as ● creator")
	if raw := screen.Raw(); strings.Contains(raw, takeMouse) || !strings.Contains(raw, "48;2;250;250;250") {
		t.Error("the mouse is taken, or the theme is not light")
	}
	screen.Type("a")
	screen.WaitFor("Act as")
	screen.Type("zoe", ptytest.Enter)
	screen.WaitFor("as ● zoe", "OWNER", "GRANTS")
	screen.Type(":")
	screen.WaitFor("Commands")
	screen.Type("hide one", ptytest.Enter)
	screen.WaitFor("Columns of Tokens")
	screen.Type("owner", ptytest.Enter)
	screen.Type("q")
	if status := screen.WaitExit(); status != 0 || !strings.Contains(screen.Raw(), leaveAlternateScreen) {
		t.Errorf("q ended with status %d, or did not leave the alternate screen", status)
	}
	again := start("--theme", "dark")
	again.WaitFor("as ● zoe", "GRANTS")
	if strings.Contains(again.Screen(), "OWNER") {
		t.Errorf("a hidden column shows again:\n%s", again.Screen())
	}
	if strings.Contains(again.Raw(), "48;2;250;250;250") {
		t.Error("a flag does not win over the configuration")
	}

	os.WriteFile(config, []byte("theme: light\nmose: false\n"), 0o600)
	wrong := start()
	if status := wrong.WaitExit(); status != 2 || !strings.Contains(wrong.Screen(), "mose: there is no such key") {
		t.Errorf("a mistake in the configuration ends with status %d and says\n%s", status, wrong.Screen())
	}
}
