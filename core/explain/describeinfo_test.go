package explain_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

func TestChangesOfTheCollectionAreDescribedByTheirFields(t *testing.T) {
	w := Blank(t, kv.NewMemory())
	instantiate := `{"name":"Apes","symbol":"APE","collection_info_extension":{"royalty_info":{"payment_address":"$bob","share":"0.05"}}}`
	created := Must(w.C.Create(Genesis(), Address("alice"), []byte(instantiate)))(t)
	sentences := explain.Describe(cw721.CurrentLayout, created.Changes, byName)
	for _, want := range []string{
		"name: none → Apes",
		"symbol: none → APE",
		"royalty info: none → 5 % to bob",
		"the minter role goes to alice",
		"contract version: none → crates.io:cw721-metadata-onchain 0.19.0",
		"description: none → empty",
	} {
		if !slices.Contains(sentences, want) {
			t.Errorf("creating is not described by %q, but by %q", want, sentences)
		}
	}
	if all := strings.Join(sentences, "\n"); strings.ContainsAny(all, "{}") {
		t.Errorf("the description of creating contains JSON:\n%s", all)
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
		r := Must(w.C.Preview(Address("alice"), []byte(msg)))(t)
		OK(t, r.Err())
		if diff := cmp.Diff(want, explain.Describe(cw721.CurrentLayout, r.Changes, byName)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", msg, diff)
		}
	}
}
