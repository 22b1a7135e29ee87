package persist

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
)

// heal takes away those of a directory's files that hold nothing and that
// Badger stumbles over. It makes them anew:
//
//   - an empty log, which a kill leaves between its creation and its first byte;
//   - a broken KEYREGISTRY, which has no keys in a database without encryption;
//   - a broken value log, which has no values where they lie beside their keys.
//
// ours says that the database is known to be one of this package, where that
// is so; of another's files only the empty ones are touched.
func heal(dir string, files []fs.DirEntry, ours bool) error {
	for _, e := range files {
		path := filepath.Join(dir, e.Name())
		void, err := false, error(nil)
		switch kind := filepath.Ext(e.Name()); {
		case kind == logKind:
			void, err = isEmpty(path)
		case kind == valueKind:
			if void, err = isEmpty(path); ours && err == nil && !void {
				void, err = brokenHead(path, make([]byte, logKeyID), 0, logHead)
			}
		case e.Name() == badger.KeyRegistryFileName && ours:
			void, err = brokenHead(path, []byte("Hello Badger"), 16, registrySize)
		}
		if err == nil && void {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// dropBegunLogs removes the logs into which nothing was written yet.
func dropBegunLogs(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, log := range logsAmong(files) {
		path := filepath.Join(dir, log.Name())
		s, err := readLogFile(path)
		if err == nil && s.end <= logHead && s.cut == 0 {
			err = os.Remove(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// registrySize is the size of a registry without keys.
const registrySize = 16 + len("Hello Badger")

func isEmpty(path string) (bool, error) {
	info, err := os.Stat(path)
	return err == nil && info.Size() == 0, err
}

// brokenHead says whether a file lacks some bytes at a place, or its head of
// so many bytes.
func brokenHead(path string, want []byte, at, size int) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, size)
	n, _ := f.ReadAt(head, 0)
	return n < size || !bytes.Equal(head[at:at+len(want)], want), nil
}
