package persist

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ephemera/core/kv/kvtest"
)

// TestWhatWasAcknowledgedSurvivesASignalAtAnyMoment runs one database through
// many lives. Each ends by a signal after a random number of records: in the
// middle of a commit, of a flush, of a compaction, or of opening.
func TestWhatWasAcknowledgedSurvivesASignalAtAnyMoment(t *testing.T) {
	t.Parallel()
	lives := rounds(4, 100)
	random := rand.New(rand.NewPCG(1, 2))
	k := kept{dir: filepath.Join(t.TempDir(), "db")}
	for life := range lives {
		sign := []os.Signal{syscall.SIGKILL, syscall.SIGTERM}[life%2]
		c := start(t, self(t), "counter", k.dir, nil)
		acknowledge(t, &k, c.says)
		for range random.IntN(400) {
			line, err := c.more.ReadString('\n')
			if err != nil {
				t.Fatalf("life %d: %v, %s", life, err, c.stderr.String())
			}
			acknowledge(t, &k, strings.TrimSpace(line))
		}
		kvtest.OK(t, c.Process.Signal(sign))
		for { // what it has said before it heard of that
			line, err := c.more.ReadString('\n')
			if err != nil {
				break
			}
			acknowledge(t, &k, strings.TrimSpace(line))
		}
		if err := c.Wait(); sign == syscall.SIGTERM && err != nil {
			t.Fatalf("life %d: it ended with %v, %s", life, err, c.stderr.String())
		}
		db, err := Open(k.dir, Options{ReadOnly: life%3 == 0})
		if err != nil {
			t.Fatalf("life %d: %v", life, err)
		}
		k.whole(t, "life "+strconv.Itoa(life), db)
		kvtest.OK(t, db.Close())
	}
	t.Logf("%d records through %d lives", k.records, lives)
}

// acknowledge notes that a record is durable.
func acknowledge(t *testing.T, k *kept, line string) {
	t.Helper()
	n, err := strconv.Atoi(line)
	if err != nil {
		if strings.TrimLeft(line, "0123456789") == "" {
			return // cut off by the kill
		}
		t.Fatalf("the child says %q", line)
	}
	k.records = max(k.records, n+1)
}
