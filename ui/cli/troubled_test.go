package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/cli/command"
)

// ephemera runs the program in a process of its own.
func ephemera(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	cmd := exec.Command("ephemera", args...)
	cmd.Stdout, cmd.Stderr = &out, &said
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

// inside runs the program in this process.
func inside(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	exit = play("", &out, &said, args...)
	return exit, out.String(), said.String()
}

func TestADatabaseInUseIsReportedWithItsProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	db := chaintest.Must(open(command.Where{Dir: dir}))(t)
	defer db.Close()
	exit, _, said := ephemera(t, "--db", dir, "info")
	want := fmt.Sprintf("ephemera: the database in %s is in use by process %d; --wait 5s waits until it is free, and the explorer that has it open can export it\n", dir, os.Getpid())
	if exit != 3 || said != want {
		t.Errorf("exit status %d, %q, want 3, %q", exit, said, want)
	}
}

func TestADirectoryOfOtherFilesIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	chaintest.OK(t, os.WriteFile(filepath.Join(dir, "letter.txt"), []byte("dear"), 0o600))
	exit, _, said := ephemera(t, "--db", dir, "init", `{"name":"Apes","symbol":"APE"}`)
	if exit != 3 || !strings.Contains(said, "letter.txt") {
		t.Errorf("exit status %d, %q", exit, said)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the directory holds %v now, %v", left, err)
	}
}

func TestAnAnswerThatCannotBeWrittenHasStatusThree(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no device that is always full")
	}
	defer full.Close()
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	for _, words := range []string{
		"--memory info", "--help", "exec --help", "--version", "completion bash", "learn", "run missing.yaml",
		"--db " + dir + " export", "--db " + dir + " history", "--db " + dir + " history --json",
	} {
		var said bytes.Buffer
		cmd := exec.Command("ephemera", strings.Fields(words)...)
		cmd.Stdout, cmd.Stderr = full, &said
		err := cmd.Run()
		if err == nil || cmd.ProcessState.ExitCode() != 3 || !strings.HasPrefix(said.String(), "ephemera: stdout: the answer could not be written") ||
			strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%s: %v, %q", words, err, &said)
		}
	}
}
