package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/cli/command"
	"ephemera/ui/term/ptytest"
)

func TestTheExplorerSaysWhyADatabaseCannotBeOpened(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir string)
		want    []string
	}{
		"it is locked": {
			func(t *testing.T, dir string) {
				db := chaintest.Must(openDatabase(command.OpenOptions{Dir: dir}))(t)
				t.Cleanup(func() { _ = db.Close() })
			},
			[]string{
				fmt.Sprintf("is in use by process %d", os.Getpid()),
				"--wait 5s waits until it is free, and the explorer that has it open can export it",
			},
		},
		"it is damaged": {truncate("MANIFEST", 3), []string{"is damaged", "nothing was changed"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "db")
			newCollection(t, dir)
			c.prepare(t, dir)
			saysWhy := func(screen string) bool {
				return !slices.ContainsFunc(c.want, func(part string) bool { return !strings.Contains(withoutBlanks(screen), withoutBlanks(part)) })
			}

			screen := ptytest.Start(t, ptytest.Options{W: 100, H: 30}, explorer(t, "--db", dir))
			screen.WaitFor("EPHEMERA", "could not be opened", "r tries again", "q quits")
			screen.Wait("the screen says why", saysWhy)
			screen.Type("r", "q")

			if status := screen.WaitExit(); status != 3 {
				t.Errorf("q ended with status %d, want 3", status)
			}
			if !strings.Contains(screen.Raw(), leaveAlternateScreen) {
				t.Error("the alternate screen was not left")
			}
			if !saysWhy(screen.Screen()) {
				t.Errorf("the sentence does not stay on the terminal:\n%s", screen.Screen())
			}
		})
	}
}

// withoutBlanks removes blanks and line breaks, as the screen breaks sentences anywhere.
func withoutBlanks(text string) string { return strings.Join(strings.Fields(text), "") }

func TestTheExplorerOpensADatabaseOnceItIsFree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	db := chaintest.Must(openDatabase(command.OpenOptions{Dir: dir}))(t)

	screen := ptytest.Start(t, ptytest.Options{W: 100, H: 30}, explorer(t, "--db", dir))
	screen.WaitFor("could not be opened", "r tries again")
	screen.Type("r")
	screen.WaitFor("could not be opened", "r tries again")
	chaintest.OK(t, db.Close())
	screen.Type("r")
	screen.WaitFor("CLOCK  height 1,000", "ape-1")
	screen.Type(ptytest.CtrlC)

	if status := screen.WaitExit(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	closedInOrder(t, dir)
}

func TestAReadOnlyExplorerTriesChangesAndKeepsNone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	before := runs(t, "--db", dir, "export")

	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--db", dir, "--readonly"))
	screen.WaitFor("CLOCK  height 1,000", "ape-1", "read-only: nothing is kept")
	screen.Type(".")
	screen.WaitFor("height 1,001")
	screen.Type("b")
	screen.WaitFor("is not kept: this session is read-only")
	screen.Type(ptytest.Enter)
	screen.WaitFor("burned ape-1")
	screen.Type(ptytest.CtrlC)

	if status := screen.WaitExit(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if after := runs(t, "--db", dir, "export"); after != before {
		t.Errorf("the database holds %s, want %s", after, before)
	}
}

// generateLarge generates a database of many blocks, and returns its directory.
func generateLarge(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	runs(t, "--db", dir, "generate", "--tokens", "3000", "--grants", "300")
	return dir
}

func TestAKilledImportIsReportedAndCanBeRepeated(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	file := filepath.Join(t.TempDir(), "large.json")
	runs(t, "--db", generateLarge(t), "export", file)
	want := read(t, file)

	cmd := exec.Command("ephemera", "--db", dir, "import", "--prefix", "cosmos", "/dev/stdin")
	stdin := chaintest.Must(cmd.StdinPipe())(t) // stays open, so that the import waits for the rest
	chaintest.OK(t, cmd.Start())
	chaintest.Must(io.Copy(stdin, bytes.NewReader([]byte(want)[:len(want)*2/3])))(t)
	chaintest.OK(t, cmd.Process.Kill())
	_ = cmd.Wait()

	for _, args := range [][]string{{"query", `{"num_tokens":{}}`}, {"clock"}, {"export"}, {"history"}} {
		exit, _, stderr := inside(t, append([]string{"--db", dir}, args...)...)
		if exit != 2 || !strings.Contains(stderr, "interrupted") || !strings.Contains(stderr, "import it again") {
			t.Errorf("%v: exit status %d, %q", args, exit, stderr)
		}
	}
	runs(t, "--db", dir, "import", file)
	if got := runs(t, "--db", dir, "export"); got != want {
		t.Errorf("%d bytes are exported after the second import, want the %d that were imported", len(got), len(want))
	}
}

// A program that writes a message only after the answer to the one before must not wait forever.
func TestExecAnswersEachMessageBeforeItReadsTheNext(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	cmd := exec.Command("ephemera", "--db", dir, "exec", "-", "--as", "creator")
	stdin := chaintest.Must(cmd.StdinPipe())(t)
	stdout := chaintest.Must(cmd.StdoutPipe())(t)
	chaintest.OK(t, cmd.Start())
	answers := bufio.NewReader(stdout)
	for i := range 3 {
		fmt.Fprintf(stdin, `{"mint":{"token_id":"asked-%d","owner":"$creator"}}`, i)
		answer := chaintest.Must(answers.ReadString('\n'))(t)
		if !strings.Contains(answer, fmt.Sprintf("asked-%d", i)) {
			t.Fatalf("the answer to message %d is %s", i, answer)
		}
	}

	// What is no JSON is refused, after what was answered.
	fmt.Fprint(stdin, `{"burn":`)
	chaintest.OK(t, stdin.Close())
	answer := chaintest.Must(io.ReadAll(answers))(t)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(answer), `"parse"`) {
		t.Errorf("%v, %s", err, answer)
	}
}
