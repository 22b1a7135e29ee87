package cw721_test

import (
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

const notOwner = "Caller is not the contract's current owner"

func TestWhoMaySendATokenAndWhoMayNot(t *testing.T) {
	for _, msg := range []string{
		`{"transfer_nft":{"recipient":"$zoe","token_id":"1"}}`, `{"send_nft":{"contract":"$market","token_id":"1","msg":""}}`, `{"burn":{"token_id":"1"}}`,
	} {
		for _, as := range []string{"alice", "bob", "carol", "dave", "erin", "frank"} {
			w := granted(t)
			w.at(1009, 1_700_000_000_000_000_099)
			w.does(as, msg)
		}
		for _, as := range []string{"minter", "creator", "deployer", "zoe"} {
			granted(t).refuses(as, msg, cw721.KindContract, notOwner)
		}
		for _, as := range []string{"carol", "erin", "frank"} {
			w := granted(t)
			w.at(1010, 1_700_000_000_000_000_100)
			w.refuses(as, msg, cw721.KindContract, notOwner)
		}
	}
}

func TestWhoMayApproveAndRevokeAndWhoMayNot(t *testing.T) {
	for _, msg := range []string{`{"approve":{"spender":"$bob","token_id":"1"}}`, `{"revoke":{"spender":"$bob","token_id":"1"}}`} {
		for _, as := range []string{"alice", "dave", "erin", "frank"} {
			granted(t).does(as, msg)
		}
		// A spender may not touch approvals, not even its own.
		for _, as := range []string{"bob", "carol", "minter", "creator", "zoe"} {
			granted(t).refuses(as, msg, cw721.KindContract, notOwner)
		}
	}
}

func TestTheOperatorOfAFormerOwnerHasNoRight(t *testing.T) {
	w := granted(t)
	w.does("alice", `{"transfer_nft":{"recipient":"$zoe","token_id":"1"}}`)
	w.refuses("dave", `{"transfer_nft":{"recipient":"$dave","token_id":"1"}}`, cw721.KindContract, notOwner)
	w.refuses("bob", `{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`, cw721.KindContract, notOwner)
	// Operators survive, and cover what the owner receives later.
	w.does("zoe", `{"transfer_nft":{"recipient":"$alice","token_id":"1"}}`)
	w.does("dave", `{"transfer_nft":{"recipient":"$dave","token_id":"1"}}`)
}

func TestAnOperatorCannotAppointOperatorsForTheOwner(t *testing.T) {
	w := granted(t)
	w.does("dave", `{"approve_all":{"operator":"$zoe"}}`)
	w.refuses("zoe", `{"burn":{"token_id":"1"}}`, cw721.KindContract, notOwner)
	w.answers(`{"all_operators":{"owner":"$dave"}}`, `{"operators":[{"spender":"$zoe","expires":{"never":{}}}]}`)
}

func TestATransferMovesTheTokenAndEndsItsApprovals(t *testing.T) {
	for _, to := range []string{"zoe", "alice", "market"} { // to the owner himself too
		w := granted(t)
		w.reports("carol", `{"transfer_nft":{"recipient":"$`+to+`","token_id":"1"}}`, "action=transfer_nft, sender=$carol, recipient=$"+to+", token_id=1")
		w.answers(`{"owner_of":{"token_id":"1","include_expired":true}}`, `{"owner":"$`+to+`","approvals":[]}`)
		w.answers(`{"tokens":{"owner":"$`+to+`"}}`, `{"tokens":["1"]}`)
		if to != "alice" {
			w.answers(`{"tokens":{"owner":"$alice"}}`, `{"tokens":[]}`)
		}
		w.answers(`{"num_tokens":{}}`, `{"count":1}`)
	}
}

func TestATransferChecksTheTokenThenTheSenderThenTheRecipient(t *testing.T) {
	w := begin(t, "1")
	bad := `{"transfer_nft":{"recipient":"nobody","token_id":"1"}}`
	w.refuses("bob", `{"transfer_nft":{"recipient":"nobody","token_id":"2"}}`, cw721.KindNotFound, `token "2" not found`)
	w.refuses("bob", bad, cw721.KindContract, notOwner)
	if e := w.refuses("alice", bad, cw721.KindAddress, "…"); e.Field != "recipient" {
		t.Errorf("the member at fault is %q", e.Field)
	}
	w.refuses("alice", `{"transfer_nft":{"recipient":"","token_id":"1"}}`, cw721.KindAddress, "Generic error: addr_validate errored: Input is empty")
	w.refuses("bob", `{"send_nft":{"contract":"nobody","token_id":"2","msg":""}}`, cw721.KindNotFound, `token "2" not found`)
	w.refuses("bob", `{"send_nft":{"contract":"nobody","token_id":"1","msg":""}}`, cw721.KindContract, notOwner)
	w.refuses("alice", `{"send_nft":{"contract":"nobody","token_id":"1","msg":""}}`, cw721.KindAddress, "…")
}

func TestSendTellsTheContractWhoSentWhat(t *testing.T) {
	w := granted(t)
	r := kvtest.Must(w.execute("dave", `{"send_nft":{"contract":"$market","token_id":"1","msg":"YQ"}}`))(t)
	if got, want := attributes(r), fill("action=send_nft, sender=$dave, recipient=$market, token_id=1"); got != want {
		t.Errorf("it reports %s", got)
	}
	if len(r.Messages) != 1 || r.Messages[0].Wasm == nil {
		t.Fatalf("it sends %+v", r.Messages)
	}
	// The sender is the caller, not the owner, and the payload is padded.
	if got, want := string(r.Messages[0].Wasm.Msg), fill(`{"receive_nft":{"sender":"$dave","token_id":"1","msg":"YQ=="}}`); got != want {
		t.Errorf("the contract is told\n%s\nwant\n%s", got, want)
	}
	body := string(wire.Encode(cw721.Binary(r.Messages[0].Wasm.Msg)))
	if got, want := string(wire.Encode(r.Messages)), fill(`[{"wasm":{"execute":{"contract_addr":"$market","msg":`+body+`,"funds":[]}}}]`); got != want {
		t.Errorf("on the wire it is\n%s\nwant\n%s", got, want)
	}
	w.answers(`{"owner_of":{"token_id":"1"}}`, `{"owner":"$market","approvals":[]}`)
}

func TestABurntTokenIsGoneAndItsIdIsFree(t *testing.T) {
	w := granted(t)
	w.reports("bob", `{"burn":{"token_id":"1"}}`, "action=burn, sender=$bob, token_id=1")
	w.answersNot(`{"owner_of":{"token_id":"1"}}`, cw721.KindNotFound, `token "1" not found`)
	w.answers(`{"num_tokens":{}}`, `{"count":0}`)
	w.answers(`{"tokens":{"owner":"$alice"}}`, `{"tokens":[]}`)
	w.answers(`{"all_tokens":{}}`, `{"tokens":[]}`)
	w.refuses("alice", `{"burn":{"token_id":"1"}}`, cw721.KindNotFound, `token "1" not found`)
	w.mints("zoe", "1")
	w.answers(`{"owner_of":{"token_id":"1","include_expired":true}}`, `{"owner":"$zoe","approvals":[]}`)
}

func TestAnApprovalReplacesTheOldOneAndGoesToTheEnd(t *testing.T) {
	w := begin(t, "1")
	w.reports("alice", `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":1001}}}`, "action=approve, sender=$alice, spender=$bob, token_id=1")
	w.does("alice", `{"approve":{"spender":"$carol","token_id":"1","expires":null}}`)
	w.does("alice", `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_time":"1700000000000000001"}}}`)
	w.answers(`{"approvals":{"token_id":"1"}}`,
		`{"approvals":[{"spender":"$carol","expires":{"never":{}}},{"spender":"$bob","expires":{"at_time":"1700000000000000001"}}]}`)
}

func TestApproveChecksTheAddressBeforeTheEnd(t *testing.T) {
	const over = "Cannot set approval that is already expired"
	w := begin(t, "1")
	w.does("alice", `{"approve":{"spender":"$bob","token_id":"1"}}`)
	w.refuses("alice", `{"approve":{"spender":"x","token_id":"2","expires":{"at_height":1}}}`, cw721.KindNotFound, `token "2" not found`)
	w.refuses("bob", `{"approve":{"spender":"x","token_id":"1","expires":{"at_height":1}}}`, cw721.KindContract, notOwner)
	w.refuses("alice", `{"approve":{"spender":"x","token_id":"1","expires":{"at_height":1}}}`, cw721.KindAddress, "…")
	for _, end := range []string{`{"at_height":1000}`, `{"at_height":0}`, `{"at_time":"1700000000000000000"}`, `{"at_time":"1700000000"}`} {
		if e := w.refuses("alice", `{"approve":{"spender":"$bob","token_id":"1","expires":`+end+`}}`, cw721.KindContract, over); e.Field != "expires" {
			t.Errorf("the member at fault is %q", e.Field)
		}
	}
	// What was there before a refusal stays.
	w.answers(`{"approvals":{"token_id":"1"}}`, `{"approvals":[{"spender":"$bob","expires":{"never":{}}}]}`)
	w.does("alice", `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":1001}}}`)

	// approve_all looks at the end first.
	w.refuses("alice", `{"approve_all":{"operator":"x","expires":{"at_height":1000}}}`, cw721.KindContract, over)
	w.refuses("alice", `{"approve_all":{"operator":"x","expires":{"at_height":1001}}}`, cw721.KindAddress, "…")
	w.refuses("alice", `{"revoke_all":{"operator":"x"}}`, cw721.KindAddress, "…")
}

func TestRevokeTakesOneSpenderAwayAndMindsNoMissingOne(t *testing.T) {
	w := granted(t)
	w.reports("dave", `{"revoke":{"spender":"$bob","token_id":"1"}}`, "action=revoke, sender=$dave, spender=$bob, token_id=1")
	w.does("alice", `{"revoke":{"spender":"$zoe","token_id":"1"}}`)
	w.answers(`{"approvals":{"token_id":"1"}}`, `{"approvals":[{"spender":"$carol","expires":{"at_height":1010}}]}`)
	w.refuses("zoe", `{"revoke":{"spender":"x","token_id":"1"}}`, cw721.KindContract, notOwner)
	w.refuses("alice", `{"revoke":{"spender":"x","token_id":"1"}}`, cw721.KindAddress, "…")
	w.refuses("zoe", `{"revoke":{"spender":"x","token_id":"2"}}`, cw721.KindNotFound, `token "2" not found`)
	// An ended approval can be revoked too.
	w.env.Block.Height = 2000
	w.does("alice", `{"revoke":{"spender":"$carol","token_id":"1"}}`)
	w.answers(`{"approvals":{"token_id":"1","include_expired":true}}`, `{"approvals":[]}`)
}

func TestOperatorsAreSetReplacedAndTakenAway(t *testing.T) {
	w := begin(t)
	w.reports("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":1001}}}`, "action=approve_all, sender=$alice, operator=$bob")
	w.does("alice", `{"approve_all":{"operator":"$bob"}}`)
	w.answers(`{"all_operators":{"owner":"$alice"}}`, `{"operators":[{"spender":"$bob","expires":{"never":{}}}]}`)
	w.reports("alice", `{"revoke_all":{"operator":"$bob"}}`, "action=revoke_all, sender=$alice, operator=$bob")
	w.does("alice", `{"revoke_all":{"operator":"$bob"}}`)
	w.answers(`{"all_operators":{"owner":"$alice"}}`, `{"operators":[]}`)
}

func TestApprovingOneselfIsAllowedAndListed(t *testing.T) {
	w := granted(t)
	w.does("alice", `{"approve":{"spender":"$alice","token_id":"1"}}`)
	w.does("dave", `{"approve":{"spender":"$dave","token_id":"1"}}`)
	w.does("alice", `{"approve_all":{"operator":"$alice"}}`)
	w.does("alice", `{"revoke_all":{"operator":"$dave"}}`)
	// What an operator approved survives the operator.
	w.does("dave", `{"transfer_nft":{"recipient":"$dave","token_id":"1"}}`)
	w.answers(`{"operator":{"owner":"$alice","operator":"$alice"}}`, `{"approval":{"spender":"$alice","expires":{"never":{}}}}`)
}

func TestATokenIdIsAnyTextAndComparedByItsBytes(t *testing.T) {
	w := begin(t)
	for _, id := range []string{"", " ", "a", "A", "é", "e\u0301", "日本", "\u0000", "a\nb", `"\`, "🎨"} {
		w.mints("alice", id)
		quoted := string(wire.AppendString(nil, id))
		w.refuses("minter", `{"mint":{"token_id":`+quoted+`,"owner":"$bob"}}`, cw721.KindContract, "token_id already claimed")
		w.does("alice", `{"transfer_nft":{"recipient":"$bob","token_id":`+quoted+`}}`)
		w.answers(`{"owner_of":{"token_id":`+quoted+`}}`, `{"owner":"$bob","approvals":[]}`)
	}
	w.answers(`{"num_tokens":{}}`, `{"count":11}`)
}

func TestATokenIdThatNoStoreHoldsLeavesNothing(t *testing.T) {
	w := begin(t)
	before := len(w.dump())
	id := make([]byte, kv.MaxKey-20) // fits the token's key, not the owner index's
	for i := range id {
		id[i] = 'x'
	}
	_, err := w.execute("minter", `{"mint":{"token_id":"`+string(id)+`","owner":"$bob"}}`)
	if err == nil || cw721.AsError(err) != nil {
		t.Errorf("a limit of the store came as %v", err)
	}
	if len(w.dump()) != before {
		t.Error("half a token is left")
	}
	w.answersNot(`{"owner_of":{"token_id":"`+string(id)+`"}}`, cw721.KindNotFound, "…")
}
