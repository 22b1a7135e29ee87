package persist

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4/table"
)

// restoringFile is how the program before this one marked a directory that it
// was restoring into.
const restoringFile = "RESTORING"

// files are those of a database.
type files struct {
	tables, logs []fs.DirEntry // logs that hold something
	empty        []string      // paths of logs that a kill left before their first byte
	values       []string      // paths of value logs, which hold nothing
	others       []string      // names
	database     bool          // rather than an empty directory, or a cut-off creation
	foreign      string        // the name of something else
	restoring    bool
	size         int64  // bytes of all tables; see check
	sum          uint32 // over them
	pending      bool   // a whole one waits to be moved in place; see move.go
}

// names gives the files that are no tables.
func (f *files) names() (all []string) {
	for _, e := range f.logs {
		all = append(all, e.Name())
	}
	return append(all, f.others...)
}

// listFiles lists the files of a directory; none where it is not there.
func listFiles(dir string) (f files, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, dirError(dir, err)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == restoringFile:
			f.restoring = true
			continue
		case name == incoming, name == incoming+partSuffix:
			f.pending = f.pending || name == incoming
			continue
		case !ownFile(name):
			f.foreign = name
			continue
		}
		f.database = f.database || holdsRecords(name)
		switch kind := filepath.Ext(name); {
		case kind == tableKind:
			f.tables = append(f.tables, e)
		case kind == logKind && isEmpty(e):
			f.empty = append(f.empty, filepath.Join(dir, name))
		case kind == logKind:
			f.logs = append(f.logs, e)
		case kind == valueKind:
			f.values = append(f.values, filepath.Join(dir, name))
			f.others = append(f.others, name)
		default:
			f.others = append(f.others, name)
		}
	}
	return f, nil
}

func isEmpty(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}

// refuseForeign fails with a [*DirError] where no database may be made.
func (f *files) refuseForeign(dir string) error {
	switch {
	case f.database && f.restoring:
		return &DirError{Dir: dir, Problem: "an earlier version was restoring into it and was cut off, so what it holds is incomplete; restore again, into another directory"}
	case !f.database && !f.pending && f.foreign != "":
		return &DirError{Dir: dir, Problem: "the directory holds other files, such as " + f.foreign + "; name an empty or a new one"}
	}
	return nil
}

// check makes sure that Badger can open every file as it is going to, and sums up
// the tables for [seal].files. What Badger would wait for without end, or end the
// process over, is refused with a [*DirError].
func (f *files) check(dir string, write bool) error {
	how := os.O_RDONLY
	if write {
		how = os.O_RDWR
	}
	sum := crc32.NewIEEE()
	for _, e := range f.tables {
		err := useFile(dir, e.Name(), how, e.Type().IsRegular(), func(file *os.File) error {
			info, err := file.Stat()
			if err != nil {
				return err
			}
			end := make([]byte, min(tailSize, info.Size()))
			_, _ = file.ReadAt(end, info.Size()-int64(len(end))) // what cannot be read changes the sum
			fmt.Fprintf(sum, "%s %d %d %x\n", e.Name(), info.Size(), info.ModTime().UnixNano(), end)
			f.size += info.Size()
			return nil
		})
		if err != nil {
			return err
		}
	}
	f.sum = sum.Sum32()
	for _, name := range append(f.names(), lockFile, discardFile) {
		if err := useFile(dir, name, how, false, func(*os.File) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// useFile opens a file, if it is there, for a moment. sure says that it is known to
// be one.
func useFile(dir, name string, how int, sure bool, use func(*os.File) error) error {
	if !sure {
		if err := regular(dir, name); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(filepath.Join(dir, name), how, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unusable(dir, err)
	}
	defer file.Close()
	return use(file)
}

// smallTables is how many bytes of tables are checked at every opening; more than
// that are when checkEvery is over, or the last end was not clean.
const (
	smallTables = 32 << 20
	checkEvery  = 24 * time.Hour
)

// checkDue says whether the tables have to be checked before they are opened for
// writing, because a compaction that comes upon a broken block would drop what
// follows it. Of tables that together have no more than small bytes it always is.
func (f *files) checkDue(s seal, small int64) bool {
	age := time.Since(time.Unix(s.checked, 0))
	return f.size <= small || s.open || len(f.logs) > 0 || age < 0 || age > checkEvery ||
		s.files == 0 || s.files != f.sum
}

// lookover is what is known of a database before Badger opens it.
type lookover struct {
	files files
	seal  seal
	facts tableFacts // of the tables that the MANIFEST lists
	due   bool       // the tables have been checked
}

// lookOver holds a directory to what Badger should be given, which opens too much:
// without its MANIFEST it deletes every table, and it deletes tables that a cut
// MANIFEST does not list. It changes nothing. It fails with a [*SchemaError],
// a [*DamagedError], an [*OlderError] or a [*DirError].
func lookOver(dir string, f files) (l lookover, err error) {
	l.files = f
	if l.seal, err = readSeal(dir); err != nil {
		return l, dirError(dir, err)
	}
	damaged := func(problem string, err error) error {
		return &DamagedError{Dir: dir, Problem: problem, Err: err}
	}
	listed, err := readManifest(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(f.tables) > 0:
		return l, damaged(fmt.Sprintf("its MANIFEST is missing, without which its %d tables are of no use", len(f.tables)), err)
	case errors.Is(err, fs.ErrPermission):
		return l, dirError(dir, err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return l, damaged("its MANIFEST is broken ("+firstWords(err)+")", err)
	}
	there := map[uint64]bool{}
	for _, e := range f.tables {
		if id, ok := table.ParseFileID(e.Name()); ok {
			there[id] = true
		}
	}
	for id := range listed {
		if !there[id] {
			return l, damaged("the table "+tableName(id)+" is missing", nil)
		}
	}
	unlisted := len(there) > len(listed)
	if l.due = unlisted || f.checkDue(l.seal, smallTables); l.due {
		if err := l.checkTables(dir, listed); err != nil {
			return l, err
		}
	}
	for _, e := range f.logs {
		if info, err := e.Info(); err == nil && info.Size() > 2*memoryTable {
			return l, damaged("the log "+e.Name()+" is longer than any of this program", nil)
		}
	}
	switch {
	case len(f.logs) > 0:
		return l, nil
	case l.seal.open:
		return l, damaged("its log is missing", nil)
	case !l.seal.present && len(listed) > 0 && l.facts.schema == 0 && l.facts.commits == 0:
		return l, &DirError{Dir: dir, Problem: anothers}
	case !l.seal.present:
		return l, damaged("its SEAL and its log are missing, so nobody knows what else is", nil)
	case l.due && l.facts.commits < l.seal.commits:
		return l, &OlderError{Dir: dir, Sealed: l.seal.commits, Found: l.facts.commits}
	}
	return l, nil
}

// checkTables reads every table, and makes sure that those which Badger will
// delete hold nothing that is not elsewhere. A kill leaves such tables: they are
// not whole, or stand for a log or for tables that are still there.
func (l *lookover) checkTables(dir string, listed manifest) error {
	ids := make([]uint64, 0, len(l.files.tables))
	for _, e := range l.files.tables {
		if id, ok := table.ParseFileID(e.Name()); ok {
			ids = append(ids, id)
		}
	}
	all := checkEach(dir, ids)
	for id, c := range all {
		if _, ok := listed[id]; !ok {
			continue
		}
		if errors.Is(c.err, fs.ErrPermission) {
			return dirError(dir, c.err)
		}
		if c.err != nil {
			return brokenTable(dir, id, c.err)
		}
		l.facts = l.facts.and(c.facts)
	}
	newer := ""
	for id, c := range all {
		if _, ok := listed[id]; ok || c.err != nil || c.facts.version <= l.facts.version {
			continue
		}
		// Badger makes one table at a time of a log, and keeps the log until the
		// table is listed.
		if newer != "" || len(l.files.logs) == 0 {
			return &DamagedError{Dir: dir, Problem: fmt.Sprintf("its MANIFEST is cut: it does not list the table %s, which leads to commit %d and the rest only to %d",
				tableName(id), c.facts.commits, l.facts.commits)}
		}
		newer = tableName(id)
	}
	if l.facts.version < l.seal.tables {
		return &DamagedError{Dir: dir, Problem: "its MANIFEST is cut: it does not list the newest tables"}
	}
	if l.facts.schema > schema {
		return &SchemaError{Dir: dir, Found: l.facts.schema, Known: schema}
	}
	return nil
}

func brokenTable(dir string, id uint64, err error) *DamagedError {
	return &DamagedError{Dir: dir, Problem: "the table " + tableName(id) + " is broken (" + err.Error() + ")", Err: err}
}
