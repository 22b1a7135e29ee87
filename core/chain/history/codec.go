package history

import (
	"encoding/binary"
	"errors"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Records are written in binary: a node holds messages that need not be JSON,
// and every message pays for writing one.

// partSize keeps every part of a record below a store's limit for values.
const partSize = kv.MaxValue / 2

// saveParts writes a record of any size, in as many parts as it takes.
func saveParts(w kv.Writer, kind byte, id ID, blob []byte) error {
	blob = pack(blob)
	for part := ID(0); ; part++ {
		n := min(partSize, len(blob))
		if err := w.Set(partKey(kind, id, part), blob[:n:n]); err != nil {
			return err
		}
		// A part that is not full is the last, so a record that fills its
		// parts exactly has an empty one at the end.
		if blob = blob[n:]; n < partSize {
			return nil
		}
	}
}

// loadParts reads a record; ok is false when there is none.
func loadParts(r kv.Reader, kind byte, id ID) (blob []byte, ok bool, err error) {
	if blob, ok, err = joinParts(r, kind, id); err == nil {
		if blob, err = unpack(blob); err != nil {
			err = &kv.CorruptError{Key: key(kind, id), Err: err}
		}
	}
	return blob, ok, err
}

func joinParts(r kv.Reader, kind byte, id ID) (blob []byte, ok bool, err error) {
	for part := ID(0); ; part++ {
		value, found, err := r.Get(partKey(kind, id, part))
		if err != nil {
			return nil, false, err
		}
		switch {
		case part == 0 && !found:
			return nil, false, nil
		case !found:
			return nil, false, &kv.CorruptError{Key: partKey(kind, id, part), Err: errCut}
		case part == 0 && len(value) < partSize:
			return value, true, nil
		}
		if blob = append(blob, value...); len(value) < partSize {
			return blob, true, nil
		}
	}
}

// dropParts removes a record; there need not be one.
func dropParts(t kv.Txn, kind byte, id ID) error {
	for part := ID(0); ; part++ {
		k := partKey(kind, id, part)
		value, found, err := t.Get(k)
		if err != nil || !found {
			return err
		}
		if err := t.Delete(k); err != nil || len(value) < partSize {
			return err
		}
	}
}

// partKey puts the first part under the record's own key and the others
// elsewhere, so that a walk over the keys of a kind meets each record once.
func partKey(kind byte, id, part ID) []byte {
	if part == 0 {
		return key(kind, id)
	}
	return append(key(moreKey, id, part), kind)
}

func (s State) encode() []byte {
	b := make([]byte, 0, stateSize+8)
	for _, n := range []uint64{uint64(s.Head), uint64(s.Last), uint64(s.Base), uint64(s.Floor), s.Revision} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	if s.Pruned > 0 {
		b = binary.BigEndian.AppendUint64(b, s.Pruned)
	}
	return b
}

// stateSize is that of a history that forgot nothing.
const stateSize = 5 * 8

func decodeState(b []byte) (s State, err error) {
	if len(b) != stateSize && len(b) != stateSize+8 {
		return s, &kv.CorruptError{Key: []byte("history"), Err: errCut}
	}
	id := func(i int) ID { return ID(binary.BigEndian.Uint64(b[8*i:])) }
	s = State{Head: id(0), Last: id(1), Base: id(2), Floor: id(3), Revision: uint64(id(4))}
	if len(b) > stateSize {
		s.Pruned = uint64(id(5))
	}
	return s, nil
}

var kinds = []Kind{KindInstantiate, KindExecute, KindClock, KindImport, KindMigrate}

// These are set in the first byte of a node that has a difference, or logs.
const (
	differs = 0x80
	logs    = 0x40
)

func (n Node) encode() []byte {
	b := append(make([]byte, 0, 64+len(n.Message)+len(n.Answer)), byte(slices.Index(kinds, n.Kind)))
	b = binary.AppendUvarint(b, uint64(n.Parent))
	b = binary.AppendUvarint(b, uint64(n.Height))
	b = binary.AppendUvarint(b, uint64(n.Time))
	b = binary.AppendUvarint(b, n.Changes)
	b = appendBytes(b, n.Sender)
	b = appendBytes(b, n.Message)
	b = appendBytes(b, n.Answer)
	if len(n.Difference) > 0 {
		b[0] |= differs
		b = appendBytes(b, n.Difference)
	}
	if n.Debug != "" {
		b[0] |= logs
		b = appendBytes(b, n.Debug)
	}
	if r := n.Refusal; r != nil {
		b = appendBytes(appendBytes(appendBytes(b, r.Kind), r.Text), r.Field)
	}
	return b
}

func decodeNode(id ID, b []byte) (Node, error) {
	r := reader{rest: b}
	n := Node{ID: id, Kind: KindExecute}
	first := r.byte()
	if k := first &^ (differs | logs); int(k) < len(kinds) {
		n.Kind = kinds[k]
	} else {
		r.err = errCut
	}
	n.Parent = ID(r.uint())
	n.Height = cw721.Height(r.uint())
	n.Time = cw721.Time(r.uint())
	n.Changes = r.uint()
	n.Sender = cw721.Address(r.bytes())
	n.Message = string(r.bytes())
	n.Answer = r.bytes()
	if first&differs != 0 {
		n.Difference = r.bytes()
	}
	if first&logs != 0 {
		n.Debug = string(r.bytes())
	}
	if r.err == nil && len(r.rest) > 0 {
		n.Refusal = &Refusal{Kind: cw721.Kind(r.bytes()), Text: string(r.bytes()), Field: string(r.bytes())}
	}
	if r.err != nil {
		return Node{}, &kv.CorruptError{Key: key(nodeKey, id), Err: r.err}
	}
	return n, nil
}

func appendBytes[S ~string | ~[]byte](dst []byte, b S) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

var errCut = errors.New("the record is cut short")

// reader takes a record apart. After an error it gives zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) byte() byte {
	b := r.take(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

func (r *reader) uint() uint64 {
	n, k := binary.Uvarint(r.rest)
	if k <= 0 {
		r.rest, r.err = nil, errCut
		return 0
	}
	r.rest = r.rest[k:]
	return n
}

func (r *reader) bytes() []byte { return r.take(r.uint()) }

// side reads a value that may be absent.
func (r *reader) side() []byte {
	n := r.uint()
	if n == 0 {
		return nil
	}
	return r.take(n - 1)
}

func (r *reader) take(n uint64) []byte {
	if uint64(len(r.rest)) < n {
		r.rest, r.err = nil, errCut
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}
