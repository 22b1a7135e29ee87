package persist

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// roleVariable makes a process of this test binary play a part instead of
// running tests: what happens between two processes needs two.
const roleVariable = "EPHEMERA_PERSIST_ROLE"

// play does a part with the database in dir. It says "ready" when it has it
// open and written to, and ends when its standard input does.
func play(role, dir string) int {
	switch role {
	case "restore":
		return says(Restore(dir, os.Stdin, nil))
	case "rescue":
		_, err := Rescue(dir, func(*DB) error { return nil })
		return says(err)
	}
	o := Options{ReadOnly: role == "reader"}
	db, err := Open(dir, o)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if !o.ReadOnly {
		err = db.Update(func(tx kv.Txn) error { return tx.Set([]byte("written by"), []byte("the child")) })
	} else {
		err = db.View(func(r kv.Reader) error {
			if _, ok, err := r.Get([]byte("written by")); !ok || err != nil {
				return fmt.Errorf("the record is not there, %v", err)
			}
			return nil
		})
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	switch role {
	case "counter":
		return count(db, math.MaxInt)
	case "logged":
		return count(db, logged)
	}
	if role == "patient" {
		return writePatiently(db)
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := db.Close(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// logged is how many records a log holds, with room for more: so many are in no
// table, however late a kill comes.
const logged = 60

// count writes record after record, as many as are wanted, and says the number of
// each once it is durable. It ends in peace when it is told to by a signal.
func count(db *DB, most int) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	n := 0
	for {
		if _, ok, err := get(db, record(n)); err != nil {
			fmt.Println(err)
			return 1
		} else if !ok {
			break
		}
		n++
	}
	for len(signals) == 0 && n < most {
		err := db.Update(func(tx kv.Txn) error {
			return errors.Join(tx.Set(record(n), bulk(n)), tx.Set([]byte("newest"), record(n)))
		})
		if err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println(n)
		n++
	}
	if n == most {
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed, or alone
	}
	if err := db.Close(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// says tells what came of something: "done", or why not.
func says(err error) int {
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("done")
	return 0
}

// writePatiently writes record after record and says the number of each once
// it is durable. When the disk is full it says "full" and waits for a line.
func writePatiently(db *DB) int {
	input := bufio.NewReader(os.Stdin)
	for n := 0; ; {
		err := db.Update(func(tx kv.Txn) error { return tx.Set(record(n), bulk(n)) })
		switch full := (*SpaceError)(nil); {
		case err == nil:
			fmt.Println(n)
			n++
		case errors.As(err, &full):
			fmt.Println("full")
			if _, err := input.ReadString('\n'); err != nil {
				if err := db.Close(); err != nil {
					fmt.Println(err)
					return 1
				}
				return 0
			}
		default:
			fmt.Println(err)
			return 1
		}
	}
}

func record(n int) []byte { return fmt.Appendf(nil, "record %06d", n) }

// bulk is a value that does not compress, so that tables fill up.
func bulk(n int) []byte {
	b := make([]byte, 20_000)
	rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}).Read(b)
	return b
}

func get(db *DB, key []byte) (value []byte, ok bool, err error) {
	err = db.View(func(r kv.Reader) (err error) {
		value, ok, err = r.Get(key)
		return err
	})
	return value, ok, err
}

// child is a process that plays a part.
type child struct {
	*exec.Cmd
	end    io.WriteCloser // its standard input
	says   string         // its first line
	more   *bufio.Reader
	stderr bytes.Buffer
}

// start runs a child and reads its first line.
func start(t *testing.T, program, role, dir string, as *syscall.SysProcAttr) *child {
	t.Helper()
	c := startWith(t, program, role, dir, as, func(*child) {})
	c.says = c.hearFirst()
	return c
}

// startWith runs a child and hands it to with.
func startWith(t *testing.T, program, role, dir string, as *syscall.SysProcAttr, with func(*child)) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(program, dir)}
	c.Env = append(os.Environ(), roleVariable+"="+role)
	c.Stderr = &c.stderr
	c.SysProcAttr = as
	in := kvtest.Must(c.StdinPipe())(t)
	out := kvtest.Must(c.StdoutPipe())(t)
	kvtest.OK(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	c.end = in
	c.more = bufio.NewReader(out)
	with(c)
	return c
}

func (c *child) hearFirst() string {
	line, _ := c.more.ReadString('\n')
	return strings.TrimSpace(line)
}

// stop lets the child end in peace.
func (c *child) stop(t *testing.T) {
	t.Helper()
	_ = c.end.Close()
	if err := c.Wait(); err != nil {
		t.Errorf("the child ended with %v", err)
	}
}

// kill ends the child at once, with the database open.
func (c *child) kill(t *testing.T) {
	t.Helper()
	kvtest.OK(t, c.Process.Kill())
	_ = c.Wait()
}

// self is the path of this test binary.
func self(t *testing.T) string {
	t.Helper()
	return kvtest.Must(os.Executable())(t)
}

// nobody gives a program and the attributes to run it as a user who is not the
// owner of what this process makes; for a process that is not root, itself.
func nobody(t *testing.T) (program string, as *syscall.SysProcAttr) {
	t.Helper()
	if os.Geteuid() != 0 {
		return self(t), nil
	}
	// Go keeps the test binary where only its user comes in.
	dir, err := os.MkdirTemp("", "ephemera")
	kvtest.OK(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program = filepath.Join(dir, "child")
	// Another process copies it: a file that this one had open for writing could not
	// be run while a test beside this one starts a process.
	err = exec.Command("cp", "-p", self(t), program).Run()
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	kvtest.OK(t, err)
	return program, asUser(65534)
}
