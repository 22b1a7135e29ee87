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
)

// fault is one way in which a database goes bad.
type fault struct {
	name  string
	spoil func(t *testing.T, dir string)
	says  string // a pattern of all that stderr has to say
}

const (
	damagedBy = `^ephemera: the database in DIR is damaged: `
	andWayOut = `; nothing was changed or deleted; restore a backup into another directory, or let 'ephemera doctor --rescue' open what is left\n$`
	cannotUse = `^ephemera: cannot use the database in DIR: `
)

// faultsOfClosed befall a database that was closed in order.
var faultsOfClosed = []fault{
	{"its MANIFEST is missing", removes("MANIFEST"), damagedBy + `its MANIFEST is missing, without which its \d+ tables are of no use` + andWayOut},
	{"its MANIFEST is emptied", cuts("MANIFEST", 0), damagedBy + `its MANIFEST is broken \(.+\)` + andWayOut},
	{"its MANIFEST is cut in its head", cuts("MANIFEST", 3), damagedBy + `its MANIFEST is broken \(.+\)` + andWayOut},
	{"its MANIFEST is cut behind its head", cuts("MANIFEST", 8), damagedBy + `its MANIFEST is cut: it does not list the newest tables` + andWayOut},
	{"a byte of its MANIFEST is flipped", flips("MANIFEST", 20), damagedBy + `its MANIFEST is broken \(.+\)` + andWayOut},
	{"a table is missing", removes("*.sst"), damagedBy + `the table 0\d+\.sst is missing` + andWayOut},
	{"a table is emptied", cuts("*.sst", 0), damagedBy + `the table 0\d+\.sst is broken \(it is cut short\)` + andWayOut},
	{"a table is cut", cuts("*.sst", 200), damagedBy + `the table 0\d+\.sst is broken \(.+\)` + andWayOut},
	{"the end of a table is broken", flips("*.sst", -2), damagedBy + `the table 0\d+\.sst is broken \(.+\)` + andWayOut},
	{"the beginning of a table is broken", flips("*.sst", 2), damagedBy + `the table 0\d+\.sst is broken \(.+\)` + andWayOut},
	{"a block has rotted", rots("*.sst", 40), damagedBy + `the table 0\d+\.sst is broken \(a block of it cannot be read\)` + andWayOut},
	{"a newer program wrote it", newerSchema, `^ephemera: the database in DIR was written by a newer version \(its schema is 2, this program knows 1\); use that version\n$`},
	{"it was rolled back", rollsBack, damagedBy + `its seal counts \d+ commits, and its files hold \d+` + andWayOut},
	{"the program before was restoring into it", restoring, cannotUse + `an earlier version was restoring into it and was cut off, so what it holds is incomplete; restore again, into another directory\n$`},
	{"a file stands in its place", isAFile, cannotUse + `it is a file, and a database is a directory\n$`},
}

// faultsOfKilled befall a database whose program was killed, so that it has a log.
var faultsOfKilled = []fault{
	{"its log is missing", removes("*.mem"), damagedBy + `its log is missing` + andWayOut},
	{"its log and its seal are missing", both(removes("*.mem"), removes("SEAL")), damagedBy + `its SEAL and its log are missing, so nobody knows what else is` + andWayOut},
	{"the head of its log is broken", flips("*.mem", 1), damagedBy + `the log 0\d+\.mem is broken \(its head cannot be read\)` + andWayOut},
	{"its log is a directory", both(removes("*.mem"), func(t *testing.T, dir string) { chaintest.OK(t, os.Mkdir(filepath.Join(dir, "00001.mem"), 0o700)) }),
		cannotUse + `its 00001.mem is not a regular file\n$`},
}

func TestEveryFaultOfTheStorageIsOneSentenceAndChangesNothing(t *testing.T) {
	closed := filepath.Join(t.TempDir(), "db")
	newCollection(t, closed)
	for _, f := range faultsOfClosed {
		t.Run(f.name, func(t *testing.T) { t.Parallel(); f.holds(t, closed) })
	}
	killed := filepath.Join(t.TempDir(), "db")
	mintUntilKilled(t, killed, 0, 40)
	for _, f := range faultsOfKilled {
		t.Run(f.name, func(t *testing.T) { t.Parallel(); f.holds(t, killed) })
	}
}

// holds holds that each kind of command says the sentence and nothing else,
// ends with 3, and leaves every byte.
func (f fault) holds(t *testing.T, from string) {
	dir := copyOf(t, from)
	f.spoil(t, dir)
	before := bytesIn(t, dir)
	says := regexp.MustCompile(strings.ReplaceAll(f.says, "DIR", regexp.QuoteMeta(dir)))
	backup := filepath.Join(t.TempDir(), "backup")
	refused := func(run func(*testing.T, ...string) (int, string, string), args ...string) {
		t.Helper()
		exit, out, said := run(t, append([]string{"--db", dir}, args...)...)
		if exit != 3 || !says.MatchString(said) || strings.Count(said, "\n") != 1 {
			t.Errorf("%v: exit status %d, %q, want 3, %s", args, exit, said, says)
		}
		if out != "" && args[0] != "doctor" {
			t.Errorf("%v: says %q on stdout", args, out)
		}
	}
	refused(ephemera, "query", `{"all_tokens":{}}`)
	refused(ephemera, "--readonly", "query", `{"all_tokens":{}}`)
	refused(ephemera, "doctor")
	for _, args := range [][]string{
		{"exec", "--as", "creator", `{"mint":{"token_id":"new","owner":"$creator"}}`},
		{"clock", "next"}, {"info"}, {"export"}, {"history"}, {"undo"}, {"backup", backup},
	} {
		refused(inside, args...)
	}
	if after := bytesIn(t, dir); after != before {
		t.Errorf("it was changed from\n%sto\n%s", before, after)
	}
	if _, err := os.Stat(backup); !os.IsNotExist(err) {
		t.Errorf("a backup was left: %v", err)
	}
}

// The ways to break a database. A name with a star is that of the largest such
// file.

func both(one, other func(*testing.T, string)) func(*testing.T, string) {
	return func(t *testing.T, dir string) { one(t, dir); other(t, dir) }
}

func removes(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { chaintest.OK(t, os.Remove(largest(t, dir, name))) }
}

func cuts(name string, to int64) func(*testing.T, string) {
	return func(t *testing.T, dir string) { chaintest.OK(t, os.Truncate(largest(t, dir, name), to)) }
}

func flips(name string, at int64) func(*testing.T, string) {
	return func(t *testing.T, dir string) { flip(t, largest(t, dir, name), at) }
}

// rots breaks a byte as a disk does: the times of the file stay.
func rots(name string, at int64) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		path := largest(t, dir, name)
		info := chaintest.Must(os.Stat(path))(t)
		flip(t, path, at)
		chaintest.OK(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
}

func rollsBack(t *testing.T, dir string) {
	older := copyOf(t, dir)
	runs(t, "--db", dir, "exec", "--as", "creator", `{"mint":{"token_id":"later","owner":"$creator"}}`)
	seal, err := os.ReadFile(filepath.Join(dir, "SEAL"))
	chaintest.OK(t, errors.Join(err, os.RemoveAll(dir), os.Rename(older, dir),
		os.WriteFile(filepath.Join(dir, "SEAL"), seal, 0o600)))
}

func restoring(t *testing.T, dir string) {
	chaintest.OK(t, os.WriteFile(filepath.Join(dir, "RESTORING"), nil, 0o600))
}

func isAFile(t *testing.T, dir string) {
	chaintest.OK(t, errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("a file"), 0o600)))
}

func largest(t *testing.T, dir, name string) (path string) {
	t.Helper()
	paths := chaintest.Must(filepath.Glob(filepath.Join(dir, name)))(t)
	most := int64(-1)
	for _, p := range paths {
		info := chaintest.Must(os.Stat(p))(t)
		if info.Size() > most {
			path, most = p, info.Size()
		}
	}
	if path == "" {
		t.Fatalf("there is no %s in %s", name, dir)
	}
	return path
}

// flip changes a byte of a file; a negative place counts from its end.
func flip(t *testing.T, path string, at int64) {
	t.Helper()
	text := chaintest.Must(os.ReadFile(path))(t)
	if at < 0 {
		at += int64(len(text))
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	chaintest.OK(t, err)
	_, err = f.WriteAt([]byte{text[at] ^ 0x55}, at)
	chaintest.OK(t, errors.Join(err, f.Close()))
}

// copyOf copies a database with the times of its files.
func copyOf(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	out, err := exec.Command("cp", "-a", from, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// bytesIn gives what every file of a directory holds, in short.
func bytesIn(t *testing.T, dir string) string {
	t.Helper()
	var all bytes.Buffer
	chaintest.OK(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() == "LOCK" {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s %x\n", path, sha256.Sum256(text))
		return err
	}))
	return all.String()
}
