package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4/pb"
)

// Rescued reports what [Rescue] did.
type Rescued struct {
	OldFilesDir   string   // the directory that holds every file as it was
	BrokenTables  []string // tables that could not be read completely
	UnlistedCount uint64   // how many tables were read that the MANIFEST did not list
}

// Rescue makes a new database from every record that can still be read, and calls check with
// it. If check returns nil, the new database replaces the old one. The old files are kept in
// the directory "rescue" inside dir, which this package never reads again.
//
// Rescue fails if the new database cannot be built, with the error of check, and with a
// [*LockedError], a [*MissingError], a [*SpaceError] or a [*DirError].
// After an error, the directory is as it was, unless the error says that the next opening
// finishes the move of the new files. If the process ends meanwhile, the next opening finds
// either the old database or the new one.
func Rescue(dir string, check func(*DB) error) (report Rescued, err error) {
	files, lock, err := lockForReplace(dir, refuseMissing)
	if err != nil {
		return report, err
	}
	defer lock.release(keepCreated)
	dir = lock.dir
	if !files.hasDatabase {
		return report, cannotUseError(dir, "it holds no database")
	}

	report.OldFilesDir, err = replaceDatabase(dir, replacement{
		logs:        files.logs,
		fill:        func(target *builder) error { return report.addTables(dir, files, target) },
		check:       check,
		mustKeepOld: true,
	})

	// An unfinished move and a full disk have errors that say already what the user can do.
	if err == nil || errors.Is(err, errMoveUnfinished) || errors.As(err, new(*SpaceError)) {
		return report, err
	}
	return report, fmt.Errorf(
		"the database in %s cannot be rescued: %w; it was left as it was; restore a backup into another directory",
		dir, err)
}

// addTables adds every readable record of the tables in dir to a new database.
//
// The MANIFEST, Badger's list of its tables, can lack a table for two reasons. Either the
// entry was lost: then the table is newer than every listed one, or the MANIFEST cannot
// be read. Or Badger has replaced the table. A replaced table is left out, because it can
// hold records that were deleted since.
func (r *Rescued) addTables(dir string, files listing, target *builder) error {
	// The record of the schema may be lost, so add one. If the old one is not lost, it has a
	// higher version and counts instead.
	if err := target.add(&pb.KV{Key: schemaKey, Value: encodeSchema(), Version: 1}); err != nil {
		return err
	}

	listedTables, manifestErr := readManifest(dir)
	if isSystemError(manifestErr) && !errors.Is(manifestErr, fs.ErrNotExist) {
		return dirError(dir, manifestErr)
	}
	tables := checkTables(dir, maps.Keys(files.tableIDs))
	newestListedVersion := uint64(0)
	for id := range listedTables {
		newestListedVersion = max(newestListedVersion, tables[id].newestVersion)
	}

	for _, id := range slices.Sorted(maps.Keys(tables)) {
		_, isListed := listedTables[id]
		wasReplaced := !isListed && manifestErr == nil && tables[id].newestVersion <= newestListedVersion
		if wasReplaced {
			continue
		}
		if !isListed {
			r.UnlistedCount++
		}
		isBroken := tables[id].err != nil
		records, err := readRecords(filepath.Join(dir, tableName(id)), isBroken)
		if err != nil {
			return dirError(dir, err)
		}
		if isBroken {
			r.BrokenTables = append(r.BrokenTables, tableName(id))
		}
		for _, record := range records {
			if err := target.add(record); err != nil {
				return err
			}
		}
	}
	return nil
}
