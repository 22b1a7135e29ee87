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
	// What was found free holds for so long, and for so many bytes of what is
	// written. No disk gives as much meanwhile to others as is held back for memory.
	spaceHolds      = 10 * time.Millisecond
	checkSpaceEvery = 1 << 20
	// Files that Badger and others may make meanwhile. Badger loses a table whose
	// file it cannot make in a compaction.
	filesToMake = 1000
)

// spaceCheck is when there was last found to be room, and how much was in tables
// then, or on its way there.
type spaceCheck struct {
	at       time.Time
	inTables int64
}

// room fails with a [*SpaceError] when a write might find the disk full. It is
// the writer's.
func (d *DB) room() error {
	if time.Since(d.space.at) < spaceHolds && d.inTables.Load()-d.space.inTables < checkSpaceEvery {
		return nil
	}
	d.space = spaceCheck{}
	needed := roomForMemory + min(d.inTables.Load(), mostCompacted)
	free, files, ok := freeOn(d.dir)
	switch {
	case ok && files < filesToMake:
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed, Files: true}
	case ok && (free < needed || d.lowSpace):
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed, Reopen: free >= needed}
	}
	d.space = spaceCheck{at: time.Now(), inTables: d.inTables.Load()}
	return nil
}

// roomFor notes that so many bytes are written, and looks for room once they are
// many.
func (d *DB) roomFor(n int) error {
	if d.inTables.Add(int64(n))-d.space.inTables < checkSpaceEvery {
		return nil
	}
	return d.room()
}

// roomToOpen fails with a [*SpaceError] when there is not even room to open
// the database. Where there is room for that and no more, no table is compacted.
func (d *DB) roomToOpen(f files) error {
	needed := int64(roomToStart)
	for _, log := range f.logs {
		if info, err := log.Info(); err == nil {
			needed += occupied(info) // it becomes a table first of all
		}
	}
	d.inTables.Store(f.size)
	free, files, ok := freeOn(d.dir)
	if !ok {
		return nil
	}
	if free < needed {
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed}
	}
	d.lowSpace = free < roomForMemory+min(d.inTables.Load(), mostCompacted) || files < filesToMake
	return nil
}
