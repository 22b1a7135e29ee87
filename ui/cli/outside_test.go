package cli_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"ephemera/ui/term/ptytest"
)

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
