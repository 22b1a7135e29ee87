package chain_test

import (
	"maps"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/kv"
)

func TestTheChangesBetweenTwoBranchesTurnOneStateIntoTheOther(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	root := w.Head()
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	w.Do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
	left := w.Head()
	leftRecords := Parts(t, w.DB, "c")

	Must(w.C.Undo(2))(t)
	Same(t, "the head after undo", root, w.Head())
	w.Mint("2", "bob")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	right := w.Head()
	rightRecords := Parts(t, w.DB, "c")

	w.View(func(v *chain.View) {
		changes := Must(v.ChangesBetween(left, right))(t)
		records := maps.Clone(leftRecords)
		for _, c := range changes {
			key := "c" + string(c.Key)
			old, exists := leftRecords[key]
			if (c.OldValue != nil) != exists || string(c.OldValue) != old {
				t.Errorf("%q was %q, and is %q in the change", c.Key, old, c.OldValue)
			}
			if c.NewValue == nil {
				delete(records, key)
			} else {
				records[key] = string(c.NewValue)
			}
		}
		Same(t, "the records of the right branch", rightRecords, records)

		back := Must(v.ChangesBetween(right, left))(t)
		Same(t, "the number of changes back", len(changes), len(back))
		Same(t, "the changes between a node and itself", []kv.Change{}, Must(v.ChangesBetween(left, left))(t))
	})
}

func TestARecordThatIsAsBeforeIsNoChange(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	before := w.Head()
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	w.Do("alice", `{"revoke":{"token_id":"1","spender":"$bob"}}`)
	w.View(func(v *chain.View) { Same(t, "differences", []kv.Change{}, Must(v.ChangesBetween(before, v.Head))(t)) })
}
