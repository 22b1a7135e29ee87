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

// Name is a name that a person gave to a node of the history, to find the node again. The
// program calls it a snapshot, because it names a state of the collection.
type Name struct {
	Name string // the name
	ID   ID     // the node that has it
}

// NameError reports why a node cannot get a name, or that no node has the name.
type NameError struct{ Text string }

func (e *NameError) Error() string { return e.Text }

func nameErrorf(format string, args ...any) error {
	return &NameError{fmt.Sprintf(format, args...)}
}

// maxNameSize is the size of the longest name in bytes.
const maxNameSize = 64

// SetName gives a name to a node. It fails with a [*NameError] if a node already has the name,
// or if the text is empty, too long or a number, or has control characters.
func SetName(txn kv.Txn, name string, id ID) error {
	if err := checkName(name); err != nil {
		return err
	}
	otherNode, isTaken, err := findName(txn, name)
	if err != nil {
		return err
	}
	if isTaken {
		return nameErrorf("the name %q is in use, for node %d", name, otherNode)
	}
	record := binary.BigEndian.AppendUint64(nil, uint64(id))
	return txn.Set(nameRecordKey(name), record)
}

// checkName returns a [*NameError] for a text that cannot be the name of a node. A number
// cannot, because people also give the numbers of nodes.
func checkName(name string) error {
	if name == "" || len(name) > maxNameSize {
		return nameErrorf("a snapshot's name has 1 to %d bytes", maxNameSize)
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return nameErrorf("a snapshot's name must be text without control characters, got %q", name)
	}
	if _, err := strconv.ParseUint(name, 10, 64); err == nil {
		return nameErrorf("a snapshot's name must not be a number, as %q is: numbers name nodes", name)
	}
	return nil
}

// DeleteName deletes a name, and returns the node that had it. It fails with a [*NameError] if
// no node has the name.
func DeleteName(txn kv.Txn, name string) (ID, error) {
	id, exists, err := findName(txn, name)
	if err != nil {
		return 0, err
	}
	if !exists {
		return 0, unknownNameError(name)
	}
	return id, txn.Delete(nameRecordKey(name))
}

func unknownNameError(name string) error {
	return nameErrorf("no snapshot is named %q", name)
}

func nameRecordKey(name string) []byte { return append([]byte{nameLetter}, name...) }

// findName looks up the node with a name; exists is false if there is none.
func findName(reader kv.Reader, name string) (id ID, exists bool, err error) {
	recordKey := nameRecordKey(name)
	record, exists, err := reader.Get(recordKey)
	if err != nil || !exists {
		return 0, false, err
	}
	id, err = decodeID(recordKey, record)
	return id, err == nil, err
}

// Names returns all names of nodes, sorted by name. A node can have several.
func Names(reader kv.Reader) ([]Name, error) {
	var names []Name
	for pair, err := range reader.Scan(kv.PrefixRange([]byte{nameLetter})) {
		if err != nil {
			return nil, err
		}
		id, err := decodeID(pair.Key, pair.Value)
		if err != nil {
			return nil, err
		}
		names = append(names, Name{Name: string(pair.Key[1:]), ID: id})
	}
	return names, nil
}

// Find returns the node that a person means by its name or its number, such as "12" or "#12".
// It fails with a [*NameError] for a text that is neither, and with an [*UnknownNodeError].
func Find(reader kv.Reader, text string) (ID, error) {
	id, isName, err := findName(reader, text)
	if err != nil {
		return 0, err
	}
	if isName {
		return id, nil
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 10, 64)
	if err != nil {
		return 0, unknownNameError(text)
	}
	_, err = Get(reader, ID(number))
	return ID(number), err
}

// decodeID decodes the number of a node from eight bytes of a record or of its key. It fails
// with a [*kv.CorruptError] that names the record by key.
func decodeID(key, encoded []byte) (ID, error) {
	if len(encoded) != 8 {
		return 0, &kv.CorruptError{Key: bytes.Clone(key), Err: errShortRecord}
	}
	return ID(binary.BigEndian.Uint64(encoded)), nil
}
