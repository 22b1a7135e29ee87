package explain_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

func TestChangesOfTheCollectionAreToldInWords(t *testing.T) {
	c := chaintest.Must(chain.Open(kv.NewMemory()))(t)
	who := func(name string) cw721.Address {
		a := chaintest.Address(name)
		return a
	}
	call := func(a cw721.Address) string {
		for _, name := range []string{"alice", "bob"} {
			if a == who(name) {
				return name
			}
		}
		return string(a)
	}
	g := chain.Genesis{Accounts: []chain.Account{{Name: "alice", Address: who("alice")}, {Name: "bob", Address: who("bob")}}}
	made, err := c.Create(g, who("alice"), []byte(`{"name":"Apes","symbol":"APE","collection_info_extension":{"royalty_info":{"payment_address":"$bob","share":"0.05"}}}`))
	chaintest.OK(t, err)
	told := map[string]bool{}
	for _, s := range explain.Describe(made.Changes, call) {
		told[s] = true
	}
	for _, want := range []string{"name: none → Apes", "symbol: none → APE", "royalty info: none → 5 % to bob", "the minter role goes to alice", "contract version: none → crates.io:cw721-metadata-onchain 0.19.0", "description: none → empty"} {
		if !told[want] {
			t.Errorf("creating does not tell %q, but %v", want, told)
		}
	}

	for said := range told {
		if strings.ContainsAny(said, "{}") {
			t.Errorf("creating tells %q, which are no words", said)
		}
	}

	for msg, want := range map[string][]string{
		`{"update_collection_info":{"collection_info":{"name":"Bears"}}}`:                                                           {"name: Apes → Bears"},
		`{"update_collection_info":{"collection_info":{"extension":{"description":"wild"}}}}`:                                       {"description: empty → wild"},
		`{"update_collection_info":{"collection_info":{"extension":{"explicit_content":true}}}}`:                                    {"explicit content: none → true"},
		`{"update_collection_info":{"collection_info":{"extension":{"start_trading_time":"1795262400000000000"}}}}`:                 {"start trading time: none → 2026-11-21 12:00:00 UTC"},
		`{"update_collection_info":{"collection_info":{"extension":{"royalty_info":{"payment_address":"$alice","share":"0.06"}}}}}`: {"royalty info: 5 % to bob → 6 % to alice"},
		`{"set_withdraw_address":{"address":"$bob"}}`:                                                                               {"withdraw address: none → bob"},
		`{"update_collection_info":{"collection_info":{"extension":{"royalty_info":{"payment_address":"$bob","share":"0.05"}}}}}`:   nil,
	} {
		r, err := c.Preview(who("alice"), []byte(msg))
		if err != nil || r.Refusal != nil {
			t.Fatalf("%s: %v, %v", msg, err, r.Refusal)
		}
		if diff := cmp.Diff(want, explain.Describe(r.Changes, call)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", msg, diff)
		}
	}
}
