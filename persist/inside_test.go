package persist

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// inside.go depends on the format of Badger's files. Read it and these tests before
// changing the version.
func TestGoModNamesTheVersionOfBadgerThatInsideGoIsWrittenFor(t *testing.T) {
	t.Parallel()
	mod := kvtest.Must(os.ReadFile("../go.mod"))(t)
	if !regexp.MustCompile(`dgraph-io/badger/v4 v4\.9\.6\n`).Match(mod) {
		t.Error("go.mod names another version of Badger than v4.9.6: read persist/inside.go")
	}
}

func TestIsDatabaseFileKnowsEveryFileOfBadgerAndNoOther(t *testing.T) {
	t.Parallel()
	for _, d := range []testDatabase{closedDatabase(t), killedDatabase(t)} {
		for _, name := range fileNames(t, d.dir) {
			if !isDatabaseFile(name) {
				t.Errorf("%s is not known", name)
			}
		}
	}
	for _, name := range []string{"film.vlog", "letter.mem", "thesis.txt", "a.sst", "MANIFEST.txt"} {
		if isDatabaseFile(name) {
			t.Errorf("%s is taken for a file of a database", name)
		}
	}
}

func TestReadRecordsReturnsEveryVersionOfARecordAndDeletions(t *testing.T) {
	t.Parallel()
	dir := newPath(t)
	db := kvtest.Must(Open(dir, Options{}))(t)
	set(t, db, "one", "1")
	kvtest.OK(t, db.Update(func(txn kv.Txn) error { return txn.Delete([]byte("one")) }))
	set(t, db, "two", "2")
	kvtest.OK(t, db.Close())
	path := filesWith(t, dir, tableExt)[0]

	var got []string
	for _, r := range kvtest.Must(readRecords(path, false))(t) {
		got = append(got, fmt.Sprintf("%q=%q %d %t", r.Key, r.Value, r.Version, r.Meta[0] == deletedFlag))
	}

	want := []string{
		`"\x00commits"="\x00\x00\x00\x00\x00\x00\x00\x03" 4 false`,
		`"\x00commits"="\x00\x00\x00\x00\x00\x00\x00\x02" 3 false`,
		`"\x00commits"="\x00\x00\x00\x00\x00\x00\x00\x01" 2 false`,
		`"\x00schema"="1" 1 false`,
		`"\x01one"="" 3 true`,
		`"\x01one"="1" 2 false`,
		`"\x01two"="2" 4 false`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	facts := checkTable(path)
	if want := (tableFacts{newestVersion: 4, oldestCommit: 1, commits: 3, schema: 1, content: facts.content}); facts != want || facts.content == 0 {
		t.Errorf("the facts are %+v, want %+v", facts, want)
	}
}

func TestCheckTableFailsForAFlippedByteAtTheEndAndDoesNotPanic(t *testing.T) {
	t.Parallel()
	path := filesWith(t, loadedDatabase(t, 1000).dir, tableExt)[0]
	size := kvtest.Must(os.Stat(path))(t).Size()

	for i := range int64(kvtest.Many(200)) {
		flipBytes(t, path, size-1-i, 1)
		if checkTable(path).err == nil {
			t.Errorf("byte %d from the end is flipped, and the table passes", i)
		}
		flipBytes(t, path, size-1-i, 1)
	}
}

func TestFirstWordsReturnsTheInnermostCauseInOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"short": "short",
		"while opening err: at 3 err: no block\nstack": "no block",
		"\n  == 7 ==\nhalt \nmore":                     "halt",
		"":                                             "it cannot be read",
		strings.Repeat("x", 200):                       strings.Repeat("x", 160),
	} {
		if got := firstErrorLine(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestASealThatCannotBeReadIsAnErrorAndNotMissing(t *testing.T) {
	dir := t.TempDir()
	kvtest.OK(t, os.Mkdir(filepath.Join(dir, sealFileName), 0o700))

	if s, err := readSeal(dir); err == nil {
		t.Errorf("a directory was read as the seal %+v", s)
	}
}
