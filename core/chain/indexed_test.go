package chain_test

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/check"
	"ephemera/core/kv"
)

// indexEntry is an entry of the owner index, as a dump has it.
func indexEntry(owner, id, value string) kv.Pair {
	key := append([]byte("\x00\x0dtokens__owner\x00"), byte(len(address(owner))))
	return kv.Pair{Key: append(append(key, address(owner)...), id...), Value: []byte(value)}
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
func imports(t *testing.T, db kv.DB, all []kv.Pair) *world {
	t.Helper()
	w := &world{t: t, db: db}
	w.c = must(chain.Open(db))(t)
	ok(t, w.c.Import(genesis(), each(all), nil))
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
			w := imports(t, memory(t), dump)
			// Alice is minter once she has accepted.
			w.do("alice", `{"update_minter_ownership":"accept_ownership"}`)
			before := parts(t, w.db, "ca")
			w.do("alice", "%s", message)
			after := parts(t, w.db, "ca")
			if len(must(check.Run(w.c, nil))(t).Faults) > len(must(check.Run(imports(t, memory(t), dump).c, nil))(t).Faults) {
				t.Errorf("%s: %s adds a fault", wrong, message)
			}
			if _, err := w.c.Undo(1); err != nil {
				t.Errorf("%s: %s cannot be undone: %v", wrong, message, err)
				continue
			}
			same(t, wrong+": "+message+" undone", before, parts(t, w.db, "ca"))
			must(w.c.Redo(1))(t)
			same(t, wrong+": "+message+" done again", after, parts(t, w.db, "ca"))
		}
		w := imports(t, memory(t), dump)
		must(w.c.AddAccount("market", "", chain.ReceiverRejects))(t)
		before := parts(t, w.db, "ca")
		w.refused("alice", `{"send_nft":{"token_id":"0","contract":"$market","msg":""}}`)
		same(t, wrong+": after a refused delivery", before, parts(t, w.db, "ca"))
	}
}

// asked counts how often the owner index is asked for an entry in updates.
type asked struct {
	kv.DB
	n int
}

func (a *asked) Update(fn func(kv.Txn) error) error {
	return a.DB.Update(func(t kv.Txn) error { return fn(askedTxn{t, a}) })
}

type askedTxn struct {
	kv.Txn
	of *asked
}

func (t askedTxn) Get(key []byte) ([]byte, bool, error) {
	if bytes.HasPrefix(key, []byte("c\x00\x0dtokens__owner")) {
		t.of.n++
	}
	return t.Txn.Get(key)
}

func (t askedTxn) Scan(r kv.Range) iter.Seq2[kv.Pair, error] { return t.Txn.Scan(r) }

// A read of the index is most of what there is to save around a message.
func TestTheOwnerIndexIsReadOnlyWhereItMayBeWrong(t *testing.T) {
	all := records(t)
	for name, c := range map[string]struct {
		make func(db kv.DB) *world
		asks bool
	}{
		"made here":           {func(db kv.DB) *world { w := worldOn(t, db); w.mint("0", "alice"); return w }, false},
		"imported, and right": {func(db kv.DB) *world { return imports(t, db, all) }, false},
		"imported, and wrong": {func(db kv.DB) *world { return imports(t, db, with(all, indexEntry("alice", "0", ""))) }, true},
		"mistrusted":          {func(db kv.DB) *world { w := imports(t, db, all); ok(t, w.c.Invalidate()); return w }, true},
		"of an earlier program": {func(db kv.DB) *world {
			w := imports(t, db, all)
			ok(t, db.Update(func(tx kv.Txn) error { return tx.Delete([]byte("mindexed")) }))
			return w
		}, true},
	} {
		db := &asked{DB: memory(t)}
		w := c.make(db)
		db.n = 0
		w.do("alice", `{"transfer_nft":{"token_id":"0","recipient":"$bob"}}`)
		if asks := db.n > 0; asks != c.asks {
			t.Errorf("%s: the index was asked %d times", name, db.n)
		}
		w.checkDerived()
		if said := fmt.Sprint(must(check.Run(w.c, nil))(t).Faults); strings.Contains(said, "indexed") {
			t.Errorf("%s: %s", name, said)
		}
	}
}
