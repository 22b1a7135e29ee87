package persist

import (
	"errors"
	"io/fs"
	"iter"
	"maps"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// Tables of at most smallTables bytes together are read at every opening. Larger ones
// are read when the last check is older than checkInterval, and after an unclean end.
const (
	smallTables   = 32 << 20
	checkInterval = 24 * time.Hour
)

// isCheckDue reports whether every block of the tables has to be read before they are
// opened: a compaction that meets a broken block drops what follows it. It always has to
// if the tables have at most small bytes.
func (l *listing) isCheckDue(s seal, small int64) bool {
	age := time.Since(time.Unix(s.checked, 0))
	isCheckOld := age < 0 || age > checkInterval
	wasClosed := !s.open && len(l.logs) == 0
	areTablesAsClosed := s.tableSum != 0 && s.tableSum == l.tableSum
	return l.tableBytes <= small || isCheckOld || !wasClosed || !areTablesAsClosed
}

// inspection is what is known of a database before Badger opens it.
type inspection struct {
	seal              seal
	hasUnlistedTables bool // there are tables that the MANIFEST does not list
	tablesChecked     bool // every block of the tables was read
}

// inspectFiles refuses a directory that Badger would open with a loss: without its
// MANIFEST Badger deletes every table, it deletes tables that a truncated MANIFEST does
// not list, and it truncates a broken log. It changes nothing. It fails with a
// [*SchemaError], a [*DamagedError] or a [*DirError].
func inspectFiles(dir string, files listing) (found inspection, err error) {
	found.seal, err = readSeal(dir)
	if err != nil {
		return found, dirError(dir, err)
	}
	listed, err := readListedTables(dir, files)
	if err != nil {
		return found, err
	}
	for id := range listed {
		if !files.tables[id] {
			return found, damaged(dir, nil, "the table %s is missing", tableName(id))
		}
	}
	found.hasUnlistedTables = len(files.tables) > len(listed)
	found.tablesChecked = found.hasUnlistedTables || files.isCheckDue(found.seal, smallTables)

	var facts tableFacts // of the listed tables, and of the logs
	newestVersion := uint64(0)
	if found.tablesChecked {
		for id, table := range checkTables(dir, maps.Keys(files.tables)) {
			newestVersion = max(newestVersion, table.version)
			if _, isListed := listed[id]; !isListed {
				continue
			}
			if table.err != nil {
				return found, brokenTableError(dir, id, table.err)
			}
			facts = facts.merge(table)
		}
	}
	for _, log := range files.logs {
		facts.commits, err = lastCommit(filepath.Join(dir, log.Name()), facts.commits)
		if err != nil {
			return found, damaged(dir, nil, "the log %s %v", log.Name(), err)
		}
	}

	s := found.seal
	wasClosed := len(files.logs) == 0
	switch {
	case facts.schema > schema:
		return found, &SchemaError{Dir: dir, Found: facts.schema, Known: schema}
	// A kill leaves unlisted tables that are incomplete, or that replace a log or
	// tables which are still present. Only a newer one after a clean end is lost.
	case found.tablesChecked && (facts.version < s.tableVersion || wasClosed && facts.version < newestVersion):
		return found, damaged(dir, nil, "its MANIFEST is cut: it does not list the newest tables")
	case wasClosed && s.open:
		return found, damaged(dir, nil, "its log is missing")
	case found.tablesChecked && facts.commits < s.commits:
		return found, lostCommitsError(dir, s.commits, facts.commits)
	case !wasClosed || s.present:
		return found, nil
	case len(listed) > 0 && facts.schema == 0 && facts.commits == 0:
		return found, &DirError{Dir: dir, Problem: otherProgram}
	}
	return found, damaged(dir, nil, "its SEAL and its log are missing, so nobody knows what else is")
}

// readListedTables returns the tables that the MANIFEST lists; none if there are no
// tables and no MANIFEST.
func readListedTables(dir string, files listing) (map[uint64]badger.TableManifest, error) {
	listed, err := readManifest(dir)
	isMissing := errors.Is(err, fs.ErrNotExist)
	switch {
	case isMissing && len(files.tables) > 0:
		return nil, damaged(dir, err, "its MANIFEST is missing, without which its %d tables are of no use", len(files.tables))
	case err == nil || isMissing:
		return listed, nil
	}
	return nil, damaged(dir, err, "its MANIFEST is broken (%s)", firstWords(err))
}

// checkTables reads tables from end to end, several at once. The result has the facts
// of each by its number.
func checkTables(dir string, ids iter.Seq[uint64]) map[uint64]tableFacts {
	var (
		running sync.WaitGroup
		mu      sync.Mutex
		all     = map[uint64]tableFacts{}
		slots   = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for id := range ids {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			facts := checkTable(filepath.Join(dir, tableName(id)))

			mu.Lock()
			defer mu.Unlock()
			all[id] = facts
		})
	}
	running.Wait()
	return all
}

// Verify reads every block of every table and compares it with its checksum, which
// Badger does not do when it opens a table. After a broken block, every use of the
// database fails, and its next opening reads the tables again. It fails with a
// [*DamagedError], a [*DirError], or with [kv.ErrClosed].
func (d *DB) Verify() error {
	if err := d.beginUse(); err != nil {
		return err
	}
	defer d.endUse()

	listed, err := readManifest(d.dir)
	if err != nil {
		return dirError(d.dir, err)
	}
	for id, facts := range checkTables(d.dir, maps.Keys(listed)) {
		if facts.err == nil {
			continue
		}
		listedNow, err := readManifest(d.dir)
		if _, isListed := listedNow[id]; err == nil && !isListed {
			continue // a compaction has replaced it meanwhile
		}

		err = brokenTableError(d.dir, id, facts.err)
		var damage *DamagedError
		if errors.As(err, &damage) {
			d.checked.Store(0)
			d.damage.Store(damage)
		}
		return err
	}
	d.checked.Store(time.Now().Unix())
	return nil
}

// damageBehind returns the damage that made Badger panic, which is how Badger answers
// some broken blocks. Without damage the panic goes on.
func (d *DB) damageBehind(panicked any) error {
	if err := d.Verify(); err != nil {
		return err
	}
	panic(panicked)
}
