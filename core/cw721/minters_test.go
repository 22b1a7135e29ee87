package cw721_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func withMinters(t testing.TB, names ...string) *world {
	w := beginAs(t, cw721.RulesV022, "1")
	for _, name := range names {
		w.does("minter", `{"add_minter":{"minter":"$`+name+`"}}`)
	}
	return w
}

const notManager = "Caller is not the minter owner (manager)"

func TestAnAdditionalMinterMintsAndNothingElse(t *testing.T) {
	w := withMinters(t)
	w.refuses("bob", `{"mint":{"token_id":"2","owner":"$bob"}}`, cw721.KindContract, notMinter)
	w.reports("minter", `{"add_minter":{"minter":"$bob"}}`, "action=add_additional_minter, sender=$minter, minter=$bob")
	if got := w.record("\x00\x12additional_minters" + addr("bob")); got != "{}" {
		t.Errorf("the record holds %q", got)
	}
	w.reports("bob", `{"mint":{"token_id":"2","owner":"$carol","extension":{"name":"n"}}}`, "action=mint, minter=$bob, owner=$carol, token_id=2")
	for _, msg := range []string{`{"add_minter":{"minter":"$carol"}}`, `{"remove_minter":{"minter":"$bob"}}`} {
		w.refuses("bob", msg, cw721.KindContract, notManager)
		w.refuses("creator", msg, cw721.KindContract, notManager)
	}
	w.refuses("bob", update("", `"start_trading_time":"5"`), cw721.KindContract, notMinter)
	w.refuses("bob", `{"update_minter_ownership":"renounce_ownership"}`, cw721.KindContract, notOwner)
	w.reports("minter", `{"remove_minter":{"minter":"$bob"}}`, "action=remove_additional_minter, sender=$minter, minter=$bob")
	w.refuses("bob", `{"mint":{"token_id":"3","owner":"$bob"}}`, cw721.KindContract, notMinter)
}

func TestAddAndRemoveMinterCheckTheSenderTheAddressAndThenWhoIsThere(t *testing.T) {
	w := withMinters(t, "bob")
	for _, message := range []string{"add_minter", "remove_minter"} {
		w.refuses("alice", `{"`+message+`":{"minter":"x"}}`, cw721.KindContract, notManager)
		w.refuses("minter", `{"`+message+`":{"minter":"x"}}`, cw721.KindAddress, "…")
	}
	w.refuses("minter", `{"add_minter":{"minter":"$bob"}}`, cw721.KindContract, "Address is already an additional minter")
	w.refuses("minter", `{"remove_minter":{"minter":"$carol"}}`, cw721.KindContract, "Address is not an additional minter")
	w.does("minter", `{"add_minter":{"minter":"$minter"}}`) // the minter may be one as well
	for i := range 8 {
		w.does("minter", `{"add_minter":{"minter":"$m`+string(rune('a'+i))+`"}}`)
	}
	w.refuses("minter", `{"add_minter":{"minter":"$bob"}}`, cw721.KindContract, "Address is already an additional minter")
	w.refuses("minter", `{"add_minter":{"minter":"$carol"}}`, cw721.KindContract, "Maximum number of additional minters (10) reached")
	w.does("minter", `{"remove_minter":{"minter":"$bob"}}`)
	w.does("minter", `{"add_minter":{"minter":"$carol"}}`)
}

func TestWhoTakesOrRenouncesTheMintersRoleRemovesTheAdditionalOnes(t *testing.T) {
	for _, message := range []string{"update_minter_ownership", "update_ownership"} {
		for as, action := range map[string]string{"alice": `"accept_ownership"`, "minter": `"renounce_ownership"`} {
			w := withMinters(t, "bob", "carol")
			w.does("minter", `{"`+message+`":{"transfer_ownership":{"new_owner":"$alice","expiry":null}}}`)
			w.does("creator", `{"update_creator_ownership":{"transfer_ownership":{"new_owner":"$alice","expiry":null}}}`)
			w.does("alice", `{"update_creator_ownership":"accept_ownership"}`)
			w.refuses("bob", `{"`+message+`":"accept_ownership"}`, cw721.KindContract, "…")
			w.does("bob", `{"mint":{"token_id":"2","owner":"$bob"}}`)
			w.does(as, `{"`+message+`":`+action+`}`)
			w.answers(`{"get_additional_minters":{}}`, `{"minters":[]}`)
			w.refuses("bob", `{"mint":{"token_id":"3","owner":"$bob"}}`, cw721.KindContract, notMinter)
		}
	}
}

func TestAdditionalMintersAreListedByAddressInPages(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	w := withMinters(t, names...)
	var sorted []string
	w.read(func(r kv.Reader) error {
		all, err := cw721.LoadAdditionalMinters(r, nil, cw721.MaxLimit)
		for _, a := range all {
			sorted = append(sorted, `"`+string(a)+`"`)
		}
		return err
	})
	list := func(of []string) string { return `{"minters":[` + strings.Join(of, ",") + `]}` }
	w.answers(`{"get_additional_minters":{}}`, list(sorted))
	w.answers(`{"get_additional_minters":{"limit":3}}`, list(sorted[:3]))
	w.answers(fmt.Sprintf(`{"get_additional_minters":{"start_after":%s,"limit":3}}`, sorted[2]), list(sorted[3:6]))
	w.answers(`{"get_additional_minters":{"limit":0}}`, list(nil))
	w.answersNot(`{"get_additional_minters":{"start_after":""}}`, cw721.KindAddress, "…")
}

func TestTheRulesBeforeV022KnowNoAdditionalMintersAndNoBanner(t *testing.T) {
	everyRules(t, func(t *testing.T, w *world) {
		if w.Rules == cw721.RulesV022 {
			return
		}
		w.refuses("minter", `{"add_minter":{"minter":"$bob"}}`, cw721.KindParse, "…")
		w.refuses("minter", `{"remove_minter":{"minter":"$bob"}}`, cw721.KindParse, "…")
		w.answersNot(`{"get_additional_minters":{}}`, cw721.KindParse, "…")
		w.refuses("creator", update("", `"banner_url":"ipfs://b"`), cw721.KindParse, "…")
		w.read(func(r kv.Reader) error {
			if _, err := w.Decide(r, w.env, cw721.Info{}, &cw721.AddMinter{}); cw721.AsError(err) == nil || cw721.AsError(err).Kind != cw721.KindParse {
				t.Errorf("the question whether somebody may gives %v", err)
			}
			return nil
		})
		// A record of a later version does not count.
		err := w.db.Update(func(txn kv.Txn) error { return txn.Set([]byte("\x00\x12additional_minters"+addr("bob")), []byte("{}")) })
		kvtest.OK(t, err)
		w.refuses("bob", `{"mint":{"token_id":"2","owner":"$bob"}}`, cw721.KindContract, notMinter)
		w.does("minter", `{"update_minter_ownership":"renounce_ownership"}`)
		if w.record("\x00\x12additional_minters"+addr("bob")) == "" {
			t.Error("a record that these rules do not know was removed")
		}
	})
}

func TestABannerIsTheCreatorsAndAURL(t *testing.T) {
	w := blank(t, cw721.RulesV022, cw721.FlavourOnchain)
	w.doesNotBegin(`{"name":"N","symbol":"S","collection_info_extension":{"external_link":"x","banner_url":"http:"}}`, cw721.KindURL, "relative URL without a base")
	w.doesNotBegin(`{"name":"N","symbol":"S","collection_info_extension":{"banner_url":"","royalty_info":{"payment_address":"x","share":"1"}}}`, cw721.KindURL, "relative URL without a base")
	w.creates(`{"name":"N","symbol":"S","minter":"$minter","creator":"$creator","collection_info_extension":{}}`)
	const shape = `{"name":"N","symbol":"S","extension":{"description":"","image":"","external_link":null,"banner_url":%s,"explicit_content":null,"start_trading_time":null,"royalty_info":null},"updated_at":"1700000000000000000"}`
	w.answers(`{"get_collection_info_and_extension":{}}`, fmt.Sprintf(shape, "null"))
	w.refuses("minter", update("", `"banner_url":"ipfs://b"`), cw721.KindContract, notCreator)
	w.refuses("creator", update("", `"banner_url":""`), cw721.KindURL, "relative URL without a base")
	w.does("creator", update("", `"banner_url":"ipfs://b"`))
	w.does("creator", update("", `"banner_url":null`)) // absent, which changes nothing
	w.answers(`{"contract_info":{}}`, fmt.Sprintf(shape, `"ipfs://b"`))
	answer, err := w.query(`{"get_collection_extension_attributes":{}}`)
	if err != nil || !strings.HasPrefix(string(answer), `[{"key":"banner_url","value":"ImlwZnM6Ly9iIg=="},{"key":"description",`) {
		t.Errorf("the attributes are %s, %v", answer, err)
	}
	w.answers(`{"get_collection_extension":{"msg":{"description":"d","image":"i"}}}`, `""`)
}

func TestACollectionWrittenWithoutABannerReadsAsOneWithNone(t *testing.T) {
	w := beginAs(t, cw721.RulesStandard)
	w.does("creator", update("", `"description":"d"`))
	w.Contract.Rules = cw721.RulesV022
	if e, err := extension(w); err != nil || e.BannerURL != nil || e.Description != "d" {
		t.Errorf("it reads as %+v, %v", e, err)
	}
	answer, err := w.query(`{"get_config":{}}`)
	if err != nil || !strings.Contains(string(answer), `"external_link":null,"banner_url":null,`) {
		t.Errorf("it answers %s, %v", answer, err)
	}
}

func TestAnIgnoredMemberIsToldWithTheOneThatWasLikelyMeant(t *testing.T) {
	w := withMinters(t)
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
		for _, m := range read.Ignored {
			got = append(got, m.String())
		}
		if err != nil || strings.Join(got, "; ") != want {
			t.Errorf("%s: told is %q, %v; expected %q", msg, got, err, want)
		}
	}
}
