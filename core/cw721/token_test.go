package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

func TestMintingATokenWithATooLongIDLeavesNoRecord(t *testing.T) {
	w := newCollection(t)
	before := len(w.dump())
	id := strings.Repeat("x", kv.MaxKey-20) // fits the key of a token, but not of the owner index
	_, err := w.execute("minter", `{"mint":{"token_id":"`+id+`","owner":"$bob"}}`)
	if err == nil || cw721.AsError(err) != nil {
		t.Errorf("the limit of the store is reported as %v", err)
	}
	if len(w.dump()) != before {
		t.Error("a refused token leaves records")
	}
	w.expectQueryRefusal(`{"owner_of":{"token_id":"`+id+`"}}`, cw721.KindNotFound, "…")
}
