// Package persist keeps a store on disk: Badger behind the interfaces of [kv].
//
// A database is one directory. One process at a time may write to it; several may
// read one that was closed cleanly.
//
// The first byte of each key in Badger separates two kinds of records: 0x00 begins the
// package's own (the schema version and the number of commits), 0x01 begins those of
// callers. Callers see neither byte. The byte is needed because Badger refuses an empty
// key and reserves some names, and a kv store does neither.
//
// # Why files are checked
//
// Badger is careless with missing or broken files. It deletes tables that its MANIFEST
// does not list, truncates a log at the first entry it cannot read, returns results
// without the records of a broken block, and ends the process over some files. A full
// disk ends the process too. So [Open] locks the directory and checks every file before
// Badger opens any of them, and every write first checks the free space.
//
// Badger is careless with failed calls of the system, too. It loses tables in a compaction,
// tries for ever to write a table, or ends the process. See merge.go and close.go.
//
// # What a commit promises
//
// [DB.Update] and [DB.Load] sync the log before they return. Afterwards they count the
// commit in the seal, a file beside Badger's. The seal is rewritten after every commit
// but synced only every five seconds, so its count is exact after a kill, may be too low
// after a power cut, and is never too high.
//
// # What is checked, and when
//
// Every opening goes through these steps, in this order, under the lock:
//
//  1. prepareFiles finishes a move that was interrupted, and verifies that every file
//     can be opened and is a regular file.
//  2. inspectFiles compares the directory with the MANIFEST and with the seal. The
//     tables must be those that the MANIFEST lists, except for tables since the last
//     opening, which Badger may not have been able to list. The commits in the logs must
//     follow those in the tables without a gap. No commit that the seal counts may be missing.
//  3. inspectFiles reads every block of every table, unless the tables are large, were
//     read in the last day, and were closed cleanly and not touched since.
//  4. Badger opens the directory, and checkOwnRecords compares the number of commits in
//     it with the seal. For a database that skipped step 3 this comparison is the first.
//
// The seal also holds a checksum of all bytes of the tables, which step 3 compares. Steps 2
// and 3 change nothing. Every block is also read before a backup, and by
// [DB.Verify].
//
// # What is not noticed
//
//   - A block of a large database that breaks between two checks. It reads as if it were
//     empty.
//   - After a power cut: a log that has lost the commits of the last seconds, which the
//     seal did not count yet.
//   - A table in the place of another that was written since the database was opened, if
//     it was not closed since.
//   - A directory that was replaced as a whole, with its seal, by an older copy.
//
// # Where to look
//
// open.go has the order of an opening, inspect.go the checks before Badger opens, seal.go
// the count of commits, inside.go and manifest.go the formats of Badger's files, close.go the
// end, and merge.go the merging of tables. For restore.go and
// rescue.go, replace.go builds a database aside and moves it into place in one step.
//
// The package must never know what the bytes mean. It knows kv and Badger.
package persist

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// Options says how a database is opened.
type Options struct {
	ReadOnly  bool // refuses every write with [kv.ErrReadOnly], and implies MustExist
	MustExist bool // makes the opening of a missing database fail, instead of creating it
}

// DB is an open database. It is a [kv.DB].
//
// A View that begins during a commit waits until that commit is on the disk. Nothing else
// makes a View wait.
type DB struct {
	dir        string   // absolute path of its directory
	isReadOnly bool     // every write fails with [kv.ErrReadOnly]
	isShared   bool     // other processes may read it too, so Badger opens it read-only
	mayCreate  bool     // a missing database is created
	wasCreated bool     // this opening created the database
	lock       *dirLock // nil for a database that is built inside a locked directory
	badger     *badger.DB

	useLock   sync.RWMutex          // each transaction holds it for reading; Close takes it for good
	isClosing atomic.Bool           // Close has been called
	failure   atomic.Pointer[error] // a broken table or a failed commit, which ends the use; nil for none
	checkedAt atomic.Int64          // when every block was last read, in seconds since 1970; 0: never

	writerLock    sync.Mutex // held by the one writer; it guards the fields below
	isAbandoned   bool       // Close removes the database; see Abandon
	commits       uint64     // how many commits the database holds
	base, content uint64     // those of the tables at the opening; see [seal]
	untriedBytes  int64      // how many bytes were written since it was last tried to write a file
	seal          seal       // as of the last commit
	sealFile      *os.File   // where the seal is written; nil before the first one
	sealedAt      time.Time  // when a seal was last synced; zero: not since the opening
}

var (
	_ kv.DB        = (*DB)(nil)
	_ kv.Abandoner = (*DB)(nil)
)

// beginUse makes Close wait until endUse is called. It fails with [kv.ErrClosed] if Close has
// begun, with a [*DamagedError] if a broken table was found since the opening, and with a
// [*DirError] if a commit has failed.
func (d *DB) beginUse() error {
	if d.isClosing.Load() || !d.useLock.TryRLock() { // Close holds the lock or waits for it
		return kv.ErrClosed
	}
	if failure := d.failure.Load(); failure != nil {
		d.endUse()
		return *failure
	}
	return nil
}

func (d *DB) endUseBy(err error) { d.failure.Store(&err) }

func (d *DB) endUse() { d.useLock.RUnlock() }

// Info describes an open database to a person.
type Info struct {
	Dir      string
	ReadOnly bool
	Schema   uint64 // version of the form in which records are stored in Badger
	Badger   string // version of the module, such as "v4.9.6"; empty if the build lacks it
	Disk     uint64 // bytes that the whole directory takes on the disk
	Tables   uint64 // how many of these bytes are in Badger's tables
	Log      uint64 // how many of these bytes are in its logs
}

// Info describes the database. It fails with [kv.ErrClosed] or a [*DirError].
func (d *DB) Info() (Info, error) {
	if err := d.beginUse(); err != nil {
		return Info{}, err
	}
	defer d.endUse()

	// A database with another schema does not open.
	info := Info{Dir: d.dir, ReadOnly: d.isReadOnly, Schema: currentSchema}
	if build, ok := debug.ReadBuildInfo(); ok {
		info.Badger = badgerVersion(build)
	}
	if err := info.measure(); err != nil {
		return Info{}, dirError(d.dir, err)
	}
	return info, nil
}

// measure adds the sizes on the disk of the files in info.Dir to info. Inner directories, where a
// rescue keeps the files of the old database, count only in info.Disk.
func (info *Info) measure() error {
	// A walk follows no link, so it begins at the target.
	dir, err := filepath.EvalSymlinks(info.Dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) { // a compaction has just removed it
			return nil
		}
		if err != nil {
			return err
		}
		size := uint64(bytesOnDisk(file))
		info.Disk += size

		if filepath.Dir(path) != dir {
			return nil
		}
		switch filepath.Ext(path) {
		case tableExt:
			info.Tables += size
		case logExt, valueLogExt:
			info.Log += size
		}
		return nil
	})
}

// badgerVersion returns the version of Badger, such as "v4.9.6", or "" for a test, in which the
// linker records none.
func badgerVersion(build *debug.BuildInfo) string {
	for _, module := range build.Deps {
		if module.Path == "github.com/dgraph-io/badger/v4" {
			return module.Version
		}
	}
	return ""
}
