package persist

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime/debug"
)

// Info is what a person may want to know about an open database.
type Info struct {
	Dir      string
	ReadOnly bool
	Schema   uint64 // version of how records lie in Badger
	Badger   string // version of the module, such as "v4.9.6"; empty where the build does not tell
	Disk     uint64 // bytes that the directory takes on the disk
	Tables   uint64 // bytes of them in Badger's sorted tables
	Log      uint64 // bytes of them in its logs
}

// Info looks at the open database. It fails with [kv.ErrClosed] or a
// [*DirError].
func (d *DB) Info() (Info, error) {
	if err := d.enter(); err != nil {
		return Info{}, err
	}
	defer d.leave()
	info := Info{Dir: d.dir, ReadOnly: d.readOnly, Schema: schema} // no other is open
	if build, ok := debug.ReadBuildInfo(); ok {
		info.Badger = badgerVersion(build)
	}
	dir, err := filepath.EvalSymlinks(d.dir) // a walk does not follow a link
	if err != nil {
		return Info{}, dirError(d.dir, err)
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		file, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a compaction has just dropped it
		}
		if err != nil {
			return err
		}
		size := uint64(occupied(file))
		info.Disk += size
		if filepath.Dir(path) != dir {
			return nil // what a rescue has kept is not in use
		}
		switch filepath.Ext(path) {
		case tableKind:
			info.Tables += size
		case logKind, valueKind:
			info.Log += size
		}
		return nil
	})
	if err != nil {
		return Info{}, dirError(d.dir, err)
	}
	return info, nil
}

// badgerVersion finds Badger among the modules that the linker noted, which it
// does for a program and not for a test.
func badgerVersion(build *debug.BuildInfo) string {
	for _, m := range build.Deps {
		if m.Path == "github.com/dgraph-io/badger/v4" {
			return m.Version
		}
	}
	return ""
}
