package persist

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ephemera/core/kv/kvtest"
)

// One database is opened by many children. A signal ends each of them after a random
// number of records: during a commit, a flush, a compaction or the opening.
func TestEveryAcknowledgedRecordSurvivesASignalAtAnyMoment(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	d := testDatabase{dir: newPath(t)}
	for life := range kvtest.Many(4) {
		situation := fmt.Sprint("life ", life)
		endSignal := []os.Signal{syscall.SIGKILL, syscall.SIGTERM}[life%2]
		c := startChild(t, roleCounter, d.dir)
		d.acknowledge(t, c.firstLine)
		for range random.IntN(400) {
			d.acknowledge(t, c.readLine(t))
		}

		kvtest.OK(t, c.Process.Signal(endSignal))
		for _, line := range c.remainingLines() {
			d.acknowledge(t, line)
		}
		if err := c.Wait(); endSignal == syscall.SIGTERM && err != nil {
			t.Fatalf("%s: the child ended with %v, %s", situation, err, &c.stderr)
		}

		db, err := Open(d.dir, Options{ReadOnly: life%3 == 0})
		if err != nil {
			t.Fatalf("%s: %v", situation, err)
		}
		d.requireRecords(t, situation, db)
		kvtest.OK(t, db.Close())
	}
	t.Logf("%d records", d.records)
}

// acknowledge adds a record to d. The line that a child printed is the record's number.
// An empty line is ignored: a kill may cut the last line off.
func (d *testDatabase) acknowledge(t *testing.T, line string) {
	t.Helper()
	if line == "" {
		return
	}
	n, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the child printed %q", line)
	}
	d.records = max(d.records, n+1)
}
