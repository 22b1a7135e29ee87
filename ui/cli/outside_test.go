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

func TestAnEditorGetsTheTerminalAndTheMessageOfTheConsoleAndReturnsAnother(t *testing.T) {
	dir := t.TempDir()
	editor := filepath.Join(dir, "editor")
	received := filepath.Join(dir, "received")
	script := "#!/bin/sh\ncp \"$1\" " + received + "\nprintf 'the editor has the terminal'\ntest -t 0 || exit 7\nread answer\nprintf '{\"burn\":{\"token_id\":\"edited\"}}\\n' > \"$1\"\n"
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
	if text, err := os.ReadFile(received); err != nil || !strings.Contains(string(text), `"mint"`) {
		t.Errorf("the editor received %q: %v", text, err)
	}
	screen.Type("\x1b")
	screen.WaitFor("edited")
}

func TestACopiedTextIsSentToTheTerminal(t *testing.T) {
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--demo"))
	screen.WaitFor("CLOCK  height", "▸ ape-0001", "owned by alice")
	screen.Type("y")
	screen.WaitFor("what to copy", "token id")
	screen.Type("token id\r")
	screen.WaitFor("copied token id")
	_, after, found := strings.Cut(screen.Raw(), "\x1b]52;c;") // OSC 52
	if !found {
		t.Fatal("the terminal was not asked to keep anything")
	}
	text, err := base64.StdEncoding.DecodeString(after[:strings.IndexAny(after, "\x07\x1b")])
	if err != nil || len(text) == 0 || !strings.Contains(screen.Screen(), string(text)) {
		t.Errorf("the terminal was asked to keep %q: %v", text, err)
	}
}
