package cw721_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestRulesBeforeV022HaveNoAdditionalMintersAndBeforeV021NoBanner(t *testing.T) {
	forEachRules(t, func(t *testing.T, w *world) {
		if w.Rules == cw721.RulesV022 {
			return
		}
		w.expectRefusal("minter", `{"add_minter":{"minter":"$bob"}}`, cw721.KindParse, "…")
		w.expectRefusal("minter", `{"remove_minter":{"minter":"$bob"}}`, cw721.KindParse, "…")
		w.expectQueryRefusal(`{"get_additional_minters":{}}`, cw721.KindParse, "…")
		switch w.Rules {
		case cw721.RulesV020: // ignores the member, which it does not know
			w.mustExecute("creator", update("", `"banner_url":"no URL"`))
		case cw721.RulesV021:
			w.mustExecute("creator", update("", `"banner_url":"ipfs://b"`))
			w.expectRefusal("minter", update("", `"banner_url":"ipfs://b"`), cw721.KindContract, notCreator)
		default:
			w.expectRefusal("creator", update("", `"banner_url":"ipfs://b"`), cw721.KindParse, "…")
		}
		w.read(func(r kv.Reader) error {
			if _, err := w.Decide(r, w.env, cw721.Info{}, &cw721.AddMinter{}); cw721.AsError(err) == nil || cw721.AsError(err).Kind != cw721.KindParse {
				t.Errorf("Decide fails with %v", err)
			}
			return nil
		})

		// Records of a later version have no effect.
		key := []byte("\x00\x12additional_minters" + addr("bob"))
		kvtest.OK(t, w.db.Update(func(txn kv.Txn) error { return txn.Set(key, []byte("{}")) }))
		w.expectRefusal("bob", `{"mint":{"token_id":"2","owner":"$bob"}}`, cw721.KindContract, notMinter)
		w.mustExecute("minter", `{"update_minter_ownership":"renounce_ownership"}`)
		if !slices.ContainsFunc(w.records(), func(p kv.Pair) bool { return bytes.Equal(p.Key, key) }) {
			t.Error("a record that these rules do not know was removed")
		}
	})
}

func TestACollectionOfAnOlderVersionHasNoBanner(t *testing.T) {
	w := newCollectionUnder(t, cw721.RulesStandard)
	w.mustExecute("creator", update("", `"description":"d"`))
	w.Contract.Rules = cw721.RulesV022
	if e, err := extension(w); err != nil || e.BannerURL != nil || e.Description != "d" {
		t.Errorf("it reads as %+v, %v", e, err)
	}
	answer, err := w.query(`{"get_config":{}}`)
	if err != nil || !strings.Contains(string(answer), `"external_link":null,"banner_url":null,`) {
		t.Errorf("it answers %s, %v", answer, err)
	}
}

func TestAnIgnoredMemberIsDescribedWithASimilarOne(t *testing.T) {
	w := newCollectionUnder(t, cw721.RulesV022)
	for msg, want := range map[string]string{
		`{"approve":{"spender":"x","token_id":"1","expirse":{"at_height":5}}}`:            "approve.expirse: ignored by v0.22.0: did you mean expires?",
		`{"approve_all":{"operator":"x","expires":{"never":{"at_heigth":5}}}}`:            "approve_all.expires.never.at_heigth: ignored by v0.22.0",
		`{"mint":{"token_id":"1","owner":"x","token_url":"u"}}`:                           "mint.token_url: ignored by v0.22.0: did you mean token_uri?",
		`{"mint":{"token_id":"1","owner":"x","extension":{"Name":1}}}`:                    "mint.extension.Name: ignored by v0.22.0: did you mean name?",
		`{"burn":{"token_id":"1","junk":[{"a":1,"a":2}]}}`:                                "burn.junk: ignored by v0.22.0",
		`{"update_collection_info":{"collection_info":{"extension":{"bannerurl":"x"}}}}`:  "update_collection_info.collection_info.extension.bannerurl: ignored by v0.22.0: did you mean banner_url?",
		`{"update_minter_ownership":{"transfer_ownership":{"new_owner":"x","expire":5}}}`: "update_minter_ownership.transfer_ownership.expire: ignored by v0.22.0: did you mean expiry?",
		`{"burn":{"token_id":"1"}}`:                                                       "",
	} {
		_, read, err := w.DecodeExecute([]byte(msg), nil)
		var got []string
		for _, m := range read.IgnoredMembers {
			got = append(got, m.String())
		}
		if err != nil || strings.Join(got, "; ") != want {
			t.Errorf("%s: got %q, %v; want %q", msg, got, err, want)
		}
	}
}

func TestThereAreAtMostTenAdditionalMinters(t *testing.T) {
	w := newCollectionUnder(t, cw721.RulesV022)
	for i := range 10 {
		w.mustExecute("minter", `{"add_minter":{"minter":"$m`+string(rune('a'+i))+`"}}`)
	}

	w.expectRefusal("minter", `{"add_minter":{"minter":"$ma"}}`, cw721.KindContract, "Address is already an additional minter")
	w.expectRefusal("minter", `{"add_minter":{"minter":"$carol"}}`, cw721.KindContract, "Maximum number of additional minters (10) reached")

	w.mustExecute("minter", `{"remove_minter":{"minter":"$ma"}}`)
	w.mustExecute("minter", `{"add_minter":{"minter":"$carol"}}`)
}
