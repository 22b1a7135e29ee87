package scenario_test

import (
	"testing"

	"ephemera/core/scenario"
)

func TestEachFormOfAnExpectedErrorHasOneMeaning(t *testing.T) {
	const before = `{"accounts":{"alice":null,"bob":null,"b":null},"contracts":{"shut":"rejects"}}
{"as":"alice","instantiate":{"name":"N","symbol":"S"}}
{"as":"alice","execute":{"mint":{"token_id":"1","owner":"$alice"}}}
`
	// Each message is refused with an error of another kind.
	messages := map[string]string{
		"contract":  `{"as":"bob","execute":{"burn":{"token_id":"1"}}`,
		"not_found": `{"as":"bob","execute":{"burn":{"token_id":"$bob"}}`,
		"rejected":  `{"as":"alice","execute":{"send_nft":{"contract":"$shut","token_id":"1","msg":""}}`,
		"chain":     `{"as":"alice","execute":{"send_nft":{"contract":"$bob","token_id":"1","msg":""}}`,
		"parse":     `{"as":"bob","execute":{"burn":{}}`,
		"address":   `{"as":"alice","execute":{"transfer_nft":{"recipient":"x","token_id":"1"}}`,
		"url":       `{"as":"alice","execute":{"update_collection_info":{"collection_info":{"extension":{"external_link":"no"}}}}`,
	}
	for expect, holding := range map[string][]string{
		`"error"`:                        {"contract", "rejected"},
		`{"error":{}}`:                   {"contract", "rejected"},
		`{"error":""}`:                   {"contract", "rejected", "not_found"},
		`{"error":"o"}`:                  {"contract", "rejected", "not_found"},
		`{"error":{"has":"o"}}`:          {"contract", "rejected", "not_found"},
		`{"error":"burn"}`:               nil,
		`{"error":{"kind":"contract"}}`:  {"contract"},
		`{"error":{"kind":"not_found"}}`: {"not_found"},
		`{"error":{"kind":"chain"}}`:     {"chain", "rejected"},
		`{"error":{"kind":"parse"}}`:     {"parse"},
		`{"error":{"kind":"address"}}`:   {"address"},
		`{"error":{"kind":"url"}}`:       {"url"},
		// The whole text and a part.
		`{"error":"current owner"}`:                                                               {"contract"},
		`{"error":{"text":"current owner"}}`:                                                      nil,
		`{"error":{"text":"Caller is not the contract's current owner"}}`:                         {"contract"},
		`{"error":{"kind":"contract","text":"current owner"}}`:                                    nil,
		`{"error":{"kind":"contract","has":"current owner"}}`:                                     {"contract"},
		`{"error":{"kind":"parse","has":"current owner"}}`:                                        nil,
		`{"error":{"kind":"parse","has":"token_id"}}`:                                             {"parse"},
		`{"error":{"kind":"parse","text":"token_id"}}`:                                            nil,
		`{"error":"token_id"}`:                                                                    nil,
		`{"error":{"has":"decoding bech32"}}`:                                                     nil,
		`{"error":{"kind":"address","has":"decoding bech32"}}`:                                    {"address"},
		`{"error":"relative URL"}`:                                                                nil,
		`{"error":"no such contract"}`:                                                            nil,
		`{"error":{"kind":"chain","has":"no such contract"}}`:                                     {"chain"},
		`{"error":{"kind":"not_found","text":"token \"$bob\" not found"}}`:                        {"not_found"},
		`{"error":"token \"$bob\" not found"}`:                                                    {"not_found"},
		`{"error":{"kind":"not_found","text":"token \"$alice\" not found"}}`:                      nil,
		`{"error":{"kind":"chain","text":"address $bob: no such contract"}}`:                      {"chain"},
		`{"error":{"kind":"chain","text":"address $b: no such contract"}}`:                        nil,
		`{"error":{"kind":"chain","text":"address $bobby: no such contract"}}`:                    nil,
		`{"error":{"kind":"chain","text":"address $alice: no such contract"}}`:                    nil,
		`{"error":{"kind":"chain","has":"$bob: no such"}}`:                                        {"chain"},
		`{"error":"contract $shut rejected"}`:                                                     {"rejected"},
		`{"error":"contract $bob rejected"}`:                                                      nil,
		`{"error":{"kind":"contract","has":"rejected the token"}}`:                                nil,
		`{"error":{"kind":"chain","has":"$shut rejected the token: execute wasm contract fail"}}`: {"rejected"},
	} {
		for kind, message := range messages {
			want := false
			for _, k := range holding {
				want = want || k == kind
			}
			res, err := play("x.jsonl", before+message+`,"expect":`+expect+"}\n")
			if err != nil || res.OK() != want {
				t.Errorf("%s, with an error of kind %s: holds is %v (%v), want %v", expect, kind, res.OK(), err, want)
			}
		}
	}
}

func TestAnUpdateThatChangesWhatIsRefusedIsInDoubt(t *testing.T) {
	text := "Caller is not minter"
	for _, c := range []struct {
		old, new scenario.Expect
		want     string
	}{
		{scenario.Expect{}, scenario.Expect{Refused: true, Kind: "parse"}, ""},
		{scenario.Expect{Answer: []byte("1")}, scenario.Expect{Answer: []byte("2")}, ""},
		{scenario.Expect{Refused: true}, scenario.Expect{Refused: true, Kind: "contract", Text: &text}, ""},
		{scenario.Expect{Refused: true, TextPart: &text}, scenario.Expect{Refused: true, Kind: "contract", Text: &text}, ""},
		{scenario.Expect{Refused: true, Kind: "chain"}, scenario.Expect{Refused: true, Kind: "chain", Text: &text}, ""},
		{scenario.Expect{Refused: true}, scenario.Expect{Refused: true, Kind: "not_found"}, "it is another kind of error"},
		{scenario.Expect{Refused: true, TextPart: &text}, scenario.Expect{Refused: true, Kind: "parse", TextPart: &text}, "it is another kind of error"},
		{scenario.Expect{Refused: true, Kind: "parse"}, scenario.Expect{Refused: true, Kind: "contract", Text: &text}, "it is another kind of error"},
		{scenario.Expect{Refused: true, Kind: "parse"}, scenario.Expect{}, "the contract permits now what was refused"},
		{scenario.Expect{Refused: true}, scenario.Expect{Answer: []byte("1")}, "the contract permits now what was refused"},
	} {
		if got := (scenario.Update{OldExpect: &c.old, NewExpect: &c.new}).Doubt(); got != c.want {
			t.Errorf("%s → %s: got %q, want %q", &c.old, &c.new, got, c.want)
		}
	}
}
