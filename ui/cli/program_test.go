package cli_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/persist"
	_ "ephemera/themes/early"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
	"ephemera/ui/cli/learn"
)

// TestMain builds the program, so that tests and scripts run what a person
// runs: they find it in PATH. The one that panics is this test binary.
func TestMain(m *testing.M) {
	testscript.Main(withProgram{m}, map[string]func(){
		"panicking-ephemera": func() {
			program := command.Program{Open: open, Explore: exploreToPanic, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(cli.Run(program, os.Args[1:]))
		},
		"patient-ephemera": func() {
			cli.WaitForCommandsToStop()
			program := command.Program{Open: open, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(cli.Run(program, os.Args[1:]))
		},
		"interrupted-ephemera": func() {
			program := command.Program{Open: open, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			program.Disk.Restore = restoreToItsEnd
			os.Exit(cli.Run(program, os.Args[1:]))
		},
	})
}

type withProgram struct{ *testing.M }

func (w withProgram) Run() int {
	// Databases of tests lie in memory where the system has a place for that: a sync
	// of the disk takes longer than most commands.
	const inMemory = "/dev/shm"
	dir, err := os.MkdirTemp(inMemory, "ephemera")
	if err == nil {
		err = os.Setenv("TMPDIR", inMemory)
	} else {
		dir, err = os.MkdirTemp("", "ephemera")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "ephemera"), "ephemera").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %s", err, out)
		return 1
	}
	// A command ends before it is worth while to collect what it leaves.
	const garbage = 400
	debug.SetGCPercent(garbage)
	err = errors.Join(os.Setenv("GOGC", strconv.Itoa(garbage)), os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return w.M.Run()
}

// play runs the program in this process, which takes a tenth of the time of one of
// its own, and gives its exit status.
func play(stdin string, stdout, stderr io.Writer, args ...string) int {
	return cli.Run(command.Program{
		Open: open, Disk: disk,
		Progress: learn.ProgressStorage(), Learner: learn.LearnerStorage,
		Stdin: strings.NewReader(stdin), Stdout: stdout, Stderr: stderr,
	}, args)
}

// restoreToItsEnd restores, and is interrupted then.
func restoreToItsEnd(dir string, r io.Reader, _ func(uint64)) error {
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt)
	err := persist.Restore(dir, r, nil)
	if self, _ := os.FindProcess(os.Getpid()); self.Signal(os.Interrupt) == nil {
		<-told
	}
	return err
}
