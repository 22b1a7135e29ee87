package persist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"ephemera/core/kv"
)

// Badger's log of a memory table: a head, then entries, each transaction closed
// by an entry that carries its version. Behind what was written there are
// zeros. Badger reads up to the first entry that does not fit and cuts the rest
// off. That is right for a write that an end of the program cut short, and
// deletes what was committed where a byte in the middle has gone bad. This
// reads the same, and cuts nothing.

const (
	logHead    = 20 // bytes before the first entry
	logKeyID   = 8  // bytes of it that name a key, where there is encryption
	bitTxn     = 1 << 6
	bitFinTxn  = 1 << 7
	stampOfKey = 8 // bytes of version behind every key
	crcSize    = 4
	logSize    = 2 * memoryTable
	logStep    = 2 << 20 // a log is as many of these as its memory table has megabytes
	smallHead  = 5       // bytes of an entry before its key, where all lengths are below 128
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// entry is one entry of a log.
type entry struct {
	meta       byte
	key, value []byte
	size       int // bytes in the log
}

var errEntry = errors.New("not an entry")

// readEntry takes the first entry of b, which has to be whole.
func readEntry(b []byte) (e entry, err error) {
	if len(b) < 2 {
		return e, errEntry
	}
	e.meta, e.size = b[0], 2
	var n [3]uint64 // length of the key, of the value; when it expires
	for i := range n {
		v, k := binary.Uvarint(b[e.size:])
		if k <= 0 {
			return e, errEntry
		}
		n[i], e.size = v, e.size+k
	}
	rest := uint64(len(b) - e.size)
	if n[0] == 0 || n[0] > rest || n[1] > rest || n[0]+n[1]+crcSize > rest {
		return e, errEntry
	}
	e.key = b[e.size:][:n[0]]
	e.value = b[e.size+int(n[0]):][:n[1]]
	e.size += int(n[0] + n[1])
	if crc32.Checksum(b[:e.size], castagnoli) != binary.BigEndian.Uint32(b[e.size:]) {
		return e, errEntry
	}
	e.size += crcSize
	return e, nil
}

// count reads the count of commits that an entry holds, if it is one.
func (e entry) count() (uint64, bool) {
	value, ok := e.valueOf(commitsKey)
	if !ok || len(value) != commitsSize {
		return 0, false
	}
	return binary.BigEndian.Uint64(value), true
}

// valueOf gives the value of an entry, if its key is this one.
func (e entry) valueOf(key []byte) ([]byte, bool) {
	return e.value, len(e.key) == len(key)+stampOfKey && bytes.HasPrefix(e.key, key)
}

// logState is what a log holds.
type logState struct {
	leads          // what Badger will find
	first   uint64 // the oldest count of commits in it; 0: none
	end     int    // where Badger stops reading
	cut     int    // counts behind that place, which Badger would cut off
	behind  uint64 // the newest of them
	foreign bool   // it is encrypted, or its head is broken
	short   bool   // its end is missing
	memory  int64  // the memory table that it needs; 0: the usual one
}

// readLog reads a log as Badger does, and then looks behind the place where
// Badger stops.
func readLog(log []byte) (s logState) {
	s.end = min(logHead, len(log))
	for _, b := range log[:min(logKeyID, len(log))] {
		s.foreign = s.foreign || b != 0
	}
	var pending leads
	open := false
	for at := s.end; at < len(log); {
		e, err := readEntry(log[at:])
		if err != nil {
			break
		}
		at += e.size
		if n, ok := e.count(); ok {
			pending.commits = n
		} else if version, ok := e.valueOf(schemaKey); ok {
			pending.schema, _ = strconv.Atoi(string(version))
		}
		switch {
		case e.meta&bitTxn > 0:
			open = true
			continue
		case e.meta&bitFinTxn == 0 && open:
			s.cut, s.behind = countBehind(log[s.end:])
			return s // an entry on its own inside a transaction
		}
		open, s.end = false, at
		if s.first == 0 {
			s.first = pending.commits
		}
		s.leads = s.leads.and(pending)
	}
	s.cut, s.behind = countBehind(log[s.end:])
	return s
}

// countBehind looks for counts of commits in what Badger does not read.
func countBehind(rest []byte) (n int, newest uint64) {
	for {
		at := bytes.Index(rest, commitsKey)
		if at < 0 {
			return n, newest
		}
		if at >= smallHead {
			if e, err := readEntry(rest[at-smallHead:]); err == nil {
				if c, ok := e.count(); ok {
					n, newest = n+1, max(newest, c)
				}
			}
		}
		rest = rest[at+len(commitsKey):]
	}
}

// logsAmong gives the logs among a directory's files, the oldest first.
func logsAmong(files []fs.DirEntry) (logs []fs.DirEntry) {
	for _, f := range files {
		if filepath.Ext(f.Name()) == logKind {
			logs = append(logs, f)
		}
	}
	return logs
}

// readLogFile reads a log. It is not mapped: most of the file is a hole, and on
// some full disks a hole that is looked at ends the process.
func readLogFile(path string) (s logState, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	log, size, err := withoutHole(f)
	if err != nil || size == 0 {
		return s, err
	}
	s = readLog(log)
	// Badger makes a log in its full length, and shortens it only to what it
	// could read.
	s.short = s.end != size && (size < logSize || size%logStep != 0)
	if s.end > logHead && size != logSize {
		s.memory = max(earlierMemoryTable, int64(size)/2)
	}
	return s, nil
}

// withoutHole reads a file up to the hole at its end, and tells its size. As
// much of the hole stays as an entry can have zeros at its own end.
func withoutHole(f *os.File) (text []byte, size int, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	size = int(info.Size())
	used := min(size, int(usedUpTo(f, info.Size())))
	text = make([]byte, min(size, used+2*kv.MaxValue))
	_, err = f.ReadAt(text[:used], 0)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // somebody has just cut it
	}
	return text, size, err
}
