package cw721_test

import (
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// changes executes a message and returns the records that it changed.
func (w *world) changes(as, msg string) (changes []kv.Change) {
	w.Helper()
	_, err := w.update(func(t kv.Txn) (cw721.Response, error) {
		o := kv.NewOverlay(t)
		r, err := w.Execute(o, w.env, cw721.Info{Sender: cw721.Address(addr(as))}, []byte(withAddresses(msg)))
		kvtest.OK(w, err)
		changes = kvtest.Must(o.Changes())(w)
		return r, o.Flush(t)
	})
	kvtest.OK(w, err)
	return changes
}

func TestATokenChangeHasTheTokenBeforeAndAfter(t *testing.T) {
	w := newCollection(t, "1")
	for _, c := range []struct{ sender, msg, ownerAfter string }{
		{"alice", `{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`, "bob"},
		{"bob", `{"burn":{"token_id":"1"}}`, ""},
	} {
		count := 0
		for _, change := range w.changes(c.sender, c.msg) {
			id, before, after, ok := cw721.TokenChange(change.Key, change.Old, change.New)
			if !ok {
				continue
			}

			count++
			if id != "1" || before.Owner != cw721.Address(addr(c.sender)) {
				t.Errorf("%s: the token before is %q, %+v", c.msg, id, before)
			}
			isBurnt := c.ownerAfter == ""
			if isBurnt != (after == nil) || after != nil && after.Owner != cw721.Address(addr(c.ownerAfter)) {
				t.Errorf("%s: the token after is %+v", c.msg, after)
			}
		}
		if count != 1 {
			t.Errorf("%s changes %d tokens", c.msg, count)
		}
	}

	if _, _, _, ok := cw721.TokenChange([]byte("num_tokens"), []byte("1"), []byte("2")); ok {
		t.Error("the number of tokens is a token")
	}
}

func TestARoleChangeHasTheRoleBeforeAndAfter(t *testing.T) {
	w := newCollection(t)
	for _, holder := range []string{"minter", "creator"} {
		for _, ch := range w.changes(holder, `{"update_`+holder+`_ownership":{"transfer_ownership":{"new_owner":"$bob"}}}`) {
			role, before, after, ok := cw721.CurrentLayout.RoleChange(ch.Key, ch.Old, ch.New)
			if !ok || string(role) != holder || *after.PendingOwner != cw721.Address(addr("bob")) || *before.Owner != *after.Owner {
				t.Errorf("%q from %+v to %+v, %v", role, before, after, ok)
			}
		}
	}
	if _, _, _, ok := cw721.CurrentLayout.RoleChange([]byte("num_tokens"), nil, []byte("2")); ok {
		t.Error("a count was taken for a role")
	}
}

func TestEveryRecordHasAName(t *testing.T) {
	w := newWorld(t, cw721.RulesStandard, cw721.FlavourOnchain)
	w.mustInstantiate(fullInstantiate)
	w.mustMint("alice", "1")
	w.mustExecute("alice", `{"approve_all":{"operator":"$bob"}}`)
	names := map[string]int{}
	for _, p := range w.records() {
		names[cw721.CurrentLayout.RecordName(p.Key)]++
	}
	for _, want := range []string{"collection info", "number of tokens", "withdraw address", "contract version", "minter", "creator", "royalty info", "token 1",
		"owner index of " + addr("alice"), "operator " + addr("bob") + " of " + addr("alice")} {
		if names[want] != 1 {
			t.Errorf("%q names %d records", want, names[want])
		}
	}
	if names["record"] > 0 || cw721.CurrentLayout.RecordName([]byte("else")) != "record" {
		t.Errorf("a record has no name: %v", names)
	}
}
