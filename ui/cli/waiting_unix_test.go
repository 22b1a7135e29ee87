//go:build unix

package cli_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/cli/command"
)

func TestTheFirstSignalEndsACommandThatWaits(t *testing.T) {
	t.Parallel()
	large := generateLarge(t)
	waiting := map[string]*exec.Cmd{} // all at once, as each ends after some seconds
	for name, start := range map[string]func(t *testing.T) *exec.Cmd{
		"an import of a pipe": func(t *testing.T) *exec.Cmd {
			return startReadingPipe(t, "--db", filepath.Join(t.TempDir(), "db"), "import")
		},
		"a restore of a pipe": func(t *testing.T) *exec.Cmd {
			return startReadingPipe(t, "--db", filepath.Join(t.TempDir(), "db"), "backup", "--restore")
		},
		"an export that nobody reads": func(t *testing.T) *exec.Cmd {
			cmd := exec.Command("ephemera", "--db", copyOf(t, large), "export")
			stdout := chaintest.Must(cmd.StdoutPipe())(t)
			chaintest.OK(t, cmd.Start())
			chaintest.Must(stdout.Read(make([]byte, 1)))(t)
			return cmd
		},
		"an export to a terminal that takes no more": func(t *testing.T) *exec.Cmd {
			cmd := exec.Command("ephemera", "--db", copyOf(t, large), "export")
			terminal := chaintest.Must(pty.Start(cmd))(t)
			t.Cleanup(func() { _ = terminal.Close() })
			chaintest.Must(terminal.Read(make([]byte, 1)))(t)
			return cmd
		},
	} {
		waiting[name] = start(t)
		chaintest.OK(t, waiting[name].Process.Signal(syscall.SIGTERM))
	}
	for name, cmd := range waiting {
		if status := exitStatus(t, cmd); status != command.StatusInterrupted {
			t.Errorf("%s ended with status %d, want %d", name, status, command.StatusInterrupted)
		}
	}
}

// startReadingPipe starts a command with a named pipe as its last argument, to which
// nothing is written. It returns once the command has opened the pipe.
func startReadingPipe(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe.json")
	chaintest.OK(t, syscall.Mkfifo(path, 0o600))
	cmd := exec.Command("ephemera", append(args, path)...)
	chaintest.OK(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	writer := chaintest.Must(os.OpenFile(path, os.O_WRONLY, 0))(t) // waits for a reader
	t.Cleanup(func() { _ = writer.Close() })
	return cmd
}

// exitStatus waits for a command, and returns its exit status. A command that never ends
// fails the test after a minute.
func exitStatus(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	hang := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	if !hang.Stop() {
		t.Fatal("the command did not end")
	}
	return cmd.ProcessState.ExitCode()
}

func TestWaitWaitsUntilTheDatabaseIsFree(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	db := chaintest.Must(openDatabase(command.OpenOptions{Dir: dir}))(t)

	var stdout bytes.Buffer
	cmd := exec.Command("ephemera", "--db", dir, "--wait", "query", `{"num_tokens":{}}`)
	cmd.Stdout = &stdout
	chaintest.OK(t, cmd.Start())
	for range 2 { // commands that start later are refused, so this one has been, too
		if exit, _, stderr := ephemera(t, "--db", dir, "info"); exit != 3 || !strings.Contains(stderr, "is in use by") {
			t.Errorf("exit status %d, %q", exit, stderr)
		}
	}
	chaintest.OK(t, db.Close())

	if status := exitStatus(t, cmd); status != 0 || stdout.String() != "{\"count\":1}\n" {
		t.Errorf("exit status %d, %q", status, &stdout)
	}
}

func TestARecordOverTheLimitsIsNamedAndNothingIsImported(t *testing.T) {
	source := filepath.Join(t.TempDir(), "from")
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, source)
	dump := runs(t, "--db", source, "export")
	tokenRecord := regexp.MustCompile(`\{"key":"(0006746F6B656E73)(6170652D31)","value":"([^"]+)"\}`)
	longValue := base64.StdEncoding.EncodeToString(fmt.Appendf(nil,
		`{"owner":"cosmos18w99f7tfc7hhc4xcyp7xzlu0alyzqm0dyxcuc2","approvals":[],"token_uri":"ipfs://%s","extension":{}}`, strings.Repeat("x", 128<<10)))
	for want, record := range map[string]string{
		"record [0-9]+: key of 64009 bytes is over the limit of 64000 bytes":     `{"key":"${1}` + strings.Repeat("78", 64_000) + `","value":"$3"}`,
		"record [0-9]+: value of [0-9]+ bytes is over the limit of 131072 bytes": `{"key":"${1}78","value":"` + longValue + `"}`,
	} {
		file := filepath.Join(t.TempDir(), "page.json")
		chaintest.OK(t, os.WriteFile(file, []byte(tokenRecord.ReplaceAllString(dump, "$0,"+record)), 0o600))

		exit, stdout, stderr := ephemera(t, "--db", dir, "import", file)
		if exit != 2 || stdout != "" || !regexp.MustCompile(`^ephemera: (.*: )?`+want+`\n$`).MatchString(stderr) {
			t.Errorf("want %s: exit status %d, %q, %.300q", want, exit, stdout, stderr)
		}
		if exit, _, stderr := ephemera(t, "--db", dir, "export"); exit != 2 || !strings.Contains(stderr, "no collection yet") {
			t.Errorf("after %s: exit status %d, %q", want, exit, stderr)
		}
	}
}

func TestARestoreThatIsInterruptedAtItsEndIsComplete(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	restored := filepath.Join(t.TempDir(), "db")
	file := filepath.Join(t.TempDir(), "apes.backup")
	newCollection(t, dir)
	runs(t, "--db", dir, "backup", file)

	out, err := exec.Command("interrupted-ephemera", "--db", restored, "backup", "--restore", file).CombinedOutput()

	if err != nil || !strings.Contains(string(out), `"tokens":1`) {
		t.Errorf("%v, %s", err, out)
	}
	if got := runs(t, "--db", restored, "query", `{"num_tokens":{}}`); got != "{\"count\":1}\n" {
		t.Errorf("the restored database holds %s", got)
	}
}
