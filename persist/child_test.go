package persist

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// Some tests need a second process. They start this test binary again, with a role in an
// environment variable and a directory as its last argument.
const roleVariable = "EPHEMERA_PERSIST_ROLE"

// The roles of a child. A writer and a reader print "ready" once they have used the
// database, and close it when their standard input ends.
const (
	roleWriter  = "writer"
	roleReader  = "reader"
	roleRestore = "restore" // restores a backup from standard input and prints "done"
	roleRescue  = "rescue"  // rescues the database and prints "done"
	roleCounter = "counter" // writes records until a SIGTERM; see countRecords
	roleLogged  = "logged"  // writes loggedRecords records and waits
	rolePatient = "patient" // writes until the disk is full; see writePatiently
)

// childKey is the key of the record that every writing child sets.
const childKey = "written by"

// runRole runs a role with the database in dir and returns the exit status. It prints an
// error as one line.
func runRole(role, dir string) (status int) {
	patience = 2 * time.Second
	var err error
	switch role {
	case roleRestore:
		err = Restore(dir, os.Stdin, nil)
	case roleRescue:
		_, err = Rescue(dir, acceptAny)
	default:
		err = useDatabase(role, dir)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if role == roleRestore || role == roleRescue {
		fmt.Println("done")
	}
	return 0
}

func acceptAny(*DB) error { return nil }

// useDatabase opens the database, runs a role with it, and closes it.
func useDatabase(role, dir string) error {
	db, err := Open(dir, Options{ReadOnly: role == roleReader})
	if err != nil {
		return err
	}
	if role == roleReader {
		if _, ok, err := get(db, []byte(childKey)); !ok || err != nil {
			return fmt.Errorf("the record is missing: %v", err)
		}
	} else {
		err := db.Update(func(txn kv.Txn) error { return txn.Set([]byte(childKey), []byte("the child")) })
		if err != nil {
			return err
		}
	}

	switch role {
	case roleCounter:
		err = countRecords(db, math.MaxInt)
	case roleLogged:
		err = countRecords(db, loggedRecords)
	case rolePatient:
		err = writePatiently(db)
	default:
		fmt.Println("ready")
		_, err = io.Copy(io.Discard, os.Stdin)
	}
	if err != nil {
		return err
	}
	return db.Close()
}

// loggedRecords is a number of records that fits in a log with room to spare. However
// late a kill comes, none of them is in a table.
const loggedRecords = 60

// countRecords writes records after those that exist, and prints the number of each once
// it is committed. It returns after a SIGTERM. After the last of them it waits until
// standard input ends.
func countRecords(db *DB, records int) error {
	terminate := make(chan os.Signal, 1)
	signal.Notify(terminate, syscall.SIGTERM)
	n := 0
	for ; ; n++ {
		_, ok, err := get(db, recordKey(n))
		if err != nil {
			return err
		}
		if !ok {
			break
		}
	}

	for ; n < records; n++ {
		if len(terminate) > 0 {
			return nil
		}
		err := db.Update(func(txn kv.Txn) error {
			return errors.Join(txn.Set(recordKey(n), largeValue(n)), txn.Set([]byte("newest"), recordKey(n)))
		})
		if err != nil {
			return err
		}
		fmt.Println(n)
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// writePatiently writes records and prints the number of each once it is committed. When
// the disk is full it prints "full" and waits for a line. It returns when standard input
// ends.
func writePatiently(db *DB) error {
	input := bufio.NewReader(os.Stdin)
	for n := 0; ; {
		err := db.Update(func(txn kv.Txn) error { return txn.Set(recordKey(n), largeValue(n)) })
		if err == nil {
			fmt.Println(n)
			n++
			continue
		}
		if !isError[*SpaceError](err) {
			return err
		}
		fmt.Println("full")
		if _, err := input.ReadString('\n'); err != nil {
			return nil
		}
	}
}

// child is a process that runs a role.
type child struct {
	*exec.Cmd
	stdin     io.WriteCloser
	stdout    *bufio.Reader
	stderr    bytes.Buffer
	firstLine string // set by startChild
}

// startChild starts a child as the user of this process and reads its first line.
func startChild(t *testing.T, role, dir string) *child {
	t.Helper()
	c := launchChild(t, testBinary(t), role, dir, nil)
	c.firstLine = c.readLastLine()
	return c
}

// launchChild starts a child without waiting for its first line. The child is killed when
// the test ends.
func launchChild(t *testing.T, program, role, dir string, user *syscall.SysProcAttr) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(program, dir)}
	c.Env = append(os.Environ(), roleVariable+"="+role)
	c.Stderr = &c.stderr
	c.SysProcAttr = user
	c.stdin = kvtest.Must(c.StdinPipe())(t)
	c.stdout = bufio.NewReader(kvtest.Must(c.StdoutPipe())(t))
	kvtest.OK(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c
}

// readLastLine returns the next line of the child, which may end without one.
func (c *child) readLastLine() string {
	line, _ := c.stdout.ReadString('\n')
	return strings.TrimSpace(line)
}

// readLine returns the next line of the child, which must be running.
func (c *child) readLine(t *testing.T) string {
	t.Helper()
	line, err := c.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("the child has ended: %v, %s", err, &c.stderr)
	}
	return strings.TrimSpace(line)
}

// remainingLines returns the lines that the child prints until it ends.
func (c *child) remainingLines() []string {
	text, _ := io.ReadAll(c.stdout)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// stop ends the child's standard input and requires that the child succeeds.
func (c *child) stop(t *testing.T) {
	t.Helper()
	_ = c.stdin.Close()
	if err := c.Wait(); err != nil {
		t.Errorf("the child ended with %v", err)
	}
}

// kill ends the child while it has the database open.
func (c *child) kill(t *testing.T) {
	t.Helper()
	kvtest.OK(t, c.Process.Kill())
	_ = c.Wait()
}

func testBinary(t *testing.T) string {
	t.Helper()
	return kvtest.Must(os.Executable())(t)
}

// startStranger starts a child as a user who does not own the files of this process, and
// reads its first line. Only root can change the user; otherwise the child has the user of
// this process, who must not override permissions either.
func startStranger(t *testing.T, role, dir string) *child {
	t.Helper()
	program := testBinary(t)
	var user *syscall.SysProcAttr
	if os.Geteuid() == 0 {
		program = copyForStranger(t)
		user = asUser(strangerID)
	}
	c := launchChild(t, program, role, dir, user)
	c.firstLine = c.readLastLine()
	return c
}

// strangerID is the user id of a stranger.
const strangerID = 65534

// copyForStranger copies the test binary, which Go keeps in a private directory, to one
// that every user can enter. Another process writes the copy: a file that this process
// has open for writing could not be run while a parallel test starts a process.
func copyForStranger(t *testing.T) string {
	t.Helper()
	program := filepath.Join(publicDir(t), "child")
	kvtest.OK(t, exec.Command("cp", "-p", testBinary(t), program).Run())
	return program
}

// publicDir makes a directory that other users can enter. t.TempDir makes private ones.
func publicDir(t *testing.T) string {
	t.Helper()
	dir := kvtest.Must(os.MkdirTemp("", "ephemera"))(t)
	t.Cleanup(func() {
		_ = os.Chmod(filepath.Join(dir, "db"), 0o700)
		_ = os.RemoveAll(dir)
	})
	kvtest.OK(t, os.Chmod(dir, 0o755))
	return dir
}
