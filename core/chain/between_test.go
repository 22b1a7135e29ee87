package chain_test

import (
	"maps"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/kv"
)

func TestTheDifferenceOfTwoBranchesIsWhatTheirStatesDifferIn(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	root := w.Head()
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	w.Do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
	left, atLeft := w.Head(), Parts(t, w.DB, "c")
	Must(w.C.Undo(2))(t)
	Same(t, "back at the root", root, w.Head())
	w.Mint("2", "bob")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	right, atRight := w.Head(), Parts(t, w.DB, "c")
	w.View(func(v *chain.View) {
		changes := Must(v.Between(left, right))(t)
		applied := maps.Clone(atLeft)
		for _, c := range changes {
			key := "c" + string(c.Key)
			if old, ok := atLeft[key]; (c.Old != nil) != ok || string(c.Old) != old {
				t.Errorf("%q was %q, told as %q", c.Key, old, c.Old)
			}
			if c.New == nil {
				delete(applied, key)
			} else {
				applied[key] = string(c.New)
			}
		}
		Same(t, "the right branch", atRight, applied)
		back := Must(v.Between(right, left))(t)
		Same(t, "the way back", len(changes), len(back))
		Same(t, "nothing", []kv.Change{}, Must(v.Between(left, left))(t))
	})
}

func TestWhatWasDoneAndUndoneIsNoDifference(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	before := w.Head()
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	w.Do("alice", `{"revoke":{"token_id":"1","spender":"$bob"}}`)
	w.View(func(v *chain.View) { Same(t, "differences", []kv.Change{}, Must(v.Between(before, v.Head))(t)) })
}
