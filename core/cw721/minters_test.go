package cw721_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
)

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
