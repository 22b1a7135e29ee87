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

func backupOf(t *testing.T, db *DB) []byte {
	t.Helper()
	var file bytes.Buffer
	kvtest.OK(t, db.Backup(&file, nil))
	return file.Bytes()
}

// backupWith returns the backup of a database with one record.
func backupWith(t *testing.T, key string) []byte {
	t.Helper()
	db := open(t, newPath(t), Options{})
	set(t, db, key, "value")
	return backupOf(t, db)
}

// packBackup packs a stream of records as Backup does.
func packBackup(t *testing.T, stream []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	packed := gzip.NewWriter(&file)
	packed.Comment = backupForm
	kvtest.Must(packed.Write(stream))(t)
	kvtest.OK(t, packed.Close())
	return file.Bytes()
}

// variedDatabase opens a database with records in tables and in memory, of which some
// were replaced and some deleted.
func variedDatabase(t *testing.T) *DB {
	t.Helper()
	db := open(t, closedDatabase(t).dir, Options{})
	kvtest.OK(t, db.Load(func(w kv.Writer) error {
		for n := range 5_000 {
			if err := w.Set(recordKey(1000+n), bytes.Repeat([]byte{byte(n)}, 300)); err != nil {
				return err
			}
		}
		return nil
	}))
	kvtest.OK(t, db.Update(func(txn kv.Txn) error {
		return errors.Join(txn.Set([]byte{}, []byte("the empty key")), txn.Set(recordKey(1), nil), txn.Delete(recordKey(2)))
	}))
	return db
}

func TestARestoredDatabaseEqualsTheOriginal(t *testing.T) {
	t.Parallel()
	db := variedDatabase(t)
	before := kvtest.Dump(t, db, nil)
	commits := db.commits

	var file bytes.Buffer
	var backedUp, restored uint64
	kvtest.OK(t, db.Backup(&file, func(bytes uint64) { backedUp = bytes }))
	set(t, db, "after", "the backup")
	dir := filepath.Join(t.TempDir(), "parent", "db")
	kvtest.OK(t, Restore(dir, &file, func(bytes uint64) { restored = bytes }))

	if backedUp < 1_000_000 || restored < 1_000_000 {
		t.Errorf("the last reported progress was %d and %d bytes", backedUp, restored)
	}
	again := open(t, dir, Options{})
	requireDump(t, again, before)
	if n := again.commits; n != commits {
		t.Errorf("it counts %d commits, want %d", n, commits)
	}
	set(t, again, "key", "later writes succeed")
}

func TestAFileThatIsNotACompleteBackupRestoresNothing(t *testing.T) {
	t.Parallel()
	backup := backupOf(t, variedDatabase(t))
	files := map[string][]byte{
		"empty":                {},
		"a text":               []byte("this is a letter"),
		"another gzip file":    bytes.Replace(backup, []byte(backupForm), []byte("something else 17"), 1),
		"an empty stream":      packBackup(t, nil),
		"a text as a stream":   packBackup(t, []byte(strings.Repeat("this is a letter ", 100))),
		"a list of 2^62 bytes": packBackup(t, []byte("\x00\x00\x00\x00\x00\x00\x00\x70")),
		"bytes at the end":     append(bytes.Clone(backup), "more"...),
		"the last byte cut":    backup[:len(backup)-1],
	}
	for _, percent := range []int{1, 10, 30, 50, 90, 99} {
		at := len(backup) * percent / 100
		flipped := bytes.Clone(backup)
		flipped[at] ^= 0x10
		files[fmt.Sprintf("flipped at %d%%", percent)] = flipped
		files[fmt.Sprintf("cut at %d%%", percent)] = backup[:at]
	}

	for name, text := range files {
		parent := t.TempDir()
		for _, dir := range []string{filepath.Join(parent, "new"), parent} {
			err := Restore(dir, bytes.NewReader(text), nil)

			if !isError[*BackupError](err) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want a BackupError of one line", name, err)
			}
			if left := pathTree(t, parent); len(left) > 1 {
				t.Errorf("%s: it left %v", name, left)
			}
		}
	}
}

// Anybody can make a file that looks like a backup.
func TestABackupWithAForeignRecordRestoresNothing(t *testing.T) {
	t.Parallel()
	schemaRecord := &pb.KV{Key: schemaKey, Value: []byte("1"), Version: 1}
	for name, record := range map[string]*pb.KV{
		"the highest version":      {Key: []byte("\x01k"), Value: []byte("v"), Version: math.MaxUint64},
		"no version":               {Key: []byte("\x01k"), Value: []byte("v")},
		"no key":                   {Value: []byte("v"), Version: 2},
		"a key of Badger":          {Key: []byte("!badger!txn"), Value: []byte("v"), Version: 2},
		"a value in a value log":   {Key: []byte("\x01k"), Value: []byte("v"), Version: 2, Meta: []byte{2}},
		"a value that expires":     {Key: []byte("\x01k"), Value: []byte("v"), Version: 2, ExpiresAt: 1},
		"a key that is too long":   {Key: append([]byte{1}, make([]byte, kv.MaxKey+1)...), Version: 2},
		"a value that is too long": {Key: []byte("\x01k"), Value: make([]byte, kv.MaxValue+1), Version: 2},
	} {
		list := kvtest.Must(proto.Marshal(&pb.KVList{Kv: []*pb.KV{schemaRecord, record}}))(t)
		stream := append(binary.LittleEndian.AppendUint64(nil, uint64(len(list))), list...)
		dir := newPath(t)

		err := Restore(dir, bytes.NewReader(packBackup(t, stream)), nil)

		if !isError[*BackupError](err) || exists(dir) {
			t.Errorf("%s: got %v, and the directory exists: %t", name, err, exists(dir))
		}
	}
}

func TestABackupOfANewerProgramIsRefused(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})
	set(t, db, "key", "value")
	kvtest.OK(t, db.badger.Update(func(txn *badger.Txn) error { return txn.Set(schemaKey, []byte("2")) }))
	dir := newPath(t)

	err := Restore(dir, bytes.NewReader(backupOf(t, db)), nil)

	if !isError[*SchemaError](err) || exists(dir) {
		t.Errorf("got %v, and the directory exists: %t", err, exists(dir))
	}
}

func TestARestoreIntoADatabaseChangesNothing(t *testing.T) {
	t.Parallel()
	dir := closedDatabase(t).dir
	before := checksums(t, dir)

	err := Restore(dir, bytes.NewReader(backupWith(t, "key")), nil)

	if !isError[*DirError](err) {
		t.Errorf("got %v, want a DirError", err)
	}
	requireUnchanged(t, "Restore", dir, before)
}

func TestARestoreIntoADirectoryOfOtherFilesChangesNothing(t *testing.T) {
	t.Parallel()
	backup := backupWith(t, "key")
	for name, files := range map[string][]string{
		"a file in the place of the directory": {"."},
		"documents":                            {restoringFileName, "thesis.txt", "letters/one.txt", "my.backup"},
	} {
		dir := newPath(t)
		for _, file := range files {
			writeFile(t, filepath.Join(dir, file), "text")
		}
		before := pathTree(t, filepath.Dir(dir))

		err := Restore(dir, bytes.NewReader(backup), nil)

		if !isError[*DirError](err) {
			t.Errorf("%s: got %v, want a DirError", name, err)
		}
		if diff := cmp.Diff(before, pathTree(t, filepath.Dir(dir))); diff != "" {
			t.Errorf("%s: the directory has changed (-before +after):\n%s", name, diff)
		}
	}
}

func TestARestoreIntoALockedDirectoryChangesNothing(t *testing.T) {
	t.Parallel()
	backup := backupWith(t, "key")
	dir := t.TempDir()
	lock := kvtest.Must(lockDir(dir, true, true))(t)

	err := Restore(dir, bytes.NewReader(backup), nil)

	if left := pathTree(t, dir); !isError[*LockedError](err) || len(left) > 1 {
		t.Errorf("got %v, and the directory holds %v", err, left)
	}
	lock.release(true)
	kvtest.OK(t, Restore(dir, bytes.NewReader(backup), nil))
	requireValue(t, open(t, dir, Options{}), "key", "value")
}

func TestTheNextOpeningFinishesARestoreWhoseLastMoveFailed(t *testing.T) {
	t.Parallel()
	db := variedDatabase(t)
	backup := backupOf(t, db)
	want := kvtest.Dump(t, db, nil)
	dir := newPath(t)
	obstacle := filepath.Join(dir, sealFileName)

	err := Restore(dir, bytes.NewReader(backup), func(uint64) {
		if err := os.MkdirAll(filepath.Join(obstacle, "file"), 0o700); err != nil {
			t.Error(err)
		}
	})

	if err == nil || !strings.Contains(err.Error(), "the new one is whole, but not all of its files could be moved in place") {
		t.Fatalf("got %v", err)
	}
	kvtest.OK(t, os.RemoveAll(obstacle))
	requireDump(t, open(t, dir, Options{}), want)
}

func TestAnErrorOfABuildNamesTheDirectoryAroundIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()

	_, err := replaceDatabase(dir, replacement{fill: func(b *builder) error { return &SpaceError{Dir: b.db.dir} }})

	if !isError[*SpaceError](err) || !strings.Contains(err.Error(), "the disk of "+dir+" is almost full") {
		t.Errorf("got %v", err)
	}
}
