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

	"ephemera/core/kv/kvtest"
)

// Badger waits for ever for a pipe, and ends the process over some of these.
func TestWhatIsNoFileIsRefusedBeforeBadgerSeesIt(t *testing.T) {
	t.Parallel()
	k := closed(t)
	names := append(fileNames(t, k.dir), lockFileName, "MANIFEST-REWRITE", "000099.sst", "00099.mem")
	for _, c := range []struct {
		kind string
		make func(path string) error
		says string
	}{
		{"a directory", func(path string) error { return os.Mkdir(path, 0o700) }, "is not a regular file"},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is not a regular file"},
		{"a socket", listen, "is not a regular file"},
		{"a link in a circle", func(path string) error { return os.Symlink(path, path) }, "too many levels of symbolic links"},
		{"a link to nowhere", func(path string) error { return os.Symlink(path+" is not there", path) }, "is not a regular file"},
	} {
		for _, name := range names {
			dir := k.copy(t)
			path := filepath.Join(dir, name)
			_ = os.Remove(path)
			kvtest.OK(t, c.make(path))
			for what, use := range map[string]func() error{
				"to open":   func() error { _, err := Open(dir, Options{}); return err },
				"to read":   func() error { _, err := Open(dir, Options{ReadOnly: true}); return err },
				"to rescue": func() error { _, err := Rescue(dir, fine); return err },
			} {
				said := make(chan error, 1)
				go func() { said <- use() }()
				select {
				case err := <-said:
					if !is[*DirError](err) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), name) {
						t.Errorf("%s, %s for %s: %v", what, c.kind, name, err)
					}
				case <-time.After(time.Minute):
					t.Fatalf("%s, %s for %s: it waits for ever", what, c.kind, name)
				}
			}
			kvtest.OK(t, os.RemoveAll(dir))
		}
	}
}

// listen makes a socket. Its path may be too long for one.
func listen(path string) error {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s")})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	defer l.Close()
	return os.Rename(filepath.Join(dir, "s"), path)
}

// A file of another owner, in a directory where one may write.
func TestAFileThatMayNotBeWrittenIsRefusedBeforeBadgerSeesIt(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a file of another owner")
	}
	program, as := nobody(t)
	for _, name := range []string{"DISCARD", "MANIFEST", "KEYREGISTRY", "000001.sst"} {
		dir := filepath.Join(shared(t), "db")
		db := kvtest.Must(Open(dir, Options{}))(t)
		set(t, db, "key", "value")
		kvtest.OK(t, db.Close())
		for _, other := range append(fileNames(t, dir), ".") {
			kvtest.OK(t, os.Chown(filepath.Join(dir, other), int(as.Credential.Uid), int(as.Credential.Gid)))
		}
		kvtest.OK(t, os.Chown(filepath.Join(dir, name), 0, 0))
		kvtest.OK(t, os.Chmod(filepath.Join(dir, name), 0o644))
		c := start(t, program, "writer", dir, as)
		_ = c.end.Close()
		_ = c.Wait() // what it wrote is whole then
		if want := "cannot use the database in " + dir + ": its files may not be written; --readonly only reads them"; c.says != want || c.stderr.Len() > 0 {
			t.Errorf("%s of another: it says %q and %q", name, c.says, &c.stderr)
		}
	}
}
