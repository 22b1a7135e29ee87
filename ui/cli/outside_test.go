package cli_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/term/ptytest"
)

// TestTheConsoleHandsItsMessageToTheEditorAndTakesItBack holds the whole way:
// the editor gets the terminal and the text, and the explorer comes back with
// what was saved.
func TestTheConsoleHandsItsMessageToTheEditorAndTakesItBack(t *testing.T) {
	dir := t.TempDir()
	saw, editor := filepath.Join(dir, "saw"), filepath.Join(dir, "editor")
	script := "#!/bin/sh\ncp \"$1\" " + saw + "\nprintf 'the editor has the terminal'\ntest -t 0 || exit 7\nread answer\nprintf '{\"burn\":{\"token_id\":\"edited\"}}\\n' > \"$1\"\n"
	chaintest.OK(t, os.WriteFile(editor, []byte(script), 0o700))
	cmd := explorer(t, "--demo")
	cmd.Env = append(cmd.Env, "EDITOR="+editor, "VISUAL=")
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, cmd)
	screen.WaitFor("CLOCK  height")
	screen.Type("6")
	screen.WaitFor("Console")
	screen.Type("\r", `{"mint":{}}`)
	screen.WaitFor(`"mint"`)
	screen.Type("\x05") // ctrl+e
	screen.WaitFor("the editor has the terminal")
	screen.Type("\r")
	screen.WaitFor("edited", "CLOCK  height")
	if text, err := os.ReadFile(saw); err != nil || !strings.Contains(string(text), `"mint"`) {
		t.Errorf("the editor saw %q: %v", text, err)
	}
	screen.Type("\x1b")
	screen.WaitFor("edited")
}

// TestWhatIsCopiedReachesTheTerminal holds that the terminal is asked to keep
// the text (OSC 52).
func TestWhatIsCopiedReachesTheTerminal(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--demo"))
	screen.WaitFor("CLOCK  height", "▸ ape-0001", "owned by alice")
	screen.Type("y")
	screen.WaitFor("what to copy", "token id")
	screen.Type("token id\r")
	screen.WaitFor("copied token id")
	_, after, found := strings.Cut(screen.Raw(), "\x1b]52;c;")
	if !found {
		t.Fatal("the terminal was not asked to keep anything")
	}
	text, err := base64.StdEncoding.DecodeString(after[:strings.IndexAny(after, "\x07\x1b")])
	if err != nil || len(text) == 0 || !strings.Contains(screen.Screen(), string(text)) {
		t.Errorf("the terminal was asked to keep %q: %v", text, err)
	}
}
