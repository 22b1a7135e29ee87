package cli_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/cli/command"
	"ephemera/ui/term/ptytest"
)

// panicVariable is the environment variable that says where the explorer panics.
const panicVariable = "EPHEMERA_TEST_PANIC"

// exploreToPanic runs the explorer so that it panics: while the database is opened, in a
// command that moves the clock, or in Update after such a command.
func exploreToPanic(ctx context.Context, where command.OpenOptions, o app.Options) error {
	var moved atomic.Bool
	o.Open = func() (app.Engine, error) {
		if os.Getenv(panicVariable) == "opening" {
			panic("no way in, said alice")
		}
		db, err := openDatabase(where)
		if err != nil {
			return nil, err
		}
		return &panickingEngine{Chain: db.Chain, moved: &moved}, nil
	}
	o.WallTime = func() time.Time {
		if moved.Load() {
			panic("the wall clock fell down, and told of alice")
		}
		return time.Now()
	}
	return ui.Run(ctx, o)
}

// panickingEngine is a chain that panics when the clock is moved, or sets moved instead.
type panickingEngine struct {
	*chain.Chain
	moved *atomic.Bool
}

// Advance panics in a transaction, or moves the clock and has Update panic.
func (e *panickingEngine) Advance(step chain.ClockStep) (chain.Move, error) {
	if os.Getenv(panicVariable) == "command" {
		return chain.Move{}, e.View(func(v *chain.View) error {
			var empty []int
			_ = empty[v.Revision]
			return nil
		})
	}
	move, err := e.Chain.Advance(step)
	e.moved.Store(true)
	return move, err
}

func TestAPanicGivesTheTerminalBackKeepsTheDatabaseAndLeavesAReport(t *testing.T) {
	for where, problem := range map[string]string{
		"command": "while working in the background: runtime error: index out of range",
		"update":  "while taking a message: a panic with a string",
		"opening": "while opening the database: a panic with a string",
	} {
		t.Run(where, func(t *testing.T) {
			dir, state := filepath.Join(t.TempDir(), "db"), t.TempDir()
			runs(t, "--db", dir, "init", `{"name":"Apes","symbol":"APE"}`)
			runs(t, "--db", dir, "accounts", "add", "alice")
			runs(t, "--db", dir, "exec", "--as", "creator", `{"mint":{"token_id":"secret-ape","owner":"$alice"}}`)
			before := runs(t, "--db", dir, "export")

			cmd := exec.Command("panicking-ephemera", "--db", dir)
			cmd.Env = []string{"XDG_STATE_HOME=" + state, panicVariable + "=" + where}
			screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, cmd)
			if where != "opening" {
				screen.WaitFor("CLOCK", "secret-ape")
				screen.Type(".")
			}
			if status := screen.WaitExit(); status != 70 {
				t.Errorf("exit status %d, want 70", status)
			}
			shown := strings.ReplaceAll(screen.Screen(), "\n", "")
			for _, want := range []string{"ephemera: stopped by a bug in the program, " + problem, "the database was closed in order", "please send"} {
				if !strings.Contains(shown, want) {
					t.Errorf("the screen does not say %q:\n%s", want, screen.Screen())
				}
			}
			if raw := screen.Raw(); !strings.Contains(raw, leaveAlternateScreen) || !strings.Contains(raw, showCursor) {
				t.Error("the screen or the cursor was not given back")
			}
			closedInOrder(t, dir)
			if after := runs(t, "--db", dir, "export"); after != before {
				t.Errorf("the database holds %s, want %s", after, before)
			}
			report := onlyFile(t, filepath.Join(state, "ephemera"))
			for _, want := range []string{problem, "version: ", "size: 120×36", "panic_test.go"} {
				if !strings.Contains(report, want) {
					t.Errorf("the report does not say %q:\n%s", want, report)
				}
			}
			for _, secret := range []string{"secret-ape", "alice", "Apes"} {
				if strings.Contains(report, secret) {
					t.Errorf("the report tells of %s:\n%s", secret, report)
				}
			}
		})
	}
}

// onlyFile returns the content of the one file in a directory. Both must be for their owner
// alone.
func onlyFile(t *testing.T, dir string) string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("there are %d files, %v", len(files), err)
	}
	path := filepath.Join(dir, files[0].Name())
	checkMode(t, path, 0o600)
	checkMode(t, dir, 0o700)
	return read(t, path)
}

func checkMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info := chaintest.Must(os.Stat(path))(t)
	if got := info.Mode().Perm(); got != want {
		t.Errorf("%s has the mode %v, want %v", path, got, want)
	}
}

// runs runs the program in this process, and returns its answer. It must succeed.
func runs(t *testing.T, args ...string) string {
	t.Helper()
	exit, stdout, stderr := inside(t, args...)
	if exit != 0 {
		t.Fatalf("%v: exit status %d, %q", args, exit, stderr)
	}
	return stdout
}

// closedInOrder fails the test unless a database was closed, which removes its lock.
func closedInOrder(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "LOCK")); !os.IsNotExist(err) {
		t.Errorf("the database in %s was not closed: its lock is there (%v)", dir, err)
	}
}
