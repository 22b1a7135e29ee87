package persist

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// logOffsets returns the offsets in a log at which entries end, in order, and those of
// them at which a commit ends.
func logOffsets(t *testing.T, path string) (entryEnds, commitEnds []int64) {
	t.Helper()
	log := kvtest.Must(os.ReadFile(path))(t)
	for e, rest := nextLogEntry(log[logHeaderSize:]); rest != nil; e, rest = nextLogEntry(rest) {
		end := int64(len(log) - len(rest))
		entryEnds = append(entryEnds, end)
		if e.endsCommit {
			commitEnds = append(commitEnds, end)
		}
	}
	return entryEnds, commitEnds
}

func TestTheSealCountsEveryCommitWhenItReturns(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})

	for n := range uint64(30) {
		set(t, db, fmt.Sprint(n), "value")
		if s := kvtest.Must(readSeal(db.dir))(t); s.commits != n+1 || !s.isInUse {
			t.Fatalf("after %d commits the seal is %+v", n+1, s)
		}
	}
	kvtest.OK(t, db.Load(func(w kv.Writer) error { return w.Set([]byte("loaded"), nil) }))

	if s := kvtest.Must(readSeal(db.dir))(t); s.commits != 31 {
		t.Errorf("after a Load the seal is %+v", s)
	}
}

// What follows the last acknowledged commit in the log was never acknowledged.
func TestACutLogIsRefusedIfAnAcknowledgedCommitIsMissing(t *testing.T) {
	t.Parallel()
	d := killedDatabase(t)
	name := filepath.Base(filesWith(t, d.dir, logExt)[0])
	entryEnds, commitEnds := logOffsets(t, filepath.Join(d.dir, name))
	acknowledged := commitEnds[len(commitEnds)-1]
	step := max(1, len(entryEnds)/kvtest.Many(12))
	for i := len(entryEnds) - 1; i >= 0; i -= step {
		situation := fmt.Sprint("cut at ", entryEnds[i])
		dir := d.copy(t)
		kvtest.OK(t, os.Truncate(filepath.Join(dir, name), entryEnds[i]))

		db, err := Open(dir, Options{})

		if entryEnds[i] < acknowledged {
			requireDamage(t, situation, err)
			continue
		}
		kvtest.OK(t, err)
		d.requireRecords(t, situation, db)
		kvtest.OK(t, db.Close())
	}
}

// The seal counts a commit only after it is complete, and so does the test.
func TestACommitThatAKillInterruptedIsDropped(t *testing.T) {
	t.Parallel()
	killed := killedDatabase(t)
	name := filepath.Base(filesWith(t, killed.dir, logExt)[0])
	_, commitEnds := logOffsets(t, filepath.Join(killed.dir, name))
	start := commitEnds[len(commitEnds)-2]
	end := commitEnds[len(commitEnds)-1]
	acknowledged := testDatabase{dir: killed.dir, records: killed.records - 1}
	places := int64(kvtest.Many(6))
	for i := range places {
		dir := killed.copy(t)
		s := kvtest.Must(readSeal(dir))(t)
		s.commits--
		writeFile(t, filepath.Join(dir, sealFileName), string(s.encode()))
		log := kvtest.Must(os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0))(t)
		offset := start + (end-1-start)*i/places
		kvtest.Must(log.WriteAt(make([]byte, end-offset), offset))(t)
		kvtest.OK(t, log.Close())

		db := kvtest.Must(Open(dir, Options{}))(t)

		acknowledged.requireRecords(t, fmt.Sprint("interrupted at ", offset), db)
		kvtest.OK(t, db.Close())
	}
}

// There are two logs while a memory table is flushed. The commits in the newer log show
// what the older one has lost.
func TestAFlippedByteInTheOlderOfTwoLogsIsRefused(t *testing.T) {
	t.Parallel()
	d := killedDatabase(t)
	olderLog := filesWith(t, d.dir, logExt)[0]
	text, size := readWithoutHole(t, olderLog)
	_, commitEnds := logOffsets(t, olderLog)
	middle := commitEnds[len(commitEnds)/2]
	newerLog := filepath.Join(d.dir, "00009"+logExt)
	kvtest.OK(t, os.WriteFile(newerLog, slices.Concat(text[:logHeaderSize], text[middle:]), 0o600))
	kvtest.OK(t, os.Truncate(newerLog, size))
	kvtest.OK(t, os.Truncate(olderLog, middle))
	d.requireRecords(t, "two logs", open(t, d.copy(t), Options{}))

	for i := range int64(6) {
		dir := d.copy(t)
		offset := logHeaderSize + (middle-1-logHeaderSize)*i/5
		flipBytes(t, filepath.Join(dir, filepath.Base(olderLog)), offset, 1)

		_, err := Open(dir, Options{})

		requireDamage(t, fmt.Sprint("flipped at ", offset), err)
	}
}

func TestLastCommitReadsABrokenLogAsFarAsBadgerDoes(t *testing.T) {
	t.Parallel()
	d := killedDatabase(t)
	name := filepath.Base(filesWith(t, d.dir, logExt)[0])
	entryEnds, _ := logOffsets(t, filepath.Join(d.dir, name))
	places := int64(kvtest.Many(8))
	for i := range places {
		dir := d.copy(t)
		path := filepath.Join(dir, name)
		offset := logHeaderSize + entryEnds[len(entryEnds)-1]*i/places
		flipBytes(t, path, offset, 1)

		got := kvtest.Must(readLastCommit(path, 0))(t)
		db := kvtest.Must(OpenUnchecked(dir))(t)

		if want := db.commits; got != want {
			t.Errorf("flipped at %d: Badger reads %d commits, lastCommit %d", offset, want, got)
		}
		kvtest.OK(t, db.Close())
	}
}

// Earlier programs wrote a seal from time to time.
func TestADatabaseWithALowOrBrokenSealOpensAndIsSealedAgain(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a seal that is behind": string(seal{commits: 3, isInUse: true}.encode()),
		"a broken seal":         "ephemera seal 1\ncommits 999",
		"an empty seal":         "",
	} {
		d := killedDatabase(t)
		writeFile(t, filepath.Join(d.dir, sealFileName), text)

		db := kvtest.Must(Open(d.dir, Options{}))(t)

		d.requireRecords(t, name, db)
		set(t, db, "one more", "record")
		kvtest.OK(t, db.Close())
		if s := kvtest.Must(readSeal(d.dir))(t); s.commits != uint64(d.records)+2 {
			t.Errorf("%s: after one more commit the seal is %+v", name, s)
		}
	}
}

func TestACommitStandsThoughItsSealCannotBeWritten(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})
	set(t, db, "one", "1")
	kvtest.OK(t, db.sealFile.Close())

	set(t, db, "two", "2")

	if s := kvtest.Must(readSeal(db.dir))(t); s.commits != 1 {
		t.Fatalf("the seal is %+v", s)
	}
	killedDir := newPath(t)
	copyDir(t, db.dir, killedDir)
	requireValue(t, open(t, killedDir, Options{}), "two", "2")
	db.sealFile = nil // Close opens it again
}

func TestTheOptionsMakeBadgerSyncEveryCommit(t *testing.T) {
	t.Parallel()
	if !badgerOptions("").SyncWrites {
		t.Error("SyncWrites is false")
	}
}

func TestNoPageOfTheLogIsDirtyAfterACommit(t *testing.T) {
	t.Parallel()
	dir := kvtest.Must(os.MkdirTemp("/var/tmp", "ephemera"))(t) // /tmp can be in memory
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	unsynced := kvtest.Must(openBadger(badgerOptions(filepath.Join(dir, "unsynced")).WithSyncWrites(false)))(t)
	txn := unsynced.NewTransaction(true)
	kvtest.OK(t, txn.Set([]byte("key"), nil))
	kvtest.OK(t, txn.Commit())
	if dirty := dirtyBytes("unsynced/00001" + logExt); dirty == 0 {
		t.Skip("no page is dirty without a sync either, so this system does not show dirty pages")
	}
	kvtest.OK(t, unsynced.Close())

	db := open(t, filepath.Join(dir, "db"), Options{})
	for n := range 20 {
		set(t, db, fmt.Sprint(n), "value")
		if dirty := dirtyBytes(dir + "/db/00001" + logExt); dirty > 0 {
			t.Fatalf("commit %d returned with %d bytes that are not on the disk", n, dirty)
		}
	}
}

// dirtyBytes returns how many bytes of a file that this process has mapped are not on
// the disk. The file is named by the end of its path. The result is 0 if the system does
// not say.
func dirtyBytes(pathEnd string) int {
	smaps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0
	}
	defer smaps.Close()
	isFile := false
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		line := lines.Text()
		if strings.Contains(line, "/") { // the first line about a mapped file
			isFile = strings.HasSuffix(line, pathEnd)
		}
		kilobytes := 0
		_, err := fmt.Sscanf(line, "Private_Dirty: %d kB", &kilobytes)
		if err == nil && isFile {
			return kilobytes * 1024
		}
	}
	return 0
}
