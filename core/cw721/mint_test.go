package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
)

const nullMetadata = `{"image":null,"image_data":null,"external_url":null,"description":null,"name":null,"attributes":null,"background_color":null,"animation_url":null,"youtube_url":null}`

func TestMintMakesATokenWithoutApprovals(t *testing.T) {
	w := begin(t)
	w.reports("minter", `{"mint":{"token_id":"1","owner":"$alice"}}`, "action=mint, minter=$minter, owner=$alice, token_id=1")
	w.answers(`{"all_nft_info":{"token_id":"1"}}`, `{"access":{"owner":"$alice","approvals":[]},"info":{"token_uri":null,"extension":null}}`)
	w.answers(`{"num_tokens":{}}`, `{"count":1}`)
	w.reports("minter", `{"mint":{"token_id":"2","owner":"$market","token_uri":"ipfs://2"}}`, "action=mint, minter=$minter, owner=$market, token_id=2, token_uri=ipfs://2")
	w.reports("minter", `{"mint":{"token_id":"3","owner":"$alice","token_uri":""}}`, "action=mint, minter=$minter, owner=$alice, token_id=3, token_uri=empty")
	w.reports("minter", `{"mint":{"token_id":"4","owner":"$alice","token_uri":null}}`, "action=mint, minter=$minter, owner=$alice, token_id=4")
	w.answers(`{"nft_info":{"token_id":"2"}}`, `{"token_uri":"ipfs://2","extension":null}`)
	w.answers(`{"nft_info":{"token_id":"3"}}`, `{"token_uri":null,"extension":null}`)
	w.answers(`{"num_tokens":{}}`, `{"count":4}`)
}

func TestMintLooksAtTheExtensionBeforeTheOwnerOnlyUnderV019(t *testing.T) {
	everyRules(t, mintChecksInOrder)
}

func mintChecksInOrder(t *testing.T, w *world) {
	const uri, ext, owner = `,"token_uri":"x"`, `,"extension":{"attributes":[{"trait_type":"","value":"v"}]}`, `"nobody"`
	mint := func(owner, more string) string { return `{"mint":{"token_id":"1","owner":` + owner + more + `}}` }
	w.refuses("alice", mint(owner, uri+ext), cw721.KindContract, "Caller is not minter")
	w.refuses("creator", mint(owner, uri+ext), cw721.KindContract, "Caller is not minter")
	w.refuses("minter", mint(owner, uri+ext), cw721.KindURL, "relative URL without a base")
	if w.Rules == cw721.RulesV019 {
		w.refuses("minter", mint(owner, ext), cw721.KindContract, "Trait type in metadata must not be empty")
	} else {
		w.refuses("minter", mint(owner, ext), cw721.KindAddress, "…")
	}
	w.refuses("minter", mint(`"$bob"`, ext), cw721.KindContract, "Trait type in metadata must not be empty")
	w.refuses("minter", mint(owner, ""), cw721.KindAddress, "…")
	w.refuses("minter", mint(`"$bob"`, ""), cw721.KindContract, "token_id already claimed")
	w.does("minter", `{"update_minter_ownership":"renounce_ownership"}`)
	w.refuses("minter", `{"mint":{"token_id":"2","owner":"$bob"}}`, cw721.KindContract, "Caller is not minter")
}

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
	w.does("minter", `{"mint":{"token_id":"2","owner":"$bob","extension":{"attributes":[]}}}`)
	w.answers(`{"nft_info":{"token_id":"2"}}`, `{"token_uri":null,"extension":`+strings.Replace(nullMetadata, `"attributes":null`, `"attributes":[]`, 1)+`}`)
}

func TestMintKeepsEmptyTextAndUpdateClearsIt(t *testing.T) {
	w := begin(t)
	const all = `{"image":"","image_data":"","external_url":"","description":"","name":"","attributes":[{"display_type":null,"trait_type":"t","value":"v"}],"background_color":"","animation_url":"","youtube_url":""}`
	const none = `{"image":null,"image_data":null,"external_url":null,"description":null,"name":null,"attributes":[{"display_type":null,"trait_type":"t","value":"v"}],"background_color":null,"animation_url":null,"youtube_url":null}`
	w.does("minter", `{"mint":{"token_id":"1","owner":"$alice","extension":`+all+`}}`)
	w.answers(`{"nft_info":{"token_id":"1"}}`, `{"token_uri":null,"extension":`+all+`}`)
	w.does("creator", `{"update_nft_info":{"token_id":"1","extension":{}}}`)
	w.answers(`{"nft_info":{"token_id":"1"}}`, `{"token_uri":null,"extension":`+all+`}`)
	w.does("creator", `{"update_nft_info":{"token_id":"1","extension":`+all+`}}`)
	w.answers(`{"nft_info":{"token_id":"1"}}`, `{"token_uri":null,"extension":`+none+`}`)
	// Where nothing is stored, an update is like a mint.
	w.mints("alice", "2")
	w.does("creator", `{"update_nft_info":{"token_id":"2","extension":`+all+`}}`)
	w.answers(`{"nft_info":{"token_id":"2"}}`, `{"token_uri":null,"extension":`+all+`}`)
}

func TestUpdateNftInfoChangesWhatIsGivenAndForgetsAnAbsentExtension(t *testing.T) {
	w := begin(t)
	w.does("minter", `{"mint":{"token_id":"1","owner":"$alice","token_uri":"ipfs://1","extension":{"name":"n","image":"ipfs://i","attributes":[{"trait_type":"t","value":"v"}]}}}`)
	w.does("alice", `{"approve":{"spender":"$bob","token_id":"1"}}`)
	w.reports("creator", `{"update_nft_info":{"token_id":"1","extension":{"name":"m","description":"d","attributes":[]}}}`, "action=update_nft_info, token_id=1")
	w.answers(`{"all_nft_info":{"token_id":"1"}}`, `{"access":{"owner":"$alice","approvals":[{"spender":"$bob","expires":{"never":{}}}]},"info":{"token_uri":"ipfs://1","extension":`+
		`{"image":"ipfs://i","image_data":null,"external_url":null,"description":"d","name":"m","attributes":[],"background_color":null,"animation_url":null,"youtube_url":null}}}`)
	w.does("creator", `{"update_nft_info":{"token_id":"1","token_uri":"ipfs://2"}}`)
	w.answers(`{"nft_info":{"token_id":"1"}}`, `{"token_uri":"ipfs://2","extension":null}`)
	w.does("creator", `{"update_nft_info":{"token_id":"1","token_uri":"","extension":null}}`)
	w.answers(`{"nft_info":{"token_id":"1"}}`, `{"token_uri":null,"extension":null}`)
	w.answers(`{"tokens":{"owner":"$alice"}}`, `{"tokens":["1"]}`)
}

func TestUpdateNftInfoChecksTheTokenTheCreatorTheURIAndThenTheExtension(t *testing.T) {
	w := begin(t, "1")
	const bad = `"token_uri":"x","extension":{"attributes":[{"trait_type":"","value":"v"}]}}}`
	w.refuses("alice", `{"update_nft_info":{"token_id":"2",`+bad, cw721.KindNotFound, `token "2" not found`)
	w.refuses("alice", `{"update_nft_info":{"token_id":"1",`+bad, cw721.KindContract, "Caller is not collection creator")
	w.refuses("minter", `{"update_nft_info":{"token_id":"1",`+bad, cw721.KindContract, "Caller is not collection creator")
	w.refuses("creator", `{"update_nft_info":{"token_id":"1",`+bad, cw721.KindURL, "relative URL without a base")
	w.refuses("creator", `{"update_nft_info":{"token_id":"1",`+strings.Replace(bad, `"x"`, `""`, 1), cw721.KindContract, "Trait type in metadata must not be empty")
}

func TestTheBaseFlavourKeepsAnEmptyObjectOrNothing(t *testing.T) {
	w := blank(t, cw721.RulesStandard, cw721.FlavourBase)
	w.creates(plain)
	w.does("minter", `{"mint":{"token_id":"1","owner":"$alice","extension":{"image":"not a URL","x":[1]}}}`)
	w.does("minter", `{"mint":{"token_id":"2","owner":"$alice"}}`)
	w.answers(`{"nft_info":{"token_id":"1"}}`, `{"token_uri":null,"extension":{}}`)
	w.answers(`{"nft_info":{"token_id":"2"}}`, `{"token_uri":null,"extension":null}`)
	w.does("creator", `{"update_nft_info":{"token_id":"2","extension":{}}}`)
	w.does("creator", `{"update_nft_info":{"token_id":"1"}}`)
	w.answers(`{"all_nft_info":{"token_id":"1"}}`, `{"access":{"owner":"$alice","approvals":[]},"info":{"token_uri":null,"extension":null}}`)
	w.answers(`{"nft_info":{"token_id":"2"}}`, `{"token_uri":null,"extension":{}}`)
	// What is stored is read again, whatever happens to the token.
	w.does("alice", `{"transfer_nft":{"recipient":"$bob","token_id":"2"}}`)
	w.answers(`{"nft_info":{"token_id":"2"}}`, `{"token_uri":null,"extension":{}}`)
	if got, want := w.record("contract_info"), `{"contract":"crates.io:cw721-base","version":"0.19.0"}`; got != want {
		t.Errorf("the version is %s", got)
	}
}
