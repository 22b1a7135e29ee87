package ui

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestCopyingSendsTheEscapeSequenceOfTheTerminal(t *testing.T) {
	asked := func(env map[string]string, text string) string {
		var out bytes.Buffer
		chaintest.OK(t, terminalClipboard(&out, func(k string) string { return env[k] })(text))
		return out.String()
	}
	bare := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("ape-01")) + "\x07"
	if got := asked(nil, "ape-01"); got != bare {
		t.Errorf("asked %q", got)
	}
	if got := asked(map[string]string{"TMUX": "1"}, "ape-01"); !strings.HasPrefix(got, bare+"\x1bPtmux;") {
		t.Errorf("asked tmux %q", got)
	}
	if got := asked(map[string]string{"TERM": "screen"}, "ape-01"); !strings.HasPrefix(got, "\x1bP\x1b]52") {
		t.Errorf("asked screen %q", got)
	}
	if err := terminalClipboard(&bytes.Buffer{}, func(string) string { return "" })(strings.Repeat("x", app.MaxCopyBytes+1)); err == nil {
		t.Error("a text that no terminal takes was taken")
	}
}

func TestCopyingNamesTheCopiedText(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("y")
	d.SeesIn(uitest.Dialog, "Copy", "token id", "wasmd query")

	d.Press("enter")
	d.Sees("there is no terminal to copy through")
	var copied string
	d.Model.State().Copy = func(text string) error { copied = text; return nil }
	d.Press("y", "enter")
	d.Sees("copied token id (6 bytes): ape-01")
	if copied != "ape-01" {
		t.Fatalf("copied %q", copied)
	}
}
