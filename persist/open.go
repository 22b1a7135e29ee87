package persist

import (
	"cmp"
	"errors"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// Open opens the database in dir, or creates one if dir is missing or empty. If the options
// forbid that, it fails with a [*MissingError] and writes nothing.
//
// It fails with a [*LockedError] if another process has the database open, with a
// [*SchemaError] if a newer program wrote it, with a [*DamagedError] if it has lost records or
// opening it would lose some, with a [*SpaceError] and with a [*DirError]. After an error, no
// record in dir has changed.
func Open(dir string, options Options) (*DB, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, dirError(dir, err)
	}
	if options.ReadOnly {
		return openToRead(dir)
	}
	db := &DB{dir: dir, mayCreate: !options.MustExist}
	return db.lockAndOpen()
}

// recoveryPatience is how long a reader waits for another one that recovers the database.
const recoveryPatience = 20 * time.Second

// errNotClosed reports a database that Badger cannot open read-only.
var errNotClosed = errors.New("it was not closed cleanly")

// openToRead opens a database for reading. If it was not closed cleanly, one reader
// recovers it: that reader opens it for writing, which makes tables of its logs, and
// closes it. Other readers wait meanwhile. Where readers cannot share a database, the reader
// that recovers it keeps it open.
func openToRead(dir string) (*DB, error) {
	startTime := time.Now()
	for attempt := 1; ; attempt++ {
		// A database that was closed cleanly can be shared at once. Any other is recovered.
		sharedDB := &DB{dir: dir, isReadOnly: true, isShared: true}
		db, err := sharedDB.lockAndOpen()
		mustRecover := errors.Is(err, errNotClosed)
		if mustRecover {
			recoveryDB := &DB{dir: dir, isReadOnly: true}
			db, err = recoveryDB.lockAndOpen()
		}

		// Another reader that is recovering the database writes no process id into the lock
		// file. In the first three attempts an id may be there: that of a killed writer, which
		// the other reader is about to remove. Wait and try again.
		locked, isLocked := errors.AsType[*LockedError](err)
		mayBeRecovering := sharedReaders && isLocked && (locked.PID == 0 || attempt <= 3)
		if mayBeRecovering && time.Since(startTime) < recoveryPatience {
			time.Sleep(recoveryPatience / 1000) // 20 ms
			continue
		}
		if mustRecover && isNotWritable(err) {
			return nil, &DirError{
				Dir:     dir,
				Problem: "it was not closed cleanly, and cannot be recovered without write permission; copy it somewhere writable and open the copy",
				Err:     err,
			}
		}
		if err != nil || !mustRecover || !sharedReaders {
			return db, err
		}

		// The database is recovered. Close it, so that the next attempt can share it.
		if err := db.Close(); err != nil {
			return nil, err
		}
	}
}

// lockAndOpen locks the directory and opens the database in it. After an error nothing is left
// of what it has created.
func (d *DB) lockAndOpen() (*DB, error) {
	lock, err := lockDir(d.dir, !d.isShared, d.mayCreate)
	if err != nil {
		return nil, err
	}
	d.lock = lock
	if err := d.open(); err != nil {
		if errors.Is(err, errLeft) {
			return nil, err
		}
		if moved := lock.checkPlace(); moved != nil { // so the error is about no database
			unlock(lock.file)
			return nil, dirError(d.dir, moved)
		}
		if d.wasCreated {
			_ = removeDatabase(d.dir) // the first error matters more
		}
		lock.release(removeCreated)
		return nil, err
	}
	return d, nil
}

// open opens the database in the locked directory. It fails with errNotClosed if d.isShared is
// set and the database has to be opened for writing first.
func (d *DB) open() error {
	// An error of listFiles is ignored here, because prepareFiles reports it below.
	files, err := listFiles(d.dir)
	holdsOnlyPart := files.hasPart && !files.hasDatabase && !files.hasPending
	if err == nil && holdsOnlyPart {
		return cannotUseError(d.dir,
			"a restore was interrupted; repeat it, or name another directory")
	}
	files, err = prepareFiles(d.dir, !d.isShared)
	if err != nil {
		return err
	}

	if !files.hasDatabase && !files.hasPending && !d.mayCreate {
		return &MissingError{d.dir}
	}
	canShare := sharedReaders && len(files.logs) == 0 && !files.hasPending
	if d.isShared && !canShare {
		return errNotClosed
	}

	// A reader that shares the database must not write to the directory.
	if !d.isShared {
		if err := d.prepareToWrite(files); err != nil {
			return err
		}
	}
	if !files.hasDatabase {
		d.wasCreated = true
		if err := d.create(); err != nil {
			return err
		}
	}
	return d.inspectAndStart(files)
}

// prepareToWrite checks the space on the disk, and signs the lock. A reader that recovers the
// database only removes the id of the killed writer.
func (d *DB) prepareToWrite(files listing) error {
	// The opening makes a table of each log.
	if err := requireSpace(d.dir, spaceToStart+files.logBytes()); err != nil {
		return err
	}
	if d.lock == nil { // a database that is built inside a locked directory
		return nil
	}
	if d.isReadOnly {
		unsignLock(filepath.Join(d.dir, lockFileName))
		return nil
	}
	return d.lock.sign()
}

// create begins a new database. It closes the directory to other users, and writes a seal with 0
// commits, before Badger creates its files, which without a seal look like a database that has
// lost it.
func (d *DB) create() error {
	// Chmod fails if another user owns the directory. Then that user decides about its mode.
	_ = os.Chmod(d.dir, 0o700)
	path := filepath.Join(d.dir, sealFileName)
	if err := os.WriteFile(path, seal{base: 1, content: knownContent}.encode(), 0o600); err != nil {
		return openError(d.dir, err)
	}
	return nil
}

// inspectAndStart inspects the files and opens them in Badger. If Badger fails, it removes all
// files without records, such as a broken empty log, and tries again. It does so only in a
// database with a seal, because only this program writes seals.
func (d *DB) inspectAndStart(files listing) error {
	findings, err := inspectFiles(d.dir, files)
	if err != nil {
		return err
	}
	if d.isShared && (findings.hasUnlistedTables || findings.wasRepaired) { // Badger would delete tables
		return errNotClosed
	}
	if findings.wasRepaired {
		if err := writeManifest(d.dir, findings.tables); err != nil {
			return dirError(d.dir, err)
		}
	}
	d.base = numberAbove(findings.tables)
	d.content = findings.seal.content
	if findings.wereTablesRead {
		d.content = findings.facts.content
	}
	startErr := d.startBadger(findings)
	if findings.seal.isPresent && !d.isShared && errors.Is(startErr, errBadger) {
		if err := removeFiles(d.dir, files.recordlessNames); err != nil {
			return err
		}
		startErr = d.startBadger(findings)
	}

	// Badger does not say whether a table is broken.
	if errors.Is(startErr, errBadger) {
		return cmp.Or(findings.readTables(d.dir, files), startErr)
	}
	return startErr
}

// errBadger marks an error of Badger's opening that does not say what is wrong: a file may be
// broken, or the system has failed.
var errBadger = errors.New("it cannot be opened by Badger")

func badgerError(dir string, errorOrPanic any) error {
	return &DirError{Dir: dir, Problem: firstErrorLine(errorOrPanic), Err: errBadger}
}

func removeFiles(dir string, names []string) error {
	for _, name := range names {
		err := os.Remove(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return dirError(dir, err)
		}
	}
	return nil
}

// prepareFiles lists the files of a directory and verifies that Badger can open each of
// them. If forWriting is set, it first finishes an interrupted move of a restored or rescued
// database. It fails with a [*DirError].
func prepareFiles(dir string, forWriting bool) (files listing, err error) {
	if forWriting {
		if _, err := finishMove(dir); err != nil {
			return files, dirError(dir, err)
		}
	}
	files, err = listFiles(dir)
	if err != nil {
		return files, err
	}
	return files, files.checkAndSumFiles(dir, forWriting)
}

// startBadger opens the database in Badger. It fails as openBadger and checkOwnRecords do.
func (d *DB) startBadger(findings inspection) (err error) {
	d.badger, err = openBadger(badgerOptions(d.dir).WithReadOnly(d.isShared))
	if err != nil {
		return err
	}
	if err := d.checkOwnRecords(findings.seal.commits); err != nil {
		_ = inTime(d.badger.Close) // the first error matters more
		return err
	}

	// Keep the time when the tables were last read. Closing writes it into the seal.
	d.checkedAt.Store(findings.seal.checkedAt)
	if findings.wereTablesRead {
		d.checkedAt.Store(time.Now().Unix())
	}
	return nil
}

// openBadger opens Badger. It fails with a [*DirError], which wraps errBadger unless it is
// known which file cannot be opened, also where Badger panics over a broken file.
//
// The files that Badger creates during the call can only be read by the user, whatever the
// umask is. Those that it creates later are in a directory that is closed to others.
func openBadger(options badger.Options) (*badger.DB, error) {
	var opened *badger.DB
	err := inTime(func() (err error) {
		defer func() {
			if panicked := recover(); panicked != nil {
				err = badgerError(options.Dir, panicked)
			}
		}()
		defer createForUserAlone()() // nobody else may read what Badger creates
		defer log.SetOutput(log.Writer())
		log.SetOutput(fatalLog{})
		opened, err = badger.Open(options.WithBypassLockGuard(true))
		return err
	})
	switch {
	case err == nil:
		return opened, nil
	case errors.Is(err, errLeft), errors.Is(err, errBadger):
		return nil, dirError(options.Dir, err)
	case errors.As(err, new(*fs.PathError)):
		return nil, openError(options.Dir, err)
	}
	return nil, badgerError(options.Dir, err)
}

// fatalLog receives what Badger logs with log.Fatalf, which ends the process. It panics
// instead, so that openBadger returns an error.
type fatalLog struct{}

func (fatalLog) Write(text []byte) (int, error) { panic(string(text)) }

func isNotWritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
