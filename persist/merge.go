package persist

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
)

// Badger makes new tables in level 0. Its compaction, which merges them into the levels below,
// takes a table that it could not create for a complete one, and removes the tables whose
// records that table should hold. So Badger runs without compactions, and this file merges
// tables while Badger is closed. Every step may fail or be cut off, because the old tables
// count until a MANIFEST with the new ones has replaced the old one.

const (
	// maxNewTables is how many tables level 0 may have before they are merged. Each makes
	// every read slower, and every opening.
	maxNewTables = 6
	// mergeRatio is how many times as large as the tables to merge the next level may be to be
	// merged with them. So small commands do not write a large collection again.
	mergeRatio = 4
	lastLevel  = 6
)

// mergeTables merges the tables of level 0, and those of the levels below that are not much
// larger, if level 0 has many and the disk has the space.
func (d *DB) mergeTables() error {
	tables, err := readManifest(d.dir)
	if err != nil {
		return err
	}
	var levels [lastLevel + 1][]uint64
	var sizes [lastLevel + 1]int64 // in bytes
	for id, listed := range tables {
		info, err := os.Stat(filepath.Join(d.dir, tableName(id)))
		if err != nil {
			return err
		}
		levels[listed.Level] = append(levels[listed.Level], id)
		sizes[listed.Level] += info.Size()
	}
	if len(levels[0]) <= maxNewTables {
		return nil
	}

	// Stop above the first level that is much larger.
	inputs := levels[0]
	size := sizes[0]
	next := 1
	for ; next <= lastLevel && (next == 1 || sizes[next] <= mergeRatio*size); next++ {
		inputs = append(inputs, levels[next]...)
		size += sizes[next]
	}
	if requireSpace(d.dir, size+spaceForMemory) != nil {
		return nil
	}

	// A broken block would read as if it were empty.
	var gone uint64
	for id, facts := range checkTables(d.dir, slices.Values(inputs)) {
		if facts.err != nil {
			return brokenTableError(d.dir, id, facts.err)
		}
		if id < d.base && d.content != 0 {
			gone += facts.content
		}
	}

	m := &merger{dir: d.dir, nextID: numberAbove(tables), isLowest: next > lastLevel}
	useless := inputs
	err = m.merge(inputs, nil)
	if err != nil {
		useless = m.outputs
	} else {
		for _, id := range inputs {
			delete(tables, id)
		}
		for _, id := range m.outputs {
			tables[id] = badger.TableManifest{Level: uint8(next - 1), Compression: badgeroptions.Snappy}
		}
		if err := writeManifest(d.dir, tables); err != nil {
			return err // either MANIFEST may be on the disk, so keep the tables of both
		}
		d.content -= gone
	}
	for _, id := range useless {
		_ = os.Remove(filepath.Join(d.dir, tableName(id))) // the next opening removes what remains
	}
	return err
}

// merger writes the newest records of several tables to new ones.
type merger struct {
	dir      string
	nextID   uint64   // the number of the next new table
	outputs  []uint64 // the new tables
	isLowest bool     // no table below can hold a deleted record
}

// merge opens the tables one inside the other, because each is open only while a function
// reads it, and merges them with those that are open.
func (m *merger) merge(ids []uint64, opened []y.Iterator) error {
	if len(ids) == 0 {
		return m.writeAll(table.NewMergeIterator(opened, false))
	}
	return withTable(filepath.Join(m.dir, tableName(ids[0])), func(input *table.Table) error {
		iterator := input.NewIterator(table.NOCACHE)
		defer iterator.Close()
		return m.merge(ids[1:], append(opened, iterator))
	})
}

func (m *merger) writeAll(records y.Iterator) error {
	var previousKey []byte
	builder := table.NewTableBuilder(tableOptions())
	for records.Rewind(); records.Valid(); records.Next() {
		key := y.ParseKey(records.Key())
		value := records.Value()
		isOlder := bytes.Equal(key, previousKey)
		previousKey = append(previousKey[:0], key...)
		if isOlder || m.isLowest && value.Meta&deletedFlag != 0 {
			continue
		}
		builder.Add(records.Key(), value, 0)
		if builder.ReachedCapacity() {
			if err := m.write(builder); err != nil {
				return err
			}
			builder = table.NewTableBuilder(tableOptions())
		}
	}
	if builder.Empty() {
		builder.Close()
		return nil
	}
	return m.write(builder)
}

// write writes a new table, syncs it and reads it again. It closes the builder.
func (m *merger) write(builder *table.Builder) error {
	defer builder.Close()
	path := filepath.Join(m.dir, tableName(m.nextID))
	m.outputs = append(m.outputs, m.nextID)
	m.nextID++
	if err := writeSynced(path, builder.Finish()); err != nil {
		return err
	}
	return checkTable(path).err
}
