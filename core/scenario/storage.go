package scenario

import (
	"bytes"
	"fmt"

	"ephemera/core/chain"
)

// compareState holds the contract's storage to what is expected of it, record
// by record in key order.
func compareState(v *chain.View, expected []Entry) (*Mismatch, error) {
	m := matcher{}
	got, next := 0, 0
	for p, err := range v.Records() {
		if err != nil {
			return nil, err
		}
		got++
		for next < len(expected) && bytes.Compare(expected[next].Key, p.Key) < 0 {
			m.differ(keyName(expected[next].Key), expected[next].Value, absent)
			next++
		}
		if next == len(expected) || !bytes.Equal(expected[next].Key, p.Key) {
			m.differ(keyName(p.Key), absent, string(p.Value))
			continue
		}
		if expected[next].Value != string(p.Value) {
			m.differ(keyName(p.Key), expected[next].Value, string(p.Value))
		}
		next++
	}
	for ; next < len(expected); next++ {
		m.differ(keyName(expected[next].Key), expected[next].Value, absent)
	}
	if len(m.found) == 0 {
		return nil, nil
	}
	return &Mismatch{
		What: "storage", Differences: m.found, More: m.more,
		Expected: fmt.Sprintf("%d records", len(expected)), Got: fmt.Sprintf("%d records", got),
	}, nil
}

// keyName shows a key as text for people, and in hex to look it up by.
func keyName(key []byte) string { return fmt.Sprintf("%q (%x)", key, key) }
