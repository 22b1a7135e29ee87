package persist

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// Rescued tells what [Rescue] did.
type Rescued struct {
	Kept    string   // the directory that holds every file as it was
	Broken  []string // files that were set aside, or cut where they break
	Relist  int      // tables that the MANIFEST did not list and now does
	Commits uint64   // count of commits that what is left leads to
}

// Rescue makes a database that Open refuses as damaged or older fit to be
// opened with what is left of it. First every file is copied, as it is, into a
// directory "rescue" inside; links would not do, because Badger empties a table
// before it removes it. Then broken tables are set aside, and a new MANIFEST
// lists all that are whole: Badger picks the newest of two records by their
// versions, wherever they lie. What was deleted can be back after that, so the
// records should be checked. It fails with a [*LockedError], a [*SpaceError] or
// a [*DirError].
func Rescue(dir string) (done Rescued, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return done, &DirError{Dir: dir, Problem: err.Error(), Err: err}
	}
	found, err := inspect(dir)
	if err == nil && found == nothing {
		err = &DirError{Dir: dir, Problem: "it holds no database"}
	}
	if err != nil {
		return done, err
	}
	release, err := holdAlone(dir)
	if err != nil {
		return done, err
	}
	defer release()
	if err := roomToKeep(dir); err != nil {
		return done, err
	}
	if done.Kept, err = keepAll(dir); err != nil {
		return done, dirError(dir, err)
	}
	if err := done.rebuild(dir); err != nil {
		return done, dirError(dir, err)
	}
	return done, nil
}

// roomToKeep fails with a [*SpaceError] where a copy of all files has no room.
func roomToKeep(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return dirError(dir, err)
	}
	needed := int64(roomToStart)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			needed += occupied(info)
		}
	}
	if free, _, ok := freeOn(dir); ok && free < needed {
		return &SpaceError{Dir: dir, Free: free, Needed: needed}
	}
	return nil
}

// keepAll copies every file into a new directory inside.
func keepAll(dir string) (kept string, err error) {
	for n := 1; ; n++ {
		kept = filepath.Join(dir, rescueDir)
		if n > 1 {
			kept = fmt.Sprintf("%s-%d", kept, n)
		}
		if err = os.Mkdir(kept, 0o700); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return kept, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return kept, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() == lockFile {
			continue
		}
		if err := copyFile(filepath.Join(dir, e.Name()), filepath.Join(kept, e.Name())); err != nil {
			return kept, err
		}
	}
	return kept, errors.Join(syncDir(kept), syncDir(dir))
}

const rescueDir = "rescue"

// copyFile copies a file and syncs it. The zeros at its end stay a hole.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := out.Truncate(info.Size()); err != nil {
		return err
	}
	block := make([]byte, 64<<10)
	for at := int64(0); ; at += int64(len(block)) {
		n, err := in.ReadAt(block, at)
		if slices.ContainsFunc(block[:n], func(b byte) bool { return b != 0 }) {
			if _, err := out.WriteAt(block[:n], at); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return out.Sync()
		}
		if err != nil {
			return err
		}
	}
}

// rebuild makes what is left fit to be opened.
func (r *Rescued) rebuild(dir string) error {
	tables, err := stamps(dir)
	if err != nil {
		return err
	}
	m, err := readManifest(dir)
	listed := m.Tables
	if err != nil {
		listed = nil
	}
	whole := map[uint64]int{} // table → level
	for id := range tables {
		path := filepath.Join(dir, tableName(id))
		n, err := checkTable(path, badgeroptions.Snappy, true)
		if err != nil {
			r.Broken = append(r.Broken, tableName(id))
			if err := os.Remove(path); err != nil {
				return err
			}
			continue
		}
		r.Commits = max(r.Commits, n.commits)
		if t, ok := listed[id]; ok {
			whole[id] = int(t.Level)
		} else {
			whole[id], r.Relist = 0, r.Relist+1
		}
	}
	slices.Sort(r.Broken)
	if err := writeManifest(dir, whole); err != nil {
		return err
	}
	if err := r.logs(dir); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, sealFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	return heal(dir, files, true)
}

// logs cuts every log where it breaks.
func (r *Rescued) logs(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, log := range logsAmong(files) {
		path := filepath.Join(dir, log.Name())
		text, err := os.ReadFile(path) // what is a hole in it is not to be believed here
		if err != nil {
			return err
		}
		s := readLog(text)
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if s.end >= logHead {
			_, err = f.WriteAt(make([]byte, logKeyID), 0) // there is no encryption
		}
		if err := errors.Join(err, f.Truncate(int64(s.end)), f.Sync(), f.Close()); err != nil {
			return err
		}
		if s.cut > 0 {
			r.Broken = append(r.Broken, log.Name())
		}
		r.Commits = max(r.Commits, s.commits)
	}
	return nil
}

// writeManifest lists tables in Badger's form: a head, then one set of
// changes, each of which creates a table.
func writeManifest(dir string, levels map[uint64]int) error {
	var set []byte
	for id, level := range levels {
		// Fields 1, 3 and 6 of Badger's ManifestChange. What it creates and
		// without encryption is 0, and left out.
		change := binary.AppendUvarint([]byte{1 << 3}, id)
		change = append(change, 3<<3, byte(level), 6<<3, byte(badgeroptions.Snappy))
		set = append(binary.AppendUvarint(append(set, 1<<3|2), uint64(len(change))), change...)
	}
	b := []byte("Bdgr\x00\x00\x00\x08") // version 8 of its form
	b = binary.BigEndian.AppendUint32(b, uint32(len(set)))
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(set, castagnoli))
	path := filepath.Join(dir, badger.ManifestFilename)
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, set...))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
