package cw721_test

import (
	"testing"
)

// The public contract panics instead.
func TestATokenWithFewerTraitsThanSoughtDoesNotMatch(t *testing.T) {
	w := newCollection(t)
	w.mustExecute("minter", `{"mint":{"token_id":"1","owner":"$alice","extension":{"attributes":[{"trait_type":"fur","value":"red"}]}}}`)
	w.expectAnswer(`{"get_nft_by_extension":{"extension":{"attributes":[{"trait_type":"fur","value":"red"},{"trait_type":"hat","value":"none"}]}}}`, `null`)
}
