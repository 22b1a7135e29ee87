package persist

import (
	"errors"
	"io/fs"
	"path/filepath"

	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// Verify reads every table from end to end against its checksums, which
// opening does not, and Badger not at all. progress, which can be nil, is told
// after each table. It fails with a [*DamagedError], or with [kv.ErrClosed].
func (d *DB) Verify(progress func(done, of int)) error {
	if err := d.gate.enter(); err != nil {
		return err
	}
	defer d.gate.leave()
	tables := d.badger.Tables()
	for i, t := range tables {
		_, err := checkTable(filepath.Join(d.dir, tableName(t.ID)), badgeroptions.Snappy, true)
		// A compaction may drop a table meanwhile.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &DamagedError{Dir: d.dir, Problem: "the table " + tableName(t.ID) + " is broken (" + firstWords(err) + ")", Err: err}
		}
		if progress != nil {
			progress(i+1, len(tables))
		}
	}
	return nil
}
