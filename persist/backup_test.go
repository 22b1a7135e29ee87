package persist

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv"
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
	db := lively(t)
	told := int64(0)
	var file bytes.Buffer
	if err := db.Backup(&file, func(n int64) { told = n }); err != nil {
		t.Fatal(err)
	}
	if told < 1_000_000 {
		t.Errorf("the last that was told of were %d bytes", told)
	}
	want, commits := everything(t, db), db.commits.Load()
	set(t, db, "after", "the backup")
	told = 0
	dir := filepath.Join(t.TempDir(), "new", "db")
	if err := Restore(dir, &file, func(n int64) { told = n }); err != nil {
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

func TestARestoreThatWasCutOffIsRefusedUntilItIsWhole(t *testing.T) {
	db := lively(t)
	text := backupOf(t, db)
	dir := closed(t).dir // stands for what was restored until then
	file(t, filepath.Join(dir, restoringFile), "")
	var refused *DirError
	if _, err := Open(dir, Options{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "restore again") {
		t.Fatalf("got %v", err)
	}
	if err := Restore(dir, bytes.NewReader(text), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everything(t, db), everything(t, open(t, dir, Options{}))); diff != "" {
		t.Errorf("(-original +restored):\n%.2000s", diff)
	}
}

// spoil flips a byte in the middle of the largest table.
func spoil(t *testing.T, dir string) (name string) {
	t.Helper()
	size := int64(0)
	for _, f := range files(t, dir) {
		info, err := os.Stat(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(f) == tableKind && info.Size() > size {
			name, size = f, info.Size()
		}
	}
	if err := damages(size)["flipped at "+strconv.FormatInt(size*2/places(), 10)](filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestABrokenTableIsNamedBeforeItIsMissingInABackup(t *testing.T) {
	db := open(t, closed(t).dir, Options{})
	if err := db.Verify(nil); err != nil {
		t.Fatal(err)
	}
	name := spoil(t, db.dir)
	var damaged *DamagedError
	if err := db.Verify(nil); !errors.As(err, &damaged) || !strings.Contains(err.Error(), name) {
		t.Errorf("verify: %v", err)
	}
	var file bytes.Buffer
	if err := db.Backup(&file, nil); !errors.As(err, &damaged) || file.Len() > 0 {
		t.Errorf("backup: %v, and %d bytes", err, file.Len())
	}
}

func TestARescueKeepsEveryFileAndOpensWhatIsLeft(t *testing.T) {
	for name, do := range map[string]func(t *testing.T, dir string) (lost int){
		"AMissingManifest": func(t *testing.T, dir string) int {
			if err := os.Remove(filepath.Join(dir, "MANIFEST")); err != nil {
				t.Fatal(err)
			}
			return 0
		},
		"ACutManifest": func(t *testing.T, dir string) int {
			if err := os.Truncate(filepath.Join(dir, "MANIFEST"), 30); err != nil {
				t.Fatal(err)
			}
			return 0
		},
		"ABrokenTable": func(t *testing.T, dir string) int { spoil(t, dir); return 10 },
	} {
		t.Run(name, func(t *testing.T) {
			k := closed(t)
			dir := k.copy(t)
			lost := do(t, dir)
			before := sums(t, dir)
			if _, err := Open(dir, Options{}); err == nil {
				t.Fatal("it opens before it was rescued")
			}
			done, err := Rescue(dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", done)
			if kept := sums(t, done.Kept); kept != before {
				t.Errorf("was:\n%skept:\n%s", before, kept)
			}
			found := 0
			db := open(t, dir, Options{})
			for i := range k.records {
				if v, ok, err := get(db, record(i)); err != nil {
					t.Fatal(err)
				} else if ok && bytes.Equal(v, bulk(i)) {
					found++
				}
			}
			if found != k.records-lost || len(done.Broken)*10 != lost {
				t.Errorf("%d of %d records are there, and %v is broken", found, k.records, done.Broken)
			}
		})
	}
	if _, err := Rescue(filepath.Join(t.TempDir(), "none")); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
