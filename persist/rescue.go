package persist

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
)

// Rescued tells what [Rescue] did.
type Rescued struct {
	Kept   string   // the directory that holds every file as it was
	Broken []string // tables and logs of which not everything could be read
	Relist int      // tables that the MANIFEST did not list, and that were read
	Blocks int      // blocks of tables that could not be read; a block is some 4 kB of records
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
// end of the process, the directory is as it was. It fails with a
// [*RescueError] when check refuses, a [*LockedError], a [*SpaceError] or a
// [*DirError].
func Rescue(dir string, check func(*DB) error) (done Rescued, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return done, &DirError{Dir: dir, Problem: err.Error(), Err: err}
	}
	if _, err := os.Stat(dir); err != nil {
		return done, dirError(dir, err)
	}
	lock, err := lockDir(dir, true)
	if err != nil {
		return done, err
	}
	defer lock.release(true)
	if err := finishMove(dir); err != nil {
		return done, err
	}
	f, err := listFiles(dir)
	if err == nil {
		err = f.refuseForeign(dir)
	}
	if err == nil && !f.database {
		err = &DirError{Dir: dir, Problem: "it holds no database"}
	}
	if err == nil {
		err = f.check(dir, true)
	}
	if err != nil {
		return done, err
	}
	if err := roomToRescue(dir, f); err != nil {
		return done, err
	}
	part, err := startMove(dir)
	if err != nil {
		return done, dirError(dir, err)
	}
	err = build(part, func(b *builder) error { return done.readAll(dir, part, f, b) })
	if err == nil {
		err = tryOut(part, check)
	}
	if err == nil {
		done.Kept, err = makeKept(dir)
	}
	if err == nil {
		err = commitMove(dir, part, filepath.Base(done.Kept))
	}
	if err != nil {
		_ = os.Remove(done.Kept) // if it is there, and empty
		return done, rescueFailed(dir, errors.Join(err, removeOwn(part)))
	}
	return done, nil
}

func rescueFailed(dir string, err error) error {
	if is[*SpaceError](err) {
		return err
	}
	return &RescueError{Dir: dir, Err: err}
}

func is[E error](err error) bool { return errors.As(err, new(E)) }

// tryOut opens what was built, lets check decide, and closes it.
func tryOut(part string, check func(*DB) error) error {
	d := &DB{dir: part}
	if err := d.openFound(); err != nil {
		return err
	}
	return errors.Join(check(d), d.Close())
}

// readAll puts into a new database what tables and logs hold.
func (r *Rescued) readAll(dir, part string, f files, b *builder) error {
	listed, err := readManifest(dir)
	known := err == nil
	ids := make([]uint64, 0, len(f.tables))
	for _, e := range f.tables {
		if id, ok := table.ParseFileID(e.Name()); ok {
			ids = append(ids, id)
		}
	}
	facts := checkEach(dir, ids)
	newest := uint64(0)
	for id, c := range facts {
		if _, ok := listed[id]; ok {
			newest = max(newest, c.facts.version)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if _, ok := listed[id]; !ok {
			// What a compaction has replaced would bring back what was deleted.
			if known && facts[id].facts.version <= newest {
				continue
			}
			r.Relist++
		}
		lost, err := salvage(filepath.Join(dir, tableName(id)), b.set)
		if is[*SpaceError](err) || is[*DirError](err) {
			return err
		}
		if r.Blocks += lost; lost > 0 || err != nil {
			r.Broken = append(r.Broken, tableName(id))
		}
	}
	for _, e := range f.logs {
		err := replay(filepath.Join(dir, e.Name()), filepath.Join(part, logCopy+e.Name()), b.set)
		if is[*SpaceError](err) || is[*DirError](err) {
			return err
		}
		if err != nil {
			r.Broken = append(r.Broken, e.Name())
		}
	}
	if b.schema.value == nil && b.commits.value != nil { // it is ours, and lost that
		return b.set(entry{key: schemaKey, value: strconv.AppendInt(nil, schema, 10), version: b.commits.version})
	}
	return nil
}

// logCopy begins the names of directories in which a log is read.
const logCopy = "log-"

// replay hands on every entry of a log, as far as Badger can read it: in a copy, as
// Badger cuts off the rest.
func replay(log, scratch string, fn func(entry) error) (err error) {
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeOwn(scratch)) }()
	to := filepath.Join(scratch, filepath.Base(log))
	if err := copyLog(log, to); err != nil {
		return err
	}
	b, err := openBadger(options(scratch).WithSyncWrites(false))
	if err != nil {
		return errors.New(firstWords(err))
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	txn := b.NewTransaction(false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{AllVersions: true})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		item := it.Item()
		value, err := item.ValueCopy(nil)
		if err == nil {
			err = fn(entry{item.KeyCopy(nil), value, item.Version(), item.IsDeletedOrExpired()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyLog copies a log, and mends its head: there is no encryption. A table's
// worth of memory is small, and so is a log.
func copyLog(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, 2*memoryTable))
	if err == nil {
		_, err = out.WriteAt(make([]byte, logKeyID), 0)
	}
	return errors.Join(err, out.Close())
}

// roomToRescue fails with a [*SpaceError] where what is left has no room a second
// time.
func roomToRescue(dir string, f files) error {
	needed := int64(roomForMemory)
	for _, e := range slices.Concat(f.tables, f.logs) {
		if info, err := e.Info(); err == nil {
			needed += 2 * occupied(info)
		}
	}
	if free, _, ok := freeOn(dir); ok && free < needed {
		return &SpaceError{Dir: dir, Free: free, Needed: needed}
	}
	return nil
}

// makeKept makes a new directory for the files of before.
func makeKept(dir string) (kept string, err error) {
	for n := 1; ; n++ {
		kept = filepath.Join(dir, "rescue")
		if n > 1 {
			kept = fmt.Sprintf("%s-%d", kept, n)
		}
		if err = os.Mkdir(kept, 0o700); !errors.Is(err, fs.ErrExist) {
			return kept, err
		}
	}
}
