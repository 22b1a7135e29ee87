package cw721_test

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

const chainView = `{"code_id":1,"creator":"$deployer","admin":null,"pinned":false,"ibc_port":null}`

func TestGetConfigTellsEverythingThatIsNoToken(t *testing.T) {
	w := begin(t, "1", "2")
	const minter, creator = `{"owner":"$minter","pending_owner":"$bob","pending_expiry":{"at_height":5}}`, `{"owner":"$creator","pending_owner":null,"pending_expiry":null}`
	w.does("minter", `{"update_minter_ownership":`+offer+`}`)
	w.answers(`{"get_config":{}}`, `{"num_tokens":2,"minter_ownership":`+minter+`,"creator_ownership":`+creator+`,"withdraw_address":null,`+
		`"collection_info":{"name":"Apes","symbol":"APE","updated_at":"1700000000000000000"},"collection_extension":null,"contract_info":`+chainView+`}`)
	w.does("creator", `{"set_withdraw_address":{"address":"$carol"}}`)
	w.does("creator", update("", `"description":"d"`))
	w.answers(`{"get_config":{}}`, `{"num_tokens":2,"minter_ownership":`+minter+`,"creator_ownership":`+creator+`,"withdraw_address":"$carol",`+
		`"collection_info":{"name":"Apes","symbol":"APE","updated_at":"1700000000000000000"},"collection_extension":{"description":"d","image":"","external_link":null,`+
		`"explicit_content":null,"start_trading_time":null,"royalty_info":null},"contract_info":`+chainView+`}`)
}

func TestGetAllInfoTellsTheExtensionAsItIsStored(t *testing.T) {
	w := begin(t, "1")
	w.answers(`{"get_all_info":{}}`, `{"contract_info":`+chainView+`,"collection_info":{"name":"Apes","symbol":"APE","updated_at":"1700000000000000000"},`+
		`"collection_extension":[],"num_tokens":1}`)
	w.answers(`{"get_collection_extension_attributes":{}}`, `[]`)
	w.does("creator", update("", `"description":"d",`+royalty("0.050")))
	got, err := w.query(`{"get_all_info":{}}`)
	attributes, err2 := w.query(`{"get_collection_extension_attributes":{}}`)
	if err != nil || err2 != nil || !strings.Contains(string(got), `"collection_extension":`+string(attributes)) {
		t.Errorf("%s\ndoes not hold\n%s, %v, %v", got, attributes, err, err2)
	}
	if !strings.HasPrefix(string(attributes), `[{"key":"description","value":"ImQi"},{"key":"explicit_content","value":"bnVsbA=="}`) {
		t.Errorf("the attributes are %s", attributes)
	}
}

func TestTheQueriesThatOthersExtendAnswerNothing(t *testing.T) {
	w := begin(t)
	w.answers(`{"extension":{"msg":{}}}`, `""`)
	w.answers(`{"extension":{"msg":{"whatever":[1]}}}`, `""`)
	w.answers(`{"get_collection_extension":{}}`, `""`)
	w.answers(`{"get_collection_extension":{"msg":null}}`, `""`)
	w.answers(`{"get_collection_extension":{"msg":`+fullCollection+`}}`, `""`)
	w.answersNot(`{"get_collection_extension":{"msg":{}}}`, cw721.KindParse, "…")
	w.answersNot(`{"extension":{}}`, cw721.KindParse, "…")
}

// byExtension expects the tokens, by their URIs, that an extension finds.
func (w *world) byExtension(extension, want string) {
	w.Helper()
	got := kvtest.Must(w.query(`{"get_nft_by_extension":{"extension":` + extension + `}}`))(w)
	var found []string
	for _, part := range strings.Split(string(got), `"token_uri":"u:`)[1:] {
		found = append(found, part[:strings.IndexByte(part, '"')])
	}
	if strings.Join(found, " ") != want {
		w.Errorf("%s finds %v, want %s", extension, found, want)
	}
	if want == "" && string(got) != "null" {
		w.Errorf("%s finds nothing and answers %s", extension, got)
	}
}

func TestTokensAreFoundByWhatTheirMetadataContains(t *testing.T) {
	w := begin(t)
	for id, ext := range map[string]string{
		"a": `{"name":"red ape","description":"one","attributes":[{"trait_type":"fur","value":"red"},{"trait_type":"hat","value":"none"}]}`,
		"b": `{"name":"blue ape","attributes":[{"trait_type":"fur","value":"blue"}]}`,
		"c": `{"name":"red cat"}`,
		"d": `null`,
		"e": `{"name":"cyborg ape","attributes":[{"display_type":"number","trait_type":"fur","value":"red"}]}`,
	} {
		w.does("minter", `{"mint":{"token_id":"`+id+`","owner":"$alice","token_uri":"u:`+id+`","extension":`+ext+`}}`)
	}
	w.byExtension(`{}`, "a b c e")
	w.byExtension(`null`, "d")
	w.byExtension(`{"name":"red"}`, "a c")
	w.byExtension(`{"name":"APE"}`, "")
	w.byExtension(`{"name":""}`, "a b c e")
	w.byExtension(`{"name":"red","description":"on"}`, "a")
	w.byExtension(`{"description":""}`, "a") // a text that is not there contains nothing
	// Traits are compared from the first on; a token without any is not held against them.
	w.byExtension(`{"attributes":[{"trait_type":"fur","value":"red"}]}`, "a c")
	w.byExtension(`{"attributes":[{"trait_type":"fur","value":"re"}]}`, "c")
	w.byExtension(`{"attributes":[{"trait_type":"hat","value":"none"}]}`, "c")
	w.byExtension(`{"attributes":[{"display_type":"number","trait_type":"fur","value":"red"}]}`, "c e")
	w.byExtension(`{"attributes":[{"display_type":"date","trait_type":"fur","value":"red"}]}`, "c")
	// More traits than a token has make the contract panic; here they are not found.
	w.byExtension(`{"attributes":[{"trait_type":"fur","value":"red"},{"trait_type":"hat","value":"none"},{"trait_type":"x","value":"y"}]}`, "c")
	w.byExtension(`{"attributes":[]}`, "a b c e")

	// The limit counts the tokens that are looked at.
	w.answers(`{"get_nft_by_extension":{"extension":{"name":"cyborg"},"limit":4}}`, `null`)
	w.answers(`{"get_nft_by_extension":{"extension":{"name":"cat"},"start_after":"b","limit":1}}`, `[{"token_uri":"u:c","extension":`+strings.Replace(nullMetadata, `"name":null`, `"name":"red cat"`, 1)+`}]`)
	w.answers(`{"get_nft_by_extension":{"limit":0}}`, `null`)
}

func TestInTheBaseFlavourAnEmptyExtensionFindsEmptyOnes(t *testing.T) {
	w := blank(t, cw721.RulesStandard, cw721.FlavourBase)
	w.creates(plain)
	w.does("minter", `{"mint":{"token_id":"a","owner":"$alice","token_uri":"u:a","extension":{}}}`)
	w.does("minter", `{"mint":{"token_id":"b","owner":"$alice","token_uri":"u:b"}}`)
	w.byExtension(`{}`, "a")
	w.byExtension(`{"whatever":1}`, "a")
	w.byExtension(`null`, "b")
}

func TestARecordThatDoesNotReadIsTroubleAndNoRefusal(t *testing.T) {
	for key, query := range map[string]string{
		"\x00\x06tokens1":       `{"owner_of":{"token_id":"1"}}`,
		"cw721_collection_info": `{"get_all_info":{}}`,
		"collection_minter":     `{"minter":{}}`,
		"num_tokens":            `{"num_tokens":{}}`,
		"withdraw_address":      `{"get_withdraw_address":{}}`,
		"\x00\x1fcw721_collection_info_extensionimage": `{"contract_info":{}}`,
	} {
		for _, value := range []string{"", "{", "[]", `{"key":"image","value":"ey"}`} {
			w := begin(t, "1")
			w.does("creator", update("", `"description":"d"`))
			kvtest.OK(t, w.db.Update(func(txn kv.Txn) error { return txn.Set([]byte(key), []byte(value)) }))
			_, err := w.query(query)
			var corrupt *kv.CorruptError
			if !errors.As(err, &corrupt) || string(corrupt.Key) != key || cw721.AsError(err) != nil {
				t.Errorf("%q = %q gives %v", key, value, err)
			}
		}
	}
}

func TestAnExtensionWithAMissingAttributeSaysWhichOne(t *testing.T) {
	for key, name := range map[string]string{"description": "description", "image": "image", "external_link": "external link",
		"explicit_content": "explicit content", "start_trading_time": "start trading time", "royalty_info": "royalty info"} {
		w := begin(t)
		w.does("creator", update("", `"description":"d"`))
		if err := w.db.Update(func(txn kv.Txn) error { return txn.Delete([]byte("\x00\x1fcw721_collection_info_extension" + key)) }); err != nil {
			t.Fatal(err)
		}
		w.answersNot(`{"contract_info":{}}`, cw721.KindContract, "Missing "+name+" attribute")
	}
}

func TestATokenThatIsNotCountedCannotBeBurnt(t *testing.T) {
	w := begin(t, "1")
	kvtest.OK(t, w.db.Update(func(txn kv.Txn) error { return txn.Delete([]byte("num_tokens")) }))
	var corrupt *kv.CorruptError
	if _, err := w.execute("alice", `{"burn":{"token_id":"1"}}`); !errors.As(err, &corrupt) {
		t.Errorf("got %v", err)
	}
	w.answers(`{"owner_of":{"token_id":"1"}}`, `{"owner":"$alice","approvals":[]}`)
}
