// Package persist keeps a store on disk: Badger behind the port of [kv].
//
// A database is one directory, for one process at a time; several may read a
// closed one. What an Update has committed is on the disk when it returns.
//
// In Badger's key space, the first byte says whose a record is: 0x00 is this
// package's own (the schema version, a count of commits), 0x01 is everything
// that comes through the port. The port sees neither byte. It is there because
// Badger takes no empty key and keeps some names for itself, and a store of [kv]
// does not.
//
// Badger is not careful with files that are missing or broken. It deletes tables
// that its MANIFEST does not list, cuts a log off where it cannot read it, answers
// without what is in a broken block, and ends the process over some files. So [Open]
// locks the directory and looks at every file before Badger opens any of them. A
// full disk ends the process too, so writes look for room first.
//
// # What a commit promises
//
// [DB.Update] and [DB.Load] sync their log before they return. The seal, a file
// beside Badger's, then counts the commit. The seal itself is synced every five
// seconds, so its count is exact after a kill, may be too low after a power cut, and
// is never too high.
//
// # What is checked
//
// At every opening: that the tables are those that the MANIFEST lists, that the logs
// have no gap in their commits, and that no commit is missing which the seal counts.
// Every block of every table is read when the tables are 32 MB or less, the last
// check is a day old, the last end was not clean, or a table was touched since. It is
// also read before a backup, and by [DB.Verify].
//
// # What is not noticed
//
//   - A block of a large database that goes bad between two checks. It reads as if
//     it were empty, and a compaction that meets it drops what follows in its table.
//   - After a power cut: a log that has lost the commits of the last seconds, which
//     the seal did not count yet.
//   - During a flush, which is when there are two logs: a broken entry of a Load in
//     the older log. The commits of a Load are counted once, at its end.
//   - A directory that was replaced as a whole by an older copy, with its seal.
//
// To restore and to rescue build the new database aside and move it in place
// when it is whole, so that an end at any moment leaves the one or the other.
//
// The package must never know what the bytes mean. It knows kv and Badger.
package persist

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// Options says how a database is opened.
type Options struct {
	// ReadOnly refuses every write with [kv.ErrReadOnly], and makes no
	// database where there is none.
	ReadOnly bool
	// MustExist makes no database where there is none.
	MustExist bool
}

// DB is an open database. It is a [kv.DB].
//
// A View that begins while a commit is on its way to the disk waits for that
// one commit, and for nothing else.
type DB struct {
	dir      string
	readOnly bool
	shared   bool     // others may read it too, so Badger only reads
	creates  bool     // a missing database is made
	made     bool     // this opening made the database
	dropped  bool     // the writer's: Close removes it; see Abandon
	lock     *dirLock // nil where the directory around this one is locked
	badger   *badger.DB

	writer  sync.Mutex   // held by the one writer
	running sync.RWMutex // held for reading by every transaction, and by Close for good
	closing atomic.Bool
	commits atomic.Uint64
	damage  atomic.Pointer[DamagedError] // a table that was found broken while in use

	inTables atomic.Int64 // bytes, about
	space    spaceCheck   // the writer's
	lowSpace bool         // opened on a disk too full to write
	known    []entry      // the writer's: what its last transaction read, as it left it

	checked  atomic.Int64 // seconds since 1970: when every block was read last
	seal     seal         // the writer's: as of the last commit
	sealFile *os.File     // the writer's: where seals are written; nil before the first
	sealedAt time.Time    // the writer's: when a seal was last synced; never since it was opened
}

var _ kv.DB = (*DB)(nil)

// Open opens the database in dir, and makes one where dir is missing or empty
// unless o forbids that: then it fails with a [*MissingError] and writes nothing.
// It fails with a [*LockedError] when another process has it open, a
// [*SchemaError] when a newer program wrote it, a [*DamagedError] when it has
// lost something or opening it would, a [*SpaceError] when the disk is too full,
// and a [*DirError] when dir cannot be used. No record in dir is changed then.
func Open(dir string, o Options) (*DB, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, dirError(dir, err)
	}
	creates := !o.ReadOnly && !o.MustExist
	err = findDatabase(dir)
	if err != nil && !(creates && errors.As(err, new(*MissingError))) {
		return nil, err
	}
	if !o.ReadOnly {
		return (&DB{dir: dir, creates: creates}).lockAndOpen()
	}
	for began, tries := time.Now(), 0; ; tries++ {
		d, err := (&DB{dir: dir, readOnly: true, shared: true}).lockAndOpen()
		recovered := errors.Is(err, errUnfinished)
		if recovered {
			// Opening it for writing makes tables of its logs.
			d, err = (&DB{dir: dir, readOnly: true}).lockAndOpen()
		}
		locked := (*LockedError)(nil)
		if sharedReaders && errors.As(err, &locked) && (tries < 3 || locked.PID == 0 && time.Since(began) < patience) {
			time.Sleep(patience / 1000)
			continue // another reader recovers it, and is about to remove what a killed writer has signed
		}
		if recovered && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) {
			err = &DirError{Dir: dir, Err: err,
				Problem: "it was not closed cleanly, and cannot be recovered without write permission; copy it somewhere writable and open the copy"}
		}
		if err != nil || !recovered || !sharedReaders {
			return d, err
		}
		if err := d.Close(); err != nil {
			return nil, err
		}
	}
}

// patience is how long a reader waits for another that makes tables of the logs.
const patience = 20 * time.Second

var errUnfinished = errors.New("it was not closed in order, so Badger cannot only read it")

// lockAndOpen locks the directory and opens the database in it.
func (d *DB) lockAndOpen() (*DB, error) {
	lock, err := lockDir(d.dir, !d.shared, !d.readOnly)
	if errors.Is(err, os.ErrNotExist) && d.readOnly {
		return nil, &MissingError{d.dir}
	}
	if err != nil {
		return nil, err
	}
	d.lock = lock
	if err := d.open(); err != nil {
		if d.made {
			_ = removeDatabase(d.dir) // the error that matters is the first
		}
		lock.release(false)
		return nil, err
	}
	return d, nil
}

// findDatabase fails with a [*MissingError] where dir holds no database, and with
// a [*DirError] where it holds nothing but the unfinished build of a restore. It
// writes nothing.
func findDatabase(dir string) error {
	f, err := listFiles(dir)
	if err == nil && f.onlyPart() {
		lock, locked := lockDir(dir, false, false)
		if locked != nil {
			return locked // by the restore, which goes on
		}
		defer lock.release(true)
		f, err = listFiles(dir)
	}
	switch {
	case err != nil:
		return err
	case f.onlyPart():
		return &DirError{Dir: dir, Problem: "a restore was interrupted; repeat it, or name another directory"}
	case !f.database && !f.pending:
		return &MissingError{dir}
	}
	return nil
}

// Abandon lets Close remove the database if this opening made it and isUnused,
// which reads it, finds nothing to keep. It reports whether Close will. Then no
// write is taken any more.
func (d *DB) Abandon(isUnused func(kv.Reader) bool) bool {
	d.writer.Lock()
	defer d.writer.Unlock()
	if !d.made {
		return false
	}
	unused := false
	err := d.View(func(r kv.Reader) error {
		unused = isUnused(r)
		return nil
	})
	d.dropped = err == nil && unused
	return d.dropped
}

var _ kv.Abandoner = (*DB)(nil)

// open opens what is in the directory, which is locked.
func (d *DB) open() error {
	f, err := settle(d.dir, !d.shared)
	switch {
	case err != nil:
		return err
	case d.shared && (f.pending || len(f.logs) > 0 || !sharedReaders && f.database):
		return errUnfinished
	case !f.database && !d.creates:
		return &MissingError{d.dir}
	case !f.database:
		d.made = true
		if err := d.create(); err != nil {
			return err
		}
	}
	found, err := inspect(d.dir, f)
	if err != nil {
		return err
	}
	if d.shared && found.unlisted {
		return errUnfinished // Badger would delete them
	}
	if !d.shared {
		if err := d.roomToOpen(f); err != nil {
			return err
		}
		if found.seal.present && !keysReadable(d.dir) {
			f.empty = append(f.empty, badger.KeyRegistryFileName)
		}
		if err := removeAll(d.dir, f.empty); err != nil {
			return err
		}
	}
	err = d.start(found)
	if errors.As(err, new(*DamagedError)) && !d.shared && found.seal.present {
		// It may be a value log, over which Badger need not fail. Those of another
		// program, which has no seal, hold something.
		if err := removeAll(d.dir, f.values); err != nil {
			return err
		}
		err = d.start(found)
	}
	return err
}

// removeAll removes files that hold nothing, and that Badger makes anew.
func removeAll(dir string, names []string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return dirError(dir, err)
		}
	}
	return nil
}

// settle does what is left of a move, and lists the files of a directory once it is
// sure that Badger can open each. A directory that is only read is left as it is.
func settle(dir string, write bool) (f files, err error) {
	if write {
		if _, err := finishMove(dir); err != nil {
			return f, dirError(dir, err)
		}
	}
	if f, err = listFiles(dir); err == nil {
		err = f.check(dir, write)
	}
	return f, err
}

// start hands the database to Badger.
func (d *DB) start(found inspection) (err error) {
	o := options(d.dir).WithReadOnly(d.shared)
	if d.lowSpace {
		o = o.WithNumCompactors(0) // they would fill what is left
	}
	if d.badger, err = openBadger(o); err != nil {
		return err
	}
	if err = d.checkOwn(found.seal.commits); err != nil {
		_ = d.badger.Close() // the error that matters is the first
		return err
	}
	d.checked.Store(found.seal.checked)
	if found.due {
		d.checked.Store(time.Now().Unix())
	}
	return nil
}

// create begins a database, in a directory for its user alone. The seal comes before
// any file of Badger's, as files without one are a database that has lost it.
func (d *DB) create() error {
	// It may have been there, empty. If it is another user's, what its modes
	// are is theirs to say.
	_ = os.Chmod(d.dir, 0o700)
	if free, _, ok := freeOn(d.dir); ok && free < roomToStart {
		return &SpaceError{Dir: d.dir, Free: free, Needed: roomToStart}
	}
	if err := os.WriteFile(filepath.Join(d.dir, sealFile), seal{}.encode(), 0o600); err != nil {
		return unusable(d.dir, err)
	}
	return nil
}

// openBadger opens Badger, which panics on some files that it cannot read. The
// files that it creates meanwhile are for their user alone, whatever the umask. What
// Badger creates later has the modes of the umask, in a directory that is closed to
// others. It fails with a
// [*DirError], or with a [*DamagedError] for what is about the contents of a file:
// Badger keeps only the text of most causes.
func openBadger(o badger.Options) (b *badger.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &DamagedError{Dir: o.Dir, Problem: firstWords(r)}
		}
	}()
	defer createForUserAlone()()
	b, err = badger.Open(o.WithBypassLockGuard(true))
	switch {
	case errors.As(err, new(*fs.PathError)):
		return nil, unusable(o.Dir, err)
	case err != nil:
		return nil, &DamagedError{Dir: o.Dir, Problem: firstWords(err), Err: err}
	}
	return b, nil
}

// enter begins a transaction, which leave ends: Close pulls no file from under
// one. It fails with [kv.ErrClosed], also in a View inside a View that Close waits
// for, or with the damage that was found while the database was in use.
func (d *DB) enter() error {
	if !d.running.TryRLock() { // which fails only when Close has it, or waits for it
		return kv.ErrClosed
	}
	if damage := d.damage.Load(); damage != nil {
		d.leave()
		return damage
	}
	return nil
}

func (d *DB) leave() { d.running.RUnlock() }

// Close waits for running transactions and closes the database. It must not be
// called inside one. A second call does nothing. It fails with a [*DirError].
func (d *DB) Close() error {
	if d.closing.Swap(true) {
		return nil
	}
	d.running.Lock()
	if d.lock != nil {
		defer d.lock.release(!d.dropped)
	}
	var err error
	if !d.shared {
		// To close makes a table of the log, so the seal must not speak of one any
		// more. Without a seal the directory would be refused.
		err = d.sealClosed(false)
	}
	err = errors.Join(err, d.badger.Close())
	if d.dropped {
		err = removeDatabase(d.dir) // whatever the closing of it has met
	}
	if err != nil {
		return dirError(d.dir, err)
	}
	if !d.shared && !d.dropped {
		_ = d.sealClosed(true) // without it the next opening checks the tables
	}
	if !d.shared {
		_ = d.sealFile.Close()
	}
	return nil
}
