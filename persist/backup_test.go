package persist

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// everything reads all records.
func everything(t *testing.T, db *DB) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := db.View(func(r kv.Reader) error {
		for p, err := range r.Scan(kv.Range{}) {
			if err != nil {
				return err
			}
			all[string(p.Key)] = string(p.Value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func backupOf(t *testing.T, db *DB) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := db.Backup(&file, nil); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// lively makes a database with records in tables and in memory, some replaced
// and some deleted.
func lively(t *testing.T) *DB {
	db := open(t, closed(t).dir, Options{})
	err := db.Load(func(w kv.Writer) error {
		for n := range 5_000 {
			if err := w.Set(record(1000+n), bytes.Repeat([]byte{byte(n)}, 300)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = db.Update(func(tx kv.Txn) error {
			return errors.Join(tx.Set([]byte{}, []byte("the empty key")), tx.Set(record(1), nil), tx.Delete(record(2)))
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func TestARestoredDatabaseEqualsTheOriginal(t *testing.T) {
	t.Parallel()
	db := lively(t)
	told := uint64(0)
	var file bytes.Buffer
	if err := db.Backup(&file, func(n uint64) { told = n }); err != nil {
		t.Fatal(err)
	}
	if told < 1_000_000 {
		t.Errorf("the last that was told of were %d bytes", told)
	}
	want, commits := everything(t, db), db.commits.Load()
	set(t, db, "after", "the backup")
	told = 0
	dir := filepath.Join(t.TempDir(), "new", "db")
	if err := Restore(dir, &file, func(n uint64) { told = n }); err != nil {
		t.Fatal(err)
	}
	if told < 1_000_000 {
		t.Errorf("the last that was told of were %d bytes", told)
	}
	again := open(t, dir, Options{})
	if diff := cmp.Diff(want, everything(t, again)); diff != "" {
		t.Errorf("(-original +restored):\n%.2000s", diff)
	}
	if n := again.commits.Load(); n != commits {
		t.Errorf("it counts %d commits, want %d", n, commits)
	}
	set(t, again, "key", "takes writes")
	if diff := cmp.Diff(everything(t, again)["key"], "takes writes"); diff != "" {
		t.Error(diff)
	}
}

func TestAFileThatIsNoWholeBackupRestoresNothing(t *testing.T) {
	t.Parallel()
	whole := backupOf(t, lively(t))
	packed := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Comment = backupForm
		_, _ = w.Write([]byte(text))
		_ = w.Close()
		return b.Bytes()
	}
	flipped := func(at int) []byte {
		b := bytes.Clone(whole)
		b[at] ^= 0x10
		return b
	}
	files := map[string][]byte{
		"Empty":         {},
		"Text":          []byte("this is a letter"),
		"AnotherGzip":   bytes.Replace(whole, []byte(backupForm), []byte("something else 17"), 1),
		"NothingInside": packed(""),
		"TextInside":    packed(strings.Repeat("this is a letter ", 100)),
		"AHugeList":     packed("\x00\x00\x00\x00\x00\x00\x00\x70"),
		"MoreBehind":    append(bytes.Clone(whole), "more"...),
	}
	for _, part := range []int{1, 10, 30, 50, 90, 99} {
		files[string(rune('A'+part/10))+"CutOff"] = whole[:len(whole)*part/100]
		files[string(rune('A'+part/10))+"Flipped"] = flipped(len(whole) * part / 100)
	}
	files["CutOffAtTheVeryEnd"] = whole[:len(whole)-1]
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			for _, dir := range []string{filepath.Join(top, "new"), top} {
				err := Restore(dir, bytes.NewReader(text), nil)
				var refused *BackupError
				if !errors.As(err, &refused) {
					t.Fatalf("got %v, want a BackupError", err)
				}
				if s := err.Error(); strings.Contains(s, "\n") || !strings.HasSuffix(s, "nothing was restored") {
					t.Errorf("not a sentence: %q", s)
				}
				if left := tree(t, top); len(left) > 1 {
					t.Errorf("it left %v", left)
				}
			}
		})
	}
}

func TestARestoreGoesOnlyWhereNothingIs(t *testing.T) {
	t.Parallel()
	db := lively(t)
	text := backupOf(t, db)
	set(t, db, "key", "value")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	letter := filepath.Join(t.TempDir(), "letter.txt")
	file(t, letter, "text")
	for _, dir := range []string{db.dir, filepath.Dir(letter), letter} {
		var refused *DirError
		if err := Restore(dir, bytes.NewReader(text), nil); !errors.As(err, &refused) {
			t.Errorf("got %v, want a DirError", err)
		} else {
			t.Log(err)
		}
	}
	expect(t, open(t, db.dir, Options{}), "key", "value")
	if _, err := os.Stat(letter); err != nil {
		t.Error(err)
	}
}

// spoil flips a byte in the middle of the largest table.
func spoil(t *testing.T, dir string) (name string) {
	t.Helper()
	size := int64(0)
	for _, path := range matching(t, dir, tableExt) {
		info, err := os.Stat(path)
		kvtest.OK(t, err)
		if info.Size() > size {
			name, size = filepath.Base(path), info.Size()
		}
	}
	rot(t, filepath.Join(dir, name), size*2/5, 1)
	return name
}

func TestABrokenTableIsNamedBeforeItIsMissingInABackup(t *testing.T) {
	t.Parallel()
	db := open(t, closed(t).dir, Options{})
	if err := db.Verify(); err != nil {
		t.Fatal(err)
	}
	name := spoil(t, db.dir)
	var damaged *DamagedError
	if err := db.Verify(); !errors.As(err, &damaged) || !strings.Contains(err.Error(), name) {
		t.Errorf("verify: %v", err)
	}
	var file bytes.Buffer
	if err := db.Backup(&file, nil); !errors.As(err, &damaged) || file.Len() > 0 {
		t.Errorf("backup: %v, and %d bytes", err, file.Len())
	}
}

func TestABackupOfANewerProgramIsRefused(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	kvtest.OK(t, db.badger.Update(func(tx *badger.Txn) error { return tx.Set(schemaKey, []byte("2")) }))
	dir := filepath.Join(t.TempDir(), "new")
	err := Restore(dir, bytes.NewReader(backupOf(t, db)), nil)
	var newer *SchemaError
	if !errors.As(err, &newer) || newer.Found != 2 || newer.Known != schema {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it left something: %v", err)
	}
}

// Who lost the race for a directory leaves nothing in it.
func TestARestoreIntoADirectoryThatSomebodyHoldsDoesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	text, dir := backupOf(t, db), t.TempDir()
	lock, err := lockDir(dir, true, true)
	kvtest.OK(t, err)
	if err := Restore(dir, bytes.NewReader(text), nil); !errors.As(err, new(*LockedError)) {
		t.Errorf("got %v", err)
	}
	if left := tree(t, dir); len(left) != 1 {
		t.Errorf("it left %v", left)
	}
	lock.release(true)
	kvtest.OK(t, Restore(dir, bytes.NewReader(text), nil))
	expect(t, open(t, dir, Options{}), "key", "value")
}

// What is no database's stays, whatever it is called.
func TestARestoreDeletesNothingThatIsNotTheDatabases(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	set(t, db, "key", "value")
	text := backupOf(t, db)
	dir := filepath.Join(t.TempDir(), "docs")
	file(t, filepath.Join(dir, "RESTORING"), "")
	file(t, filepath.Join(dir, "thesis.txt"), "of years")
	file(t, filepath.Join(dir, "sub", "notes.txt"), "more")
	file(t, filepath.Join(dir, "my.backup"), string(text))
	before := tree(t, dir)
	f, err := os.Open(filepath.Join(dir, "my.backup"))
	kvtest.OK(t, err)
	defer f.Close()
	if err := Restore(dir, f, nil); !errors.As(err, new(*DirError)) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// A backup can be made by anybody.
func TestARecordThatNoBackupHoldsRestoresNothing(t *testing.T) {
	t.Parallel()
	good := pb.KV{Key: schemaKey, Value: []byte("1"), Version: 1}
	for name, bad := range map[string]*pb.KV{
		"the last version":         {Key: []byte("\x01k"), Value: []byte("v"), Version: math.MaxUint64},
		"no version":               {Key: []byte("\x01k"), Value: []byte("v")},
		"no key":                   {Value: []byte("v"), Version: 2},
		"another's key":            {Key: []byte("!badger!txn"), Value: []byte("v"), Version: 2},
		"a place in a value log":   {Key: []byte("\x01k"), Value: []byte("v"), Version: 2, Meta: []byte{2}},
		"a value that expires":     {Key: []byte("\x01k"), Value: []byte("v"), Version: 2, ExpiresAt: 1},
		"a key that is too long":   {Key: append([]byte{1}, make([]byte, kv.MaxKey+1)...), Version: 2},
		"a value that is too long": {Key: []byte("\x01k"), Value: make([]byte, kv.MaxValue+1), Version: 2},
	} {
		text, err := proto.Marshal(&pb.KVList{Kv: []*pb.KV{&good, bad}})
		kvtest.OK(t, err)
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Comment = backupForm
		kvtest.OK(t, binary.Write(w, binary.LittleEndian, uint64(len(text))))
		_, err = w.Write(text)
		kvtest.OK(t, errors.Join(err, w.Close()))
		dir := filepath.Join(t.TempDir(), "new")
		err = Restore(dir, &b, nil)
		if !errors.As(err, new(*BackupError)) {
			t.Errorf("%s: got %v", name, err)
		}
		t.Log(err)
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: it left something: %v", name, err)
		}
	}
}

func TestARestoreWhoseLastMoveFailsSaysSoAndIsFinishedByTheNextOpening(t *testing.T) {
	t.Parallel()
	db := lively(t)
	var file bytes.Buffer
	if err := db.Backup(&file, nil); err != nil {
		t.Fatal(err)
	}
	want := everything(t, db)
	dir := filepath.Join(t.TempDir(), "db")
	blocked := filepath.Join(dir, sealFileName, "in the way")
	err := Restore(dir, &file, func(uint64) {
		if err := os.MkdirAll(blocked, 0o700); err != nil {
			t.Error(err)
		}
	})
	if err == nil || !strings.Contains(err.Error(), "the new one is whole, but not all of its files could be moved in place") {
		t.Fatalf("got %v", err)
	}
	if err := os.RemoveAll(filepath.Dir(blocked)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, everything(t, open(t, dir, Options{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnErrorInBuildingNamesTheDirectoryThatIsLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := replaceDatabase(dir, replacement{fill: func(b *builder) error { return &SpaceError{Dir: b.db.dir} }})
	if text := fmt.Sprint(err); !is[*SpaceError](err) || !strings.Contains(text, "the disk of "+dir+" is almost full") {
		t.Errorf("got %v", err)
	}
}
