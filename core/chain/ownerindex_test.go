package chain_test

import (
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/doctor"
	"ephemera/core/kv"
)

// indexEntry returns a record of the owner index, which lists the tokens of each owner, as it
// is in a dump.
func indexEntry(owner, id, value string) kv.Pair {
	key := append([]byte("\x00\x0dtokens__owner\x00"), byte(len(Address(owner))))
	return kv.Pair{Key: append(append(key, Address(owner)...), id...), Value: []byte(value)}
}

// importRecords returns a world with imported records.
func importRecords(t *testing.T, db kv.DB, all []kv.Pair) *World {
	t.Helper()
	w := Blank(t, db)
	OK(t, w.C.Import(Genesis(), yieldAll(all), nil))
	return w
}

// importDamaged returns a world with the records of [sampleRecords] and a wrong owner index,
// as an earlier version of the program could import it from an incomplete dump. It adds the
// entries to the index, or removes those whose value is empty.
func importDamaged(t *testing.T, entries []kv.Pair) *World {
	t.Helper()
	w := importRecords(t, Memory(t), sampleRecords(t))
	OK(t, w.DB.Update(func(tx kv.Txn) error {
		for _, e := range entries {
			key := append([]byte("c"), e.Key...)
			if len(e.Value) > 0 {
				OK(t, tx.Set(key, e.Value))
			} else {
				OK(t, tx.Delete(key))
			}
		}
		return nil
	}))
	return w
}

func TestUndoRestoresTheRecordsEvenIfTheOwnerIndexIsWrong(t *testing.T) {
	// alice owns token 0, and bob owns token 1.
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
			w := importDamaged(t, entries)
			w.Do("alice", `{"update_minter_ownership":"accept_ownership"}`)
			before := Parts(t, w.DB, "ca")
			w.Do("alice", "%s", message)
			after := Parts(t, w.DB, "ca")
			faults := Must(doctor.Run(w.C, nil))(t).Faults
			faultsBefore := Must(doctor.Run(importDamaged(t, entries).C, nil))(t).Faults
			if len(faults) > len(faultsBefore) {
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

		w := importDamaged(t, entries)
		Must(w.C.AddAccount("market", "", chain.ReceiverRejects))(t)
		before := Parts(t, w.DB, "ca")
		w.Refused("alice", `{"send_nft":{"token_id":"0","contract":"$market","msg":""}}`)
		Same(t, wrong+": after a refused delivery", before, Parts(t, w.DB, "ca"))
	}
}
