package persist

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"google.golang.org/protobuf/proto"

	"ephemera/core/kv"
)

// Restore makes a database of a backup in a directory that is missing or
// empty. It builds it aside and moves it in place when it is whole: after an
// error, or an end of the process, the directory is as it was. progress, which can be
// nil, is told from time to time how many bytes of records are in. It fails with
// a [*BackupError] for a file that is none or not whole, a [*SchemaError], a
// [*SpaceError], a [*LockedError], a [*DirError], or as r does.
func Restore(dir string, r io.Reader, progress func(bytes int64)) (err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return &DirError{Dir: dir, Problem: err.Error(), Err: err}
	}
	in := &source{r: r}
	packed, err := gzip.NewReader(bufio.NewReaderSize(in, 64<<10))
	if in.err != nil {
		return in.err
	}
	if err != nil || packed.Comment != backupForm {
		return &BackupError{Problem: "the file is not a backup of Ephemera", Err: err}
	}
	lock, err := lockDir(dir, true)
	if err != nil {
		return err
	}
	defer func() { lock.release(err == nil) }()
	if err := finishMove(dir); err != nil {
		return err
	}
	f, err := listFiles(dir)
	if err == nil {
		err = f.refuseForeign(dir)
	}
	if err != nil {
		return err
	}
	if f.database {
		return &DirError{Dir: dir, Problem: "it holds a database already; restore into an empty or a new directory"}
	}
	part, err := startMove(dir)
	if err != nil {
		return dirError(dir, err)
	}
	err = build(part, func(b *builder) error { return b.load(packed, progress) })
	if in.err != nil {
		err = in.err // what the file holds is not known
	}
	if err != nil {
		return errors.Join(err, removeOwn(part))
	}
	if err := commitMove(dir, part, ""); err != nil {
		return dirError(dir, err)
	}
	_ = os.Chmod(dir, 0o700) // as a new database has it
	return nil
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

// builder fills a new database with records and their versions.
type builder struct {
	db      *DB // for its look at the space
	loader  *badger.KVLoader
	written int64 // bytes since it last looked for room
	commits entry // the newest record of each of the package's own
	schema  entry
}

// build makes a database of what fill puts into it, closed and sealed.
func build(dir string, fill func(*builder) error) error {
	d := &DB{dir: dir}
	if err := d.room(); err != nil {
		return err
	}
	// Nothing counts before the end, so nothing is synced before it.
	b, err := openBadger(options(dir).WithSyncWrites(false))
	if err != nil {
		return explain(dir, err)
	}
	const pending = 4 // batches on their way
	in := &builder{db: d, loader: b.NewKVLoader(pending)}
	err = errors.Join(fill(in), in.loader.Finish())
	if closing := b.Close(); err == nil && closing != nil {
		err = dirError(dir, closing)
	}
	if err != nil {
		return err
	}
	if len(in.commits.value) == commitsSize {
		d.commits.Store(binary.BigEndian.Uint64(in.commits.value))
	}
	if err := d.sealClosed(true); err != nil {
		return dirError(dir, err)
	}
	return nil
}

// set adds one version of a record.
func (b *builder) set(e entry) error {
	for own, key := range map[*entry][]byte{&b.commits: commitsKey, &b.schema: schemaKey} {
		if string(e.key) == string(key) && e.version >= own.version {
			*own = e
		}
	}
	if b.written += int64(len(e.key) + len(e.value)); b.written >= checkSpaceEvery {
		b.db.inTables.Add(b.written)
		b.written = 0
		if err := b.db.room(); err != nil {
			return err
		}
	}
	record := &pb.KV{Key: e.key, Value: e.value, Version: e.version}
	if e.deleted {
		record.Meta = []byte{deleted}
	}
	if err := b.loader.Set(record); err != nil {
		return dirError(b.db.dir, err)
	}
	return nil
}

// load reads a backup to its end. It fails with a [*BackupError], a
// [*SchemaError], a [*SpaceError] or a [*DirError].
func (b *builder) load(packed io.Reader, progress func(int64)) error {
	in := meter{tell: progress}
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
			if err := b.set(e); err != nil {
				return err
			}
		}
	}
	version, _ := strconv.Atoi(string(b.schema.value))
	switch {
	case version < 1:
		return &BackupError{Problem: "it holds no database of Ephemera"}
	case version > schema:
		return &SchemaError{Dir: "the backup", Found: version, Known: schema}
	}
	// What was read is the newest there can be at this moment.
	b.db.checked.Store(time.Now().Unix())
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
