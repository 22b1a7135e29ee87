package persist

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4/pb"
)

// Rescued reports what [Rescue] did.
type Rescued struct {
	Kept     string   // the directory that holds every file as it was
	Broken   []string // tables that could not be read completely
	Relisted uint64   // how many tables were read that the MANIFEST did not list
}

// Rescue makes a new database from every record that can still be read, passes it to
// check, and moves it into place if check accepts it. The old files are kept in a
// directory "rescue" inside, which nothing reads again. After an error, or if the process
// ends, the directory is as it was, or the next opening finishes the move and the error
// says so.
//
// It fails if the new database cannot be built or check refuses it, and with a
// [*LockedError], a [*MissingError], a [*SpaceError] or a [*DirError].
func Rescue(dir string, check func(*DB) error) (done Rescued, err error) {
	dir, files, lock, err := lockForReplace(dir, false)
	if err != nil {
		return done, err
	}
	defer lock.release(true)
	if !files.hasDatabase {
		return done, &DirError{Dir: dir, Problem: "it holds no database"}
	}

	// Collect what can be read, log by log and table by table.
	done.Kept, err = replaceDatabase(dir, replacement{
		logs:    files.logs,
		fill:    func(b *builder) error { return done.addTables(dir, files, b) },
		check:   check,
		keepOld: true,
	})
	if err != nil && !errors.Is(err, errMoveUnfinished) && !errors.As(err, new(*SpaceError)) {
		err = fmt.Errorf("the database in %s cannot be rescued: %w; it was left as it was; restore a backup into another directory", dir, err)
	}
	return done, err
}

// addTables adds every readable record of the tables in dir to a new database, and notes the
// broken and the unlisted tables in r. A table that the MANIFEST (Badger's list of its
// tables) does not list was either lost from the list or replaced by a compaction, which
// rewrites old tables as new ones. It was lost if it is newer than every listed table, or
// if the MANIFEST cannot be read. A replaced table is left out, because it still holds
// records that were deleted since.
func (r *Rescued) addTables(dir string, files listing, b *builder) error {
	// The stored schema may be lost. If it is not, its version is above this one.
	if err := b.add(&pb.KV{Key: schemaKey, Value: encodeSchema(), Version: 1}); err != nil {
		return err
	}

	listed, manifestErr := readManifest(dir)
	tables := checkTables(dir, maps.Keys(files.tables))
	newestListed := uint64(0)
	for id := range listed {
		newestListed = max(newestListed, tables[id].version)
	}
	for _, id := range slices.Sorted(maps.Keys(tables)) {
		_, isListed := listed[id]
		wasReplaced := !isListed && manifestErr == nil && tables[id].version <= newestListed
		if wasReplaced {
			continue
		}
		if !isListed {
			r.Relisted++
		}
		isBroken := tables[id].err != nil
		if isBroken {
			r.Broken = append(r.Broken, tableName(id))
		}
		for _, record := range readRecords(filepath.Join(dir, tableName(id)), isBroken) {
			if err := b.add(record); err != nil {
				return err
			}
		}
	}
	return nil
}
