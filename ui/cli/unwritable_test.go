//go:build linux

package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"ephemera/core/chain/chaintest"
)

// asNobody runs the program as a user who owns nothing here.
func asNobody(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	bin := forAll(t)
	self := chaintest.Must(exec.LookPath("ephemera"))(t)
	binary, err := os.ReadFile(self)
	program := filepath.Join(bin, "ephemera")
	// The mask of a process that has had a database open takes the rights of others.
	chaintest.OK(t, errors.Join(err, os.WriteFile(program, binary, 0o755), os.Chmod(program, 0o755)))
	var out, said bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+bin, "XDG_DATA_HOME="+bin)
	cmd.Dir = bin
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

// forAll gives a directory that other users may enter.
func forAll(t *testing.T) string {
	t.Helper()
	dir := chaintest.Must(os.MkdirTemp("", "ephemera"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	chaintest.OK(t, os.Chmod(dir, 0o755))
	return dir
}

func TestADatabaseWithoutWritePermissionOpensOnlyReadonly(t *testing.T) {
	dir := filepath.Join(forAll(t), "db")
	newCollection(t, dir)
	chaintest.OK(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return os.Chmod(path, 0o555)
		}
		return errors.Join(err, os.Chmod(path, 0o444))
	}))
	before := bytesIn(t, dir)
	want := "ephemera: cannot use the database in " + dir + ": its files may not be written; --readonly only reads them\n"
	for _, args := range [][]string{{"query", `{"num_tokens":{}}`}, {"clock", "next"}} {
		exit, out, said := asNobody(t, append([]string{"--db", dir}, args...)...)
		if exit != 3 || out != "" || said != want {
			t.Errorf("%v: exit status %d, %q, %q, want 3, %q", args, exit, out, said, want)
		}
	}
	if exit, out, said := asNobody(t, "--db", dir, "--readonly", "query", `{"num_tokens":{}}`); exit != 0 || out != "{\"count\":1}\n" || said != "" {
		t.Errorf("readonly: exit status %d, %q, %q", exit, out, said)
	}
	if exit, _, said := asNobody(t, "--db", dir, "--readonly", "clock", "next"); exit != 3 || !strings.Contains(said, "read-only") || strings.Count(said, "\n") != 1 {
		t.Errorf("a write under readonly: exit status %d, %q", exit, said)
	}
	chaintest.OK(t, os.Chmod(dir, 0))
	want = "ephemera: cannot use the database in " + dir + ": permission denied\n"
	if exit, out, said := asNobody(t, "--db", dir, "info"); exit != 3 || out != "" || said != want {
		t.Errorf("unreadable: exit status %d, %q, %q, want 3, %q", exit, out, said, want)
	}
	chaintest.OK(t, os.Chmod(dir, 0o755))
	if after := bytesIn(t, dir); after != before {
		t.Errorf("it was changed from\n%sto\n%s", before, after)
	}
}

func TestADirectoryWithoutWritePermissionIsReported(t *testing.T) {
	top := forAll(t)
	dir := filepath.Join(top, "db")
	want := regexp.MustCompile("^ephemera: cannot use the database in " + dir + ": (" + dir + ": )?permission denied\n$")
	if exit, _, said := asNobody(t, "--db", dir, "init", `{"name":"Apes","symbol":"APE"}`); exit != 3 || !want.MatchString(said) {
		t.Errorf("exit status %d, %q, want 3, %s", exit, said, want)
	}
	newCollection(t, dir)
	chaintest.OK(t, errors.Join(os.Chmod(dir, 0o777), exec.Command("chmod", "-R", "a+rw", dir).Run()))
	target := filepath.Join(top, "apes.backup")
	exit, _, said := asNobody(t, "--db", dir, "backup", target)
	if exit != 2 || !strings.HasPrefix(said, "ephemera: "+target+": cannot be written") || strings.Count(said, "\n") != 1 {
		t.Errorf("a backup: exit status %d, %q", exit, said)
	}
}

// On a full disk what is there can be read, and nothing is written.
func TestAFullDiskRefusesWritesAndAllowsReads(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=400m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { chaintest.OK(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	dir, rest := filepath.Join(disk, "db"), filepath.Join(disk, "rest")
	newCollection(t, dir)
	mint := func(id string) []string {
		return []string{"--db", dir, "exec", "--as", "creator", fmt.Sprintf(`{"mint":{"token_id":%q,"owner":"$creator"}}`, id)}
	}
	for _, c := range []struct{ left, reads int }{{10 << 20, 0}, {0, 3}} {
		leave(t, disk, rest, int64(c.left))
		before := tableBytes(t, dir)
		exit, out, said := ephemera(t, mint("more")...)
		if exit != 3 || out != "" || !strings.HasPrefix(said, "ephemera: the disk of "+dir+" is almost full: ") ||
			!strings.HasSuffix(said, "; nothing was written; make room and try again\n") || strings.Count(said, "\n") != 1 {
			t.Errorf("with %d bytes left: exit status %d, %q, %q", c.left, exit, out, said)
		}
		if exit, _, said := ephemera(t, "--db", dir, "query", `{"num_tokens":{}}`); exit != c.reads {
			t.Errorf("with %d bytes left a query: exit status %d, %q", c.left, exit, said)
		}
		if exit, out, said := ephemera(t, "--db", dir, "--readonly", "query", `{"num_tokens":{}}`); exit != 0 || out != "{\"count\":1}\n" {
			t.Errorf("with %d bytes left a reading query: exit status %d, %q", c.left, exit, said)
		}
		backup := filepath.Join(disk, "apes.backup")
		if exit, _, said := ephemera(t, "--db", dir, "--readonly", "backup", backup); c.left == 0 &&
			(exit != 3 || !strings.HasPrefix(said, "ephemera: "+backup+": ") || !strings.Contains(said, "no space left on device") || strings.Count(said, "\n") != 1) {
			t.Errorf("a backup onto a full disk: exit status %d, %q", exit, said)
		}
		if after := tableBytes(t, dir); after != before {
			t.Errorf("with %d bytes left the tables were changed from\n%sto\n%s", c.left, before, after)
		}
		chaintest.OK(t, os.Remove(rest))
		_ = os.Remove(backup)
	}
	runs(t, mint("at last")...)
	if out := runs(t, "--db", dir, "query", `{"num_tokens":{}}`); out != "{\"count\":2}\n" {
		t.Errorf("in the end: %q", out)
	}
}

// leave fills a disk until so many bytes are left.
func leave(t *testing.T, disk, rest string, left int64) {
	t.Helper()
	f := chaintest.Must(os.Create(rest))(t)
	defer f.Close()
	for block := make([]byte, 1<<16); ; {
		var s syscall.Statfs_t
		chaintest.OK(t, syscall.Statfs(disk, &s))
		n := min(int64(s.Bavail)*s.Bsize-left, int64(len(block)))
		if n <= 0 {
			return
		}
		chaintest.Must(f.Write(block[:n]))(t)
	}
}
