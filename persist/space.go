package persist

import (
	"os"
	"path/filepath"
)

// Badger writes through mapped files, and a page that finds no room on the
// disk ends the process. So there has to be room for all that one write can
// set off, before it: logs and tables are filled bit by bit, and compaction
// writes tables anew before it drops the old ones.
const (
	// Two memory tables: their logs, filled to 8 MiB and one batch more, and
	// the tables that they become; and a megabyte for all that is small.
	roomForMemory = 2*(8<<20+2<<20) + 2*(8<<20) + 1<<20
	// Compaction takes as much again as what it compacts. More than this it
	// does not have in hand at once.
	mostCompacted = 128 << 20
	// What opening alone writes: the first pages of new logs.
	roomToStart = 4 << 20
	// Bytes of a bulk load between two looks.
	lookEvery = 1 << 20
)

// room fails with a [*SpaceError] when a write might find the disk full. The
// look takes a microsecond, so it is never saved.
func (d *DB) room() error {
	needed := roomForMemory + min(d.tables.Load(), mostCompacted)
	free, ok := freeBytes(d.dir)
	if ok && (free < needed || d.cramped) {
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed, Reopen: free >= needed}
	}
	return nil
}

// roomToOpen fails with a [*SpaceError] when there is not even room to open
// the database. Where there is room for that and no more, the database is
// marked as cramped.
func (d *DB) roomToOpen() error {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return dirError(d.dir, err)
	}
	needed := int64(roomToStart)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // gone meanwhile
		}
		switch filepath.Ext(e.Name()) {
		case logKind:
			needed += occupied(info) // it becomes a table first of all
		case tableKind:
			d.tables.Add(info.Size())
		}
	}
	free, ok := freeBytes(d.dir)
	if !ok {
		return nil
	}
	if free < needed {
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed}
	}
	d.cramped = free < roomForMemory+min(d.tables.Load(), mostCompacted)
	return nil
}
