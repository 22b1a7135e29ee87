package app

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAShellReadsAQuotedTextUnchanged(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ReplaceAll(rapid.String().Draw(t, "text"), "\x00", "")
		out, err := exec.Command(sh, "-c", "printf %s "+quoteForShell(text)).Output()
		if err != nil || string(out) != text {
			t.Fatalf("the shell read %q as %q (%v)", text, out, err)
		}
	})
}
