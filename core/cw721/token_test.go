package cw721_test

import (
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

func TestMintingATokenWithATooLongIDLeavesNoRecord(t *testing.T) {
	w := newCollection(t)
	before := len(w.dump())
	id := make([]byte, kv.MaxKey-20) // fits the token's key, not the owner index's
	for i := range id {
		id[i] = 'x'
	}
	_, err := w.execute("minter", `{"mint":{"token_id":"`+string(id)+`","owner":"$bob"}}`)
	if err == nil || cw721.AsError(err) != nil {
		t.Errorf("the limit of the store is reported as %v", err)
	}
	if len(w.dump()) != before {
		t.Error("a refused token leaves records")
	}
	w.expectQueryRefusal(`{"owner_of":{"token_id":"`+string(id)+`"}}`, cw721.KindNotFound, "…")
}
