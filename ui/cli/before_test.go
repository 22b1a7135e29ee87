package cli_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
)

// testdata/before holds a database that the program of commit fd08d84 wrote, and the
// history that it printed. The database has mints, approvals by height, by time and
// without end, operators, a burn, moves of the clock, an undo and a branch, a snapshot,
// and an offer of the minter's role.
func TestADatabaseOfAnEarlierProgramReadsTheSame(t *testing.T) {
	stored := chaintest.Must(zip.OpenReader("testdata/before/database.zip"))(t)
	defer stored.Close()
	dir := filepath.Join(t.TempDir(), "db")
	chaintest.OK(t, os.CopyFS(dir, stored))
	checkClean := func() {
		t.Helper()
		if answer := runs(t, "--db", dir, "doctor"); !strings.HasPrefix(answer, `{"clean":true,`) {
			t.Errorf("doctor answers %s", answer)
		}
	}

	checkClean()
	if got := runs(t, "--db", dir, "history", "--limit", "0", "--json"); got != read(t, "testdata/before/history.json") {
		t.Errorf("the history differs: %s", got)
	}

	before := runs(t, "--db", dir, "export")
	runs(t, "--db", dir, "goto", "before-burn")
	runs(t, "--db", dir, "undo", "100")
	checkClean()
	runs(t, "--db", dir, "goto", "27")
	if runs(t, "--db", dir, "export") != before {
		t.Error("going back in the history and forward again leaves other records")
	}
	checkClean()
}
