package persist

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/dgraph-io/badger/v4/pb"
	"google.golang.org/protobuf/proto"

	"ephemera/core/kv"
)

// A backup is Badger's stream of records, packed with gzip. The stream alone has neither
// an end nor a checksum, so a truncated file would pass for a complete one. Gzip has both,
// and a header that identifies the file.

// backupForm identifies a backup and its form, in the comment of the gzip header.
const backupForm = "ephemera backup 1"

// A backup is a sequence of lists of records. Each list has its length before it.
const (
	listSize    = 4 << 20       // bytes of records after which Badger writes a list
	maxListSize = 16 * listSize // bytes of the largest list that a restore accepts
)

// BackupError reports why a file cannot be restored. Nothing was restored.
type BackupError struct {
	Problem string
	Err     error // the cause, or nil
}

func (e *BackupError) Error() string {
	return "the backup cannot be restored: " + e.Problem + "; nothing was restored"
}

func (e *BackupError) Unwrap() error { return e.Err }

// BadFile marks the error for callers that do not import this package: the file is at fault.
func (*BackupError) BadFile() {}

// Backup writes the database as it is now to w, while others go on reading and writing it.
// It calls progress, which can be nil, with the number of bytes of records so far.
//
// Backup first verifies every table, because Badger silently leaves out of a backup what it
// cannot read. It fails with a [*DamagedError], with [kv.ErrClosed], or with the error of w.
func (d *DB) Backup(w io.Writer, progress func(bytes uint64)) error {
	if err := d.Verify(); err != nil {
		return err
	}
	if err := d.beginUse(); err != nil {
		return err
	}
	defer d.endUse()

	// Badger writes the records as of one commit.
	gzipWriter, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	gzipWriter.Comment = backupForm
	stream := d.badger.NewStream()
	stream.NumGo = 2
	stream.MaxSize = listSize
	counter := &byteCounter{report: progress}
	if _, err := stream.Backup(io.MultiWriter(gzipWriter, counter), 0); err != nil {
		return err
	}
	return gzipWriter.Close()
}

// byteCounter counts the bytes written to it.
type byteCounter struct {
	bytes         uint64             // written so far
	reportedBytes uint64             // what bytes was at the last report
	report        func(bytes uint64) // receives the reports; nil for none
}

// Write reports the number of bytes after each MiB.
func (c *byteCounter) Write(p []byte) (int, error) {
	c.bytes += uint64(len(p))
	if c.report != nil && c.bytes-c.reportedBytes >= spaceCheckBytes {
		c.reportedBytes = c.bytes
		c.report(c.bytes)
	}
	return len(p), nil
}

// Restore makes a database from a backup, in a directory that is missing or empty. It calls
// progress, which can be nil, with the number of bytes of records so far.
//
// Restore builds the database in an inner directory, and moves it into place when it is complete.
// After an error, the directory is as it was, unless the error says that the next opening
// finishes the move. If the process ends meanwhile, the next opening finds either no database or
// the complete one.
//
// It fails with a [*BackupError] if r is not a complete backup or cannot be read, and with a
// [*SchemaError], a [*SpaceError], a [*LockedError] or a [*DirError].
func Restore(dir string, r io.Reader, progress func(bytes uint64)) (err error) {
	gzipReader, err := gzip.NewReader(bufio.NewReaderSize(r, 64<<10))
	if err != nil || gzipReader.Comment != backupForm {
		return &BackupError{Problem: "the file is not a backup of Ephemera", Err: err}
	}

	files, lock, err := lockForReplace(dir, createMissing)
	if err != nil {
		return err
	}
	defer func() { lock.release(err == nil) }() // after an error, remove a created directory
	dir = lock.dir
	if files.hasDatabase {
		return cannotUseError(dir,
			"it holds a database already; restore into an empty or a new directory")
	}
	_, err = replaceDatabase(dir, replacement{
		fill:  func(target *builder) error { return target.addBackup(gzipReader, progress) },
		check: func(*DB) error { return nil },
	})
	return err
}

// addBackup adds every record of an unpacked backup. It fails as [Restore] does.
func (b *builder) addBackup(stream io.Reader, progress func(uint64)) error {
	counter := &byteCounter{report: progress}
	listReader := bufio.NewReaderSize(io.TeeReader(stream, counter), 64<<10)
	backupSchema := 0 // of the schema in the backup; 0: not read yet
	for {
		list, err := readList(listReader)
		if err == io.EOF {
			break
		}
		if err != nil {
			return &BackupError{
				Problem: "it is cut short or damaged (" + firstErrorLine(err) + ")",
				Err:     err,
			}
		}
		for _, record := range list.Kv {
			if err := checkRecord(record); err != nil {
				return &BackupError{Problem: "it is damaged (" + err.Error() + ")", Err: err}
			}
			if err := b.add(record); err != nil {
				return err
			}

			// If a backup has several versions of the schema record, the newest comes first.
			if backupSchema == 0 && bytes.Equal(record.Key, schemaKey) {
				backupSchema, _ = strconv.Atoi(string(record.Value))
			}
		}
	}

	switch {
	case backupSchema < 1:
		return &BackupError{Problem: "it holds no database of Ephemera"}
	case backupSchema > currentSchema:
		return &SchemaError{Dir: "the backup", FoundSchema: backupSchema}
	}
	return nil
}

// readList reads the next list of records, in protobuf after its size in 8 bytes. It returns
// [io.EOF] after the last one.
func readList(r io.Reader) (*pb.KVList, error) {
	var header [8]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return nil, err
	}

	// No list in a backup is that long, so this is not a backup.
	size := binary.LittleEndian.Uint64(header[:])
	if size > maxListSize {
		return nil, errors.New("it is no list of records")
	}

	encodedList := make([]byte, size)
	_, err := io.ReadFull(r, encodedList)
	if err == io.EOF { // after the size of a list
		return nil, io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	list := &pb.KVList{}
	return list, proto.Unmarshal(encodedList, list)
}

// maxVersion is higher than the version of any real record: with one transaction a
// microsecond it would be reached after nine years. After a restore Badger continues to
// count from the newest version in the backup, so a forged backup with a huge version could
// leave no numbers.
const maxVersion = 1 << 48

// checkRecord fails for a record that this program never writes, and for one that is too long for
// a kv store.
func checkRecord(record *pb.KV) error {
	hasUserMeta := len(record.UserMeta) > 0 && record.UserMeta[0] != 0
	hasOtherMeta := len(record.Meta) > 0 && record.Meta[0]&^deletedFlag != 0
	hasOtherKey := len(record.Key) == 0 || record.Key[0] > callerRecords
	hasOtherVersion := record.Version == 0 || record.Version > maxVersion
	hasOtherFlags := hasUserMeta || hasOtherMeta || record.StreamDone || record.ExpiresAt != 0
	if hasOtherKey || hasOtherVersion || hasOtherFlags {
		return fmt.Errorf("the record %.40X is not one that this program writes", record.Key)
	}
	keyOfStore := record.Key[1:] // without the byte for the kind of record
	return kv.CheckEntry(keyOfStore, record.Value)
}
