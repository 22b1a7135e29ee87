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
	got, left := 0, expected
	for p, err := range v.Records() {
		if err != nil {
			return nil, err
		}
		got++
		for len(left) > 0 && bytes.Compare(left[0].Key, p.Key) < 0 {
			m.differ(keyName(left[0].Key), left[0].Value, absent)
			left = left[1:]
		}
		if len(left) == 0 || !bytes.Equal(left[0].Key, p.Key) {
			m.differ(keyName(p.Key), absent, string(p.Value))
			continue
		}
		if left[0].Value != string(p.Value) {
			m.differ(keyName(p.Key), left[0].Value, string(p.Value))
		}
		left = left[1:]
	}
	for _, r := range left {
		m.differ(keyName(r.Key), r.Value, absent)
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
