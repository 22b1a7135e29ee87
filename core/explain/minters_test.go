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

func TestAdditionalMintersStandInTheCollectionTheHoldersAndTheHistory(t *testing.T) {
	w := Under(t, kv.NewMemory(), cw721.RulesV022, cw721.FlavourOnchain)
	w.Do("creator", `{"mint":{"token_id":"1","owner":"$alice"}}`)
	r := w.Do("creator", `{"add_minter":{"minter":"$bob"}}`)
	w.View(func(v *chain.View) {
		if got := strings.Join(explain.Describe(cw721.CurrentLayout, r.Changes, v.DisplayName), "; "); got != "bob becomes an additional minter" {
			t.Errorf("the change is told as %q", got)
		}
		if c := Must(v.Collection())(t); !slices.Equal(c.AdditionalMinters, []cw721.Address{Address("bob")}) {
			t.Errorf("the collection has %v", c.AdditionalMinters)
		}
		Same(t, "the holders", []cw721.Address{Address("alice"), Address("creator"), Address("bob")}, Must(explain.Holders(v, "1"))(t))
		for who, want := range map[string]string{"alice": "transfer burn approve: owner", "bob": "mint: additional minter", "creator": "mint: minter", "carol": ": no permission"} {
			a := Must(explain.AccessTo(v, Address(who), "1"))(t)
			if got := strings.Join(a.Actions, " ") + ": " + a.Because; got != want {
				t.Errorf("%s may %q, want %q", who, got, want)
			}
		}
	})
	r = w.Do("creator", `{"update_minter_ownership":"renounce_ownership"}`)
	w.View(func(v *chain.View) {
		if got := explain.Describe(cw721.CurrentLayout, r.Changes, v.DisplayName); !slices.Contains(got, "bob is no additional minter any more") {
			t.Errorf("the change is told as %q", got)
		}
	})
	w.CheckDerived()
}
