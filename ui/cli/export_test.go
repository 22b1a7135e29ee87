package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
)

func TestNothingIsWrittenFromADatabaseWithABrokenBlock(t *testing.T) {
	dir, out := filepath.Join(t.TempDir(), "db"), t.TempDir()
	newCollection(t, dir)
	old := filepath.Join(out, "old.json")
	chaintest.OK(t, os.WriteFile(old, []byte("old"), 0o600))
	broken := func(w command.Where) (*command.Database, error) {
		db, err := open(w)
		if err == nil {
			db.Maintenance.Verify = func() error { return errors.New("a block is broken") }
		}
		return db, err
	}
	for _, args := range [][]string{
		{"export"},
		{"export", "--with-clock", filepath.Join(out, "new.json")},
		{"export", "--force", old},
		{"record", filepath.Join(out, "new.yaml")},
		{"record", "-"},
	} {
		var stdout, stderr strings.Builder
		program := command.Program{Open: broken, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
		status := cli.Run(program, append(args, "--db", dir))
		if status != 3 || stdout.Len() > 0 || stderr.String() != "ephemera: a block is broken\n" {
			t.Errorf("%v: exit status %d, stdout %q, stderr %q", args, status, &stdout, &stderr)
		}
		left := chaintest.Must(os.ReadDir(out))(t)
		if len(left) != 1 || read(t, old) != "old" {
			t.Errorf("%v: it left %v", args, left)
		}
	}
}
