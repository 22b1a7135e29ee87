package persist

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

// earlier makes a database as an earlier program can leave it that was killed: its
// log holds more than a memory table of today, and its value log is longer.
func earlier(t *testing.T) kept {
	t.Helper()
	k := kept{dir: filepath.Join(t.TempDir(), "killed"), records: 300}
	dir := t.TempDir()
	b, err := badger.Open(options(dir).WithMemTableSize(earlierMemoryTable).WithValueLogFileSize(16 << 20).WithSyncWrites(false))
	must(t, err)
	must(t, checkSchema(b, dir, false))
	for i := range k.records {
		must(t, b.Update(func(txn *badger.Txn) error {
			return errors.Join(txn.Set(portKey(record(i)), bulk(i)), txn.Set(commitsKey, encodeCommits(uint64(i+1))))
		}))
	}
	copyDir(t, dir, k.dir)
	must(t, b.Close())
	must(t, seal{commits: uint64(k.records), open: true}.write(k.dir))
	return k
}

// Badger ends the process over a log that does not fit into its memory table.
func TestALogThatAnEarlierProgramFilledIsOpened(t *testing.T) {
	k := earlier(t)
	log := filepath.Join(k.dir, "00001"+logKind)
	s, err := readLogFile(log)
	must(t, err)
	if s.end < memoryTable*3/2 || s.memory != earlierMemoryTable {
		t.Fatalf("the log holds %d bytes, and needs %d", s.end, s.memory)
	}
	for way, end := range map[string]int64{"as it was killed": 2 * earlierMemoryTable, "cut by a start that was killed too": int64(s.end)} {
		t.Run(way, func(t *testing.T) {
			copied := kept{dir: k.copy(t), records: k.records}
			must(t, os.Truncate(filepath.Join(copied.dir, "00001"+logKind), end))
			db := open(t, copied.dir, Options{})
			copied.whole(t, way, db)
			if size := db.badger.Opts().MemTableSize; size != memoryTable {
				t.Errorf("its memory tables have %d bytes", size)
			}
			set(t, db, "one more", "record")
			if n := db.commits.Load(); n != uint64(k.records)+1 {
				t.Errorf("%d commits are counted", n)
			}
		})
	}
}

// A kill between the two must not look as if a log were missing.
func TestALogThatIsEmptiedForSpaceIsMissedNoMore(t *testing.T) {
	k := earlier(t)
	d, err := lookedAt(k.dir, Options{})
	must(t, err)
	must(t, d.drain())
	if s, err := readSeal(k.dir); err != nil || s.open || s.commits != uint64(k.records) {
		t.Errorf("the seal says %+v, %v", s, err)
	}
	k.whole(t, "drained", open(t, k.dir, Options{ReadOnly: true}))
}

func TestALogThatAnEarlierProgramFilledIsReadWhereNothingCanBeWritten(t *testing.T) {
	k := earlier(t)
	log := filepath.Join(k.dir, "00001"+logKind)
	s, err := readLogFile(log)
	must(t, err)
	must(t, os.Truncate(log, int64(s.end))) // as Badger leaves it to who only reads
	d, err := lookedAt(k.dir, Options{ReadOnly: true})
	must(t, err)
	d.frozen = true
	must(t, d.open())
	k.whole(t, "frozen", d)
	must(t, d.Close())
}

func TestALogThatWasCutShortIsRefusedWhoeverMadeIt(t *testing.T) {
	k := earlier(t)
	for _, size := range []int64{2*earlierMemoryTable - 1, logSize - 1, logSize + 4096, 1 << 20} {
		dir := k.copy(t)
		must(t, os.Truncate(filepath.Join(dir, "00001"+logKind), size))
		if _, err := Open(dir, Options{}); !errors.As(err, new(*DamagedError)) {
			t.Errorf("cut to %d bytes: %v", size, err)
		}
	}
}

// Another's log can ask for any memory.
func TestALogLongerThanAnyIsRefused(t *testing.T) {
	k := earlier(t)
	must(t, os.Truncate(filepath.Join(k.dir, "00001"+logKind), 3*mostMemory))
	if _, err := Open(k.dir, Options{}); !errors.As(err, new(*DamagedError)) {
		t.Errorf("got %v", err)
	}
}

// Nor is it for this program to make tables of it.
func TestALongLogOfAnotherProgramIsRefusedAndLeftAlone(t *testing.T) {
	dir, killed := t.TempDir(), filepath.Join(t.TempDir(), "killed")
	b, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil))
	must(t, err)
	must(t, b.Update(func(txn *badger.Txn) error { return txn.Set([]byte("another's"), []byte("record")) }))
	copyDir(t, dir, killed)
	must(t, b.Close())
	before := sums(t, killed)
	_, err = Open(killed, Options{})
	if refused := (*DirError)(nil); !errors.As(err, &refused) || refused.Problem != anothers {
		t.Errorf("got %v", err)
	}
	if after := sums(t, killed); after != before {
		t.Errorf("it was changed:\n%s%s", before, after)
	}
}
