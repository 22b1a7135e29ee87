package persist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/y"
	"google.golang.org/protobuf/proto"
)

// The MANIFEST is Badger's log of the tables that belong to the database. It begins with
// manifestHead. Sets of changes follow, each after its size and its checksum, of 4 bytes each.
const (
	manifestHead  = "Bdgr\x00\x00\x00\x08"
	setHeaderSize = 8
	// newManifestName is where a MANIFEST is written before it gets its name.
	newManifestName = badger.ManifestFilename + "-REWRITE"
)

type tableList = map[uint64]badger.TableManifest // by the numbers of the tables

var errBrokenManifest = errors.New("it cannot be read")

// readManifest returns the tables that the MANIFEST lists. Like Badger, it ignores a last set
// that is cut off. At any other broken set it fails with [errBrokenManifest] and what the sets
// before it list.
func readManifest(dir string) (tables tableList, err error) {
	text, err := os.ReadFile(filepath.Join(dir, badger.ManifestFilename))
	if err != nil {
		return nil, err
	}
	sets, isManifest := bytes.CutPrefix(text, []byte(manifestHead))
	if !isManifest {
		return nil, errBrokenManifest
	}

	tables = tableList{}
	for len(sets) >= setHeaderSize {
		size := uint64(binary.BigEndian.Uint32(sets))
		sum := binary.BigEndian.Uint32(sets[4:])
		sets = sets[setHeaderSize:]
		if size > uint64(len(text)) {
			return tables, errBrokenManifest
		}
		if size > uint64(len(sets)) {
			break
		}

		changes := &pb.ManifestChangeSet{}
		unmarshalErr := proto.Unmarshal(sets[:size], changes)
		if crc32.Checksum(sets[:size], y.CastagnoliCrcTable) != sum || unmarshalErr != nil {
			return tables, errBrokenManifest
		}
		sets = sets[size:]
		for _, change := range changes.Changes {
			delete(tables, change.Id)
			if change.Op == pb.ManifestChange_CREATE {
				tables[change.Id] = badger.TableManifest{
					Level:       uint8(change.Level),
					Compression: badgeroptions.CompressionType(change.Compression),
				}
			}
		}
	}
	return tables, nil
}

// writeManifest replaces the MANIFEST in one step. Badger must be closed.
func writeManifest(dir string, tables tableList) error {
	changes := &pb.ManifestChangeSet{}
	for id, listed := range tables {
		changes.Changes = append(changes.Changes, &pb.ManifestChange{
			Id:          id,
			Op:          pb.ManifestChange_CREATE,
			Level:       uint32(listed.Level),
			Compression: uint32(listed.Compression),
		})
	}
	set, err := proto.Marshal(changes)
	if err != nil {
		return err
	}

	text := []byte(manifestHead)
	text = binary.BigEndian.AppendUint32(text, uint32(len(set)))
	text = binary.BigEndian.AppendUint32(text, crc32.Checksum(set, y.CastagnoliCrcTable))
	newPath := filepath.Join(dir, newManifestName)
	if err := writeSynced(newPath, append(text, set...)); err != nil {
		return err
	}
	if err := os.Rename(newPath, filepath.Join(dir, badger.ManifestFilename)); err != nil {
		return err
	}
	return syncDir(dir)
}

func writeSynced(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

// findTables returns the tables that the MANIFEST lists, or none without tables and MANIFEST. It
// fails with a [*DamagedError] if the MANIFEST is broken or a table is missing, and with a
// [*DirError].
//
// Neither is damage if only tables with numbers from base are concerned, which were made since
// the last opening. If Badger fails to write a set about such a table, it removes the table
// and makes another one, but the set remains, whole or broken. Then wasRepaired is set, and
// every new table that is whole belongs to the database. A base of 0 is unknown.
func findTables(dir string, files listing, base uint64) (tables tableList, wasRepaired bool, err error) {
	tables, err = readManifest(dir)
	isMissing := errors.Is(err, fs.ErrNotExist)
	switch {
	case isMissing && len(files.tableIDs) == 0:
		return nil, false, nil
	case isMissing:
		return nil, false, damagedError(dir, err,
			"its MANIFEST is missing, without which its %d tables cannot be read",
			len(files.tableIDs))
	case err != nil && (base == 0 || !errors.Is(err, errBrokenManifest)):
		return nil, false, brokenFileError(dir, err, "its MANIFEST is broken (%s)", firstErrorLine(err))
	}

	// Leave out new tables that Badger has removed.
	wasRepaired = err != nil
	for id := range tables {
		if files.tableIDs[id] {
			continue
		}
		if base == 0 || id < base {
			return nil, false, damagedError(dir, nil, "the table %s is missing", tableName(id))
		}
		delete(tables, id)
		wasRepaired = true
	}
	if !wasRepaired {
		return tables, false, nil
	}

	// Add the new tables that the list should have. Badger left others incomplete.
	for id := range files.tableIDs {
		_, isListed := tables[id]
		switch {
		case isListed:
		case id < base:
			return nil, false, damagedError(dir, err, "its MANIFEST is broken (%s)", errBrokenManifest)
		case checkTable(filepath.Join(dir, tableName(id))).err == nil:
			tables[id] = badger.TableManifest{Compression: badgeroptions.Snappy}
		}
	}
	return tables, true, nil
}
