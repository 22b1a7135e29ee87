package persist

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// parts gives a place in each part of the end of a table.
func parts(t *testing.T, path string) map[string]int64 {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	end, err := tailOf(data)
	must(t, err)
	from, to, err := indexIn(data, len(data))
	must(t, err)
	size := int64(len(data))
	return map[string]int64{
		"the last block":          end.last,
		"the end of that block":   int64(from) - 1,
		"the index":               int64(from+to) / 2,
		"the length of the index": int64(to) + 3,
		"the sum of the index":    size - 6,
		"the end of the file":     size - 1,
	}
}

// Most of a start after a clean end is to trust the tables. What Badger reads of
// them then is looked at, as it could end the process.
func TestOfATableThatWasNotedNothingThatBadgerReadsIsTakenOnTrust(t *testing.T) {
	k := many(t)
	name := filepath.Base(tables(t, k.dir)[0])
	for part, at := range parts(t, filepath.Join(k.dir, name)) {
		t.Run(part, func(t *testing.T) {
			dir := k.copy(t)
			rot(t, filepath.Join(dir, name), at)
			_, closely := look(dir, true)
			if closely == nil {
				t.Fatal("a close look says nothing")
			}
			before := sums(t, dir)
			if _, err := Open(dir, Options{}); !errors.As(err, new(*DamagedError)) || err.Error() != closely.Error() {
				t.Errorf("it is opened with %v, and a close look says: %v", err, closely)
			}
			if after := sums(t, dir); after != before {
				t.Errorf("refused, but changed:\n%s%s", before, after)
			}
		})
	}
}

// The rest of a table is where the start saves its time.
func TestOfATableThatWasNotedTheBeginningIsTakenOnTrust(t *testing.T) {
	k := many(t)
	dir := k.copy(t)
	rot(t, tables(t, dir)[0], 10)
	if _, err := look(dir, false); err != nil {
		t.Errorf("after a clean end, a look says: %v", err)
	}
	s, err := readSeal(dir)
	must(t, err)
	s.noted = nil
	must(t, s.write(dir))
	if _, err := look(dir, false); err == nil {
		t.Error("without a note, a look says nothing")
	}
}

// Badger maps the index, and where the disk cannot give it that ends the
// process. Here it can be said.
func TestWhatTheDiskCannotGiveIsNotGiven(t *testing.T) {
	path := tables(t, many(t).dir)[0]
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	info, err := f.Stat()
	must(t, err)
	if !given(f, 10, info.Size()) {
		t.Error("all of it is there")
	}
	if given(f, 10, info.Size()+1) {
		t.Error("a byte more is not")
	}
}

// The lengths at the end of a table are bytes like all others.
func TestAnEndThatCannotBeIsNoEnd(t *testing.T) {
	data, err := os.ReadFile(tables(t, many(t).dir)[0])
	must(t, err)
	end, err := tailOf(data)
	must(t, err)
	_, to, err := indexIn(data, len(data))
	must(t, err)
	path := filepath.Join(t.TempDir(), "table")
	ends := func(end tail, data []byte) bool {
		must(t, os.WriteFile(path, data, 0o600))
		f, err := os.Open(path)
		must(t, err)
		defer f.Close()
		return end.stillEnds(f, int64(len(data)))
	}
	if !ends(end, data) {
		t.Error("it ends as it did")
	}
	for _, last := range []int64{-1, int64(to), int64(len(data)) + 1} {
		if ends(tail{last, end.sum}, data) {
			t.Errorf("its last block begins at byte %d of %d", last, len(data))
		}
	}
	for _, n := range []int{to + 1, math.MaxInt32, math.MaxUint32} {
		binary.BigEndian.PutUint32(data[to:], uint32(n))
		if _, _, err := indexIn(data, len(data)); err == nil {
			t.Errorf("its index takes %d bytes of %d", n, to)
		}
		if ends(end, data) {
			t.Errorf("with an index of %d bytes it ends as it did", n)
		}
	}
}

// Who has ended without closing may have ended over a table.
func TestAfterAKillNoTableIsTakenOnTrust(t *testing.T) {
	k := many(t)
	reopened := open(t, k.dir, Options{})
	set(t, reopened, "key", "value") // from here on the seal says that it is open
	dir := k.copy(t)
	if _, err := look(dir, false); err != nil {
		t.Error(err)
	}
	rot(t, tables(t, dir)[0], 10)
	if _, err := look(dir, false); !errors.As(err, new(*DamagedError)) {
		t.Errorf("got %v", err)
	}
}

// A start that changes nothing writes nothing.
func TestTheSealIsWrittenWithTheFirstCommitAndNotBefore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	for _, first := range []string{"a new one", "one that was closed"} {
		db := open(t, dir, Options{})
		if s, err := readSeal(dir); err != nil || s.open {
			t.Errorf("%s: %+v, %v", first, s, err)
		}
		for range 2 {
			set(t, db, "key", first)
			if s, err := readSeal(dir); err != nil || !s.open || s.commits == 0 {
				t.Errorf("%s: %+v, %v", first, s, err)
			}
		}
		must(t, db.Close())
	}
}

func TestASealOfAnEarlierProgramIsUnderstood(t *testing.T) {
	k := many(t)
	s, err := readSeal(k.dir)
	must(t, err)
	if len(s.noted) == 0 || len(s.noted) != len(s.tables) {
		t.Fatalf("%d of %d tables are noted", len(s.noted), len(s.tables))
	}
	s.noted = nil // a line of it was that much shorter
	must(t, s.write(k.dir))
	must(t, getAll(open(t, k.dir, Options{}), k.records))
}

// The look and Badger's lock are two locks, and between them there is none.
func TestWhoWritesBetweenTheLookAndTheLockIsCounted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	must(t, open(t, dir, Options{}).Close())
	d, err := lookedAt(dir, Options{})
	must(t, err)
	other := open(t, dir, Options{})
	for range 3 {
		set(t, other, "key", "another's")
	}
	must(t, other.Close())
	must(t, d.open())
	set(t, d, "key", "ours")
	if s, err := readSeal(dir); err != nil || s.commits != 4 || !s.open {
		t.Errorf("the seal says %+v, %v", s, err)
	}
	must(t, d.Close())
}

// A seal that says there is a log would be wrong once the log is a table.
func TestASealThatCannotBeWrittenAtTheEndIsTakenAway(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	db := open(t, dir, Options{})
	set(t, db, "key", "value")
	must(t, os.Mkdir(filepath.Join(dir, sealFile+".new"), 0o700)) // in its way
	must(t, db.Close())
	expect(t, open(t, dir, Options{}), "key", "value")
}

// What was noted of a table holds for the table as it was then.
func TestATableThatWasTouchedWhileItWasOpenIsNotNoted(t *testing.T) {
	k := many(t)
	db := open(t, k.dir, Options{})
	table := tables(t, k.dir)[0]
	must(t, os.Chtimes(table, time.Unix(1, 0), time.Unix(1, 0)))
	must(t, db.Close())
	s, err := readSeal(k.dir)
	if len(s.tables) == 0 || len(s.noted) > len(s.tables)-1 {
		t.Errorf("of %d tables %d are noted, %v", len(s.tables), len(s.noted), err)
	}
}
