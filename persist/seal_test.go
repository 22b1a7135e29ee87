package persist

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// entryEnds gives the places in a log where its entries end, in order, and of
// those the ones where a commit ends.
func entryEnds(t *testing.T, path string) (ends, commitEnds []int64) {
	t.Helper()
	log := kvtest.Must(os.ReadFile(path))(t)
	for e, rest := nextLogEntry(log[logHeaderSize:]); rest != nil; e, rest = nextLogEntry(rest) {
		end := int64(len(log) - len(rest))
		ends = append(ends, end)
		if e.endsCommit {
			commitEnds = append(commitEnds, end)
		}
	}
	return ends, commitEnds
}

func TestTheSealCountsEveryCommitAtOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	for n := range uint64(30) {
		set(t, db, fmt.Sprint(n), "value")
		if s := kvtest.Must(readSeal(dir))(t); s.commits != n+1 || !s.open {
			t.Fatalf("after %d commits the seal is %+v", n+1, s)
		}
	}
	kvtest.OK(t, db.Load(func(w kv.Writer) error { return w.Set([]byte("loaded"), nil) }))
	set(t, db, "one", "more")
	if s := kvtest.Must(readSeal(dir))(t); s.commits != 32 {
		t.Errorf("after a load and a commit the seal is %+v", s)
	}
}

// Any bit of a log that turns loses a commit that was acknowledged, but for those of
// its head, and Open says so before it changes anything.
func TestAFlippedBitInALogIsRefusedAndNothingIsChanged(t *testing.T) {
	t.Parallel()
	k := killed(t)
	name := filepath.Base(matching(t, k.dir, logExt)[0])
	ends, _ := entryEnds(t, filepath.Join(k.dir, name))
	last := ends[len(ends)-1]
	places := int64(rounds(12, 200))
	for i := range places {
		dir := k.copy(t)
		rot(t, filepath.Join(dir, name), logHeaderSize+(last-1-logHeaderSize)*i/(places-1), 1)
		before := sums(t, dir)
		for _, o := range []Options{{}, {ReadOnly: true}, {}} {
			_, err := Open(dir, o)
			refused(t, fmt.Sprint("place ", i), err)
		}
		if after := sums(t, dir); after != before {
			t.Errorf("it was changed:\n%s%s", before, after)
		}
		kvtest.OK(t, os.RemoveAll(dir))
	}
}

// A log is cut at every end of an entry. What ends before the last acknowledged
// commit does is refused; what follows that commit was never acknowledged.
func TestALogThatIsCutIsRefusedIfACommitIsGone(t *testing.T) {
	t.Parallel()
	k := killed(t)
	name := filepath.Base(matching(t, k.dir, logExt)[0])
	ends, commitEnds := entryEnds(t, filepath.Join(k.dir, name))
	acknowledged := commitEnds[len(commitEnds)-1]
	step := max(1, len(ends)/rounds(12, len(ends)))
	for i := len(ends) - 1; i >= 0; i -= step {
		dir := k.copy(t)
		kvtest.OK(t, os.Truncate(filepath.Join(dir, name), ends[i]))
		db, err := Open(dir, Options{})
		if ends[i] < acknowledged {
			refused(t, fmt.Sprint("cut at ", ends[i]), err)
			continue
		}
		kvtest.OK(t, err)
		k.whole(t, "cut behind the last commit", db)
		kvtest.OK(t, db.Close())
	}
}

// A commit that a kill tears was not acknowledged, and is not counted.
func TestACommitThatWasTornBeforeItWasAcknowledgedIsDropped(t *testing.T) {
	t.Parallel()
	k := killed(t)
	name := filepath.Base(matching(t, k.dir, logExt)[0])
	_, commitEnds := entryEnds(t, filepath.Join(k.dir, name))
	acknowledged, whole := commitEnds[len(commitEnds)-2], commitEnds[len(commitEnds)-1]
	behind := kept{dir: k.dir, records: k.records - 1, killed: true}
	places := int64(rounds(6, 50))
	for i := range places {
		dir := behind.copy(t)
		s := kvtest.Must(readSeal(dir))(t)
		s.commits--
		kvtest.OK(t, os.WriteFile(filepath.Join(dir, sealFileName), s.encode(), 0o600))
		log := kvtest.Must(os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0))(t)
		torn := acknowledged + (whole-1-acknowledged)*i/places
		_, err := log.WriteAt(make([]byte, whole-torn), torn)
		kvtest.OK(t, err)
		kvtest.OK(t, log.Close())
		db := kvtest.Must(Open(dir, Options{}))(t)
		behind.whole(t, fmt.Sprint("torn at ", torn), db)
		kvtest.OK(t, db.Close())
	}
}

// While a memory table becomes a table there are two logs. The commits in the newer
// show what the older has lost.
func TestAFlippedBitInTheOlderOfTwoLogsIsRefused(t *testing.T) {
	t.Parallel()
	k := killed(t)
	older := matching(t, k.dir, logExt)[0]
	_, commitEnds := entryEnds(t, older)
	text, size := contents(t, older)
	middle := commitEnds[len(commitEnds)/2]
	newer := filepath.Join(k.dir, "00009"+logExt)
	kvtest.OK(t, os.WriteFile(newer, slices.Concat(text[:logHeaderSize], text[middle:]), 0o600))
	kvtest.OK(t, os.Truncate(newer, size))
	kvtest.OK(t, os.Truncate(older, middle))

	k.whole(t, "two logs", open(t, k.copy(t), Options{}))
	for i := range int64(6) {
		dir := k.copy(t)
		rot(t, filepath.Join(dir, filepath.Base(older)), logHeaderSize+(middle-1-logHeaderSize)*i/5, 1)
		_, err := Open(dir, Options{})
		refused(t, fmt.Sprint("place ", i), err)
	}
}

// Badger and this package read the same commits from a log, wherever it is broken.
func TestALogIsReadAsFarAsBadgerReadsIt(t *testing.T) {
	t.Parallel()
	k := killed(t)
	name := filepath.Base(matching(t, k.dir, logExt)[0])
	ends, _ := entryEnds(t, filepath.Join(k.dir, name))
	places := int64(rounds(8, 100))
	for i := range places {
		dir := k.copy(t)
		path := filepath.Join(dir, name)
		rot(t, path, logHeaderSize+ends[len(ends)-1]*i/places, 1)
		want, err := lastCommit(path, 0)
		kvtest.OK(t, err)
		db := kvtest.Must(OpenUnchecked(dir))(t)
		if got := db.commits.Load(); got != want {
			t.Errorf("place %d: Badger reads %d commits, and lastCommit %d", i, got, want)
		}
		kvtest.OK(t, db.Close())
	}
}

// A database that the program before this one has written again has its seal, which
// was written from time to time.
func TestASealThatIsBehindRefusesNothing(t *testing.T) {
	t.Parallel()
	before := "ephemera seal 1\ncommits 3\nopen true\ntables 0\nfiles 0\nchecked 0\n"
	before += fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE([]byte(before)))
	if s := decodeSeal([]byte(before)); s.commits != 3 {
		t.Fatalf("the seal of the program before is read as %+v", s)
	}
	for name, text := range map[string]string{
		"a seal of the program before": before,
		"a seal that is broken":        "ephemera seal 1\ncommits 999",
		"an empty seal":                "",
	} {
		k := killed(t)
		kvtest.OK(t, os.WriteFile(filepath.Join(k.dir, sealFileName), []byte(text), 0o600))
		db := kvtest.Must(Open(k.dir, Options{}))(t)
		k.whole(t, name, db)
		set(t, db, "one more", "record")
		kvtest.OK(t, db.Close())
		if s := kvtest.Must(readSeal(k.dir))(t); s.commits != uint64(k.records)+2 {
			t.Errorf("%s: later the seal is %+v", name, s)
		}
	}
}

// A seal that cannot be written is behind, and the commits stand.
func TestACommitStandsWhereItsSealCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	set(t, db, "one", "1")
	kvtest.OK(t, db.sealFile.Close())
	set(t, db, "two", "2")
	if s := kvtest.Must(readSeal(dir))(t); s.commits != 1 {
		t.Fatalf("the seal is %+v", s)
	}
	killedDir := filepath.Join(t.TempDir(), "db")
	copyDir(t, dir, killedDir)
	expect(t, open(t, killedDir, Options{}), "two", "2")
	db.sealFile = nil // so that Close can seal again
}

func TestTheCountFitsARestoredDatabaseAndARescuedOne(t *testing.T) {
	t.Parallel()
	k := closed(t)
	restored := filepath.Join(t.TempDir(), "restored")
	db := open(t, k.dir, Options{})
	backup := backupOf(t, db)
	kvtest.OK(t, db.Close())
	kvtest.OK(t, Restore(restored, strings.NewReader(string(backup)), nil))
	_, err := Rescue(k.dir, fine)
	kvtest.OK(t, err)
	for _, dir := range []string{restored, k.dir} {
		if s := kvtest.Must(readSeal(dir))(t); s.commits != 40 {
			t.Errorf("the seal is %+v", s)
		}
		kept{dir: dir, records: k.records}.whole(t, dir, open(t, dir, Options{}))
	}
}

func TestBadgerIsToldToSyncEveryCommit(t *testing.T) {
	t.Parallel()
	if !options("").SyncWrites {
		t.Error("it is not")
	}
}

// When a commit returns, the kernel holds no page of the log that is not on the
// disk.
func TestNoPageOfTheLogIsDirtyAfterACommit(t *testing.T) {
	t.Parallel()
	dir := kvtest.Must(os.MkdirTemp("/var/tmp", "ephemera"))(t) // no file system in memory, as /tmp may be
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	unsynced := kvtest.Must(openBadger(options(filepath.Join(dir, "unsynced")).WithSyncWrites(false)))(t)
	txn := unsynced.NewTransaction(true)
	kvtest.OK(t, txn.Set([]byte("key"), nil))
	kvtest.OK(t, txn.Commit())
	if dirty, ok := dirtyBytes(t, "unsynced/00001"+logExt); !ok || dirty == 0 {
		t.Skipf("%d bytes are dirty without a sync, so nothing can be seen here", dirty)
	}
	kvtest.OK(t, unsynced.Close())

	db := open(t, filepath.Join(dir, "db"), Options{})
	for n := range 20 {
		set(t, db, fmt.Sprint(n), "value")
		if dirty, _ := dirtyBytes(t, dir+"/db/00001"+logExt); dirty > 0 {
			t.Fatalf("commit %d returned with %d bytes that are not on the disk", n, dirty)
		}
	}
}

// dirtyBytes tells how much of a mapped file of this process is not on its disk yet.
func dirtyBytes(t *testing.T, name string) (dirty int, ok bool) {
	t.Helper()
	smaps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0, false
	}
	defer smaps.Close()
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		line := lines.Text()
		if strings.Contains(line, "/") { // the first line of what is mapped from a file
			ok = strings.HasSuffix(line, name)
		}
		kilobytes := 0
		if _, err := fmt.Sscanf(line, "Private_Dirty: %d kB", &kilobytes); err == nil && ok {
			return kilobytes * 1024, true
		}
	}
	return 0, false
}
