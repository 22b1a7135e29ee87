package cw721_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
)

const (
	emptyName, emptySymbol = "Collection name must not be empty", "Collection symbol must not be empty"
	emptyText              = "Collection description must not be empty"
	longText               = "Collection description too long. Max length is 512 characters."
	tooHigh                = "InvalidRoyalties: Share cannot be greater than 10%"
	tooMuchMore            = "InvalidRoyalties: Share increase cannot be greater than 2%"
	notCreator, notMinter  = "Caller is not collection creator", "Caller is not minter"
	relative               = "relative URL without a base"
)

// update is an update_collection_info with these members, and in its extension
// those.
func update(members, extension string) string {
	if extension != "" {
		members = strings.TrimPrefix(members+`,"extension":{`+extension+`}`, ",")
	}
	return `{"update_collection_info":{"collection_info":{` + members + `}}}`
}

func royalty(share string) string {
	return `"royalty_info":{"payment_address":"$carol","share":"` + share + `"}`
}

func TestACollectionBeginsWithWhatItsMessageSays(t *testing.T) {
	w := blank(t, cw721.RulesStandard, cw721.FlavourOnchain)
	if got, want := w.creates(`{"name":"N","symbol":"S"}`), fill("minter=$deployer, creator=$deployer"); got != want {
		t.Errorf("it reports %s", got)
	}
	w.answers(`{"get_collection_info_and_extension":{}}`, `{"name":"N","symbol":"S","extension":null,"updated_at":"1700000000000000000"}`)
	w.answers(`{"num_tokens":{}}`, `{"count":0}`)
	if got := w.record("num_tokens"); got != "" {
		t.Errorf("a count of %s is stored before there is a token", got)
	}
	if got, want := w.record("contract_info"), `{"contract":"crates.io:cw721-metadata-onchain","version":"0.19.0"}`; got != want {
		t.Errorf("the version is %s", got)
	}

	w = blank(t, cw721.RulesStandard, cw721.FlavourOnchain)
	if got, want := w.creates(fullInstantiate), fill("minter=$minter, creator=$creator"); got != want {
		t.Errorf("it reports %s", got)
	}
	w.answers(`{"contract_info":{}}`, `{"name":"N","symbol":"S","extension":{"description":"d","image":"ipfs://i","external_link":"ipfs://l","explicit_content":true,`+
		`"start_trading_time":"5","royalty_info":{"payment_address":"$carol","share":"0.05"}},"updated_at":"1700000000000000000"}`)
	w.answers(`{"get_withdraw_address":{}}`, `"$carol"`)
	w.answers(`{"minter":{}}`, `{"minter":"$minter"}`)
}

func TestAnExtensionThatIsPresentIsStoredThoughEmpty(t *testing.T) {
	w := blank(t, cw721.RulesStandard, cw721.FlavourOnchain)
	w.creates(`{"name":"N","symbol":"S","collection_info_extension":{}}`)
	w.answers(`{"get_collection_info_and_extension":{}}`, `{"name":"N","symbol":"S","extension":{"description":"","image":"","external_link":null,"explicit_content":null,`+
		`"start_trading_time":null,"royalty_info":null},"updated_at":"1700000000000000000"}`)
	w.answers(`{"get_collection_extension_attributes":{}}`, `[{"key":"description","value":"IiI="},{"key":"explicit_content","value":"bnVsbA=="},`+
		`{"key":"external_link","value":"bnVsbA=="},{"key":"image","value":"IiI="},{"key":"royalty_info","value":"bnVsbA=="},{"key":"start_trading_time","value":"bnVsbA=="}]`)
}

func TestInstantiateChecksInTheContractsOrder(t *testing.T) {
	// Everything is wrong; each step puts one thing right.
	steps := []struct {
		bad, good string
		kind      cw721.Kind
		text      string
		field     string
	}{
		{`"name":""`, `"name":"N"`, cw721.KindContract, emptyName, "name"},
		{`"symbol":""`, `"symbol":"S"`, cw721.KindContract, emptySymbol, "symbol"},
		{`"description":""`, `"description":"` + strings.Repeat("é", 257) + `"`, cw721.KindContract, emptyText, "collection_info_extension.description"},
		{`"description":"` + strings.Repeat("é", 257) + `"`, `"description":"` + strings.Repeat("é", 256) + `"`, cw721.KindContract, longText, "collection_info_extension.description"},
		{`"image":"x"`, `"image":"a:"`, cw721.KindURL, relative, "collection_info_extension.image"},
		{`"external_link":""`, `"external_link":"a:"`, cw721.KindURL, relative, "collection_info_extension.external_link"},
		{`"share":"0.100000000000000001"`, `"share":"0.100"`, cw721.KindContract, tooHigh, "collection_info_extension.royalty_info.share"},
		{`"payment_address":"p"`, `"payment_address":"$carol"`, cw721.KindAddress, "…", "collection_info_extension.royalty_info.payment_address"},
		{`"minter":"m"`, `"minter":"$minter"`, cw721.KindAddress, "…", "minter"},
		{`"creator":"c"`, `"creator":"$creator"`, cw721.KindAddress, "…", "creator"},
		{`"withdraw_address":"w"`, `"withdraw_address":"$bob"`, cw721.KindAddress, "…", "withdraw_address"},
	}
	for _, rules := range cw721.AllRules() {
		w := blank(t, rules, cw721.FlavourOnchain)
		msg := `{"withdraw_address":"w","creator":"c","minter":"m","collection_info_extension":{"royalty_info":{"share":"0.100000000000000001","payment_address":"p"},` +
			`"external_link":"","image":"x","description":""},"symbol":"","name":""}`
		for _, s := range steps {
			if e := w.doesNotBegin(msg, s.kind, s.text); e.Field != s.field {
				t.Errorf("%s: the member at fault is %s, want %s", s.bad, e.Field, s.field)
			}
			msg = replaced(t, msg, s.bad, s.good)
		}
		w.creates(msg)
		if e, err := extension(w); err != nil || e.RoyaltyInfo.Share.String() != "0.1" {
			t.Errorf("the share is stored as %v, %v", e, err)
		}
	}
}

func TestUpdateCollectionInfoChecksInTheContractsOrder(t *testing.T) {
	w := begin(t)
	const names, first = `"name":"N","symbol":"S"`, `"description":"","image":"x","external_link":"x"`
	// Empty names come before rights.
	w.refuses("alice", update(`"name":"","symbol":""`, first), cw721.KindContract, emptyName)
	w.refuses("alice", update(`"name":"N","symbol":""`, first), cw721.KindContract, emptySymbol)
	// Then the creator for names, the minter for the time, the creator for the rest.
	w.refuses("alice", update(names, `"start_trading_time":"1",`+first), cw721.KindContract, notCreator)
	w.refuses("minter", update(`"symbol":"S"`, ""), cw721.KindContract, notCreator)
	w.refuses("creator", update(names, `"start_trading_time":"1",`+first), cw721.KindContract, notMinter)
	w.refuses("minter", update("", `"start_trading_time":"1",`+first), cw721.KindContract, notCreator)
	for _, member := range []string{`"description":""`, `"image":"x"`, `"external_link":"x"`, `"explicit_content":true`} {
		w.refuses("alice", update("", member), cw721.KindContract, notCreator)
		w.refuses("minter", update("", member), cw721.KindContract, notCreator)
	}
	// Then what is said.
	all := `"description":"","image":"x","external_link":"","royalty_info":{"payment_address":"x","share":"0.11"}`
	for _, s := range []struct {
		bad, good string
		kind      cw721.Kind
		text      string
		field     string
	}{
		{`"description":""`, `"description":"` + strings.Repeat("x", 513) + `"`, cw721.KindContract, emptyText, "description"},
		{strings.Repeat("x", 513), strings.Repeat("x", 512), cw721.KindContract, longText, "description"},
		{`"image":"x"`, `"image":"a:"`, cw721.KindURL, relative, "image"},
		{`"external_link":""`, `"external_link":"a:"`, cw721.KindURL, relative, "external_link"},
		{`"0.11"`, `"0.1"`, cw721.KindContract, tooHigh, "royalty_info.share"},
		{`"payment_address":"x"`, `"payment_address":"$carol"`, cw721.KindAddress, "…", "royalty_info.payment_address"},
	} {
		if e := w.refuses("creator", update(names, all), s.kind, s.text); e.Field != "collection_info.extension."+s.field {
			t.Errorf("%s: the member at fault is %s", s.bad, e.Field)
		}
		all = replaced(t, all, s.bad, s.good)
	}
	w.reports("creator", update(names, all), "action=update_collection_info, sender=$creator")
}

func TestAnUpdateKeepsWhatItDoesNotGive(t *testing.T) {
	w := blank(t, cw721.RulesStandard, cw721.FlavourOnchain)
	w.creates(fullInstantiate)
	w.at(5000, 1_800_000_000_000_000_000)
	before := w.dump()
	for _, nothing := range []string{update("", ""), update(`"extension":null,"name":null`, ""), update(`"extension":{}`, ""),
		update("", `"description":null,"image":null,"external_link":null,"explicit_content":null,"start_trading_time":null,"royalty_info":null`)} {
		w.reports("alice", nothing, "action=update_collection_info, sender=$alice")
	}
	if diff := cmp.Diff(before, w.dump()); diff != "" {
		t.Errorf("an update with nothing in it changed\n%s", diff)
	}
	w.does("creator", update(`"symbol":"T"`, `"image":"ipfs://j","explicit_content":false,`+royalty("0.010")))
	w.does("minter", update("", `"start_trading_time":"007"`))
	// updated_at is the time of creation, and stays so.
	w.answers(`{"contract_info":{}}`, `{"name":"N","symbol":"T","extension":{"description":"d","image":"ipfs://j","external_link":"ipfs://l","explicit_content":false,`+
		`"start_trading_time":"7","royalty_info":{"payment_address":"$carol","share":"0.01"}},"updated_at":"1700000000000000000"}`)
}

func TestAnyoneMayGiveACollectionAnEmptyExtension(t *testing.T) {
	w := begin(t)
	w.does("alice", update("", ""))
	if e, err := extension(w); e != nil || err != nil {
		t.Errorf("there is an extension %+v, %v", e, err)
	}
	w.does("alice", update(`"extension":{}`, ""))
	if e, err := extension(w); e == nil || err != nil {
		t.Errorf("there is no extension, %v", err)
	}
}

func TestWhoeverHasBothRolesMaySetEverythingAtOnce(t *testing.T) {
	w := blank(t, cw721.RulesStandard, cw721.FlavourOnchain)
	w.creates(`{"name":"N","symbol":"S","minter":"$bob","creator":"$bob"}`)
	w.does("bob", `{"update_collection_info":{"collection_info":{"name":"N","symbol":"S","extension":`+fullCollection+`}}}`)
}
