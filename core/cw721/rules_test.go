package cw721_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
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
		for _, as := range []string{"alice", "minter"} {
			if isFrom(w.Rules, cw721.RulesV019, cw721.RulesV020, cw721.RulesV021) {
				w.mustExecute(as, update("", royalty("0.01")))
				// Other members still require their role.
				w.expectRefusal(as, update("", `"description":"d",`+royalty("0.01")), cw721.KindContract, notCreator)
			} else {
				w.expectRefusal(as, update("", royalty("0.01")), cw721.KindContract, notCreator)
			}
		}
		w.mustExecute("creator", update("", royalty("0.02")))
	})
}

func TestOnlyTheStandardDoesNotLimitIncreasesOfTheRoyalty(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		step := w.Rules != cw721.RulesStandard
		if got, has := w.Rules.MaxShareIncrease(); has != step || has && got != cw721.Percent(2) {
			t.Errorf("the step is %s, %v", got, has)
		}
		set := func(share string) { w.Helper(); w.mustExecute("creator", update("", royalty(share))) }
		no := func(share, text string) {
			w.Helper()
			w.expectRefusal("creator", update("", royalty(share)), cw721.KindContract, text)
		}
		no("0.100000000000000001", tooHigh) // the first royalty is only limited by the cap
		set("0.05")
		set("0.05")
		set("0.07") // an increase of exactly 2 %
		if step {
			no("0.090000000000000001", tooMuchMore)
		}
		set("0.08")
		// The increase is checked before the cap.
		if step {
			no("0.11", tooMuchMore)
		} else {
			no("0.11", tooHigh)
		}
		set("0.09")
		no("0.11", tooHigh)
		set("0.1")
		no("0.100000000000000001", tooHigh)
		set("0") // decreases are not limited
		set("0.02")
		if step {
			no("0.1", tooMuchMore)
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
			known, gone := `{"approval":{"token_id":"1","spender":"`+spender+`"}}`, `{"approval":{"token_id":"2","spender":"`+spender+`"}}`
			if w.Rules == cw721.RulesV019 {
				w.expectQueryRefusal(known, cw721.KindContract, "Approval not found not found")
				w.expectQueryRefusal(gone, cw721.KindNotFound, `token "2" not found`)
			} else {
				w.expectQueryRefusal(known, cw721.KindAddress, "…")
				w.expectQueryRefusal(gone, cw721.KindAddress, "…") // before the token is loaded
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
	differ := map[string]bool{"burn": true, "update_nft_info": true, "update_collection_info": true}
	for _, as := range []string{"alice", "bob", "minter", "creator"} {
		for _, text := range fullExecutes {
			name := parseTree(t, withAddresses(text)).names[0]
			if differ[name] {
				continue
			}
			var first string
			for i, rules := range cw721.AllRules() {
				w := newCollectionUnder(t, rules, "1")
				r, err := w.execute(as, text)
				got := formatAttributes(r)
				if err != nil {
					got = err.Error()
				}
				if i == 0 {
					first = got
				} else if got != first {
					t.Errorf("%s: %s under %s: %s\nunder the standard: %s", as, text, rules, got, first)
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
		names := strings.Contains(string(wire.Encode(a.Message("ape-1", "a"))), "ape-1")
		if want := names && a.Name != "mint"; a.NeedsToken != want {
			t.Errorf("%s: about a token %t, expected %t", a.Name, a.NeedsToken, want)
		}
	}
}

func TestRefusalsAreComparedByKindAndText(t *testing.T) {
	w := newCollection(t, "1")
	a := w.expectRefusal("bob", `{"burn":{"token_id":"1"}}`, cw721.KindContract, notOwner)
	b := w.expectRefusal("carol", `{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`, cw721.KindContract, notOwner)
	c := w.expectRefusal("bob", `{"burn":{"token_id":"2"}}`, cw721.KindNotFound, `token "2" not found`)
	if !errors.Is(a, b) || errors.Is(a, c) || errors.Is(a, errors.New(notOwner)) {
		t.Error("refusals are told apart wrongly")
	}
	if got := c.Error(); got != `token_id: token "2" not found` {
		t.Errorf("it prints as %s", got)
	}
	if cw721.AsError(errors.New("x")) != nil || cw721.AsError(nil) != nil {
		t.Error("trouble was taken for a refusal")
	}
}
