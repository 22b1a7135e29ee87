package explain_test

import (
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

func TestAdditionalMintersAreInTheCollectionTheHoldersAndTheDescriptions(t *testing.T) {
	w := Under(t, kv.NewMemory(), cw721.RulesV022, cw721.FlavourOnchain)
	w.Do("creator", `{"mint":{"token_id":"1","owner":"$alice"}}`)
	added := w.Do("creator", `{"add_minter":{"minter":"$bob"}}`)
	w.View(func(v *chain.View) {
		sentences := explain.Describe(cw721.CurrentLayout, added.Changes, v.DisplayName)
		Same(t, "the description of adding", []string{"bob becomes an additional minter"}, sentences)
		Same(t, "the collection's minters", []cw721.Address{Address("bob")}, Must(v.Collection())(t).AdditionalMinters)
		Same(t, "the holders", []cw721.Address{Address("alice"), Address("creator"), Address("bob")}, Must(explain.Holders(v, "1"))(t))

		for who, want := range map[string]string{
			"alice":   "transfer burn approve: owner",
			"bob":     "mint: additional minter",
			"creator": "mint: minter",
			"carol":   ": no permission",
		} {
			access := Must(explain.AccessTo(v, Address(who), "1"))(t)
			got := strings.Join(access.Actions, " ") + ": " + access.Reason
			Same(t, "the access of "+who, want, got)
		}
	})

	// Without a minter, the contract removes the additional minters too.
	renounced := w.Do("creator", `{"update_minter_ownership":"renounce_ownership"}`)
	w.View(func(v *chain.View) {
		sentences := explain.Describe(cw721.CurrentLayout, renounced.Changes, v.DisplayName)
		if !slices.Contains(sentences, "bob is no additional minter any more") {
			t.Errorf("renouncing is described by %q", sentences)
		}
	})
	w.CheckDerived()
}
