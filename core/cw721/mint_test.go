package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
)

func TestMetadataIsCheckedURLsFirstThenTraitByTrait(t *testing.T) {
	const relative, traitType, value, display = "relative URL without a base", "Trait type in metadata must not be empty",
		"Trait value in metadata must not be empty", "Trait display type in metadata must not be empty"
	w := begin(t, "1")
	for _, c := range []struct{ ext, field, text string }{
		{`{"image":"x","external_url":"y"}`, "extension.image", relative},
		{`{"image":"","external_url":"y","animation_url":"http:"}`, "extension.external_url", relative},
		{`{"animation_url":"x","youtube_url":"http:"}`, "extension.animation_url", relative},
		{`{"youtube_url":"http:","attributes":[{"trait_type":"","value":""}]}`, "extension.youtube_url", "empty host"},
		{`{"attributes":[{"display_type":"","trait_type":"","value":""}]}`, "extension.attributes", traitType},
		{`{"attributes":[{"display_type":"","trait_type":"t","value":""}]}`, "extension.attributes", value},
		{`{"attributes":[{"display_type":"","trait_type":"t","value":"v"}]}`, "extension.attributes", display},
		{`{"attributes":[{"trait_type":"t","value":"v"},{"trait_type":"t","value":""},{"trait_type":"","value":"v"}]}`, "extension.attributes", value},
	} {
		kind := cw721.KindContract
		if strings.HasSuffix(c.field, "_url") || c.field == "extension.image" {
			kind = cw721.KindURL
		}
		for _, e := range []*cw721.Error{
			w.refuses("minter", `{"mint":{"token_id":"2","owner":"$bob","extension":`+c.ext+`}}`, kind, c.text),
			w.refuses("creator", `{"update_nft_info":{"token_id":"1","extension":`+c.ext+`}}`, kind, c.text),
		} {
			if e.Field != c.field {
				t.Errorf("%s is blamed on %s, want %s", c.ext, e.Field, c.field)
			}
		}
	}
}

func TestMintLooksAtTheExtensionBeforeTheOwnerOnlyUnderV019(t *testing.T) {
	everyRules(t, func(t *testing.T, w *world) {
		const msg = `{"mint":{"token_id":"2","owner":"nobody","extension":{"attributes":[{"trait_type":"","value":"v"}]}}}`
		if w.Rules == cw721.RulesV019 {
			w.refuses("minter", msg, cw721.KindContract, "Trait type in metadata must not be empty")
		} else {
			w.refuses("minter", msg, cw721.KindAddress, "…")
		}
	})
}
