package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ephemera runs the program in a process of its own, and returns what it printed.
func ephemera(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := exec.Command("ephemera", args...)
	cmd.Stdout = &out
	cmd.Stderr = &errOut
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errOut.String()
}

// inside runs the program in this process, and returns what it printed.
func inside(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, errOut bytes.Buffer
	exit = play("", &out, &errOut, args...)
	return exit, out.String(), errOut.String()
}

func TestAnAnswerThatCannotBeWrittenHasStatusThree(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no device that is always full")
	}
	defer full.Close()
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	sentence := regexp.MustCompile(`^ephemera: stdout: the answer could not be written.*\n$`)
	for _, line := range []string{
		"--db " + dir + " info", "--help", "exec --help", "--version", "completion bash", "learn", "run missing.yaml",
		"--db " + dir + " export", "--db " + dir + " history", "--db " + dir + " history --json",
	} {
		var stderr strings.Builder
		cmd := exec.Command("ephemera", strings.Fields(line)...)
		cmd.Stdout = full
		cmd.Stderr = &stderr
		_ = cmd.Run()
		status := cmd.ProcessState.ExitCode()
		if status != 3 || !sentence.MatchString(stderr.String()) {
			t.Errorf("%s: exit status %d, %q", line, status, &stderr)
		}
	}
}
