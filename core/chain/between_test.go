package chain_test

import (
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
	left, atLeft := w.Head(), contract(w)
	Must(w.C.Undo(2))(t)
	Same(t, "back at the root", root, w.Head())
	w.Mint("2", "bob")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	right, atRight := w.Head(), contract(w)
	w.View(func(v *chain.View) {
		changes := Must(v.Between(left, right))(t)
		applied := map[string]string{}
		for k, x := range atLeft {
			applied[k] = x
		}
		for _, c := range changes {
			if old, ok := atLeft[string(c.Key)]; (c.Old != nil) != ok || string(c.Old) != old {
				t.Errorf("%q was %q, told as %q", c.Key, old, c.Old)
			}
			if c.New == nil {
				delete(applied, string(c.Key))
			} else {
				applied[string(c.Key)] = string(c.New)
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

// contract reads the contract's records.
func contract(w *World) map[string]string {
	w.T.Helper()
	all := map[string]string{}
	w.View(func(v *chain.View) {
		for p, err := range v.Records() {
			OK(w.T, err)
			all[string(p.Key)] = string(p.Value)
		}
	})
	return all
}
