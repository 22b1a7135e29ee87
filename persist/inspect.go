package persist

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"
)

// These limits decide when an opening reads the tables to find damage; see isCheckDue.
const (
	smallTables   = 32 << 20       // bytes of all tables that are read at every opening
	checkInterval = 24 * time.Hour // after which larger tables are read again
)

// isCheckDue reports whether every block of the tables has to be read before Badger opens
// them. A check is needed because Badger rewrites tables from time to time, and drops the
// records after a broken block when it does. A check is due if one of these is true:
//
//   - The tables have at most smallTables bytes together, so that it is quick.
//   - The last check is older than checkInterval.
//   - The database was not closed cleanly.
//   - A table has changed since the database was closed.
func (l *listing) isCheckDue(previousSeal seal) bool {
	isQuick := l.tableBytes <= smallTables

	age := time.Since(time.Unix(previousSeal.checkedAt, 0))
	isLastCheckOld := age < 0 || age > checkInterval // negative if the clock was set back
	wasCutOff := previousSeal.isInUse || len(l.logs) > 0
	mayHaveChanged := previousSeal.tableSum == 0 || previousSeal.tableSum != l.tableSum // 0 is unknown
	return isQuick || isLastCheckOld || wasCutOff || mayHaveChanged
}

// inspection is what the files of a database show about it before Badger opens it.
type inspection struct {
	seal              seal // as it was read from the directory
	hasLog            bool // there is a log that is not empty
	hasUnlistedTables bool // there are tables that the MANIFEST does not list
	wereTablesRead    bool // every block of the tables was read

	tables      tableList // those of the database
	wasRepaired bool      // the MANIFEST lists others

	// facts is what the listed tables and the logs say about the database. If the tables
	// were not read, it has only the number of commits, and only if a log has one.
	facts          tableFacts
	newestUnlisted uint64 // the newest version in tables that the MANIFEST does not list; 0 if not read
	sealedContent  uint64 // what seal.content must be; 0 if the tables were not read
}

// inspectFiles finds out, before Badger opens a database, whether its files are complete. It
// changes nothing.
//
// It fails if Badger would lose records by opening the directory: Badger deletes every
// table that its MANIFEST does not list, so all of them if the MANIFEST is missing, and
// truncates a broken log. The error is a [*SchemaError], a [*DamagedError] or a [*DirError].
func inspectFiles(dir string, files listing) (findings inspection, err error) {
	findings.seal, err = readSeal(dir)
	if err != nil {
		return findings, dirError(dir, err)
	}

	// The MANIFEST lists the tables that Badger will open, and each must be there.
	findings.tables, findings.wasRepaired, err = findTables(dir, files, findings.seal.base)
	if err != nil {
		return findings, err
	}

	findings.hasLog = len(files.logs) > 0
	findings.hasUnlistedTables = len(files.tableIDs) > len(findings.tables)
	findings.wereTablesRead = findings.wasRepaired || findings.hasUnlistedTables || files.isCheckDue(findings.seal)
	if findings.wereTablesRead {
		if err := findings.readTables(dir, files); err != nil {
			return findings, err
		}
	}

	// The commits in the logs follow those in the tables.
	for _, log := range files.logs {
		path := filepath.Join(dir, log.Name())
		findings.facts.commits, err = readLastCommit(path, findings.facts.commits)
		if err != nil {
			return findings, brokenFileError(dir, err, "the log %s %v", log.Name(), err)
		}
	}
	return findings, findings.compareWithSeal(dir)
}

// compareWithSeal fails as inspectFiles does if the tables and logs lack what the seal counts.
func (i *inspection) compareWithSeal(dir string) error {
	// Only after the tables were read is it known how many commits they hold.
	lacksCommits := i.wereTablesRead && i.facts.commits < i.seal.commits

	// If the process was killed, unlisted tables are normal: they are incomplete, or their
	// records are also in a log or in listed tables. After a clean end there is no log, and
	// an unlisted table that is newer than all listed ones holds records that would be lost.
	isNewestUnlisted := !i.hasLog && i.facts.newestVersion < i.newestUnlisted
	isManifestCut := isNewestUnlisted || i.facts.newestVersion < i.seal.tableVersion

	// Without a seal and a log, records that are not of this program are of another one.
	isUnsealed := !i.hasLog && !i.seal.isPresent
	lacksOwnRecords := i.facts.schema == 0 && i.facts.commits == 0
	isForeign := isUnsealed && len(i.tables) > 0 && lacksOwnRecords
	switch {
	case i.facts.schema > currentSchema:
		return &SchemaError{Dir: dir, FoundSchema: i.facts.schema}
	case i.wereTablesRead && isManifestCut:
		return damagedError(dir, nil, "its MANIFEST is cut: it does not list the newest tables")
	case i.seal.isInUse && !i.hasLog:
		return damagedError(dir, nil, "its log is missing")
	case lacksCommits:
		return lostCommitsError(dir, i.seal.commits, i.facts.commits)
	case i.wereTablesRead && i.seal.content != 0 && i.seal.content != i.sealedContent:
		return damagedError(dir, nil, "a table is not the one that it had when it was closed")
	case isForeign:
		return cannotUseError(dir, otherProgram)
	case isUnsealed:
		return damagedError(dir, nil,
			"its SEAL and its log are missing, so it is not known what else is missing")
	}
	return nil
}

// readTables reads every table, and sets i.facts, i.sealedContent and i.newestUnlisted. It fails
// if a table of the database is broken.
func (i *inspection) readTables(dir string, files listing) error {
	var newTables []tableFacts
	i.sealedContent = knownContent
	i.facts.content = knownContent
	for id, facts := range checkTables(dir, maps.Keys(files.tableIDs)) {
		_, isListed := i.tables[id]
		switch {
		case !isListed:
			i.newestUnlisted = max(i.newestUnlisted, facts.newestVersion)
			continue
		case facts.err != nil:
			return brokenTableError(dir, id, facts.err)
		case id < i.seal.base:
			i.sealedContent += facts.content
			i.facts = i.facts.merge(facts)
		default:
			newTables = append(newTables, facts)
		}
	}

	// The commits in the new tables follow each other without a gap.
	slices.SortFunc(newTables, func(a, b tableFacts) int { return cmp.Compare(a.oldestCommit, b.oldestCommit) })
	for _, facts := range newTables {
		if i.wasRepaired && facts.oldestCommit > i.facts.commits+1 {
			return damagedError(dir, nil, "its MANIFEST is broken, and the commit %d is missing", i.facts.commits+1)
		}
		i.facts = i.facts.merge(facts)
	}
	return nil
}

// checkTables is checkTable for several tables, as many at once as there are processors. The
// result is by the table's number.
func checkTables(dir string, ids iter.Seq[uint64]) map[uint64]tableFacts {
	var (
		workers   sync.WaitGroup
		factsLock sync.Mutex
		factsByID = map[uint64]tableFacts{}
		slots     = make(chan struct{}, runtime.GOMAXPROCS(0)) // limits how many run at once
	)
	for id := range ids {
		slots <- struct{}{} // waits while all slots are taken
		workers.Go(func() {
			defer func() { <-slots }()
			facts := checkTable(filepath.Join(dir, tableName(id)))

			factsLock.Lock()
			defer factsLock.Unlock()
			factsByID[id] = facts
		})
	}
	workers.Wait()
	return factsByID
}

// Verify reads every block of every table and compares it with its checksum. If it finds a broken
// block, every later use of the database fails, and its next opening reads the tables again. It
// fails with a [*DamagedError], a [*DirError], or with [kv.ErrClosed].
func (d *DB) Verify() error {
	if err := d.beginUse(); err != nil {
		return err
	}
	defer d.endUse()

	listedTables, err := readManifest(d.dir)
	if err != nil {
		return dirError(d.dir, err)
	}

	for id, facts := range checkTables(d.dir, maps.Keys(listedTables)) {
		if facts.err == nil {
			continue
		}

		// As the time of the last check is 0, the next opening reads the tables.
		err := brokenTableError(d.dir, id, facts.err)
		if errors.As(err, new(*DamagedError)) {
			d.checkedAt.Store(0)
			d.endUseBy(err)
		}
		return err
	}
	d.checkedAt.Store(time.Now().Unix())
	return nil
}

// findDamage returns the error for the broken table that made Badger panic. To find it, it reads
// every one. If none is broken, the panic has another cause, such as a commit that has failed.
func (d *DB) findDamage(panicked any) error {
	if err := d.Verify(); err != nil {
		return err
	}
	return cannotUseError(d.dir, "it cannot be read any more ("+firstErrorLine(panicked)+"); open it again")
}
