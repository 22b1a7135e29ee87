//go:build unix

package persist

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv/kvtest"
)

// Badger waits forever for a pipe, and ends the process over some of the others.
func TestAFileThatIsNotRegularIsRefusedBeforeBadgerOpensIt(t *testing.T) {
	t.Parallel()
	d := closedDatabase(t)
	names := append(fileNames(t, d.dir), lockFileName, "MANIFEST-REWRITE", "000099.sst", "00099.mem")
	const notRegular = "is not a regular file"
	for _, c := range []struct {
		kind    string
		make    func(path string) error
		problem string
	}{
		{"a directory", func(path string) error { return os.Mkdir(path, 0o700) }, notRegular},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }, notRegular},
		{"a socket", makeSocket, notRegular},
		{"a link to itself", func(path string) error { return os.Symlink(path, path) }, "too many levels of symbolic links"},
		{"a link to nothing", func(path string) error { return os.Symlink(path+" is missing", path) }, notRegular},
	} {
		for _, name := range names {
			dir := d.copy(t)
			path := filepath.Join(dir, name)
			_ = os.Remove(path)
			kvtest.OK(t, c.make(path))

			for use, attempt := range map[string]func() error{
				"Open":           func() error { _, err := Open(dir, Options{}); return err },
				"Open read-only": func() error { _, err := Open(dir, Options{ReadOnly: true}); return err },
				"Rescue":         func() error { _, err := Rescue(dir, acceptAny); return err },
			} {
				err := awaitError(t, attempt)
				if !isError[*DirError](err) || !strings.Contains(err.Error(), c.problem) || !strings.Contains(err.Error(), name) {
					t.Errorf("%s with %s as %s: got %v", use, c.kind, name, err)
				}
			}
			kvtest.OK(t, os.RemoveAll(dir))
		}
	}
}

// awaitError returns the error of attempt, and fails if attempt blocks.
func awaitError(t *testing.T, attempt func() error) error {
	t.Helper()
	result := make(chan error, 1)
	go func() { result <- attempt() }()
	select {
	case err := <-result:
		return err
	case <-time.After(time.Minute):
		t.Fatal("the attempt blocks")
		return nil
	}
}

// makeSocket makes a socket in a directory with a short path and moves it, because the
// path of a test can be too long for a socket.
func makeSocket(path string) error {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	shortPath := filepath.Join(dir, "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: shortPath})
	if err != nil {
		return err
	}
	listener.SetUnlinkOnClose(false)
	defer listener.Close()
	return os.Rename(shortPath, path)
}

func TestAFileOfAnotherOwnerIsRefusedBeforeBadgerOpensIt(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a file of another owner")
	}
	for _, name := range []string{"DISCARD", badger.ManifestFilename, badger.KeyRegistryFileName, "000001.sst"} {
		dir := filepath.Join(publicDir(t), "db")
		db := kvtest.Must(Open(dir, Options{}))(t)
		set(t, db, "key", "value")
		kvtest.OK(t, db.Close())
		for _, file := range append(fileNames(t, dir), ".") {
			kvtest.OK(t, os.Chown(filepath.Join(dir, file), strangerID, strangerID))
		}
		kvtest.OK(t, os.Chown(filepath.Join(dir, name), 0, 0))
		kvtest.OK(t, os.Chmod(filepath.Join(dir, name), 0o644))

		writer := startStranger(t, roleWriter, dir)
		_ = writer.stdin.Close()
		_ = writer.Wait() // its standard error is complete then

		want := "cannot use the database in " + dir + ": its files may not be written; --readonly only reads them"
		if writer.firstLine != want || writer.stderr.Len() > 0 {
			t.Errorf("with %s of another owner it printed %q and %q", name, writer.firstLine, &writer.stderr)
		}
	}
}
