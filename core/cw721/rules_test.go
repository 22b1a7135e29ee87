package cw721_test

import (
	"errors"
	"slices"
	"testing"

	"ephemera/core/cw721"
)

// isFrom reports whether a rule set is one of some releases.
func isFrom(rules cw721.Rules, releases ...cw721.Rules) bool { return slices.Contains(releases, rules) }

func TestOtherMessagesAreTheSameUnderEveryRuleSet(t *testing.T) {
	outcome := func(rules cw721.Rules, sender, msg string) string {
		r, err := newCollectionUnder(t, rules, "1").execute(sender, msg)
		if err != nil {
			return err.Error()
		}
		return formatAttributes(r)
	}

	differingMessages := []string{"burn", "update_nft_info", "update_collection_info"}
	for _, sender := range []string{"alice", "bob", "minter", "creator"} {
		for _, msg := range fullExecutes {
			name := parseTree(t, withAddresses(msg)).names[0]
			if slices.Contains(differingMessages, name) {
				continue
			}
			want := outcome(cw721.RulesStandard, sender, msg)
			for _, rules := range cw721.AllRules()[1:] {
				if got := outcome(rules, sender, msg); got != want {
					t.Errorf("%s: %s under %s: %s\nunder the standard: %s", sender, msg, rules, got, want)
				}
			}
		}
	}
}

func TestOnlyRuleSetsAndFlavoursAreKnown(t *testing.T) {
	for _, r := range cw721.AllRules() {
		if !r.IsKnown() {
			t.Errorf("%s is not known", r)
		}
	}
	if cw721.Rules("").IsKnown() || cw721.Rules("v0.23.0").IsKnown() || cw721.Flavour("").IsKnown() || cw721.Flavour("onchain").IsKnown() {
		t.Error("something else is known")
	}
	if !cw721.FlavourBase.IsKnown() || !cw721.FlavourOnchain.IsKnown() || cw721.AllRules()[0] != cw721.RulesStandard {
		t.Error("the flavours are not known, or the standard is not first")
	}
}

func TestAnActionNeedsATokenIfItsMessageNamesAnExistingOne(t *testing.T) {
	for _, a := range cw721.AllActions() {
		namesToken := cw721.TokenOf(a.Message("ape-1", "a")) != nil
		isExisting := a.Name != "mint"
		if a.NeedsToken != (namesToken && isExisting) {
			t.Errorf("%s: needs a token: %t", a.Name, a.NeedsToken)
		}
	}
}

func TestRefusalsAreComparedByKindAndText(t *testing.T) {
	w := newCollection(t, "1")
	burn := w.expectRefusal("bob", `{"burn":{"token_id":"1"}}`, cw721.KindContract, notOwner)
	transfer := w.expectRefusal("carol", `{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`, cw721.KindContract, notOwner)
	missing := w.expectRefusal("bob", `{"burn":{"token_id":"2"}}`, cw721.KindNotFound, `token "2" not found`)
	if !errors.Is(burn, transfer) {
		t.Error("refusals with the same text differ")
	}
	if errors.Is(burn, missing) || errors.Is(burn, errors.New(notOwner)) {
		t.Error("a refusal is another error")
	}
	if got := missing.Error(); got != `token_id: token "2" not found` {
		t.Errorf("it prints as %s", got)
	}
	if cw721.AsError(errors.New("x")) != nil || cw721.AsError(nil) != nil {
		t.Error("AsError returns a refusal for another error")
	}
}
