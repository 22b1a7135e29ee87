package persist

import (
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
)

type manifest = map[uint64]badger.TableManifest

// checkResult is what came of reading one table.
type checkResult struct {
	facts tableFacts
	err   error
}

// checkEach reads tables from end to end, several at once.
func checkEach(dir string, ids []uint64) map[uint64]checkResult {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		all   = make(map[uint64]checkResult, len(ids))
		turns = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for _, id := range ids {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			facts, err := checkTable(filepath.Join(dir, tableName(id)))
			mu.Lock()
			defer mu.Unlock()
			all[id] = checkResult{facts, err}
		})
	}
	wg.Wait()
	return all
}

// Verify reads every block of every table against its checksum, which Badger
// does not when it opens one. A database in which it has found a broken one
// answers nothing any more. It fails with a [*DamagedError], a [*DirError], or
// with [kv.ErrClosed].
func (d *DB) Verify() error {
	if err := d.gate.enter(); err != nil {
		return err
	}
	defer d.gate.leave()
	if damage := d.damage.Load(); damage != nil {
		return damage
	}
	damage, err := d.findDamage()
	switch {
	case err != nil:
		return err
	case damage != nil:
		d.checked.Store(0) // the next opening is to check
		d.damage.Store(damage)
		return damage
	}
	d.checked.Store(time.Now().Unix())
	return nil
}

// findDamage reads the tables of an open database, and gives nil where all are
// whole. A compaction may drop one meanwhile: then it is listed no more.
func (d *DB) findDamage() (*DamagedError, error) {
	listed, err := readManifest(d.dir)
	if err != nil {
		return nil, dirError(d.dir, err)
	}
	ids := make([]uint64, 0, len(listed))
	for id := range listed {
		ids = append(ids, id)
	}
	for id, c := range checkEach(d.dir, ids) {
		if c.err == nil {
			continue
		}
		now, err := readManifest(d.dir)
		if _, still := now[id]; still || err != nil {
			return brokenTable(d.dir, id, c.err), nil
		}
	}
	return nil, nil
}

// broken makes an error of a panic inside Badger, which is how it answers some
// broken blocks. A panic that is not about one goes on.
func (d *DB) broken(panicked any) error {
	damage, err := d.findDamage()
	if err != nil {
		return err
	}
	if damage == nil {
		panic(panicked)
	}
	d.checked.Store(0)
	d.damage.Store(damage)
	return damage
}

// usable fails with the damage that was found while the database was in use.
func (d *DB) usable() error {
	if damage := d.damage.Load(); damage != nil {
		return damage
	}
	return nil
}
