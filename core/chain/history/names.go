package history

import (
	"encoding/binary"
	"fmt"
	"strconv"

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
	case number(name):
		return &NameError{fmt.Sprintf("a snapshot's name must not be a number, as %q is: numbers name nodes", name)}
	}
	k := append([]byte{nameKey}, name...)
	raw, taken, err := t.Get(k)
	if err != nil {
		return err
	}
	if taken {
		return &NameError{fmt.Sprintf("the name %q is in use, for node %d", name, binary.BigEndian.Uint64(raw))}
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
		names = append(names, Name{string(p.Key[1:]), ID(binary.BigEndian.Uint64(p.Value))})
	}
	return names, nil
}

// Find gives the node that a text means: a snapshot's name or a node's number.
// It fails with a [*NameError] or an [*UnknownNodeError].
func Find(r kv.Reader, text string) (ID, error) {
	raw, ok, err := r.Get(append([]byte{nameKey}, text...))
	if err != nil {
		return 0, err
	}
	if ok {
		return ID(binary.BigEndian.Uint64(raw)), nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, &NameError{fmt.Sprintf("no snapshot is named %q", text)}
	}
	_, err = Get(r, ID(n))
	return ID(n), err
}

// Prune forgets the oldest nodes until keep are left, and the names on them.
// The head and everything after the set-up stay reachable only as far as they
// are kept. It reports how many were forgotten.
func (s *State) Prune(t kv.Txn, keep int) (int, error) {
	if uint64(s.Last) < uint64(keep) || s.Head == 0 {
		return 0, nil
	}
	floor := min(s.Last-ID(keep)+1, s.Head)
	first := max(s.Floor, 1)
	for id := first; id < floor; id++ {
		if err := t.Delete(key(nodeKey, id)); err != nil {
			return 0, err
		}
		if err := dropChanges(t, id); err != nil {
			return 0, err
		}
	}
	names, err := Names(t)
	if err != nil {
		return 0, err
	}
	for _, n := range names {
		if n.ID < floor {
			if err := t.Delete(append([]byte{nameKey}, n.Name...)); err != nil {
				return 0, err
			}
		}
	}
	if floor <= first {
		return 0, nil
	}
	s.Floor = floor
	s.Base = max(s.Base, floor)
	return int(floor - first), nil
}
