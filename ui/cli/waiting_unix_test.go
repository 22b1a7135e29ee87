//go:build unix

package cli_test

import (
	"bytes"
	"encoding/base64"
	"errors"
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

// A command that waits for something which does not come ends at the first signal.
func TestTheFirstSignalEndsACommandThatWaits(t *testing.T) {
	t.Parallel()
	large := generateLarge(t)
	waiting := map[string]*exec.Cmd{} // all at once, as each takes some seconds
	for name, begin := range map[string]func(t *testing.T) *exec.Cmd{
		"an import of a pipe": func(t *testing.T) *exec.Cmd {
			return readsAPipe(t, "--db", filepath.Join(t.TempDir(), "db"), "import")
		},
		"a restore of a pipe": func(t *testing.T) *exec.Cmd {
			return readsAPipe(t, "--db", filepath.Join(t.TempDir(), "db"), "backup", "--restore")
		},
		"an answer that nobody reads": func(t *testing.T) *exec.Cmd {
			cmd := exec.Command("ephemera", "--db", copyOf(t, large), "export")
			out, err := cmd.StdoutPipe()
			chaintest.OK(t, errors.Join(err, cmd.Start()))
			_, err = out.Read(make([]byte, 1)) // it has begun, and comes to no end
			chaintest.OK(t, err)
			return cmd
		},
		"a terminal that takes nothing": func(t *testing.T) *exec.Cmd {
			cmd := exec.Command("ephemera", "--db", copyOf(t, large), "export")
			terminal := chaintest.Must(pty.Start(cmd))(t)
			t.Cleanup(func() { _ = terminal.Close() })
			chaintest.Must(terminal.Read(make([]byte, 1)))(t)
			return cmd
		},
	} {
		waiting[name] = begin(t)
		chaintest.OK(t, waiting[name].Process.Signal(syscall.SIGTERM))
	}
	for name, cmd := range waiting {
		if status := statusWithin(t, cmd); status != command.Interrupted {
			t.Errorf("%s ended with status %d, want %d", name, status, command.Interrupted)
		}
	}
}

// readsAPipe begins a command that reads a pipe to which nobody writes.
func readsAPipe(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd, writer := withPipe(t, args...)
	t.Cleanup(func() { _ = writer.Close() })
	return cmd
}

// withPipe begins a command that reads a named pipe, and gives the other end of it
// once the command has opened its own.
func withPipe(t *testing.T, args ...string) (*exec.Cmd, *os.File) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe.json")
	chaintest.OK(t, syscall.Mkfifo(path, 0o600))
	cmd := exec.Command("ephemera", append(args, path)...)
	chaintest.OK(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		writer, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			return cmd, writer
		}
		if !errors.Is(err, syscall.ENXIO) || time.Now().After(deadline) { // nobody reads yet
			t.Fatal(err)
		}
	}
}

// waits begins a command that waits for the database. When another, begun after it,
// was told that the database is in use, it has asked too.
func waits(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("ephemera", "--db", dir, "--wait", "query", `{"num_tokens":{}}`)
	cmd.Stdout = &bytes.Buffer{}
	chaintest.OK(t, cmd.Start())
	for range 2 {
		if exit, _, said := ephemera(t, "--db", dir, "info"); exit != 3 || !strings.Contains(said, "is in use by") {
			t.Errorf("exit status %d, %q", exit, said)
		}
	}
	return cmd
}

// statusWithin waits for a command, but not for ever.
func statusWithin(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Fatal("it goes on waiting")
	}
	return cmd.ProcessState.ExitCode()
}

func TestWaitWaitsUntilTheDatabaseIsFree(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	db := chaintest.Must(open(command.Where{Dir: dir}))(t)
	cmd := waits(t, dir)
	chaintest.OK(t, db.Close())
	if status := statusWithin(t, cmd); status != 0 || fmt.Sprint(cmd.Stdout) != "{\"count\":1}\n" {
		t.Errorf("exit status %d, %q", status, cmd.Stdout)
	}
}

// A record that no store takes is named, and nothing is left of the import.
func TestARecordOverTheLimitsIsNamed(t *testing.T) {
	from, dir := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "db")
	newCollection(t, from)
	whole := runs(t, "--db", from, "export")
	token := regexp.MustCompile(`\{"key":"(0006746F6B656E73)(6170652D31)","value":"([^"]+)"\}`)
	for name, c := range map[string]struct{ with, says string }{
		"an id":   {`{"key":"${1}` + strings.Repeat("78", 64_000) + `","value":"$3"}`, "record [0-9]+: key of 64009 bytes is over the limit of 64000 bytes"},
		"a value": {`{"key":"${1}78","value":"` + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, `{"owner":"cosmos18w99f7tfc7hhc4xcyp7xzlu0alyzqm0dyxcuc2","approvals":[],"token_uri":"ipfs://%s","extension":{}}`, strings.Repeat("x", 128<<10))) + `"}`, "record [0-9]+: value of [0-9]+ bytes is over the limit of 131072 bytes"},
	} {
		file := filepath.Join(t.TempDir(), "page.json")
		chaintest.OK(t, os.WriteFile(file, []byte(token.ReplaceAllString(whole, "$0,"+c.with)), 0o600))
		exit, out, said := ephemera(t, "--db", dir, "import", file)
		if exit != 2 || out != "" || !regexp.MustCompile(`^ephemera: (.*: )?`+c.says+`\n$`).MatchString(said) {
			t.Errorf("%s: exit status %d, %q, %.300q", name, exit, out, said)
		}
		if exit, _, said := ephemera(t, "--db", dir, "export"); exit != 2 || !strings.Contains(said, "no collection yet") {
			t.Errorf("%s: exit status %d, %q", name, exit, said)
		}
	}
}

// A signal that comes when the last byte is restored does not make of it one that
// was cut off.
func TestARestoreThatIsInterruptedAtItsEndSaysThatItIsComplete(t *testing.T) {
	dir, file := filepath.Join(t.TempDir(), "db"), filepath.Join(t.TempDir(), "apes.backup")
	newCollection(t, dir)
	runs(t, "--db", dir, "backup", file)
	restored := filepath.Join(t.TempDir(), "db")
	out, err := exec.Command("interrupted-ephemera", "--db", restored, "backup", "--restore", file).CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"tokens":1`) {
		t.Errorf("%v, %s", err, out)
	}
	if out := runs(t, "--db", restored, "query", `{"num_tokens":{}}`); out != "{\"count\":1}\n" {
		t.Errorf("it holds %s", out)
	}
}
