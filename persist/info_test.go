package persist

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhatARescueHasKeptIsOnTheDiskAndNotInUse(t *testing.T) {
	db := open(t, many(t, 6000).dir, Options{})
	before, err := db.Info()
	must(t, err)
	kept := filepath.Join(db.dir, "rescue")
	must(t, os.Mkdir(kept, 0o700))
	for _, name := range []string{"000001" + tableKind, "00001" + logKind} {
		must(t, os.WriteFile(filepath.Join(kept, name), make([]byte, 1<<20), 0o600))
	}
	after, err := db.Info()
	must(t, err)
	if after.Tables != before.Tables || after.Log != before.Log || after.Disk < before.Disk+1<<20 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if before.Tables == 0 || before.Log == 0 || before.Disk < before.Tables+before.Log {
		t.Errorf("got %+v", before)
	}
}
