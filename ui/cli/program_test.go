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
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/persist"
	_ "ephemera/themes/early"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
)

// TestMain puts the program into PATH for tests and scripts. The variants of the program
// are this test binary: one panics, one waits without a limit for a command to stop, and
// one is interrupted at the end of a restore.
func TestMain(m *testing.M) {
	testscript.Main(withProgram{m}, map[string]func(){
		"panicking-ephemera": func() {
			program := command.Program{Open: openDatabase, Explore: exploreToPanic, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(cli.Run(program, os.Args[1:]))
		},
		"patient-ephemera": func() {
			cli.WaitForCommandsToStop()
			program := command.Program{Open: openDatabase, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(cli.Run(program, os.Args[1:]))
		},
		"interrupted-ephemera": func() {
			program := command.Program{Open: openDatabase, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			program.Restore = restoreToItsEnd
			os.Exit(cli.Run(program, os.Args[1:]))
		},
	})
}

// withProgram builds the program before it runs the tests.
type withProgram struct{ *testing.M }

func (w withProgram) Run() int {
	// A directory in memory, because a sync of the disk takes longer than most commands.
	const memoryDir = "/dev/shm"
	dir, err := os.MkdirTemp(memoryDir, "ephemera")
	if err == nil {
		err = os.Setenv("TMPDIR", memoryDir)
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
	debug.SetGCPercent(400) // a command ends before collecting its garbage is worth the time
	gcErr := os.Setenv("GOGC", "400")
	pathErr := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := errors.Join(gcErr, pathErr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return w.M.Run()
}

// restoreToItsEnd restores a backup, and then interrupts this process.
func restoreToItsEnd(dir string, r io.Reader, _ func(uint64)) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	err := persist.Restore(dir, r, nil)
	if self, _ := os.FindProcess(os.Getpid()); self.Signal(os.Interrupt) == nil {
		<-interrupts
	}
	return err
}
