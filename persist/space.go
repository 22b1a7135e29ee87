package persist

// Badger writes through mapped files, and a page for which the disk has no space ends the
// process. So each write needs space for everything that it can cause: logs and tables
// are filled bit by bit, and a compaction writes new tables before it removes the old ones.
//
// No check can foresee that another process takes all the space at once while Badger
// writes a table. That still ends the process. What was committed is in the logs, and
// opens once there is space.
const (
	// spaceForMemory is for what waits in memory when a write begins: up to three memory
	// tables that become tables, the one that is being filled, whose log grows by one
	// more batch, and a megabyte for small files. A table takes as much as its memory if
	// its values cannot be compressed.
	spaceForMemory = 4*memoryTable + 3<<20 + 2<<20
	// maxCompacted is how many bytes of tables a compaction rewrites at most, and so how
	// much free space it needs: up to 15 new tables, the level below them of about 10 MB,
	// and a table of another level with those below it.
	maxCompacted = 15*memoryTable + 64<<20
	// spaceToStart is for what an opening writes: the first pages of new logs.
	spaceToStart = 4 << 20
	// spaceCheckBytes is how much is written until the free space is measured again. In
	// that time other programs cannot write as much as spaceForMemory reserves.
	spaceCheckBytes = 1 << 20
	// minFreeFiles is how many more files the disk must be able to take. It is more than
	// Badger and other programs create between two checks. A compaction that cannot create
	// the file of a table loses the table.
	minFreeFiles = 1000
)

// checkSpace fails with a [*SpaceError] if a write might fill the disk. Only the goroutine
// that writes calls it. Where the system does not report free space, it never fails.
func (d *DB) checkSpace() error {
	free, files, isMeasured := freeOn(d.dir)
	needed := d.spaceToWrite()
	lacksFiles := files < minFreeFiles
	lacksBytes := free < needed
	wasOpenedWithoutSpace := d.lowSpace // and so without compactions
	if isMeasured && (lacksFiles || lacksBytes || wasOpenedWithoutSpace) {
		return &SpaceError{
			Dir:    d.dir,
			Free:   free,
			Needed: needed,
			Files:  lacksFiles,
			Reopen: !lacksFiles && !lacksBytes,
		}
	}
	d.spaceCheckedAt = d.tableBytes
	return nil
}

// spaceToWrite returns how many bytes must be free on the disk before a write: for what waits
// in memory, and for a compaction, which rewrites tables before it removes the old ones.
func (d *DB) spaceToWrite() int64 {
	return spaceForMemory + min(d.tableBytes, maxCompacted)
}

// countWrite adds the bytes of a write to the estimated size of the tables. After every
// spaceCheckBytes of writes it checks the free space, and fails as checkSpace does.
func (d *DB) countWrite(bytes int) error {
	d.tableBytes += int64(bytes)
	if d.tableBytes-d.spaceCheckedAt < spaceCheckBytes {
		return nil
	}
	return d.checkSpace()
}

// checkSpaceToOpen fails with a [*SpaceError] if there is no space to open the database.
// If there is no space to write afterwards, it sets lowSpace, so that every write is
// refused and Badger compacts no table.
func (d *DB) checkSpaceToOpen(files listing) error {
	needed := int64(spaceToStart)
	for _, log := range files.logs {
		if info, err := log.Info(); err == nil {
			needed += occupied(info) // the opening makes a table of it
		}
	}
	d.tableBytes = files.tableBytes
	free, freeFiles, ok := freeOn(d.dir)
	if !ok {
		return nil
	}
	if free < needed {
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed}
	}
	d.lowSpace = free < d.spaceToWrite() || freeFiles < minFreeFiles
	return nil
}
