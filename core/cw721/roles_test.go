package cw721_test

import (
	"encoding/hex"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

// record gives the value under a key, "" when there is none.
func (w *world) record(key string) string {
	for _, r := range w.dump() {
		if r[0] == hex.EncodeToString([]byte(key)) {
			return r[1]
		}
	}
	return ""
}

// role is one of the two roles, with the words of its messages and queries.
type role struct{ message, reported, query, item, holder string }

var roles = []role{
	{"update_minter_ownership", "update_minter_ownership", "get_minter_ownership", "collection_minter", "minter"},
	{"update_ownership", "update_minter_ownership", "ownership", "collection_minter", "minter"},
	{"update_creator_ownership", "update_creator_ownership", "get_creator_ownership", "ownership", "creator"},
}

func (r role) offer(to, expiry string) string {
	return `{"` + r.message + `":{"transfer_ownership":{"new_owner":"` + to + `","expiry":` + expiry + `}}}`
}
func (r role) accept() string   { return `{"` + r.message + `":"accept_ownership"}` }
func (r role) renounce() string { return `{"` + r.message + `":"renounce_ownership"}` }

func everyRole(t *testing.T, fn func(t *testing.T, w *world, r role)) {
	for _, r := range roles {
		t.Run(r.message, func(t *testing.T) { fn(t, begin(t), r) })
	}
}

func TestAnOfferedRoleStaysUntilItIsAccepted(t *testing.T) {
	everyRole(t, func(t *testing.T, w *world, r role) {
		w.answers(`{"`+r.query+`":{}}`, `{"owner":"$`+r.holder+`","pending_owner":null,"pending_expiry":null}`)
		w.reports(r.holder, r.offer("$bob", `{"at_height":1001}`),
			r.reported+"=$"+r.holder+", owner=$"+r.holder+", pending_owner=$bob, pending_expiry=expiration height: 1001")
		w.answers(`{"`+r.query+`":{}}`, `{"owner":"$`+r.holder+`","pending_owner":"$bob","pending_expiry":{"at_height":1001}}`)
		// A second offer takes the place of the first.
		w.reports(r.holder, r.offer("$carol", `{"at_time":"1700000000000000001"}`),
			r.reported+"=$"+r.holder+", owner=$"+r.holder+", pending_owner=$carol, pending_expiry=expiration time: 1700000000.000000001")
		w.refuses("bob", r.accept(), cw721.KindContract, "Caller is not the contract's pending owner")
		w.reports("carol", r.accept(), r.reported+"=$carol, owner=$carol, pending_owner=none, pending_expiry=none")
		w.answers(`{"`+r.query+`":{}}`, `{"owner":"$carol","pending_owner":null,"pending_expiry":null}`)
		if got, want := w.record(r.item), fill(`{"owner":"$carol","pending_owner":null,"pending_expiry":null}`); got != want {
			t.Errorf("stored is %s", got)
		}
		w.refuses(r.holder, r.offer("$bob", "null"), cw721.KindContract, notOwner)
	})
}

func TestAnOfferLapsesAtItsEnd(t *testing.T) {
	everyRole(t, func(t *testing.T, w *world, r role) {
		w.does(r.holder, r.offer("$bob", `{"at_height":1005}`))
		w.env.Block.Height = 1005
		// Who asks is looked at before when.
		w.refuses("carol", r.accept(), cw721.KindContract, "Caller is not the contract's pending owner")
		w.refuses("bob", r.accept(), cw721.KindContract, "A pending ownership transfer exists but it has expired")
		w.env.Block.Height = 1004
		w.does("bob", r.accept())
	})
}

func TestAnOfferMayHaveLapsedAlready(t *testing.T) {
	everyRole(t, func(t *testing.T, w *world, r role) {
		w.reports(r.holder, r.offer("$bob", `{"at_height":1}`), r.reported+"=$"+r.holder+", owner=$"+r.holder+", pending_owner=$bob, pending_expiry=expiration height: 1")
		w.refuses("bob", r.accept(), cw721.KindContract, "A pending ownership transfer exists but it has expired")
		w.reports(r.holder, r.offer("$bob", `{"never":{}}`), r.reported+"=$"+r.holder+", owner=$"+r.holder+", pending_owner=$bob, pending_expiry=expiration: never")
		w.reports(r.holder, r.offer("$bob", `null`), r.reported+"=$"+r.holder+", owner=$"+r.holder+", pending_owner=$bob, pending_expiry=none")
	})
}

func TestARenouncedRoleIsNobodysForGood(t *testing.T) {
	everyRole(t, func(t *testing.T, w *world, r role) {
		w.does(r.holder, r.offer("$bob", "null"))
		w.refuses("bob", r.renounce(), cw721.KindContract, notOwner)
		w.reports(r.holder, r.renounce(), r.reported+"=$"+r.holder+", owner=none, pending_owner=none, pending_expiry=none")
		w.answers(`{"`+r.query+`":{}}`, `{"owner":null,"pending_owner":null,"pending_expiry":null}`)
		w.refuses("bob", r.accept(), cw721.KindContract, "There isn't a pending ownership transfer")
		for _, msg := range []string{r.offer("$bob", "null"), r.renounce()} {
			w.refuses(r.holder, msg, cw721.KindContract, "Contract ownership has been renounced")
		}
	})
}

func TestAnOfferChecksTheHolderBeforeTheAddress(t *testing.T) {
	everyRole(t, func(t *testing.T, w *world, r role) {
		w.refuses("bob", r.offer("x", "null"), cw721.KindContract, notOwner)
		if e := w.refuses(r.holder, r.offer("x", "null"), cw721.KindAddress, "…"); e.Field != "new_owner" {
			t.Errorf("the member at fault is %s", e.Field)
		}
		w.refuses("bob", r.accept(), cw721.KindContract, "There isn't a pending ownership transfer")
	})
}

func TestTheTwoRolesAreIndependent(t *testing.T) {
	w := begin(t, "1")
	w.does("minter", `{"update_minter_ownership":"renounce_ownership"}`)
	w.answers(`{"minter":{}}`, `{"minter":null}`)
	w.answers(`{"get_creator_ownership":{}}`, `{"owner":"$creator","pending_owner":null,"pending_expiry":null}`)
	w.does("creator", `{"update_creator_ownership":"renounce_ownership"}`)
	w.refuses("creator", `{"update_collection_info":{"collection_info":{"name":"N"}}}`, cw721.KindContract, "Caller is not collection creator")
	// Only the withdraw messages tell that a role is nobody's.
	w.refuses("creator", `{"update_nft_info":{"token_id":"1"}}`, cw721.KindContract, "Caller is not collection creator")
	w.refuses("minter", `{"update_collection_info":{"collection_info":{"extension":{"start_trading_time":"1"}}}}`, cw721.KindContract, "Caller is not minter")
}

func TestOnlyTheCreatorSetsTheWithdrawAddress(t *testing.T) {
	w := begin(t)
	for _, as := range []string{"minter", "alice"} {
		w.refuses(as, `{"set_withdraw_address":{"address":"x"}}`, cw721.KindContract, notOwner)
		w.refuses(as, `{"remove_withdraw_address":{}}`, cw721.KindContract, notOwner)
	}
	w.refuses("creator", `{"remove_withdraw_address":{}}`, cw721.KindContract, "No withdraw address set")
	w.refuses("creator", `{"set_withdraw_address":{"address":"x"}}`, cw721.KindAddress, "…")
	w.answers(`{"get_withdraw_address":{}}`, `null`)
	w.reports("creator", `{"set_withdraw_address":{"address":"$bob"}}`, "action=set_withdraw_address, address=$bob")
	w.does("creator", `{"set_withdraw_address":{"address":"$carol"}}`)
	w.answers(`{"get_withdraw_address":{}}`, `"$carol"`)
	w.reports("creator", `{"remove_withdraw_address":{}}`, "action=remove_withdraw_address, address=$carol")
	w.answers(`{"get_withdraw_address":{}}`, `null`)
	w.does("creator", `{"update_creator_ownership":"renounce_ownership"}`)
	for _, as := range []string{"creator", "alice"} {
		w.refuses(as, `{"set_withdraw_address":{"address":"$bob"}}`, cw721.KindContract, "Contract ownership has been renounced")
		w.refuses(as, `{"remove_withdraw_address":{}}`, cw721.KindContract, "Contract ownership has been renounced")
	}
}

func TestAnyoneMayPayOutToTheWithdrawAddress(t *testing.T) {
	w := begin(t)
	const msg = `{"withdraw_funds":{"amount":{"denom":"uatom","amount":"007"}}}`
	w.refuses("alice", msg, cw721.KindContract, "No withdraw address set")
	w.does("creator", `{"set_withdraw_address":{"address":"$bob"}}`)
	r := kvtest.Must(w.execute("alice", msg))(t)
	if got, want := string(wire.Encode(r)), fill(`{"attributes":[{"key":"action","value":"withdraw_funds"},{"key":"amount","value":"7"},{"key":"denom","value":"uatom"}],`+
		`"messages":[{"bank":{"send":{"to_address":"$bob","amount":[{"denom":"uatom","amount":"7"}]}}}]}`); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestUpdateExtensionDoesNothing(t *testing.T) {
	w := begin(t)
	before := w.dump()
	r := kvtest.Must(w.execute("alice", `{"update_extension":{"msg":{"anything":[1,2]}}}`))(t)
	if got := string(wire.Encode(r)); got != `{"attributes":[],"messages":[]}` || len(w.dump()) != len(before) {
		t.Errorf("it answers %s", got)
	}
}
