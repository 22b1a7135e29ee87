package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/cli/command"
	"ephemera/ui/term/ptytest"
)

// The explorer draws first, then says what is wrong with the storage, and q
// ends it with status 3.
func TestTheExplorerSaysWhatKeepsTheDatabaseFromOpening(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string) (release func())
		says  []string
	}{
		{"locked", func(t *testing.T, dir string) func() {
			db := chaintest.Must(open(command.Where{Dir: dir}))(t)
			return func() { _ = db.Close() }
		}, []string{"is in use by process " + fmt.Sprint(os.Getpid()), "--wait 5s"}},
		{"a newer schema", func(t *testing.T, dir string) func() { newerSchema(t, dir); return nil }, []string{"newer version"}},
		{"damaged", func(t *testing.T, dir string) func() {
			chaintest.OK(t, os.Truncate(filepath.Join(dir, "MANIFEST"), 3))
			return nil
		}, []string{"is damaged", "nothing was changed"}},
		{"its DISCARD is a directory", func(t *testing.T, dir string) func() {
			path := filepath.Join(dir, "DISCARD")
			chaintest.OK(t, errors.Join(os.Remove(path), os.Mkdir(path, 0o700)))
			return nil
		}, []string{"its DISCARD is not a regular file"}},
		{"its DISCARD is a link in a circle", func(t *testing.T, dir string) func() {
			path := filepath.Join(dir, "DISCARD")
			chaintest.OK(t, errors.Join(os.Remove(path), os.Symlink(path, path)))
			return nil
		}, []string{"DISCARD: too many levels of symbolic links"}},
		{"not a database", func(t *testing.T, dir string) func() {
			chaintest.OK(t, os.RemoveAll(dir))
			chaintest.OK(t, os.WriteFile(dir, []byte("a file"), 0o600))
			return nil
		}, []string{"it is a file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "db")
			newCollection(t, dir)
			if release := c.spoil(t, dir); release != nil {
				defer release()
			}
			screen := ptytest.Start(t, ptytest.Options{W: 100, H: 30}, explorer(t, "--db", dir))
			screen.WaitFor("EPHEMERA", "could not be opened", "r tries again", "q quits")
			screen.Wait("the screen says why", func(s string) bool { return holdsAll(joined(s), c.says) })
			screen.Type("r") // which changes nothing
			screen.Type("q")
			if status := screen.WaitExit(); status != 3 {
				t.Errorf("q ended with status %d, want 3", status)
			}
			if raw := screen.Raw(); !strings.Contains(raw, "\x1b[?1049l") {
				t.Error("the alternate screen was not left")
			}
			if shown := joined(screen.Screen()); !holdsAll(shown, c.says) {
				t.Errorf("the sentence does not stay on the terminal:\n%s", screen.Screen())
			}
		})
	}
}

// What was in the way can go away while the explorer waits.
func TestTheExplorerOpensTheDatabaseOnceItIsFree(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	db := chaintest.Must(open(command.Where{Dir: dir}))(t)
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

// joined is a screen as one line, as a sentence is broken where the screen ends.
func joined(screen string) string { return strings.Join(strings.Fields(screen), "") }

func holdsAll(s string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(s, joined(p)) })
}

// newerSchema makes a database look as if a newer program had written it.
func newerSchema(t *testing.T, dir string) {
	t.Helper()
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil).WithBypassLockGuard(true))
	chaintest.OK(t, err)
	defer db.Close()
	err = db.Update(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.DefaultIteratorOptions)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			if key := it.Item().KeyCopy(nil); bytes.HasPrefix(key, []byte("\x00schema")) {
				value, err := it.Item().ValueCopy(nil)
				if err != nil {
					return err
				}
				value[len(value)-1]++
				return txn.Set(key, value)
			}
		}
		return errors.New("the database has no schema")
	})
	chaintest.OK(t, err)
}

func TestReadOnlyTheClockMovesAndMessagesAreTriedAndNothingIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	before := runs(t, "--db", dir, "export")
	screen := ptytest.Start(t, ptytest.Options{W: 120, H: 36}, explorer(t, "--db", dir, "--readonly"))
	screen.WaitFor("CLOCK  height 1,000", "ape-1")
	for _, tab := range []string{"2", "3", "4", "5", "1"} {
		screen.Type(tab)
	}
	screen.WaitFor("read-only: nothing is kept")
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

func TestFilesAreForTheirUserAlone(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "db")
	newCollection(t, dir)
	hasMode(t, dir, 0o700) // what is in it, nobody else comes to
	for _, c := range [][]string{{"export", "export.json"}, {"backup", "apes.backup"}, {"record", "story.yaml"}} {
		file := filepath.Join(base, c[1])
		runs(t, "--db", dir, c[0], file)
		hasMode(t, file, 0o600)
	}
	file := filepath.Join(base, "opened.json")
	chaintest.OK(t, os.WriteFile(file, nil, 0o666))
	runs(t, "--db", dir, "export", file)
	hasMode(t, file, 0o600) // whatever the one before it was
}

// An import that is killed leaves a mark, not a part of a collection.
func TestAKilledImportIsReportedAndCanBeRepeated(t *testing.T) {
	dir, file := filepath.Join(t.TempDir(), "db"), filepath.Join(t.TempDir(), "large.json")
	runs(t, "--db", ofManyBlocks(t), "export", file)
	want := chaintest.Must(os.ReadFile(file))(t)
	// A pipe that is never closed keeps the import where it is.
	cmd := exec.Command("ephemera", "--db", dir, "import", "--prefix", "cosmos", "/dev/stdin")
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	chaintest.OK(t, err)
	chaintest.Must(io.Copy(in, bytes.NewReader(want[:len(want)*2/3])))(t)
	chaintest.OK(t, cmd.Process.Kill())
	_ = cmd.Wait()
	for _, args := range [][]string{{"query", `{"num_tokens":{}}`}, {"clock"}, {"export"}, {"history"}} {
		exit, _, said := inside(t, append([]string{"--db", dir}, args...)...)
		if exit != 2 || !strings.Contains(said, "interrupted") || !strings.Contains(said, "import it again") {
			t.Errorf("%v: exit status %d, %q", args, exit, said)
		}
	}
	runs(t, "--db", dir, "import", file)
	if got := runs(t, "--db", dir, "export"); got != string(want) {
		t.Errorf("%d bytes are exported after the second import, want the %d that were imported", len(got), len(want))
	}
}
