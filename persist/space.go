package persist

import "time"

// Badger writes through mapped files, and a page that finds no room on the
// disk ends the process. So there has to be room for all that one write can
// set off, before it: logs and tables are filled bit by bit, and compaction
// writes tables anew before it drops the old ones.
//
// What no look can see is something else that takes all of that at once while
// Badger has a table on its way. That still ends the process; what was committed
// is in the logs, and opens once there is room.
const (
	// What is on its way when a write begins: up to three memory tables that wait
	// to become tables, and the one that is being filled, whose log grows by one
	// batch more; and a megabyte for all that is small. Tables take as much as
	// the memory, as what cannot be packed is stored as it is.
	roomForMemory = 4*memoryTable + 3<<20 + 2<<20
	// Compaction takes as much again as what it compacts. More than this it
	// does not have in hand at once: the new tables, of which Badger lets 15
	// come together, the level below them, of about 10 MB, and a table of
	// another level with those below it.
	mostCompacted = 15*memoryTable + 64<<20
	// What opening alone writes: the first pages of new logs.
	roomToStart = 4 << 20
	// A look holds for so long, and for so many bytes of what is written. No
	// disk takes as much meanwhile from others as is held back for memory.
	lookHolds = 10 * time.Millisecond
	lookEvery = 1 << 20
	// Files that Badger and others may make while a look holds. Badger loses a
	// table whose file it cannot make in a compaction.
	filesToMake = 1000
)

// room fails with a [*SpaceError] when a write might find the disk full. It is
// the writer's.
func (d *DB) room() error {
	if time.Since(d.looked.at) < lookHolds && d.tables.Load()-d.looked.tables < lookEvery {
		return nil
	}
	d.looked = glance{}
	needed := roomForMemory + min(d.tables.Load(), mostCompacted)
	free, files, ok := freeOn(d.dir)
	switch {
	case ok && files < filesToMake:
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed, Files: true}
	case ok && (free < needed || d.cramped):
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed, Reopen: free >= needed}
	}
	d.looked = glance{at: time.Now(), tables: d.tables.Load()}
	return nil
}

// glance is when the writer last saw that there was room, and how much was in
// tables, or on its way there.
type glance struct {
	at     time.Time
	tables int64
}

// roomToOpen fails with a [*SpaceError] when there is not even room to open
// the database. Where there is room for that and no more, the database is
// marked as cramped.
func (d *DB) roomToOpen() error {
	needed := int64(roomToStart)
	for _, log := range logsAmong(d.before.files) {
		if info, err := log.Info(); err == nil { // or it is gone meanwhile
			needed += occupied(info) // it becomes a table first of all
		}
	}
	for _, t := range d.before.tables {
		d.tables.Add(t.size)
	}
	free, files, ok := freeOn(d.dir)
	if !ok {
		return nil
	}
	if free < needed {
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed}
	}
	d.cramped = free < roomForMemory+min(d.tables.Load(), mostCompacted) || files < filesToMake
	return nil
}
