package cli_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	_ "ephemera/themes/early"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
)

// TestMain builds the program, so that tests and scripts run what a person
// runs: they find it in PATH. The one that panics is this test binary.
func TestMain(m *testing.M) {
	testscript.Main(withProgram{m}, map[string]func(){
		"panicking-ephemera": func() {
			program := command.Program{Open: open, Explore: exploreToPanic, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
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
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return w.M.Run()
}

// open opens a database, for tests that look into one or hand it in.
func open(w command.Where) (*command.Database, error) {
	if w.Memory {
		c, err := chain.Open(kv.NewMemory())
		return &command.Database{Chain: c}, err
	}
	disk, err := persist.Open(w.Dir, persist.Options{ReadOnly: w.ReadOnly})
	if err != nil {
		return nil, err
	}
	c, err := chain.Open(disk)
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	return &command.Database{Chain: c}, nil
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
