package cw721_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/wire"
)

// What the recorded scenarios are too small for.

func TestAPageHoldsTenByDefaultAndAThousandAtMost(t *testing.T) {
	w := begin(t)
	ids := make([]string, 1005)
	for i := range ids {
		ids[i] = fmt.Sprintf("%04d", i)
	}
	w.mints("alice", ids...)
	for limit, want := range map[string]int{``: 10, `,"limit":null`: 10, `,"limit":1000`: 1000, `,"limit":1001`: 1000, `,"limit":4294967295`: 1000} {
		for _, q := range []string{`{"all_tokens":{"start_after":null` + limit + `}}`, `{"tokens":{"owner":"$alice"` + limit + `}}`} {
			w.answers(q, `{"tokens":`+string(wire.Encode(ids[:want]))+`}`)
		}
		got, err := w.query(`{"get_nft_by_extension":{"start_after":"0003"` + limit + `}}`)
		if n := strings.Count(string(got), "token_uri"); err != nil || n != want {
			t.Errorf("get_nft_by_extension with %s gives %d, %v", limit, n, err)
		}
	}
}

func TestEndedOperatorsAreLeftOutBeforeThePageIsCut(t *testing.T) {
	w := begin(t)
	for i := range 30 {
		expires := `null`
		if i%3 == 0 {
			expires = `{"at_height":1001}`
		}
		w.does("alice", `{"approve_all":{"operator":"$op`+string(rune('a'+i/10))+string(rune('a'+i%10))+`","expires":`+expires+`}}`)
	}
	w.env.Block.Height = 1001
	for msg, want := range map[string]int{`"limit":null`: 10, `"limit":15`: 15, `"limit":1000`: 20, `"limit":1000,"include_expired":true`: 30} {
		got, err := w.query(`{"all_operators":{"owner":"$alice",` + msg + `}}`)
		if n := strings.Count(string(got), "spender"); err != nil || n != want {
			t.Errorf("%s gives %d operators, %v, want %d", msg, n, err, want)
		}
	}
}

// The contract would panic.
func TestATokenWithFewerTraitsThanAreLookedForIsNotFound(t *testing.T) {
	w := begin(t)
	w.does("minter", `{"mint":{"token_id":"1","owner":"$alice","extension":{"attributes":[{"trait_type":"fur","value":"red"}]}}}`)
	w.answers(`{"get_nft_by_extension":{"extension":{"attributes":[{"trait_type":"fur","value":"red"},{"trait_type":"hat","value":"none"}]}}}`, `null`)
}
