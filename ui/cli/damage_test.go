package cli_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
)

// fault is a way in which a database can be damaged. The tests of persist have more; here
// are those with a sentence of their own.
type fault struct {
	name   string
	damage func(t *testing.T, dir string)
	want   string // a pattern of stderr
}

const (
	damaged        = `^ephemera: the database in DIR is damaged: `
	andAdvice      = `; nothing was changed or deleted; restore a backup into another directory, or run 'ephemera doctor --rescue' to save what can be read\n$`
	cannotUse      = `^ephemera: cannot use the database in DIR: `
	brokenManifest = damaged + `its MANIFEST is broken \(.+\)` + andAdvice
	brokenTable    = damaged + `the table 0\d+\.sst is broken \(.+\)` + andAdvice
)

// faultsOfClosed can befall a database that was closed.
var faultsOfClosed = []fault{
	{"its MANIFEST is missing", remove("MANIFEST"), damaged + `its MANIFEST is missing, without which its \d+ tables cannot be read` + andAdvice},
	{"its MANIFEST is empty", truncate("MANIFEST", 0), brokenManifest},
	{"its MANIFEST is cut in its head", truncate("MANIFEST", 3), brokenManifest},
	{"its MANIFEST is cut behind its head", truncate("MANIFEST", 8), damaged + `its MANIFEST is cut: it does not list the newest tables` + andAdvice},
	{"its MANIFEST has a wrong byte", flipByte("MANIFEST", 20), brokenManifest},
	{"a table is missing", remove("*.sst"), damaged + `the table 0\d+\.sst is missing` + andAdvice},
	{"a table is empty", truncate("*.sst", 0), damaged + `the table 0\d+\.sst is broken \(it is cut short\)` + andAdvice},
	{"a table is cut", truncate("*.sst", 200), brokenTable},
	{"a table has a wrong byte at its end", flipByte("*.sst", -2), brokenTable},
	{"a table has a wrong byte at its beginning", flipByte("*.sst", 2), brokenTable},
	{"a restore was interrupted", interruptRestore, cannotUse + `an earlier version was restoring into it and was cut off, so what it holds is incomplete; restore again, into another directory\n$`},
}

// faultsOfKilled can befall a database whose program was killed, which has a log.
var faultsOfKilled = []fault{
	{"its log is missing", remove("*.mem"), damaged + `its log is missing` + andAdvice},
	{"its log and its seal are missing", removeLogAndSeal, damaged + `its SEAL and its log are missing, so it is not known what else is missing` + andAdvice},
	{"its log has a wrong byte in its head", flipByte("*.mem", 1), damaged + `the log 0\d+\.mem is broken \(its head cannot be read\)` + andAdvice},
}

func TestEveryFaultOfTheStorageIsOneSentenceAndChangesNothing(t *testing.T) {
	closed := filepath.Join(t.TempDir(), "db")
	newCollection(t, closed)
	for _, f := range faultsOfClosed {
		t.Run(f.name, func(t *testing.T) { t.Parallel(); f.check(t, closed) })
	}
	killed := filepath.Join(t.TempDir(), "db")
	mintUntilKilled(t, killed, 0, 40)
	for _, f := range faultsOfKilled {
		t.Run(f.name, func(t *testing.T) { t.Parallel(); f.check(t, killed) })
	}
}

// check damages a copy of a database. It fails the test unless every command prints the
// sentence alone, has status 3, and leaves every file as it was.
func (f fault) check(t *testing.T, original string) {
	dir := copyOf(t, original)
	f.damage(t, dir)
	before := checksums(t, dir)
	want := regexp.MustCompile(strings.ReplaceAll(f.want, "DIR", regexp.QuoteMeta(dir)))
	backup := filepath.Join(t.TempDir(), "backup")

	for _, args := range [][]string{
		{"query", `{"all_tokens":{}}`},
		{"--readonly", "query", `{"all_tokens":{}}`},
		{"exec", "--as", "creator", `{"mint":{"token_id":"new","owner":"$creator"}}`},
		{"info"},
		{"doctor"},
		{"backup", backup},
	} {
		exit, stdout, stderr := ephemera(t, append([]string{"--db", dir}, args...)...)
		if exit != 3 || stdout != "" || !want.MatchString(stderr) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit status %d, stdout %q, stderr %q, want 3, %s", args, exit, stdout, stderr, want)
		}
	}

	if after := checksums(t, dir); after != before {
		t.Errorf("it was changed from\n%sto\n%s", before, after)
	}
	if _, err := os.Stat(backup); !os.IsNotExist(err) {
		t.Errorf("a backup was left: %v", err)
	}
}

func TestNoFileIsWrittenFromADatabaseWithABrokenBlock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	newCollection(t, dir)
	files := t.TempDir()
	chaintest.OK(t, os.WriteFile(filepath.Join(files, "old.json"), []byte("old"), 0o600))
	before := checksums(t, files)
	openBroken := func(where command.OpenOptions) (*command.Database, error) {
		db, err := openDatabase(where)
		if err == nil {
			db.VerifyTables = func() error { return errors.New("a block is broken") }
		}
		return db, err
	}

	for line, want := range map[string]string{
		"export":                           "",
		"export --with-clock DIR/new.json": "",
		"export --force DIR/old.json":      "",
		"record DIR/new.yaml":              "",
		"record -":                         "",
		"doctor":                           `{"clean":false,"files":"a block is broken","rebuilt":0}` + "\n",
	} {
		var stdout, stderr strings.Builder
		program := command.Program{Open: openBroken, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
		args := strings.Fields(strings.ReplaceAll(line, "DIR", files))
		status := cli.Run(program, append(args, "--db", dir))
		if status != 3 || stdout.String() != want || stderr.String() != "ephemera: a block is broken\n" {
			t.Errorf("%s: exit status %d, stdout %q, stderr %q", line, status, &stdout, &stderr)
		}
		if after := checksums(t, files); after != before {
			t.Errorf("%s: the files were changed from\n%sto\n%s", line, before, after)
		}
	}
}

// The functions below damage a database. A name with a star is that of the largest such
// file.

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { chaintest.OK(t, os.Remove(largest(t, dir, name))) }
}

func removeLogAndSeal(t *testing.T, dir string) {
	remove("*.mem")(t, dir)
	remove("SEAL")(t, dir)
}

func truncate(name string, size int64) func(*testing.T, string) {
	return func(t *testing.T, dir string) { chaintest.OK(t, os.Truncate(largest(t, dir, name), size)) }
}

// flipByte changes a byte of a file. A negative offset counts from the end of the file.
func flipByte(name string, offset int) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		path := largest(t, dir, name)
		content := chaintest.Must(os.ReadFile(path))(t)
		at := (offset + len(content)) % len(content)
		content[at] ^= 0x55
		chaintest.OK(t, os.WriteFile(path, content, 0o600))
	}
}

func interruptRestore(t *testing.T, dir string) {
	chaintest.OK(t, os.WriteFile(filepath.Join(dir, "RESTORING"), nil, 0o600))
}

func largest(t *testing.T, dir, name string) string {
	t.Helper()
	largest := ""
	maxSize := int64(-1)
	for _, path := range chaintest.Must(filepath.Glob(filepath.Join(dir, name)))(t) {
		if info := chaintest.Must(os.Stat(path))(t); info.Size() > maxSize {
			largest = path
			maxSize = info.Size()
		}
	}
	if largest == "" {
		t.Fatalf("there is no %s in %s", name, dir)
	}
	return largest
}

// copyOf copies a database, and keeps the times of its files.
func copyOf(t *testing.T, original string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	out, err := exec.Command("cp", "-a", original, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// checksums has a line for each file below a directory but the lock of a database.
func checksums(t *testing.T, dir string) string {
	t.Helper()
	var lines bytes.Buffer
	chaintest.OK(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || entry.Name() == "LOCK" {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&lines, "%s %x\n", path, sha256.Sum256(content))
		return err
	}))
	return lines.String()
}
