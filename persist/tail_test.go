package persist

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
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

// Most of a start after a clean end is to trust the tables. Badger finds out
// about the index of one; the rest would end the process, and is looked at.
func TestOfATableThatWasNotedOnlyTheIndexIsLeftToBadger(t *testing.T) {
	k := many(t)
	name := filepath.Base(tables(t, k.dir)[0])
	for part, at := range parts(t, filepath.Join(k.dir, name)) {
		t.Run(part, func(t *testing.T) {
			dir := k.copy(t)
			rot(t, filepath.Join(dir, name), at)
			_, trusting := look(dir, false)
			if seen := trusting != nil; seen == (part == "the index") {
				t.Errorf("a look says: %v", trusting)
			}
			_, closely := look(dir, true)
			if closely == nil {
				t.Fatal("a close look says nothing")
			}
			before := sums(t, dir)
			_, err := Open(dir, Options{})
			if damaged := (*DamagedError)(nil); !errors.As(err, &damaged) || err.Error() != closely.Error() {
				t.Errorf("it is opened with %v, and a close look says: %v", err, closely)
			}
			if after := sums(t, dir); after != before {
				t.Errorf("refused, but changed:\n%s%s", before, after)
			}
		})
	}
}

// Who has ended without closing may have ended over a table.
func TestAfterAKillNoTableIsTakenOnTrust(t *testing.T) {
	k := many(t)
	reopened := open(t, k.dir, Options{})
	set(t, reopened, "key", "value") // from here on the seal says that it is open
	dir := k.copy(t)
	if l, err := look(dir, false); err != nil || !l.closely {
		t.Errorf("closely: %t, %v", l.closely, err)
	}
	rot(t, tables(t, dir)[0], parts(t, tables(t, dir)[0])["the index"])
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
