package history

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ephemera/core/kv"
)

// Name is a snapshot: a name on a node.
type Name struct {
	Name string
	ID   ID
}

// NameError says why a name cannot be given, or that nothing has it.
type NameError struct{ Text string }

func (e *NameError) Error() string { return e.Text }

const longestName = 64 // bytes

// SetName names a node. It fails with a [*NameError] when the name is taken or
// could be mistaken for a node's number.
func SetName(t kv.Txn, name string, id ID) error {
	switch {
	case name == "" || len(name) > longestName:
		return &NameError{fmt.Sprintf("a snapshot's name has 1 to %d bytes", longestName)}
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return &NameError{fmt.Sprintf("a snapshot's name must be text without control characters, got %q", name)}
	case number(name):
		return &NameError{fmt.Sprintf("a snapshot's name must not be a number, as %q is: numbers name nodes", name)}
	}
	k := append([]byte{nameKey}, name...)
	raw, taken, err := t.Get(k)
	if err != nil {
		return err
	}
	if taken {
		old, err := decodeID(k, raw)
		if err != nil {
			return err
		}
		return &NameError{fmt.Sprintf("the name %q is in use, for node %d", name, old)}
	}
	return t.Set(k, binary.BigEndian.AppendUint64(nil, uint64(id)))
}

func number(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}

// Names lists the snapshots in the order of their names.
func Names(r kv.Reader) ([]Name, error) {
	var names []Name
	for p, err := range r.Scan(kv.Range{Start: []byte{nameKey}, End: kv.PrefixEnd([]byte{nameKey})}) {
		if err != nil {
			return nil, err
		}
		id, err := decodeID(p.Key, p.Value)
		if err != nil {
			return nil, err
		}
		names = append(names, Name{string(p.Key[1:]), id})
	}
	return names, nil
}

// Find gives the node that a text means: a snapshot's name or a node's number.
// It fails with a [*NameError] or an [*UnknownNodeError].
func Find(r kv.Reader, text string) (ID, error) {
	k := append([]byte{nameKey}, text...)
	raw, ok, err := r.Get(k)
	if err != nil {
		return 0, err
	}
	if ok {
		return decodeID(k, raw)
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, &NameError{fmt.Sprintf("no snapshot is named %q", text)}
	}
	_, err = Get(r, ID(n))
	return ID(n), err
}

// decodeID reads an id that stands as a value.
func decodeID(key, value []byte) (ID, error) {
	if len(value) != 8 {
		return 0, &kv.CorruptError{Key: bytes.Clone(key), Err: errCut}
	}
	return ID(binary.BigEndian.Uint64(value)), nil
}
