package persist

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Rescued tells what [Rescue] did.
type Rescued struct {
	Kept     string   // the directory that holds every file as it was
	Broken   []string // tables of which not everything could be read
	Relisted uint64   // tables that the MANIFEST did not list, and that were read
}

// RescueError says why a database could not be rescued. The directory is as it
// was.
type RescueError struct {
	Dir string
	Err error
}

func (e *RescueError) Error() string {
	return fmt.Sprintf("the database in %s cannot be rescued: %v; it was left as it was; restore a backup into another directory", e.Dir, e.Err)
}

func (e *RescueError) Unwrap() error { return e.Err }

// Rescue makes a new database of every record that can still be read, hands it
// to check, and if that finds it fit for use, moves it in place. The files of before are
// kept in a directory "rescue" inside, which nothing reads again. After an error, or an
// end of the process, the directory is as it was, or the next opening finishes what
// is left and the error says so. It fails with a [*RescueError] when check refuses, a
// [*LockedError], a [*SpaceError] or a [*DirError].
func Rescue(dir string, check func(*DB) error) (done Rescued, err error) {
	if _, err := os.Stat(dir); err != nil {
		return done, dirError(dir, err)
	}
	dir, f, lock, err := lockForReplace(dir)
	if err != nil {
		return done, err
	}
	defer lock.release(true)
	if !f.database {
		return done, &DirError{Dir: dir, Problem: "it holds no database"}
	}
	done.Kept, err = replace(dir, newcomer{
		keep: true, logs: f.logs, check: check,
		fill: func(b *builder) error { return done.readTables(dir, f, b) },
	})
	if err != nil && !errors.Is(err, errUnmoved) && !errors.As(err, new(*SpaceError)) {
		err = &RescueError{Dir: dir, Err: err}
	}
	return done, err
}

// readTables puts into a new database what the tables hold.
func (r *Rescued) readTables(dir string, f files, b *builder) error {
	listed, unknown := readManifest(dir)
	all := checkTables(dir, maps.Keys(f.tableIDs()))
	newest := uint64(0)
	for id := range listed {
		newest = max(newest, all[id].version)
	}
	// The version of how records lie may be in what is lost; a newer one that is
	// not stands above this.
	if err := b.set(entry{key: schemaKey, value: strconv.AppendInt(nil, schema, 10), version: 1}); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		c := all[id]
		if _, ok := listed[id]; !ok {
			// What a compaction has replaced would bring back what was deleted.
			if unknown == nil && c.version <= newest {
				continue
			}
			r.Relisted++
		}
		if c.err != nil {
			r.Broken = append(r.Broken, tableName(id))
		}
		for _, e := range entriesOf(filepath.Join(dir, tableName(id)), c.err != nil) {
			if err := b.set(e); err != nil {
				return err
			}
		}
	}
	return nil
}
