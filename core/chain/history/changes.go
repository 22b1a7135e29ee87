package history

import (
	"encoding/binary"
	"errors"

	"ephemera/core/kv"
)

// partSize keeps every part of a change set below a store's limit for values.
const partSize = kv.MaxValue / 2

// saveChanges writes a change set, in as many parts as it takes.
func saveChanges(w kv.Writer, id ID, changes []kv.Change) error {
	if len(changes) == 0 {
		return nil
	}
	blob := make([]byte, 0, 512)
	for _, c := range changes {
		blob = appendBytes(blob, c.Key)
		blob = appendSide(blob, c.Old)
		blob = appendSide(blob, c.New)
	}
	for part := ID(0); len(blob) > 0; part++ {
		n := min(partSize, len(blob))
		if err := w.Set(key(changeKey, id, part), blob[:n:n]); err != nil {
			return err
		}
		blob = blob[n:]
	}
	return nil
}

func dropChanges(t kv.Txn, id ID) error {
	prefix := key(changeKey, id)
	var parts [][]byte
	for p, err := range t.Scan(kv.Range{Start: prefix, End: kv.PrefixEnd(prefix), KeysOnly: true}) {
		if err != nil {
			return err
		}
		parts = append(parts, append([]byte(nil), p.Key...))
	}
	for _, k := range parts {
		if err := t.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// Changes reads what a node changed, sorted by key.
func Changes(r kv.Reader, id ID) ([]kv.Change, error) {
	prefix := key(changeKey, id)
	var blob []byte
	for p, err := range r.Scan(kv.Range{Start: prefix, End: kv.PrefixEnd(prefix)}) {
		if err != nil {
			return nil, err
		}
		blob = append(blob, p.Value...)
	}
	var changes []kv.Change
	for len(blob) > 0 {
		var c kv.Change
		var err error
		if c.Key, blob, err = cutBytes(blob); err == nil {
			if c.Old, blob, err = cutSide(blob); err == nil {
				c.New, blob, err = cutSide(blob)
			}
		}
		if err != nil {
			return nil, &kv.CorruptError{Key: prefix, Err: err}
		}
		changes = append(changes, c)
	}
	return changes, nil
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// appendSide writes a value that may be absent: its length plus one, or zero.
func appendSide(dst, b []byte) []byte {
	if b == nil {
		return append(dst, 0)
	}
	return append(binary.AppendUvarint(dst, uint64(len(b))+1), b...)
}

var errCut = errors.New("a change set is cut short")

func cutBytes(b []byte) (head, rest []byte, err error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || uint64(len(b)-k) < n {
		return nil, nil, errCut
	}
	return b[k : k+int(n) : k+int(n)], b[k+int(n):], nil
}

func cutSide(b []byte) (side, rest []byte, err error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > 0 && uint64(len(b)-k) < n-1 {
		return nil, nil, errCut
	}
	if n == 0 {
		return nil, b[k:], nil
	}
	end := k + int(n-1)
	return b[k:end:end], b[end:], nil
}

// Inverse turns changes around: what reverts them.
func Inverse(changes []kv.Change) []kv.Change {
	out := make([]kv.Change, len(changes))
	for i, c := range changes {
		out[i] = kv.Change{Key: c.Key, Old: c.New, New: c.Old}
	}
	return out
}
