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

// Restore makes a database of a backup in a directory that is missing or
// empty. It builds it aside and moves it in place when it is whole: after an
// error, or an end of the process, the directory is as it was, or the next opening
// finishes what is left and the error says so. progress, which can be
// nil, is told from time to time how many bytes of records are in. It fails with
// a [*BackupError] for a file that is none or not whole, a [*SchemaError], a
// [*SpaceError], a [*LockedError], a [*DirError], or as r does.
func Restore(dir string, r io.Reader, progress func(bytes uint64)) (err error) {
	in := &source{r: r}
	packed, err := gzip.NewReader(bufio.NewReaderSize(in, 64<<10))
	if in.err != nil {
		return in.err
	}
	if err != nil || packed.Comment != backupForm {
		return &BackupError{Problem: "the file is not a backup of Ephemera", Err: err}
	}
	dir, f, lock, err := lockForReplace(dir)
	if err != nil {
		return err
	}
	defer func() { lock.release(err == nil) }()
	if f.database {
		return &DirError{Dir: dir, Problem: "it holds a database already; restore into an empty or a new directory"}
	}
	_, err = replace(dir, newcomer{
		fill:  func(b *builder) error { return b.load(packed, progress) },
		check: func(*DB) error { return nil },
	})
	if in.err != nil {
		return in.err // what the file holds is not known
	}
	return err
}

// source keeps the error of a reader apart from what is wrong with its bytes.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// load reads a backup to its end. It fails with a [*BackupError], a
// [*SchemaError], a [*SpaceError] or a [*DirError].
func (b *builder) load(packed io.Reader, progress func(uint64)) error {
	in, version := meter{tell: progress}, 0
	r := bufio.NewReaderSize(io.TeeReader(packed, &in), 64<<10)
	for {
		list, err := readList(r)
		if err == io.EOF {
			break
		}
		if err != nil {
			return &BackupError{Problem: "it is cut short or damaged (" + firstWords(err) + ")", Err: err}
		}
		for _, record := range list.Kv {
			if err := checkRecord(record); err != nil {
				return &BackupError{Problem: "it is damaged (" + err.Error() + ")", Err: err}
			}
			e := entry{record.Key, record.Value, record.Version, len(record.Meta) > 0 && record.Meta[0] == deleted}
			if bytes.Equal(e.key, schemaKey) && version == 0 {
				version, _ = strconv.Atoi(string(e.value)) // the newest comes first
			}
			if err := b.set(e); err != nil {
				return err
			}
		}
	}
	switch {
	case version < 1:
		return &BackupError{Problem: "it holds no database of Ephemera"}
	case version > schema:
		return &SchemaError{Dir: "the backup", Found: version, Known: schema}
	}
	return nil
}

// readList reads one of the lists of records that make up a backup, each
// preceded by its size. It believes no size that cannot be.
func readList(r io.Reader) (*pb.KVList, error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint64(head[:])
	if size > mostFrame {
		return nil, errors.New("it is no list of records")
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, errors.Join(io.ErrUnexpectedEOF)
	}
	list := &pb.KVList{}
	return list, proto.Unmarshal(text, list)
}

// mostVersion is beyond any version: a transaction a microsecond takes nine years
// to it. Badger counts on from the newest that it is given.
const mostVersion = 1 << 48

// checkRecord refuses a record that no backup of this program holds.
func checkRecord(r *pb.KV) error {
	switch {
	case len(r.Key) == 0 || r.Key[0] > portRecords:
		return fmt.Errorf("a record has the key %.40X, expected one that begins with 00 or 01", r.Key)
	case r.Version == 0 || r.Version > mostVersion:
		return fmt.Errorf("a record has the version %d, expected 1 to %d", r.Version, uint64(mostVersion))
	case r.ExpiresAt != 0 || r.StreamDone,
		len(r.UserMeta) > 0 && r.UserMeta[0] != 0, len(r.Meta) > 0 && r.Meta[0]&^deleted != 0:
		return fmt.Errorf("the record %.40X is of a kind that this program does not write", r.Key)
	}
	return kv.CheckEntry(r.Key[1:], r.Value)
}
