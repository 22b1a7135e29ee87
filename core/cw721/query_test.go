package cw721_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/wire"
)

// The recorded scenarios have too few tokens for full pages.
func TestAPageHasTenItemsByDefaultAndAThousandAtMost(t *testing.T) {
	w := newCollection(t)
	ids := make([]string, 1005)
	for i := range ids {
		ids[i] = fmt.Sprintf("%04d", i)
	}
	w.mustMint("alice", ids...)
	for limit, want := range map[string]int{``: 10, `,"limit":null`: 10, `,"limit":1000`: 1000, `,"limit":1001`: 1000, `,"limit":4294967295`: 1000} {
		for _, q := range []string{`{"all_tokens":{"start_after":null` + limit + `}}`, `{"tokens":{"owner":"$alice"` + limit + `}}`} {
			w.expectAnswer(q, `{"tokens":`+string(wire.Encode(ids[:want]))+`}`)
		}
		got, err := w.query(`{"get_nft_by_extension":{"start_after":"0003"` + limit + `}}`)
		if n := strings.Count(string(got), "token_uri"); err != nil || n != want {
			t.Errorf("get_nft_by_extension with %s gives %d, %v", limit, n, err)
		}
	}
}

// The public contract panics instead.
func TestATokenWithFewerTraitsThanSoughtDoesNotMatch(t *testing.T) {
	w := newCollection(t)
	w.mustExecute("minter", `{"mint":{"token_id":"1","owner":"$alice","extension":{"attributes":[{"trait_type":"fur","value":"red"}]}}}`)
	w.expectAnswer(`{"get_nft_by_extension":{"extension":{"attributes":[{"trait_type":"fur","value":"red"},{"trait_type":"hat","value":"none"}]}}}`, `null`)
}
