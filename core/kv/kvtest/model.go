package kvtest

import (
	"bytes"
	"slices"

	"ephemera/core/kv"
)

// model is a store so plain that it must be right: a sorted list. Its methods
// leave the receiver as it is.
type model []kv.Pair

func byKey(p kv.Pair, key []byte) int { return bytes.Compare(p.Key, key) }

func (m model) get(key []byte) ([]byte, bool) {
	i, ok := slices.BinarySearchFunc(m, key, byKey)
	if !ok {
		return nil, false
	}
	return m[i].Value, true
}

// set returns the model with a record. Without a value, the value is empty and not nil,
// which would be that of a missing record.
func (m model) set(key, value []byte) model {
	value = append([]byte{}, value...)
	m = m.delete(key)
	i, _ := slices.BinarySearchFunc(m, key, byKey)
	return slices.Insert(m, i, kv.Pair{Key: key, Value: value})
}

func (m model) delete(key []byte) model {
	return slices.DeleteFunc(slices.Clone(m), func(p kv.Pair) bool { return bytes.Equal(p.Key, key) })
}

func (m model) scan(r kv.Range) []kv.Pair {
	var out []kv.Pair
	for _, p := range m {
		if bytes.Compare(p.Key, r.Start) < 0 || r.End != nil && bytes.Compare(p.Key, r.End) >= 0 {
			continue
		}
		if r.KeysOnly {
			p.Value = nil
		}
		out = append(out, p)
	}
	if r.Reverse {
		slices.Reverse(out)
	}
	return out
}

// under gives the records whose keys begin with prefix, without it.
func (m model) under(prefix []byte) model {
	var out model
	for _, p := range m {
		if key, ok := bytes.CutPrefix(p.Key, prefix); ok {
			out = append(out, kv.Pair{Key: key, Value: p.Value})
		}
	}
	return out
}

// diff returns what changed between two states, sorted by key.
func (m model) diff(after model) []kv.Change {
	var out []kv.Change
	for _, p := range m {
		if now, ok := after.get(p.Key); !ok {
			out = append(out, kv.Change{Key: p.Key, OldValue: p.Value})
		} else if !bytes.Equal(now, p.Value) {
			out = append(out, kv.Change{Key: p.Key, OldValue: p.Value, NewValue: now})
		}
	}
	for _, p := range after {
		if _, ok := m.get(p.Key); !ok {
			out = append(out, kv.Change{Key: p.Key, NewValue: p.Value})
		}
	}
	slices.SortFunc(out, func(a, b kv.Change) int { return bytes.Compare(a.Key, b.Key) })
	return out
}
