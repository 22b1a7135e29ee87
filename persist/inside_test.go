package persist

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// What this package knows of Badger's inside (inside.go) it knows of one version.
// Another one is to be looked at, and these tests to be read, before it is taken.
func TestBadgerIsTheVersionThatWasLookedAt(t *testing.T) {
	t.Parallel()
	mod := kvtest.Must(os.ReadFile("../go.mod"))(t)
	if !regexp.MustCompile(`dgraph-io/badger/v4 v4\.9\.6\n`).Match(mod) {
		t.Error("go.mod names another version of Badger than v4.9.6: read persist/inside.go")
	}
}

// Badger makes files of the names that are known, and no others.
func TestEveryFileThatBadgerMakesIsKnown(t *testing.T) {
	t.Parallel()
	for _, k := range []kept{closed(t), killed(t)} {
		for _, name := range fileNames(t, k.dir) {
			if !isDatabaseFile(name) {
				t.Errorf("%s is not known", name)
			}
		}
		for _, name := range []string{lockFileName, "DISCARD", badger.ManifestFilename, sealFileName} {
			if _, err := os.Stat(filepath.Join(k.dir, name)); err != nil && name != lockFileName {
				t.Error(err)
			}
		}
	}
	for _, name := range []string{"film.vlog", "letter.mem", "thesis.txt", "a.sst", "MANIFEST.txt"} {
		if isDatabaseFile(name) {
			t.Errorf("%s would be taken for a database's", name)
		}
	}
}

// What a table tells, and every entry in it, deleted ones too, come out as they
// went in.
func TestATableTellsWhatWasWritten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	db := kvtest.Must(Open(dir, Options{}))(t)
	set(t, db, "one", "1")
	kvtest.OK(t, db.Update(func(tx kv.Txn) error { return tx.Delete([]byte("one")) }))
	set(t, db, "two", "2")
	kvtest.OK(t, db.Close())
	path := matching(t, dir, tableExt)[0]
	if facts, want := checkTable(path), (tableFacts{version: 4, commits: 3, schema: 1}); facts != want {
		t.Errorf("got %+v, want %+v", facts, want)
	}
	var got []string
	for _, e := range readEntries(path, false) {
		got = append(got, fmt.Sprintf("%q=%q %d %t", e.key, e.value, e.version, e.deleted))
	}
	want := []string{
		`"\x00commits"="\x00\x00\x00\x00\x00\x00\x00\x03" 4 false`, `"\x00commits"="\x00\x00\x00\x00\x00\x00\x00\x02" 3 false`,
		`"\x00commits"="\x00\x00\x00\x00\x00\x00\x00\x01" 2 false`, `"\x00schema"="1" 1 false`,
		`"\x01one"="" 3 true`, `"\x01one"="1" 2 false`, `"\x01two"="2" 4 false`,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// A log begins with the id of its key, and Badger reads one whose id is 0.
func TestTheHeadOfALogIsTheIDOfItsKey(t *testing.T) {
	t.Parallel()
	k := killed(t)
	text, err := os.ReadFile(matching(t, k.dir, logExt)[0])
	if err != nil || !bytes.Equal(text[:logKeyIDSize], make([]byte, logKeyIDSize)) {
		t.Errorf("it begins with %x, %v", text[:logKeyIDSize], err)
	}
}

// A table that is broken anywhere, and one whose blocks the disk cannot read, is an
// error and no panic.
func TestABrokenTableIsAnErrorAndNoPanic(t *testing.T) {
	t.Parallel()
	path := matching(t, many(t, 1000).dir, tableExt)[0]
	info := kvtest.Must(os.Stat(path))(t)
	whole := kvtest.Must(os.ReadFile(path))(t)
	for i := range int64(rounds(200, 2000)) {
		at := info.Size() - 1 - i
		rot(t, path, at, 1)
		if checkTable(path).err == nil {
			t.Errorf("byte %d from the end is broken, and nothing is said", i)
		}
		kvtest.OK(t, os.WriteFile(path, whole, 0o600))
	}
}

func TestWhatBadgerSaysBecomesOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"short": "short", "while opening err: at 3 err: no block\nstack": "no block", "\n  == 7 ==\nhalt \nmore": "halt",
		"": "it cannot be read", strings.Repeat("x", 200): strings.Repeat("x", 160),
	} {
		if got := firstWords(text); got != want {
			t.Errorf("%q became %q, expected %q", text, got, want)
		}
	}
}

func TestASealThatCannotBeReadIsAFaultAndNotMissing(t *testing.T) {
	dir := t.TempDir()
	kvtest.OK(t, os.Mkdir(filepath.Join(dir, sealFileName), 0o700))
	if s, err := readSeal(dir); err == nil {
		t.Errorf("a directory is the seal %+v", s)
	}
}
