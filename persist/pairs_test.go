package persist

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/kv/kvtest"
)

// Two processes come to one directory at once, to make a database there, to write
// to it, to restore and to rescue. Whoever has been told that something is
// done finds it, or was told that the other has the directory.
func TestOfTwoAtOnceNothingAcknowledgedIsMarkedOrErased(t *testing.T) {
	t.Parallel()
	source := open(t, filepath.Join(t.TempDir(), "source"), Options{})
	set(t, source, "restored", "value")
	backup := backupOf(t, source)
	random := rand.New(rand.NewPCG(3, 4))
	roles := []string{"writer", "restore", "rescue", "counter"}
	outcomes := map[string]int{}
	for pair := range rounds(12, 1000) {
		dir := filepath.Join(t.TempDir(), "db")
		there := pair%3 == 0
		if there {
			db := kvtest.Must(Open(dir, Options{}))(t)
			set(t, db, "before", "value")
			kvtest.OK(t, db.Close())
		}
		a, b := roles[random.IntN(len(roles))], roles[random.IntN(len(roles))]
		first := begin(t, a, dir, backup)
		time.Sleep(time.Duration(random.IntN(12_000)) * time.Microsecond) // what is tried is the time between
		second := begin(t, b, dir, backup)
		first.finish(t)
		second.finish(t)
		db, err := Open(dir, Options{ReadOnly: true})
		if err != nil {
			if first.done() || second.done() || there {
				t.Fatalf("pair %d, %s %q and %s %q: %v", pair, a, first.said, b, second.said, err)
			}
			outcomes["neither"]++
			continue
		}
		for key, wanted := range map[string]bool{
			"before":     there,
			"restored":   first.restored() || second.restored(),
			"written by": first.wrote() || second.wrote(),
		} {
			if _, ok, err := get(db, []byte(key)); err != nil || wanted && !ok {
				t.Errorf("pair %d, %s %q and %s %q: %q is there: %t, %v", pair, a, first.said, b, second.said, key, ok, err)
			}
		}
		kvtest.OK(t, db.Close())
		for _, p := range []*party{first, second} {
			outcomes[p.role+" "+p.outcome()]++
		}
		kvtest.OK(t, os.RemoveAll(dir))
	}
	t.Logf("%v", outcomes)
}

// party is one of the two.
type party struct {
	*child
	role string
	said string
}

func begin(t *testing.T, role, dir string, backup []byte) *party {
	t.Helper()
	p := &party{role: role}
	p.child = startWith(t, self(t), role, dir, nil, func(c *child) {
		if role == "restore" {
			go func() { _, _ = c.end.Write(backup); _ = c.end.Close() }()
		}
	})
	return p
}

func (p *party) finish(t *testing.T) {
	t.Helper()
	p.said = p.hearFirst()
	if p.role == "counter" {
		_ = p.Process.Kill()
	}
	_ = p.end.Close()
	_ = p.Wait()
	if p.stderr.Len() > 0 {
		t.Errorf("%s: raw lines: %s", p.role, &p.stderr)
	}
}

func (p *party) done() bool     { return p.said == "ready" || p.said == "done" || p.said == "0" }
func (p *party) restored() bool { return p.role == "restore" && p.said == "done" }
func (p *party) wrote() bool    { return p.said == "ready" || p.said == "0" }

func (p *party) outcome() string {
	switch {
	case p.done():
		return "done"
	case strings.Contains(p.said, "is in use by"):
		return "in use"
	}
	return "refused"
}

// An end at any moment of a restore or a rescue leaves what was there, or all of
// what was to be.
func TestAKillInTheMiddleOfARestoreOrARescueLosesNothing(t *testing.T) {
	t.Parallel()
	source := open(t, many(t, 20_000).dir, Options{})
	backup := backupOf(t, source)
	random := rand.New(rand.NewPCG(5, 6))
	for _, role := range []string{"restore", "rescue"} {
		outcomes, takes := map[string]int{}, time.Duration(0)
		for round := range rounds(4, 100) {
			dir := filepath.Join(t.TempDir(), "db")
			if role == "rescue" {
				copyDir(t, source.dir, dir)
			}
			began := time.Now()
			p := begin(t, role, dir, backup)
			if round > 0 {
				time.Sleep(time.Duration(random.Int64N(int64(takes) * 5 / 4))) // when it is killed
				_ = p.Process.Kill()
			}
			p.finish(t)
			if round == 0 {
				takes = time.Since(began)
			}
			db, err := Open(dir, Options{MustExist: true})
			switch {
			case err == nil:
				outcomes["whole"]++
			case role == "restore" && !p.done():
				outcomes[lookAtInterrupted(t, dir)]++
				kvtest.OK(t, Restore(dir, bytes.NewReader(backup), nil))
				db = open(t, dir, Options{MustExist: true})
			default:
				t.Fatalf("%s: it said %q, and then: %v", role, p.said, err)
			}
			if n := len(everything(t, db)); n != 20_000 {
				t.Errorf("%s: %d records are left; it said %q", role, n, p.said)
			}
			kvtest.OK(t, db.Close())
			kvtest.OK(t, os.RemoveAll(dir))
		}
		t.Logf("%s: %v", role, outcomes)
	}
}

// lookAtInterrupted holds that no way to open what a killed restore has left
// changes it or makes a database of it, and says what was found.
func lookAtInterrupted(t *testing.T, dir string) (found string) {
	t.Helper()
	top := filepath.Dir(dir)
	before := tree(t, top)
	for _, look := range []Options{{MustExist: true}, {ReadOnly: true}, {}} {
		_, err := os.Stat(filepath.Join(dir, partName))
		if look == (Options{}) && err != nil {
			break // there is nothing, so a database may be made
		}
		found = "empty"
		if err == nil {
			found = "interrupted"
		}
		_, err = Open(dir, look)
		switch {
		case found == "empty" && errors.As(err, new(*MissingError)):
		case found == "interrupted" && err != nil && strings.Contains(err.Error(), "a restore was interrupted; repeat it"):
		default:
			t.Fatalf("%+v where a restore was killed (%s): %v", look, found, err)
		}
		if diff := cmp.Diff(before, tree(t, top)); diff != "" {
			t.Fatalf("%+v changed the directory (-before +after):\n%s", look, diff)
		}
	}
	return found
}
