package cli_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
)

// testdata/before holds a database that an earlier program wrote and closed (of
// commit fd08d84: mints, approvals by height, by time and without end, operators,
// a burn, moves of the clock, undo and a branch, a snapshot, a minter offer), and
// what its history printed.
func TestADatabaseOfTheProgramOfBeforeOpensAndReadsAsThen(t *testing.T) {
	stored := chaintest.Must(zip.OpenReader("testdata/before/database.zip"))(t)
	defer stored.Close()
	dir := filepath.Join(t.TempDir(), "db")
	chaintest.OK(t, os.CopyFS(dir, stored))
	healthy := func() {
		t.Helper()
		if said := runs(t, "--db", dir, "doctor"); !strings.HasPrefix(said, `{"clean":true,`) {
			t.Errorf("doctor says %s", said)
		}
	}
	healthy()
	if got := runs(t, "--db", dir, "history", "--limit", "0", "--json"); got != read(t, "testdata/before/history.json") {
		t.Errorf("the history reads otherwise: %s", got)
	}
	before := runs(t, "--db", dir, "export")
	runs(t, "--db", dir, "goto", "before-burn")
	runs(t, "--db", dir, "undo", "100")
	healthy()
	runs(t, "--db", dir, "goto", "27")
	if runs(t, "--db", dir, "export") != before {
		t.Error("the way back through the history and forth again leaves other records")
	}
	healthy()
}
