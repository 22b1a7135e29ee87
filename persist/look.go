package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
)

// look reads the files of a database before Badger may touch them, and changes
// nothing. Badger opens what it should not: without its MANIFEST it deletes
// every table, it deletes tables that a cut MANIFEST does not list, it cuts a
// log at the first bad byte, and a broken table ends the process. What a
// program that was killed leaves behind is none of that, and passes.
//
// After a clean end, a table that is as it was sealed is believed to hold what
// was found in it then, if it still ends as it did. Badger notices what else is
// broken of what it opens; closely looks at all tables anew, to say which it
// is. It fails with a [*SchemaError], a [*DamagedError], an [*OlderError] or a
// [*DirError].
func look(dir string, closely bool) (l looker, err error) {
	l.dir, l.noted = dir, map[uint64]note{}
	if l.seal, err = readSeal(dir); err != nil {
		return l, dirError(dir, err)
	}
	l.closely = closely || l.seal.open
	if l.files, err = os.ReadDir(dir); err != nil {
		return l, dirError(dir, err)
	}
	for _, step := range []func() error{l.manifest, l.listedTables, l.logs, l.unlistedTables} {
		if err := step(); err != nil {
			return l, err
		}
	}
	if l.memory > 0 && l.found == (leads{}) {
		return l, &DirError{Dir: dir, Problem: anothers}
	}
	if l.found.schema > schema {
		return l, &SchemaError{Dir: dir, Found: l.found.schema, Known: schema}
	}
	if l.found.commits < l.seal.commits {
		return l, &OlderError{Dir: dir, Sealed: l.seal.commits, Found: l.found.commits}
	}
	return l, nil
}

// looker is a look at a database, and what it has found.
type looker struct {
	dir     string
	closely bool
	seal    seal
	files   []fs.DirEntry
	tables  map[uint64]stamp // among the files
	listed  map[uint64]badger.TableManifest
	noted   map[uint64]note // of the listed ones
	logged  int             // logs that hold something
	memory  int64           // the memory table that a log needs; 0: the usual one
	found   leads           // what Badger will find
}

func (l *looker) damaged(err error, format string, args ...any) error {
	return &DamagedError{Dir: l.dir, Problem: fmt.Sprintf(format, args...), Err: err}
}

// manifest reads which tables belong to the database.
func (l *looker) manifest() error {
	var stamped error
	var wg sync.WaitGroup
	wg.Go(func() { l.tables, stamped = stampsOf(l.files) })
	m, err := readManifest(l.dir)
	wg.Wait()
	switch {
	case stamped != nil:
		return dirError(l.dir, stamped)
	case errors.Is(err, fs.ErrNotExist) && len(l.tables) > 0:
		return l.damaged(err, "its MANIFEST is missing, without which its %d tables are of no use", len(l.tables))
	case errors.Is(err, fs.ErrNotExist):
		return nil // it was killed before it had a table
	case errors.Is(err, fs.ErrPermission):
		return dirError(l.dir, err)
	case err != nil:
		return l.damaged(err, "its MANIFEST is broken (%s)", firstWords(err))
	}
	l.listed = m.Tables
	for id := range l.listed {
		if _, ok := l.tables[id]; !ok {
			return l.damaged(nil, "the table %s is missing", tableName(id))
		}
	}
	return nil
}

func readManifest(dir string) (badger.Manifest, error) {
	f, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if err != nil {
		return badger.Manifest{}, err
	}
	defer f.Close()
	m, _, err := badger.ReplayManifestFile(f, 0, options(dir))
	return m, err
}

// listedTables checks every table that Badger will open.
func (l *looker) listedTables() error {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		worst error
		turns = make(chan struct{}, 3) // as many as Badger opens at once
	)
	for id, t := range l.listed {
		if worst := func() error { mu.Lock(); defer mu.Unlock(); return worst }(); worst != nil {
			break
		}
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			n, err := l.table(id, t.Compression)
			mu.Lock()
			defer mu.Unlock()
			l.noted[id] = n
			l.found = l.found.and(n.leads)
			if err != nil && worst == nil {
				worst = l.damaged(err, "the table %s is broken (%v)", tableName(id), err)
				if errors.Is(err, fs.ErrPermission) {
					worst = dirError(l.dir, err)
				}
			}
		})
	}
	wg.Wait()
	return worst
}

// table checks one table. It is read in whole where something else than Badger
// has been at it since it was sealed.
func (l *looker) table(id uint64, packed badgeroptions.CompressionType) (note, error) {
	path, now := filepath.Join(l.dir, tableName(id)), l.tables[id]
	sealed, ok := l.seal.tables[id]
	touched := ok && sealed != now
	if n, ok := l.seal.noted[id]; ok && !touched && !l.closely {
		f, err := os.Open(path)
		if err != nil {
			return note{}, err
		}
		defer f.Close()
		if n.stillEnds(f, now.size) {
			return n, nil
		}
		touched = true
	}
	return checkTable(path, packed, touched)
}

// unlistedTables makes sure that the tables which Badger will delete hold
// nothing that is not elsewhere. A kill leaves such tables: they are not
// written in whole, or stand for logs and tables that are still there.
func (l *looker) unlistedTables() error {
	for id := range l.tables {
		if _, ok := l.listed[id]; ok {
			continue
		}
		n, err := checkTable(filepath.Join(l.dir, tableName(id)), badgeroptions.Snappy, false)
		if err == nil && n.commits > l.found.commits {
			return l.damaged(nil, "its MANIFEST is cut: it does not list the table %s, which leads to commit %d and the rest only to %d",
				tableName(id), n.commits, l.found.commits)
		}
	}
	return nil
}

// logs reads what was not yet written to tables.
func (l *looker) logs() error {
	for _, log := range logsAmong(l.files) {
		s, err := readLogFile(filepath.Join(l.dir, log.Name()))
		switch {
		case errors.Is(err, fs.ErrPermission):
			return dirError(l.dir, err)
		case err != nil:
			return l.damaged(err, "the log %s cannot be read (%v)", log.Name(), err)
		case s.first > l.found.commits+1:
			return l.damaged(nil, "a log is missing before %s, which begins with commit %d after commit %d", log.Name(), s.first, l.found.commits)
		case s.foreign:
			return l.damaged(nil, "the head of the log %s is broken", log.Name())
		case s.short:
			return l.damaged(nil, "the log %s is cut short", log.Name())
		case s.memory > mostMemory:
			return l.damaged(nil, "the log %s is longer than any of this program", log.Name())
		case s.cut > 1, s.cut > 0 && s.behind > max(l.found.commits, s.commits)+1:
			// The next one alone is a write that was cut off before it was
			// acknowledged.
			return l.damaged(nil, "the log %s is broken at byte %d, with commits up to %d behind that place", log.Name(), s.end, s.behind)
		}
		l.found = l.found.and(s.leads)
		l.memory = max(l.memory, s.memory)
		if s.end > 0 {
			l.logged++
		}
	}
	if l.seal.open && l.logged == 0 {
		return l.damaged(nil, "its log is missing")
	}
	return nil
}

func tableName(id uint64) string { return table.IDToFilename(id) }
