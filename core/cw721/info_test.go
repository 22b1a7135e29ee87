package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
)

const (
	notOwner               = "Caller is not the contract's current owner"
	emptyName, emptySymbol = "Collection name must not be empty", "Collection symbol must not be empty"
	emptyText              = "Collection description must not be empty"
	longText               = "Collection description too long. Max length is 512 characters."
	tooHigh                = "InvalidRoyalties: Share cannot be greater than 10%"
	tooMuchMore            = "InvalidRoyalties: Share increase cannot be greater than 2%"
	notCreator, notMinter  = "Caller is not collection creator", "Caller is not minter"
	relative               = "relative URL without a base"
)

// update returns an update_collection_info with the given members, and with those of
// its extension unless extension is empty.
func update(members, extension string) string {
	if extension != "" {
		members = strings.TrimPrefix(members+`,"extension":{`+extension+`}`, ",")
	}
	return `{"update_collection_info":{"collection_info":{` + members + `}}}`
}

func royalty(share string) string {
	return `"royalty_info":{"payment_address":"$carol","share":"` + share + `"}`
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
		w := newWorld(t, rules, cw721.FlavourOnchain)
		msg := `{"withdraw_address":"w","creator":"c","minter":"m","collection_info_extension":{"royalty_info":{"share":"0.100000000000000001","payment_address":"p"},` +
			`"external_link":"","image":"x","description":""},"symbol":"","name":""}`
		for _, s := range steps {
			if e := w.expectInstantiateRefusal(msg, s.kind, s.text); e.Field != s.field {
				t.Errorf("%s: the member at fault is %s, want %s", s.bad, e.Field, s.field)
			}
			msg = replaced(t, msg, s.bad, s.good)
		}
		w.mustInstantiate(msg)
		if e, err := extension(w); err != nil || e.RoyaltyInfo.Share.String() != "0.1" {
			t.Errorf("the share is stored as %v, %v", e, err)
		}
	}
}
