package cw721_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// forEachRules runs a subtest under each rule set, on a collection with an extension
// without a royalty and with alice's token 1.
func forEachRules(t *testing.T, fn func(t *testing.T, w *world)) {
	for _, rules := range cw721.AllRules() {
		t.Run(string(rules), func(t *testing.T) {
			w := newCollectionUnder(t, rules, "1")
			w.mustExecute("alice", update(`"extension":{}`, ""))
			fn(t, w)
		})
	}
}

// isFrom reports whether a rule set is one of some releases.
func isFrom(rules cw721.Rules, releases ...cw721.Rules) bool { return slices.Contains(releases, rules) }

func TestAnyoneMayChangeTheRoyaltyFromV019ToV021(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		for _, sender := range []string{"alice", "minter"} {
			if isFrom(w.Rules, cw721.RulesV019, cw721.RulesV020, cw721.RulesV021) {
				w.mustExecute(sender, update("", royalty("0.01")))
				// Other members still require their role.
				w.expectRefusal(sender, update("", `"description":"d",`+royalty("0.01")), cw721.KindContract, notCreator)
			} else {
				w.expectRefusal(sender, update("", royalty("0.01")), cw721.KindContract, notCreator)
			}
		}
		w.mustExecute("creator", update("", royalty("0.02")))
	})
}

func TestOnlyTheStandardDoesNotLimitIncreasesOfTheRoyalty(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		isLimited := w.Rules != cw721.RulesStandard
		wantIncrease := cw721.Share{}
		if isLimited {
			wantIncrease = cw721.Percent(2)
		}
		increase, ok := w.Rules.MaxShareIncrease()
		if ok != isLimited || increase != wantIncrease {
			t.Errorf("the largest increase is %s, %v", increase, ok)
		}

		set := func(share string) {
			w.Helper()
			w.mustExecute("creator", update("", royalty(share)))
		}
		expectRefused := func(share, text string) {
			w.Helper()
			w.expectRefusal("creator", update("", royalty(share)), cw721.KindContract, text)
		}
		expectRefused("0.100000000000000001", shareTooHigh) // the first royalty is not limited to 2 %
		set("0.05")
		set("0.05")
		set("0.07") // an increase of exactly 2 %
		if isLimited {
			expectRefused("0.090000000000000001", increaseTooHigh)
		}

		// The increase is checked before the largest share.
		set("0.08")
		if isLimited {
			expectRefused("0.11", increaseTooHigh)
		} else {
			expectRefused("0.11", shareTooHigh)
		}
		set("0.09")
		expectRefused("0.11", shareTooHigh)
		set("0.1")
		expectRefused("0.100000000000000001", shareTooHigh)

		set("0") // decreases are not limited
		set("0.02")
		if isLimited {
			expectRefused("0.1", increaseTooHigh)
			set("0.04") // a block may have several increases
			set("0.06")
		} else {
			set("0.1")
		}
	})
}

func TestTheOwnerOfABurntTokenIsReportedFromV021On(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		w.mustExecute("alice", `{"approve":{"spender":"$bob","token_id":"1"}}`)
		want := "action=burn, sender=$bob, token_id=1"
		if isFrom(w.Rules, cw721.RulesV021, cw721.RulesV022) {
			want = "action=burn, sender=$bob, owner=$alice, token_id=1"
		}
		w.expectAttributes("bob", `{"burn":{"token_id":"1"}}`, want)
	})
}

func TestOnlyV022ReportsTheURIOfAnUpdate(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		for _, c := range []struct{ member, reported string }{{``, ""}, {`,"token_uri":""`, ""}, {`,"token_uri":null`, ""}, {`,"token_uri":"ipfs://u"`, "ipfs://u"}} {
			want := "action=update_nft_info, token_id=1"
			if w.Rules == cw721.RulesV022 {
				want += ", token_uri=" + c.reported
			}
			w.expectAttributes("creator", `{"update_nft_info":{"token_id":"1"`+c.member+`}}`, want)
		}
	})
}

func TestOnlyV019AcceptsAnyTextAsTheSpenderOfAnApproval(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		for _, spender := range []string{"", "x", "$ALICE"} {
			ofToken := `{"approval":{"token_id":"1","spender":"` + spender + `"}}`
			ofMissingToken := `{"approval":{"token_id":"2","spender":"` + spender + `"}}`
			if w.Rules == cw721.RulesV019 {
				w.expectQueryRefusal(ofToken, cw721.KindContract, "Approval not found not found")
				w.expectQueryRefusal(ofMissingToken, cw721.KindNotFound, `token "2" not found`)
			} else {
				w.expectQueryRefusal(ofToken, cw721.KindAddress, "…")
				w.expectQueryRefusal(ofMissingToken, cw721.KindAddress, "…") // before the token is loaded
			}
		}
		w.expectQueryRefusal(`{"approval":{"token_id":"1","spender":"$bob"}}`, cw721.KindContract, "Approval not found not found")
		w.expectAnswer(`{"approval":{"token_id":"1","spender":"$alice"}}`, `{"approval":{"spender":"$alice","expires":{"never":{}}}}`)
	})
}

func TestTheVersionIsThatOfTheRules(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		want := strings.TrimPrefix(string(w.Rules), "v")
		if w.Rules == cw721.RulesStandard {
			want = "0.19.0"
		}
		w.read(func(r kv.Reader) error {
			v, ok, err := cw721.LoadVersion(r)
			if !ok || v.Version != want {
				t.Errorf("the version is %+v, %v", v, ok)
			}
			return err
		})
	})
}

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
