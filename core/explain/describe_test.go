package explain_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

// byName returns the name of an address if it is one of People, otherwise the address.
func byName(a cw721.Address) string {
	for _, name := range People {
		if Address(name) == a {
			return name
		}
	}
	return string(a)
}

func TestTheChangesOfEveryMessageOnTokensAndRolesAreDescribed(t *testing.T) {
	w := New(t)
	for _, step := range []struct {
		who, msg string
		want     []string
	}{
		{"creator", `{"mint":{"token_id":"ape","owner":"$alice"}}`, []string{
			`token "ape" is new, owned by alice`, "number of tokens: 0 → 1"}},
		{"alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`, []string{
			`bob gets an approval on "ape", until height 110`}},
		{"alice", `{"approve":{"token_id":"ape","spender":"$bob"}}`, []string{
			`the approval for bob on "ape" holds without expiry, instead of until height 110`}},
		{"alice", `{"approve":{"token_id":"ape","spender":"$bob"}}`, nil},
		{"alice", `{"approve_all":{"operator":"$carol","expires":{"at_time":"2000000000000"}}}`, []string{
			"carol becomes an operator of alice, until 1970-01-01 00:33:20 UTC"}},
		{"alice", `{"revoke_all":{"operator":"$carol"}}`, []string{"the operator grant from alice to carol is gone"}},
		{"bob", `{"transfer_nft":{"token_id":"ape","recipient":"$carol"}}`, []string{
			`token "ape" goes from alice to carol`, `the approval for bob on "ape" is gone`}},
		{"creator", `{"update_nft_info":{"token_id":"ape","token_uri":"ipfs://a","extension":{"name":"Ape"}}}`, []string{
			`token "ape": token_uri none → ipfs://a`, `token "ape" gets other metadata`}},
		{"carol", `{"burn":{"token_id":"ape"}}`, []string{`token "ape" is gone`, "number of tokens: 1 → 0"}},
		{"creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob"}}}`, []string{
			"the minter role is offered to bob, without expiry"}},
		{"bob", `{"update_minter_ownership":"accept_ownership"}`, []string{
			"the minter offer to bob is gone", "the minter role goes from creator to bob"}},
		{"bob", `{"update_minter_ownership":"renounce_ownership"}`, []string{"the minter role of bob is given up, for good"}},
	} {
		if diff := cmp.Diff(step.want, explain.Describe(cw721.CurrentLayout, w.Do(step.who, "%s", step.msg).Changes, byName)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.msg, diff)
		}
	}
}

func TestALongValueIsCutBetweenItsCharacters(t *testing.T) {
	longest := strings.Repeat("é", 60)
	change := kv.Change{Key: []byte("num_tokens"), OldValue: []byte(longest), NewValue: []byte(longest + "é")}
	got := explain.Describe(cw721.CurrentLayout, []kv.Change{change}, byName)
	Same(t, "the sentences", []string{"number of tokens: " + longest + " → " + longest + "…"}, got)
}

func TestARecordThatDecodesToTheSameTokenChangesNothing(t *testing.T) {
	key := append([]byte("\x00\x06tokens"), "ape"...)
	record := func(space string) []byte {
		return []byte(`{"owner":"` + string(Address("alice")) + `",` + space + `"approvals":[],"token_uri":null,"extension":null}`)
	}
	change := kv.Change{Key: key, OldValue: record(""), NewValue: record(" ")}
	got := explain.Describe(cw721.CurrentLayout, []kv.Change{change}, byName)
	Same(t, "the sentences", []string{explain.NothingChanges}, got)
}
