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
	_, notNumber := strconv.ParseUint(name, 10, 64)
	switch {
	case name == "" || len(name) > longestName:
		return &NameError{fmt.Sprintf("a snapshot's name has 1 to %d bytes", longestName)}
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return &NameError{fmt.Sprintf("a snapshot's name must be text without control characters, got %q", name)}
	case notNumber == nil:
		return &NameError{fmt.Sprintf("a snapshot's name must not be a number, as %q is: numbers name nodes", name)}
	}
	old, taken, err := named(t, name)
	if err != nil {
		return err
	}
	if taken {
		return &NameError{fmt.Sprintf("the name %q is in use, for node %d", name, old)}
	}
	return t.Set(nameOf(name), binary.BigEndian.AppendUint64(nil, uint64(id)))
}

// DropName takes a name away and gives the node that had it. The node stays. It
// fails with a [*NameError] when nothing has the name.
func DropName(t kv.Txn, name string) (ID, error) {
	id, ok, err := named(t, name)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, noName(name)
	}
	return id, t.Delete(nameOf(name))
}

func noName(name string) error {
	return &NameError{fmt.Sprintf("no snapshot is named %q", name)}
}

func nameOf(name string) []byte { return append([]byte{nameKey}, name...) }

// named gives the node that has a name.
func named(r kv.Reader, name string) (id ID, ok bool, err error) {
	k := nameOf(name)
	raw, ok, err := r.Get(k)
	if err != nil || !ok {
		return 0, false, err
	}
	id, err = decodeID(k, raw)
	return id, err == nil, err
}

// Names lists the snapshots in the order of their names.
func Names(r kv.Reader) ([]Name, error) {
	var names []Name
	for p, err := range r.Scan(kv.PrefixRange([]byte{nameKey})) {
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
	id, ok, err := named(r, text)
	if err != nil || ok {
		return id, err
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, noName(text)
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
