package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	_ "ephemera/themes/early"
	"ephemera/ui/cli"
)

// TestMain builds the program, so that tests and scripts run what a person
// runs: they find it in PATH. The one that panics is this test binary.
func TestMain(m *testing.M) {
	testscript.Main(withProgram{m}, map[string]func(){
		"panicking-ephemera": func() {
			program := cli.Program{Open: open, Explore: exploreToPanic, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(program.Run(os.Args[1:]))
		},
	})
}

type withProgram struct{ *testing.M }

func (w withProgram) Run() int {
	dir, err := os.MkdirTemp("", "ephemera")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "ephemera"), "ephemera").CombinedOutput(); err != nil {
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
func open(w cli.Where) (*cli.Database, error) {
	if w.Memory {
		c, err := chain.Open(kv.NewMemory())
		return &cli.Database{Chain: c}, err
	}
	disk, err := persist.Open(w.Dir, persist.Options{ReadOnly: w.ReadOnly})
	if err != nil {
		return nil, err
	}
	c, err := chain.Open(disk)
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	return &cli.Database{Chain: c}, nil
}
