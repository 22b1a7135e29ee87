package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
)

// Texts of the contract's refusals.
const (
	notOwner         = "Caller is not the contract's current owner"
	notCreator       = "Caller is not collection creator"
	notMinter        = "Caller is not minter"
	emptyName        = "Collection name must not be empty"
	emptySymbol      = "Collection symbol must not be empty"
	emptyDescription = "Collection description must not be empty"
	longDescription  = "Collection description too long. Max length is 512 characters."
	shareTooHigh     = "InvalidRoyalties: Share cannot be greater than 10%"
	increaseTooHigh  = "InvalidRoyalties: Share increase cannot be greater than 2%"
	relativeURL      = "relative URL without a base"
)

// update returns an update_collection_info with the given members, and with those of
// its extension unless extension is empty.
func update(members, extension string) string {
	if extension != "" {
		members = strings.TrimPrefix(members+`,"extension":{`+extension+`}`, ",")
	}
	return `{"update_collection_info":{"collection_info":{` + members + `}}}`
}

// royalty returns the member royalty_info of an extension.
func royalty(share string) string {
	return `"royalty_info":{"payment_address":"$carol","share":"` + share + `"}`
}

func TestInstantiateChecksInTheContractsOrder(t *testing.T) {
	// The message has every fault. Each step expects the refusal of one fault and corrects it.
	const prefix = "collection_info_extension."
	steps := []struct {
		fault, correction string
		kind              cw721.Kind
		text              string
		field             string
	}{
		{`"name":""`, `"name":"N"`, cw721.KindContract, emptyName, "name"},
		{`"symbol":""`, `"symbol":"S"`, cw721.KindContract, emptySymbol, "symbol"},
		{`"description":""`, `"description":"` + strings.Repeat("é", 257) + `"`, cw721.KindContract, emptyDescription, prefix + "description"},
		{`"description":"` + strings.Repeat("é", 257) + `"`, `"description":"` + strings.Repeat("é", 256) + `"`, cw721.KindContract, longDescription, prefix + "description"},
		{`"image":"x"`, `"image":"a:"`, cw721.KindURL, relativeURL, prefix + "image"},
		{`"external_link":""`, `"external_link":"a:"`, cw721.KindURL, relativeURL, prefix + "external_link"},
		{`"share":"0.100000000000000001"`, `"share":"0.100"`, cw721.KindContract, shareTooHigh, prefix + "royalty_info.share"},
		{`"payment_address":"p"`, `"payment_address":"$carol"`, cw721.KindAddress, "…", prefix + "royalty_info.payment_address"},
		{`"minter":"m"`, `"minter":"$minter"`, cw721.KindAddress, "…", "minter"},
		{`"creator":"c"`, `"creator":"$creator"`, cw721.KindAddress, "…", "creator"},
		{`"withdraw_address":"w"`, `"withdraw_address":"$bob"`, cw721.KindAddress, "…", "withdraw_address"},
	}
	for _, rules := range cw721.AllRules() {
		w := newWorld(t, rules, cw721.FlavourOnchain)
		msg := `{"withdraw_address":"w","creator":"c","minter":"m","collection_info_extension":{"royalty_info":{"share":"0.100000000000000001","payment_address":"p"},` +
			`"external_link":"","image":"x","description":""},"symbol":"","name":""}`
		for _, step := range steps {
			refusal := w.expectInstantiateRefusal(msg, step.kind, step.text)
			if refusal.Field != step.field {
				t.Errorf("%s: the member at fault is %s, want %s", step.fault, refusal.Field, step.field)
			}
			msg = replaceOnce(t, msg, step.fault, step.correction)
		}

		w.mustInstantiate(msg)
		if e, err := extension(w); err != nil || e.RoyaltyInfo.Share.String() != "0.1" {
			t.Errorf("the share is stored as %v, %v", e, err)
		}
	}
}
