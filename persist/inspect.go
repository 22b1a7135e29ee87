package persist

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// restoringFile marks a directory that is being restored into.
const restoringFile = "RESTORING"

// lockFile is where Badger leaves the pid of the process that has the
// directory open. The lock itself is on the directory.
const lockFile = "LOCK"

// finding is what a directory turned out to hold.
type finding int

const (
	nothing  finding = iota // no directory, an empty one, or a cut-off creation
	database                // a Badger database, whole or not
)

// inspect looks at dir before Badger may touch it, because Badger makes a
// database of whatever it is given: it would litter a directory of other
// files, and delete the tables of a database that has lost its manifest. It
// changes nothing, and fails with a [*DirError].
func inspect(dir string) (finding, error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing, nil
	}
	if err != nil {
		return nothing, dirError(dir, err)
	}
	if !info.IsDir() {
		return nothing, &DirError{Dir: dir, Problem: "it is a file, and a database is a directory"}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nothing, dirError(dir, err)
	}
	return judge(dir, entries)
}

// judge tells from the names in dir what it is.
func judge(dir string, entries []fs.DirEntry) (finding, error) {
	foreign, known := "", false
	for _, e := range entries {
		switch name := e.Name(); {
		case name == restoringFile:
			return nothing, &DirError{Dir: dir, Problem: "a restore into it was cut off, so what it holds is incomplete; restore again"}
		case name == badger.ManifestFilename, name == sealFile, holdsRecords(name):
			known = true
		case !beginning(name):
			foreign = name
		}
	}
	switch {
	case known:
		return database, nil
	case foreign != "":
		return nothing, &DirError{Dir: dir, Problem: "the directory holds other files, such as " + foreign +
			"; name an empty or a new one"}
	}
	return nothing, nil
}

// holdsRecords says whether a file of this name is one of Badger's that can
// hold records.
func holdsRecords(name string) bool {
	switch filepath.Ext(name) {
	case tableKind, valueKind, logKind:
		return true
	}
	return false
}

// The ends of the names of Badger's files.
const (
	tableKind = ".sst"
	logKind   = ".mem"
	valueKind = ".vlog"
)

// beginning says whether Badger makes a file of this name before the manifest,
// so that a creation that was cut off can leave it.
func beginning(name string) bool {
	return name == lockFile || strings.HasPrefix(name, badger.ManifestFilename)
}

// writable says whether the database in dir can be opened for writing: its
// lock file can be made, and its manifest be written.
func writable(dir string) bool {
	for name, flag := range map[string]int{lockFile: os.O_WRONLY | os.O_CREATE, badger.ManifestFilename: os.O_RDWR} {
		f, err := os.OpenFile(filepath.Join(dir, name), flag, 0o600)
		if err != nil {
			return false
		}
		_ = f.Close()
	}
	return true
}
