package cw721_test

import (
	"testing"

	"ephemera/core/cw721"
)

func TestMintChecksTheExtensionBeforeTheOwnerOnlyUnderV019(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		const msg = `{"mint":{"token_id":"2","owner":"nobody","extension":{"attributes":[{"trait_type":"","value":"v"}]}}}`
		if w.Rules == cw721.RulesV019 {
			w.expectRefusal("minter", msg, cw721.KindContract, "Trait type in metadata must not be empty")
		} else {
			w.expectRefusal("minter", msg, cw721.KindAddress, "…")
		}
	})
}
