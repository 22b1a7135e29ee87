package persist

import (
	"compress/gzip"
	"io"
)

// A backup is Badger's own stream of records, packed with gzip: Badger's form
// has no end and no checksum, so that a file which was cut off would pass for
// a whole one. Gzip brings both, and a head to know the file by.

// backupForm stands in the head of a backup and names its form.
const backupForm = "ephemera backup 1"

// BackupError says why a file is not a backup that can be restored. Nothing
// was restored.
type BackupError struct {
	Problem string
	Err     error // the cause, or nil
}

func (e *BackupError) Error() string {
	return "the backup cannot be restored: " + e.Problem + "; nothing was restored"
}

func (e *BackupError) Unwrap() error { return e.Err }

// BadFile tells whoever gave the file that the mistake is in it.
func (*BackupError) BadFile() {}

// Backup writes the database as it is now to w, while others go on reading and
// writing it. It reads every table in whole first, as Badger leaves out of a
// backup what it cannot read. progress, which can be nil, is told from time to time
// how many bytes of records are written. It fails with a [*DamagedError], with
// [kv.ErrClosed], or as w does.
func (d *DB) Backup(w io.Writer, progress func(bytes uint64)) error {
	if err := d.Verify(); err != nil {
		return err
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	packed, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	packed.Comment = backupForm
	stream := d.badger.NewStream()
	stream.NumGo = 2
	stream.MaxSize = frameSize
	meter := meter{tell: progress}
	if _, err := stream.Backup(io.MultiWriter(packed, &meter), 0); err != nil {
		return err
	}
	return packed.Close()
}

// frameSize is about how many bytes of records Badger collects before it
// writes them, and most how many it is believed to have collected.
const (
	frameSize = 4 << 20
	mostFrame = 16 * frameSize
)

// meter counts bytes that pass.
type meter struct {
	bytes, told uint64
	tell        func(uint64)
}

func (m *meter) Write(p []byte) (int, error) {
	m.bytes += uint64(len(p))
	if m.tell != nil && m.bytes-m.told >= checkSpaceEvery {
		m.told = m.bytes
		m.tell(m.bytes)
	}
	return len(p), nil
}
