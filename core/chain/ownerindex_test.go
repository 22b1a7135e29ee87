package chain_test

import (
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/check"
	"ephemera/core/kv"
)

// indexEntry is an entry of the owner index, as a dump has it.
func indexEntry(owner, id, value string) kv.Pair {
	key := append([]byte("\x00\x0dtokens__owner\x00"), byte(len(Address(owner))))
	return kv.Pair{Key: append(append(key, Address(owner)...), id...), Value: []byte(value)}
}

// imports gives a world with the records of another.
func imports(t *testing.T, db kv.DB, all []kv.Pair) *World {
	t.Helper()
	w := Blank(t, db)
	OK(t, w.C.Import(Genesis(), each(all), nil))
	return w
}

// damaged is imports, with entries of the owner index that the tokens do not ask
// for, or without some that they do where an entry is empty: what an earlier
// program took from a dump that was not whole.
func damaged(t *testing.T, entries []kv.Pair) *World {
	t.Helper()
	w := imports(t, Memory(t), records(t))
	OK(t, w.DB.Update(func(tx kv.Txn) error {
		for _, e := range entries {
			key := append([]byte("c"), e.Key...)
			change := tx.Delete
			if len(e.Value) > 0 {
				change = func(key []byte) error { return tx.Set(key, e.Value) }
			}
			if err := change(key); err != nil {
				return err
			}
		}
		return nil
	}))
	return w
}

func TestWhatIsUndoneIsAgainAsItWasThoughTheOwnerIndexIsWrong(t *testing.T) {
	// Token 0 is alice's, 1 is bob's.
	for wrong, entries := range map[string][]kv.Pair{
		"an entry is missing":       {indexEntry("alice", "0", "")},
		"an entry is too many":      {indexEntry("bob", "0", "1")},
		"an entry is of no token":   {indexEntry("alice", "new", "3")},
		"an entry is another's":     {indexEntry("alice", "0", ""), indexEntry("bob", "0", "1")},
		"an entry is written oddly": {indexEntry("alice", "0", "77")},
	} {
		for _, message := range []string{
			`{"transfer_nft":{"token_id":"0","recipient":"$bob"}}`,
			`{"transfer_nft":{"token_id":"0","recipient":"$alice"}}`,
			`{"burn":{"token_id":"0"}}`,
			`{"mint":{"token_id":"new","owner":"$alice"}}`,
		} {
			w := damaged(t, entries)
			// Alice is minter once she has accepted.
			w.Do("alice", `{"update_minter_ownership":"accept_ownership"}`)
			before := Parts(t, w.DB, "ca")
			w.Do("alice", "%s", message)
			after := Parts(t, w.DB, "ca")
			if len(Must(check.Run(w.C, nil))(t).Faults) > len(Must(check.Run(damaged(t, entries).C, nil))(t).Faults) {
				t.Errorf("%s: %s adds a fault", wrong, message)
			}
			if _, err := w.C.Undo(1); err != nil {
				t.Errorf("%s: %s cannot be undone: %v", wrong, message, err)
				continue
			}
			Same(t, wrong+": "+message+" undone", before, Parts(t, w.DB, "ca"))
			Must(w.C.Redo(1))(t)
			Same(t, wrong+": "+message+" done again", after, Parts(t, w.DB, "ca"))
		}
		w := damaged(t, entries)
		Must(w.C.AddAccount("market", "", chain.ReceiverRejects))(t)
		before := Parts(t, w.DB, "ca")
		w.Refused("alice", `{"send_nft":{"token_id":"0","contract":"$market","msg":""}}`)
		Same(t, wrong+": after a refused delivery", before, Parts(t, w.DB, "ca"))
	}
}
