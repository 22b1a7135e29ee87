package persist

import (
	"errors"
	"path/filepath"
	"runtime/debug"
	"testing"

	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestInfoCountsFilesOfARescueOnlyForTheDisk(t *testing.T) {
	t.Parallel()
	dir := loadedDatabase(t, 6000).dir
	db := open(t, dir, Options{})
	before := kvtest.Must(db.Info())(t)

	for _, name := range []string{"000001" + tableExt, "00001" + logExt} {
		writeFile(t, filepath.Join(dir, oldFilesName, name), string(make([]byte, 1<<20)))
	}
	after := kvtest.Must(db.Info())(t)

	if before.Dir != dir || before.ReadOnly || before.Schema != 1 {
		t.Errorf("got %+v", before)
	}
	if before.Tables == 0 || before.Log == 0 || before.Disk < before.Tables+before.Log {
		t.Errorf("the sizes are wrong: %+v", before)
	}
	if after.Tables != before.Tables || after.Log != before.Log || after.Disk < before.Disk+1<<20 {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

func TestInfoCountsTheSpaceThatALogTakesAndNotItsHoles(t *testing.T) {
	t.Parallel()
	db := open(t, newPath(t), Options{})
	const records = 50
	for i := range records {
		set(t, db, string(recordKey(i)), string(largeValue(i)))
	}

	info := kvtest.Must(db.Info())(t)
	if written := uint64(records * 20_000); info.Log < written || info.Log > 2*written {
		t.Errorf("got %+v after %d bytes were written", info, written)
	}

	kvtest.OK(t, db.Close())
	if _, err := db.Info(); !errors.Is(err, kv.ErrClosed) {
		t.Errorf("Info of a closed database gave %v", err)
	}
}

func TestBadgerVersionIsThatOfTheModuleWithThePathOfVersion4(t *testing.T) {
	t.Parallel()
	build := &debug.BuildInfo{Deps: []*debug.Module{
		{Path: "github.com/dgraph-io/badger/v3", Version: "v3.0.0"},
		{Path: "github.com/dgraph-io/badger/v4", Version: "v4.9.6"},
	}}
	if got := badgerVersion(build); got != "v4.9.6" {
		t.Errorf("got %q", got)
	}
}
