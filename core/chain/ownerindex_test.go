package chain_test

import (
	"bytes"
	"slices"
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

// with gives records with an entry of the owner index among them; where the entry is
// empty, without it.
func with(all []kv.Pair, entry kv.Pair) []kv.Pair {
	rest := slices.DeleteFunc(slices.Clone(all), func(p kv.Pair) bool { return bytes.Equal(p.Key, entry.Key) })
	if len(entry.Value) == 0 {
		return rest
	}
	return append(rest, entry)
}

// imports gives a world with the records of another.
func imports(t *testing.T, db kv.DB, all []kv.Pair) *World {
	t.Helper()
	w := &World{T: t, DB: db}
	w.C = Must(chain.Open(db))(t)
	OK(t, w.C.Import(Genesis(), each(all), nil))
	return w
}

// What a dump says of its owner index need not be so: pages can be missing.
func TestWhatIsUndoneIsAgainAsItWasThoughTheOwnerIndexIsWrong(t *testing.T) {
	all := records(t) // token 0 is alice's, 1 is bob's
	for wrong, dump := range map[string][]kv.Pair{
		"an entry is missing":       with(all, indexEntry("alice", "0", "")),
		"an entry is too many":      with(all, indexEntry("bob", "0", "1")),
		"an entry is of no token":   with(all, indexEntry("alice", "new", "3")),
		"an entry is another's":     with(with(all, indexEntry("alice", "0", "")), indexEntry("bob", "0", "1")),
		"an entry is written oddly": with(all, indexEntry("alice", "0", "77")),
	} {
		for _, message := range []string{
			`{"transfer_nft":{"token_id":"0","recipient":"$bob"}}`,
			`{"transfer_nft":{"token_id":"0","recipient":"$alice"}}`,
			`{"burn":{"token_id":"0"}}`,
			`{"mint":{"token_id":"new","owner":"$alice"}}`,
		} {
			w := imports(t, Memory(t), dump)
			// Alice is minter once she has accepted.
			w.Do("alice", `{"update_minter_ownership":"accept_ownership"}`)
			before := Parts(t, w.DB, "ca")
			w.Do("alice", "%s", message)
			after := Parts(t, w.DB, "ca")
			if len(Must(check.Run(w.C, nil))(t).Faults) > len(Must(check.Run(imports(t, Memory(t), dump).C, nil))(t).Faults) {
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
		w := imports(t, Memory(t), dump)
		Must(w.C.AddAccount("market", "", chain.ReceiverRejects))(t)
		before := Parts(t, w.DB, "ca")
		w.Refused("alice", `{"send_nft":{"token_id":"0","contract":"$market","msg":""}}`)
		Same(t, wrong+": after a refused delivery", before, Parts(t, w.DB, "ca"))
	}
}
