package expiry

import (
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestAnOfferInTheRecordOwnershipIsListedAndFoundByTheLayout(t *testing.T) {
	// given an index of an old collection with an offer and, after it, an operator
	store, collection := kv.NewMemory(), kv.NewMemory()
	offer := cw721.Grant{Kind: cw721.GrantCreatorOffer, Owner: "alice", Spender: "bob", Expires: cw721.UntilHeight(5)}
	operator := cw721.Grant{Kind: cw721.GrantOperator, Owner: "alice", Spender: "bob", Expires: cw721.UntilHeight(5)}
	kvtest.OK(t, store.Update(func(txn kv.Txn) error {
		kvtest.OK(t, PutEntry(txn.Set, Entry{Grant: offer}))
		return PutEntry(txn.Set, Entry{Grant: operator})
	}))
	kvtest.OK(t, collection.Update(func(txn kv.Txn) error {
		kvtest.OK(t, txn.Set([]byte("contract_info"), []byte(`{"contract":"cw721","version":"0.18.0"}`)))
		kvtest.OK(t, txn.Set([]byte("nft_info"), []byte(`{"name":"Apes","symbol":"APE"}`)))
		return txn.Set([]byte("ownership"), []byte(`{"owner":"alice","pending_owner":"bob","pending_expiry":{"at_height":5}}`))
	}))

	var layout *cw721.Layout
	kvtest.OK(t, collection.View(func(r kv.Reader) (err error) {
		layout, _, err = cw721.FindLayout(r)
		return err
	}))
	kvtest.OK(t, store.View(func(r kv.Reader) error {
		x := NewReader(r, layout, cw721.Block{Height: 1}, func(h cw721.Height) cw721.Time { return cw721.Time(h) })

		// when the list is read from each of its grants, forwards and backwards
		listed := kinds(t, x, Walk{})
		list := List{Order: ByOwner}
		minterOffer := offer
		minterOffer.Kind = cw721.GrantMinterOffer
		place := list.Place(minterOffer)
		after := kinds(t, x, Walk{Place: &place})
		before := kinds(t, x, Walk{Place: &place, Reverse: true})

		// then
		if len(listed) != 2 || listed[0] != cw721.GrantMinterOffer || listed[1] != cw721.GrantOperator {
			t.Errorf("listed %v", listed)
		}
		if len(after) != 1 || after[0] != cw721.GrantOperator {
			t.Errorf("after the offer: %v", after)
		}
		if len(before) != 0 {
			t.Errorf("before the offer: %v", before)
		}
		return nil
	}))
}

// kinds returns the kinds of the grants in a part of the list by owner.
func kinds(t *testing.T, x Reader, w Walk) (all []cw721.GrantKind) {
	t.Helper()
	for e, err := range x.List(List{Order: ByOwner}, w) {
		kvtest.OK(t, err)
		all = append(all, e.Kind)
	}
	return all
}
