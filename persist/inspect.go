package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// smallTables is how many bytes of tables are checked at every opening; more than
// that are when checkEvery is over, or the last end was not clean.
const (
	smallTables = 32 << 20
	checkEvery  = 24 * time.Hour
)

// checkDue says whether the tables have to be checked before they are opened for
// writing, because a compaction that comes upon a broken block would drop what
// follows it. Of tables that together have no more than small bytes it always is.
func (f *files) checkDue(s seal, small int64) bool {
	age := time.Since(time.Unix(s.checked, 0))
	return f.size <= small || s.open || len(f.logs) > 0 || age < 0 || age > checkEvery ||
		s.files == 0 || s.files != f.sum
}

// inspection is what is known of a database before Badger opens it.
type inspection struct {
	seal     seal
	unlisted bool // there are tables that the MANIFEST does not list
	due      bool // the tables have been checked
}

// inspect holds a directory to what Badger should be given, which opens too much:
// without its MANIFEST it deletes every table, and it deletes tables that a cut
// MANIFEST does not list, and it cuts a log off where it is broken. It changes
// nothing. It fails with a [*SchemaError], a [*DamagedError] or a [*DirError].
func inspect(dir string, f files) (l inspection, err error) {
	if l.seal, err = readSeal(dir); err != nil {
		return l, dirError(dir, err)
	}
	damaged := func(form string, args ...any) error {
		return &DamagedError{Dir: dir, Problem: fmt.Sprintf(form, args...), Err: err}
	}
	listed, err := readManifest(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(f.tables) > 0:
		return l, damaged("its MANIFEST is missing, without which its %d tables are of no use", len(f.tables))
	case errors.Is(err, fs.ErrPermission):
		return l, dirError(dir, err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return l, damaged("its MANIFEST is broken (%s)", firstWords(err))
	}
	err = nil
	there := f.tableIDs()
	for id := range listed {
		if !there[id] {
			return l, damaged("the table %s is missing", tableName(id))
		}
	}
	l.unlisted = len(there) > len(listed)
	l.due = l.unlisted || f.checkDue(l.seal, smallTables)
	var facts tableFacts // of the tables that are listed
	newest := facts      // of all
	if l.due {
		for id, c := range checkTables(dir, maps.Keys(there)) {
			if _, ok := listed[id]; ok && c.err != nil {
				return l, brokenTable(dir, id, c.err)
			} else if ok {
				facts = facts.and(c)
			}
			newest = newest.and(c)
		}
	}
	for _, e := range f.logs { // the oldest first
		first, last, err := commitsInLog(filepath.Join(dir, e.Name()))
		switch {
		case err != nil:
			return l, damaged("the log %s %v", e.Name(), err)
		case first > facts.commits+1:
			return l, damaged("the commits %d to %d are lost, before those in the log %s", facts.commits+1, first-1, e.Name())
		}
		facts.commits = max(facts.commits, last)
	}
	switch cleanly := len(f.logs) == 0; {
	case facts.schema > schema:
		return l, &SchemaError{Dir: dir, Found: facts.schema, Known: schema}
	// A kill leaves tables unlisted that are not whole, or stand for a log or for
	// tables that are still there.
	case l.due && (facts.version < l.seal.tables || cleanly && facts.version < newest.version):
		return l, damaged("its MANIFEST is cut: it does not list the newest tables")
	case cleanly && l.seal.open:
		return l, damaged("its log is missing")
	case l.due && facts.commits < l.seal.commits:
		return l, damaged(lostCommits, l.seal.commits, facts.commits)
	case !cleanly || l.seal.present:
		return l, nil
	case len(listed) > 0 && facts.schema == 0 && facts.commits == 0:
		return l, &DirError{Dir: dir, Problem: anothers}
	}
	return l, damaged("its SEAL and its log are missing, so nobody knows what else is")
}

const lostCommits = "its seal counts %d commits, and its files hold %d"

func brokenTable(dir string, id uint64, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return dirError(dir, err)
	}
	return &DamagedError{Dir: dir, Problem: "the table " + tableName(id) + " is broken (" + err.Error() + ")", Err: err}
}

// checkTables reads tables from end to end, several at once.
func checkTables(dir string, ids iter.Seq[uint64]) map[uint64]tableFacts {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		all   = map[uint64]tableFacts{}
		turns = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for id := range ids {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			facts := checkTable(filepath.Join(dir, tableName(id)))
			mu.Lock()
			defer mu.Unlock()
			all[id] = facts
		})
	}
	wg.Wait()
	return all
}

// Verify reads every block of every table against its checksum, which Badger
// does not when it opens one. A database in which it has found a broken one
// answers nothing any more, and the next opening checks. It fails with a
// [*DamagedError], a [*DirError], or with [kv.ErrClosed].
func (d *DB) Verify() error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	listed, err := readManifest(d.dir)
	if err != nil {
		return dirError(d.dir, err)
	}
	for id, c := range checkTables(d.dir, maps.Keys(listed)) {
		if c.err == nil {
			continue
		}
		now, err := readManifest(d.dir)
		if _, still := now[id]; err == nil && !still {
			continue // a compaction has replaced it meanwhile
		}
		err = brokenTable(d.dir, id, c.err)
		if damage := (*DamagedError)(nil); errors.As(err, &damage) {
			d.checked.Store(0)
			d.damage.Store(damage)
		}
		return err
	}
	d.checked.Store(time.Now().Unix())
	return nil
}

// broken makes an error of a panic inside Badger, which is how it answers some
// broken blocks. A panic that is not about one goes on.
func (d *DB) broken(panicked any) error {
	if err := d.Verify(); err != nil {
		return err
	}
	panic(panicked)
}
