package persist

import (
	"os"
	"path/filepath"
	"testing"

	"ephemera/core/kv/kvtest"
)

func TestWhatARescueHasKeptIsOnTheDiskAndNotInUse(t *testing.T) {
	t.Parallel()
	db := open(t, many(t, 6000).dir, Options{})
	before := kvtest.Must(db.Info())(t)
	kept := filepath.Join(db.dir, "rescue")
	kvtest.OK(t, os.Mkdir(kept, 0o700))
	for _, name := range []string{"000001" + tableExt, "00001" + logExt} {
		kvtest.OK(t, os.WriteFile(filepath.Join(kept, name), make([]byte, 1<<20), 0o600))
	}
	after := kvtest.Must(db.Info())(t)
	if after.Tables != before.Tables || after.Log != before.Log || after.Disk < before.Disk+1<<20 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if before.Tables == 0 || before.Log == 0 || before.Disk < before.Tables+before.Log {
		t.Errorf("got %+v", before)
	}
}
