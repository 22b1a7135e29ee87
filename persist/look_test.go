package persist

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

// logged makes a database that was killed with so many commits, all in its log.
// It gives the places in the log where they begin, and where their counts do.
func logged(t *testing.T, commits int) (k kept, places, counts []int) {
	t.Helper()
	k = kept{dir: filepath.Join(t.TempDir(), "killed")}
	db := open(t, filepath.Join(t.TempDir(), "db"), Options{})
	for i := range commits {
		set(t, db, string(record(i)), "value")
	}
	copyDir(t, db.dir, k.dir)
	log, err := os.ReadFile(k.log())
	must(t, err)
	for at, begin := logHead, logHead; len(counts) < commits; {
		e, err := readEntry(log[at:])
		must(t, err)
		if _, ok := e.count(); ok {
			places, counts = append(places, begin), append(counts, at)
		}
		if at += e.size; e.meta&bitTxn == 0 {
			begin = at
		}
	}
	return k, places, counts
}

func (k kept) log() string { return filepath.Join(k.dir, "00001"+logKind) }

// Badger would cut off the broken one and all that was acknowledged after it. Of
// the last alone nobody can say whether it was ever written in whole.
func TestALogThatIsBrokenBeforeItsLastCommitIsRefused(t *testing.T) {
	k, places, counts := logged(t, 5)
	for i, at := range append(places, counts...) {
		dir := k.copy(t)
		rot(t, filepath.Join(dir, filepath.Base(k.log())), int64(at)+1)
		_, err := look(dir, false)
		if last := i%5 == 4; last && err != nil || !last && !errors.As(err, new(*DamagedError)) {
			t.Errorf("broken at byte %d, in commit %d of 5: %v", at, i%5+1, err)
		}
	}
}

func TestALogThatBeginsOneCommitTooLateIsRefused(t *testing.T) {
	k, places, _ := logged(t, 3)
	log, err := os.ReadFile(k.log())
	must(t, err)
	must(t, os.WriteFile(k.log(), append(log[:places[0]:places[0]], log[places[1]:]...), 0o600))
	must(t, os.Truncate(k.log(), logSize))
	if _, err := look(k.dir, false); !errors.As(err, new(*DamagedError)) || !strings.Contains(err.Error(), "a log is missing before") {
		t.Errorf("got %v", err)
	}
}

// The seal is behind by some seconds, so what is in tables can lead further.
func TestAMissingLogIsMissedAlsoWhereTheTablesLeadAsFarAsTheSeal(t *testing.T) {
	k := closed(t)
	must(t, seal{commits: uint64(k.records), open: true}.write(k.dir))
	if _, err := look(k.dir, false); !errors.As(err, new(*DamagedError)) || !strings.Contains(err.Error(), "its log is missing") {
		t.Errorf("got %v", err)
	}
}

// A kill can come when one log has just become a table, and the next is begun.
func TestALogThatIsOnlyBegunIsALog(t *testing.T) {
	k := closed(t)
	db := open(t, k.dir, Options{})
	copied := k.copy(t)
	must(t, db.Close())
	must(t, seal{commits: uint64(k.records), open: true}.write(copied))
	k.whole(t, "with a log that is begun", open(t, copied, Options{}))
}

// A kill can come when a log has become a table that is not listed yet.
func TestATableThatSaysWhatItsLogSaysMayBeUnlisted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	set(t, db, "key", "value")
	killed := kept{dir: dir}.copy(t)
	must(t, db.Close())
	table := tables(t, dir)[0]
	text, err := os.ReadFile(table)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(killed, filepath.Base(table)), text, 0o600))
	expect(t, open(t, killed, Options{}), "key", "value")
}

// A kill can come between the creation of a log and its first byte.
func TestAnEmptyLogIsMadeAnew(t *testing.T) {
	k := closed(t)
	for _, name := range []string{"00001", "00009"} {
		dir := k.copy(t)
		must(t, os.WriteFile(filepath.Join(dir, name+logKind), nil, 0o600))
		db := open(t, dir, Options{})
		k.whole(t, "with an empty log", db)
		set(t, db, "one more", "record")
	}
}

// Another's may be encrypted: then the keys are in the one, and the head of the
// other names one of them.
func TestOnlyInADatabaseOfOursIsABrokenHeadMendedByMakingTheFileAnew(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{badger.KeyRegistryFileName, "000001" + valueKind} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("it holds what Ephemera never has"), 0o600))
	}
	for _, ours := range []bool{false, true} {
		entries, err := os.ReadDir(dir)
		must(t, err)
		must(t, heal(dir, entries, ours))
		if left := files(t, dir); ours && len(left) > 0 || !ours && len(left) < 2 {
			t.Errorf("ours: %t, left: %v", ours, left)
		}
	}
}

// Two that open it at once share the look, and both may mend it.
func TestWhatAnotherHasMendedMeanwhileIsNoFault(t *testing.T) {
	dir := closed(t).dir
	must(t, os.WriteFile(filepath.Join(dir, "00009"+logKind), nil, 0o600))
	entries, err := os.ReadDir(dir)
	must(t, err)
	for range 2 {
		must(t, heal(dir, entries, true))
	}
}
