package cw721_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// grants gives all grants of the store, record by record in key order.
func (w *world) grants() (all []cw721.Grant) {
	w.Helper()
	for _, p := range w.records() {
		all = append(all, kvtest.Must(cw721.DecodeGrants(p.Key, p.Value))(w)...)
	}
	return all
}

func TestEveryGrantOfACollectionIsFoundInItsRecords(t *testing.T) {
	w := granted(t)
	w.does("minter", `{"update_minter_ownership":`+offer+`}`)
	w.does("creator", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"$zoe"}}}`)
	w.env.Block.Height = 9999 // ended ones too
	var want []cw721.Grant
	add := func(kind cw721.GrantKind, token, owner, spender string, e cw721.Expiration) {
		want = append(want, cw721.Grant{Kind: kind, Token: token, Owner: cw721.Address(addr(owner)), Spender: cw721.Address(addr(spender)), Expires: e})
	}
	add(cw721.GrantApproval, "1", "alice", "bob", cw721.Expiration{})
	add(cw721.GrantApproval, "1", "alice", "carol", cw721.UntilHeight(1010))
	add(cw721.GrantOperator, "", "alice", "dave", cw721.Expiration{})
	add(cw721.GrantOperator, "", "alice", "erin", cw721.UntilHeight(1010))
	add(cw721.GrantOperator, "", "alice", "frank", cw721.UntilTime(1_700_000_000_000_000_100))
	add(cw721.GrantMinterOffer, "", "minter", "bob", cw721.UntilHeight(5))
	add(cw721.GrantCreatorOffer, "", "creator", "zoe", cw721.Expiration{})
	byWho := cmpopts.SortSlices(func(a, b cw721.Grant) bool {
		return string(a.Kind)+string(a.Spender) < string(b.Kind)+string(b.Spender)
	})
	if diff := cmp.Diff(want, w.grants(), byWho); diff != "" {
		t.Error(diff)
	}
}

func TestAGrantIsTheSameUntilSomethingButItsEndChanges(t *testing.T) {
	g := cw721.Grant{Kind: cw721.GrantApproval, Token: "1", Owner: "a", Spender: "b", Expires: cw721.UntilHeight(5)}
	later, other := g, g
	later.Expires = cw721.UntilTime(9)
	if !g.EqualExceptExpiry(later) || !later.EqualExceptExpiry(g) {
		t.Error("a later end makes another grant")
	}
	for _, change := range []func(*cw721.Grant){
		func(g *cw721.Grant) { g.Kind = cw721.GrantOperator }, func(g *cw721.Grant) { g.Token = "2" },
		func(g *cw721.Grant) { g.Owner = "x" }, func(g *cw721.Grant) { g.Spender = "x" },
	} {
		other = g
		change(&other)
		if g.EqualExceptExpiry(other) {
			t.Errorf("%+v and %+v are the same", g, other)
		}
	}
}

func TestRecordsWithoutGrantsHoldNone(t *testing.T) {
	for key, value := range map[string]string{
		"num_tokens": "5", "contract_info": "{}", "unknown": "x", "": "", "\x00\x06tokens1": `{"owner":"a","approvals":[],"token_uri":null,"extension":null}`,
		"ownership": `{"owner":"a","pending_owner":null,"pending_expiry":null}`, "\x00\x0dtokens__owner\x00\x01a1": "1",
	} {
		if grants, err := cw721.DecodeGrants([]byte(key), []byte(value)); len(grants) > 0 || err != nil {
			t.Errorf("%q holds %v, %v", key, grants, err)
		}
	}
	if grants, err := cw721.DecodeGrants([]byte("\x00\x06tokens1"), nil); len(grants) > 0 || err != nil {
		t.Errorf("a record that is gone holds %v, %v", grants, err)
	}
	// Whoever gave the right may be nobody.
	grants, err := cw721.DecodeGrants([]byte("ownership"), []byte(`{"owner":null,"pending_owner":"b","pending_expiry":null}`))
	if want := []cw721.Grant{{Kind: cw721.GrantCreatorOffer, Spender: "b"}}; err != nil || !cmp.Equal(grants, want) {
		t.Errorf("got %v, %v", grants, err)
	}
}

func TestBrokenRecordsHaveNoGrants(t *testing.T) {
	for key, value := range map[string]string{
		"\x00\x06tokens1": `{}`, "\x00\x09operators\x00": `{"never":{}}`, "\x00\x09operators\x00\x01ab": `{"never":1}`,
		"ownership": `x`, "collection_minter": `{"owner":1}`, "\x00\x06tokens2": `{"owner":"a","approvals":[]`,
	} {
		if grants, err := cw721.DecodeGrants([]byte(key), []byte(value)); err == nil {
			t.Errorf("%q = %s holds %v", key, value, grants)
		}
	}
}

func TestTheOwnerIndexTellsWhoHasWhat(t *testing.T) {
	w := begin(t, "1", "")
	w.mints("bob", "1x")
	got := map[string]string{}
	for _, p := range w.records() {
		if owner, token, ok := cw721.DecodeOwnerIndexKey(p.Key); ok {
			got[token] = string(owner)
		}
	}
	if diff := cmp.Diff(map[string]string{"1": addr("alice"), "": addr("alice"), "1x": addr("bob")}, got); diff != "" {
		t.Error(diff)
	}
	for _, key := range []string{"", "\x00\x06tokens1", "\x00\x0dtokens__owner", "\x00\x0dtokens__owner\x00", "\x00\x0dtokens__owner\x00\x05abc", "num_tokens"} {
		if owner, token, ok := cw721.DecodeOwnerIndexKey([]byte(key)); ok {
			t.Errorf("%q says that %s has %s", key, owner, token)
		}
	}
}

func TestEveryRecordThatTheContractWritesPassesTheCheck(t *testing.T) {
	for _, flavour := range []cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase} {
		w := blank(t, cw721.RulesStandard, flavour)
		w.creates(fullInstantiate)
		w.mints("alice", "1", "")
		w.does("minter", `{"mint":{"token_id":"2","owner":"$alice","token_uri":"a:","extension":{}}}`)
		w.does("alice", `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_time":"1800000000000000000"}}}`)
		w.does("alice", `{"approve_all":{"operator":"$bob"}}`)
		w.does("minter", `{"update_minter_ownership":`+offer+`}`)
		w.recordsRead()
		if n := len(w.records()); n != 6+3+3+1+6 { // items, tokens, their index, the operator, the extension
			t.Errorf("there are %d records", n)
		}
	}
}

func TestWhatIsNoRecordOfTheContractFailsTheCheck(t *testing.T) {
	const token = `{"owner":"a","approvals":[],"token_uri":null,"extension":null}`
	for _, c := range []struct {
		key, value string
		unknown    bool
	}{
		{"\x00\x06tokens1", ``, false}, {"\x00\x06tokens1", token + "x", false}, {"\x00\x06tokens1", `{"owner":"a"}`, false},
		{"\x00\x06tokens1", `{"owner":"a","approvals":[],"token_uri":null,"extension":{"x":1}}`, false},
		{"\x00\x06tokens1", `{"owner":"a","approvals":[{"spender":"b","expires":null}],"token_uri":null,"extension":null}`, false},
		{"\x00\x0dtokens__owner\x00\x01a1", `"1"`, false}, {"\x00\x0dtokens__owner\x00\x05a1", `1`, false}, {"\x00\x0dtokens__owner", `1`, false},
		{"\x00\x09operators\x00\x01ab", `null`, false}, {"\x00\x09operators\x00", `{"never":{}}`, false},
		{"\x00\x1fcw721_collection_info_extensionimage", `"x"`, false}, {"\x00\x1fcw721_collection_info_extensionimage", `{"key":"image","value":"!"}`, false},
		{"num_tokens", `-1`, false}, {"num_tokens", `"1"`, false}, {"withdraw_address", `null`, false}, {"ownership", `{"x":1}`, false},
		{"collection_minter", `[]`, false}, {"cw721_collection_info", `{"name":"N","symbol":"S","updated_at":1}`, false}, {"contract_info", `{"contract":"x"}`, false},
		{"", `x`, true}, {"tokens1", token, true}, {"\x00\x07tokens1x", token, true}, {"num_tokens2", `1`, true}, {"config", `{}`, true},
	} {
		err := cw721.CheckRecord([]byte(c.key), []byte(c.value))
		var corrupt *kv.CorruptError
		if !errors.As(err, &corrupt) || string(corrupt.Key) != c.key {
			t.Errorf("%q = %s gives %v", c.key, c.value, err)
		}
		if cw721.IsUnknownRecord(err) != c.unknown {
			t.Errorf("%q: unknown is %v: %v", c.key, !c.unknown, err)
		}
	}
}
