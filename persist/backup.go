package persist

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
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

// Backup writes the database as it is now to w, while others go on reading and
// writing it. It reads every table in whole first: a broken one would only be
// missing in the backup. progress, which can be nil, is told from time to time
// how many bytes of records are written. It fails with a [*DamagedError], with
// [kv.ErrClosed], or as w does.
func (d *DB) Backup(w io.Writer, progress func(bytes int64)) error {
	if err := d.Verify(nil); err != nil {
		return err
	}
	if err := d.gate.enter(); err != nil {
		return err
	}
	defer d.gate.leave()
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
	if err := d.intact(); err != nil {
		return err // a block went bad since, and what is in it was left out
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
	bytes, told int64
	tell        func(int64)
}

func (m *meter) Write(p []byte) (int, error) {
	m.bytes += int64(len(p))
	if m.tell != nil && m.bytes-m.told >= lookEvery {
		m.told = m.bytes
		m.tell(m.bytes)
	}
	return len(p), nil
}

// frames reads Badger's stream, in which every list of records is preceded by
// its size, and believes no size that cannot be: Badger makes room for any.
type frames struct {
	r    *bufio.Reader
	head [8]byte
	out  []byte // of the head, still to be handed on
	left uint64 // of the list
	pass func(n int) error
}

var errFrame = errors.New("it is no list of records")

func (f *frames) Read(p []byte) (n int, err error) {
	if len(f.out) == 0 && f.left == 0 {
		if _, err := io.ReadFull(f.r, f.head[:]); err != nil {
			return 0, err
		}
		if f.left = binary.LittleEndian.Uint64(f.head[:]); f.left > mostFrame {
			return 0, errFrame
		}
		f.out = f.head[:]
	}
	if len(f.out) > 0 {
		n = copy(p, f.out)
		f.out = f.out[n:]
		return n, nil
	}
	n, err = f.r.Read(p[:min(uint64(len(p)), f.left)])
	f.left -= uint64(n)
	if err == io.EOF && f.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = f.pass(n)
	}
	return n, err
}
