package chain_test

import (
	"testing"

	"ephemera/core/chain"
	"ephemera/core/kv"
)

func TestTheDifferenceOfTwoBranchesIsWhatTheirStatesDifferIn(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	root := w.head()
	w.do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	w.do("alice", `{"transfer_nft":{"token_id":"1","recipient":"$carol"}}`)
	left, atLeft := w.head(), w.contract()
	must(w.c.Undo(2))(t)
	same(t, "back at the root", root, w.head())
	w.mint("2", "bob")
	w.do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	right, atRight := w.head(), w.contract()
	w.view(func(v *chain.View) {
		changes := must(v.Between(left, right))(t)
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
		same(t, "the right branch", atRight, applied)
		back := must(v.Between(right, left))(t)
		same(t, "the way back", len(changes), len(back))
		same(t, "nothing", []kv.Change{}, must(v.Between(left, left))(t))
	})
}

func TestWhatWasDoneAndUndoneIsNoDifference(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	before := w.head()
	w.do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	w.do("alice", `{"revoke":{"token_id":"1","spender":"$bob"}}`)
	w.view(func(v *chain.View) { same(t, "differences", []kv.Change{}, must(v.Between(before, v.Head))(t)) })
}

// contract reads the contract's records.
func (w *world) contract() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	w.view(func(v *chain.View) {
		for p, err := range v.Records() {
			ok(w.t, err)
			all[string(p.Key)] = string(p.Value)
		}
	})
	return all
}
