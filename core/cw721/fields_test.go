package cw721_test

import (
	"testing"

	"ephemera/core/cw721"
)

func TestARefusalNamesTheMemberAtFault(t *testing.T) {
	w := newCollectionUnder(t, cw721.RulesV022, "1")
	w.mustExecute("minter", `{"add_minter":{"minter":"$bob"}}`)
	for _, c := range []struct {
		sender string // empty for a query
		msg    string
		field  string // the member at fault
	}{
		{"bob", `{"burn":{"token_id":"2"}}`, "token_id"},
		{"alice", `{"transfer_nft":{"recipient":"x","token_id":"1"}}`, "recipient"},
		{"alice", `{"send_nft":{"contract":"x","token_id":"1","msg":""}}`, "contract"},
		{"alice", `{"approve":{"spender":"x","token_id":"1","expires":{"at_height":1}}}`, "spender"}, // checked before expires
		{"alice", `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":1000}}}`, "expires"},
		{"alice", `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_time":"1700000000"}}}`, "expires"},
		{"alice", `{"approve_all":{"operator":"x","expires":{"at_height":1000}}}`, "expires"}, // checked before operator
		{"alice", `{"approve_all":{"operator":"x","expires":{"at_height":1001}}}`, "operator"},
		{"alice", `{"revoke":{"spender":"x","token_id":"1"}}`, "spender"},
		{"alice", `{"revoke_all":{"operator":"x"}}`, "operator"},
		{"minter", `{"mint":{"token_id":"1","owner":"$bob"}}`, "token_id"},
		{"minter", `{"mint":{"token_id":"2","owner":"x"}}`, "owner"},
		{"minter", `{"update_ownership":{"transfer_ownership":{"new_owner":"x"}}}`, "new_owner"},
		{"minter", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"x"}}}`, "new_owner"},
		{"creator", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"x"}}}`, "new_owner"},
		{"creator", `{"set_withdraw_address":{"address":"x"}}`, "address"},
		{"minter", `{"add_minter":{"minter":"x"}}`, "minter"},
		{"minter", `{"add_minter":{"minter":"$bob"}}`, "minter"},
		{"minter", `{"remove_minter":{"minter":"$carol"}}`, "minter"},
		{"creator", update(`"name":""`, ""), "collection_info.name"},
		{"creator", update(`"symbol":""`, ""), "collection_info.symbol"},
		{"creator", update("", `"image":"x"`), "collection_info.extension.image"},
		{"creator", update("", royalty("0.11")), "collection_info.extension.royalty_info.share"},
		{"minter", `{"mint":{"token_id":"2","owner":"$bob","extension":{"image":"x","external_url":"x"}}}`, "extension.image"},
		{"minter", `{"mint":{"token_id":"2","owner":"$bob","extension":{"attributes":[{"trait_type":"","value":""}]}}}`, "extension.attributes"},
		{"minter", `{"mint":{"token_id":"2","owner":"$bob","extension":{"attributes":[{"trait_type":"t","value":""}]}}}`, "extension.attributes"},
		{"minter", `{"mint":{"token_id":"2","owner":"$bob","extension":{"attributes":[{"display_type":"","trait_type":"t","value":"v"}]}}}`, "extension.attributes"},
		{"creator", `{"update_nft_info":{"token_id":"1","extension":{"youtube_url":"x"}}}`, "extension.youtube_url"},
		{"", `{"tokens":{"owner":"x"}}`, "owner"},
		{"", `{"operator":{"owner":"x","operator":"y"}}`, "owner"},
		{"", `{"operator":{"owner":"$alice","operator":"y"}}`, "operator"},
		{"", `{"all_operators":{"owner":"x","start_after":""}}`, "start_after"},
		{"", `{"all_operators":{"owner":"x","start_after":"$bob"}}`, "owner"},
		{"", `{"all_operators":{"owner":"x"}}`, "owner"},
	} {
		_, err := w.query(c.msg)
		if c.sender != "" {
			_, err = w.execute(c.sender, c.msg)
		}
		refusal := cw721.AsError(err)
		if refusal == nil || refusal.Field != c.field {
			t.Errorf("%s: %s gives %+v, want the fault in %s", c.sender, c.msg, refusal, c.field)
		}
	}
}
