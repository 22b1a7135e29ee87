package persist

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"

	badgeroptions "github.com/dgraph-io/badger/v4/options"
)

// health is whether a database can be believed. Once a table is known to be
// broken it answers nothing any more: what it would say might be short.
type health struct {
	seen   atomic.Uint64 // brokenBlocks that are not of this database
	mu     sync.Mutex    // held while the tables are read
	table  uint64        // the broken one
	damage atomic.Pointer[DamagedError]
}

// intact fails with a [*DamagedError] when Badger could not read a block. It
// is asked after every read, because that is when Badger has kept it to itself.
func (d *DB) intact() error {
	if brokenBlocks.Load() == d.health.seen.Load() {
		return nil
	}
	return d.diagnose()
}

// blame makes an error of a panic inside Badger, which is how it answers some
// broken blocks. A panic that is not about one goes on.
func (d *DB) blame(panicked any) error {
	brokenBlocks.Add(1) // without an error there was nothing that counted it
	err := d.diagnose()
	if err == nil {
		panic(panicked)
	}
	return err
}

// freeWriter lets a writer go that may be waiting for a compaction which is held:
// where many tables wait for it, Badger takes no write before it is done, and
// only to close it ends that. Closing itself gets no further than to the held
// compaction, so nothing is taken from those who read.
func (d *DB) freeWriter() {
	if d.intact() == nil {
		return // the compaction is another database's
	}
	if d.writer.TryLock() {
		d.writer.Unlock() // the next one is told before it writes
		return
	}
	go d.badger.Close()
}

// unwritten says why Badger did not take a write.
func (d *DB) unwritten(err error) error {
	if damage := d.intact(); damage != nil {
		return damage
	}
	return dirError(d.dir, err)
}

// diagnose finds the broken table. It gives nil where there is none.
func (d *DB) diagnose() error {
	h := &d.health
	h.mu.Lock()
	defer h.mu.Unlock()
	if damage := h.damage.Load(); damage != nil {
		return damage
	}
	n := brokenBlocks.Load()
	id, damage, err := d.brokenTable(nil)
	if err != nil {
		return err
	}
	if damage == nil {
		h.seen.Store(n) // it was a block of another database
		return nil
	}
	h.table = id
	h.damage.Store(damage)
	if d.sealing != nil {
		_ = d.sealNow(true) // the next start will read that table in whole
	}
	return damage
}

// known gives the damage that was found, if any.
func (d *DB) known() error {
	if damage := d.health.damage.Load(); damage != nil {
		return damage
	}
	return nil
}

// brokenTable reads the tables from end to end up to the first broken one.
// progress can be nil.
func (d *DB) brokenTable(progress func(done, of int)) (id uint64, damage *DamagedError, err error) {
	m, err := readManifest(d.dir)
	if err != nil {
		return 0, nil, dirError(d.dir, err)
	}
	done := 0
	for id := range m.Tables {
		_, err := checkTable(filepath.Join(d.dir, tableName(id)), badgeroptions.Snappy, true)
		if err != nil && d.lists(id) {
			if errors.Is(err, fs.ErrPermission) {
				return 0, nil, dirError(d.dir, err)
			}
			return id, &DamagedError{Dir: d.dir, Problem: "the table " + tableName(id) + " is broken (" + firstWords(err) + ")", Err: err}, nil
		}
		if done++; progress != nil {
			progress(done, len(m.Tables))
		}
	}
	return 0, nil, nil
}

// lists says whether a table still belongs to the database. A compaction may
// have dropped it meanwhile: it is taken from the list, emptied, and removed.
func (d *DB) lists(id uint64) bool {
	m, err := readManifest(d.dir)
	if err != nil {
		return true
	}
	_, ok := m.Tables[id]
	return ok
}
