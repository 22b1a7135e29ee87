package persist

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv/kvtest"
)

// Two processes use one directory at once, each as a writer, a counter, a restore or a
// rescue. Whatever a process has acknowledged is there afterwards.
func TestOfTwoProcessesInOneDirectoryNeitherErasesWhatIsAcknowledged(t *testing.T) {
	t.Parallel()
	backup := backupWith(t, "restored")
	random := rand.New(rand.NewPCG(3, 4))
	roles := []string{roleWriter, roleRestore, roleRescue, roleCounter}
	for round := range kvtest.Many(12) {
		dir := newPath(t)
		hasDatabase := round%3 == 0
		if hasDatabase {
			db := kvtest.Must(Open(dir, Options{}))(t)
			set(t, db, "before", "value")
			kvtest.OK(t, db.Close())
		}

		first := startRival(t, roles[random.IntN(len(roles))], dir, backup)
		time.Sleep(time.Duration(random.IntN(12_000)) * time.Microsecond) // the distance under test
		second := startRival(t, roles[random.IntN(len(roles))], dir, backup)
		first.finish(t)
		second.finish(t)
		situation := fmt.Sprintf("round %d, %s printed %q, %s printed %q", round, first.role, first.firstLine, second.role, second.firstLine)

		db, err := Open(dir, Options{ReadOnly: true})
		if err != nil {
			if hasDatabase || first.succeeded() || second.succeeded() {
				t.Fatalf("%s: %v", situation, err)
			}
			continue
		}
		for key, isExpected := range map[string]bool{
			"before":   hasDatabase,
			"restored": first.restored() || second.restored(),
			childKey:   first.wrote() || second.wrote(),
		} {
			_, ok, err := get(db, []byte(key))
			if err != nil || isExpected && !ok {
				t.Errorf("%s: %q is there: %t, %v", situation, key, ok, err)
			}
		}
		kvtest.OK(t, db.Close())
		kvtest.OK(t, os.RemoveAll(dir))
	}
}

// rival is a process that uses a directory together with another one.
type rival struct {
	*child
	role string
}

// startRival starts a child. A restore gets the backup on its standard input.
func startRival(t *testing.T, role, dir string, backup []byte) *rival {
	t.Helper()
	r := &rival{child: launchChild(t, testBinary(t), role, dir, nil), role: role}
	if role == roleRestore {
		go func() {
			_, _ = r.stdin.Write(backup)
			_ = r.stdin.Close()
		}()
	}
	return r
}

// finish reads the first line, ends the process, and requires that it printed no
// messages of Badger.
func (r *rival) finish(t *testing.T) {
	t.Helper()
	r.firstLine = r.readLastLine()
	if r.role == roleCounter {
		_ = r.Process.Kill()
	}
	_ = r.stdin.Close()
	_ = r.Wait()
	if r.stderr.Len() > 0 {
		t.Errorf("%s printed on standard error: %s", r.role, &r.stderr)
	}
}

func (r *rival) succeeded() bool { return r.firstLine == "done" || r.wrote() }
func (r *rival) restored() bool  { return r.role == roleRestore && r.firstLine == "done" }
func (r *rival) wrote() bool     { return r.firstLine == "ready" || r.firstLine == "0" }

// A restore that was killed leaves a directory that a second restore completes.
func TestAKilledRestoreOrRescueLeavesTheOldDatabaseOrTheNewOne(t *testing.T) {
	t.Parallel()
	const records = 20_000
	source := open(t, loadedDatabase(t, records).dir, Options{})
	backup := backupOf(t, source)
	random := rand.New(rand.NewPCG(5, 6))
	for _, role := range []string{roleRestore, roleRescue} {
		outcomes := map[string]int{}
		var duration time.Duration // of the first round, which is not killed
		for round := range kvtest.Many(4) {
			dir := newPath(t)
			if role == roleRescue {
				copyDir(t, source.dir, dir)
			}

			start := time.Now()
			r := startRival(t, role, dir, backup)
			if round > 0 {
				time.Sleep(time.Duration(random.Int64N(int64(duration) * 5 / 4))) // the moment under test
				_ = r.Process.Kill()
			}
			r.finish(t)
			if round == 0 {
				duration = time.Since(start)
			}

			db, err := Open(dir, Options{MustExist: true})
			switch {
			case err == nil:
				outcomes["complete"]++
			case role == roleRestore && !r.succeeded():
				outcomes[requireNoDatabase(t, dir)]++
				kvtest.OK(t, Restore(dir, bytes.NewReader(backup), nil))
				db = kvtest.Must(Open(dir, Options{MustExist: true}))(t)
			default:
				t.Fatalf("%s printed %q, and then: %v", role, r.firstLine, err)
			}
			if n := len(kvtest.Dump(t, db, nil)); n != records {
				t.Errorf("%s printed %q, and %d records are left", role, r.firstLine, n)
			}
			kvtest.OK(t, db.Close())
			kvtest.OK(t, os.RemoveAll(dir))
		}
		t.Logf("%s: %v", role, outcomes)
	}
}

// requireNoDatabase requires that no opening takes the directory of a killed restore for
// a database or changes it. It returns "empty" or "interrupted".
func requireNoDatabase(t *testing.T, dir string) (state string) {
	t.Helper()
	parent := filepath.Dir(dir)
	before := pathTree(t, parent)
	state = "empty"
	openings := []Options{{MustExist: true}, {ReadOnly: true}}
	if exists(filepath.Join(dir, partName)) {
		state = "interrupted"
		openings = append(openings, Options{})
	}

	for _, o := range openings {
		_, err := Open(dir, o)

		isMissing := isError[*MissingError](err)
		isInterrupted := err != nil && strings.Contains(err.Error(), "a restore was interrupted; repeat it")
		if state == "empty" && !isMissing || state == "interrupted" && !isInterrupted {
			t.Fatalf("Open with %+v of the %s directory gave %v", o, state, err)
		}
		if diff := cmp.Diff(before, pathTree(t, parent)); diff != "" {
			t.Fatalf("Open with %+v changed the directory (-before +after):\n%s", o, diff)
		}
	}
	return state
}
