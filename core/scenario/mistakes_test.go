package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

// mistakes are typing mistakes in a whole file, or in a step after [shop].
var mistakes = map[string]string{
	"a message that is not there":                 "  - {as: alice, execute: {brun: {token_id: \"1\"}}, expect: error}",
	"nothing to execute":                          "  - {as: alice, execute: , expect: error}",
	"an empty message":                            "  - {as: alice, execute: {}, expect: error}",
	"a message as a word":                         "  - {as: alice, execute: burn, expect: error}",
	"a misspelt member":                           "  - {as: bob, execute: {burn: {tokenid: \"1\"}}, expect: error}",
	"a number in the place of an id":              "  - {as: bob, execute: {burn: {token_id: 1}}, expect: error}",
	"an id that no token has":                     "  - {as: bob, execute: {burn: {token_id: \"01\"}}, expect: error}",
	"an owner who forgets a dollar sign":          "  - {as: alice, execute: {transfer_nft: {recipient: bob, token_id: \"1\"}}, expect: error}",
	"a stranger who forgets a dollar sign":        "  - {as: bob, execute: {transfer_nft: {recipient: bob, token_id: \"1\"}}, expect: {error: {kind: contract}}}",
	"a name in another case":                      "  - {as: bob, execute: {transfer_nft: {recipient: Bob, token_id: \"1\"}}, expect: {error: {kind: contract}}}",
	"an address cut short":                        "  - {as: bob, execute: {transfer_nft: {recipient: cosmos1df6y7m4, token_id: \"1\"}}, expect: {error: {kind: contract}}}",
	"an address of another chain":                 "  - {as: bob, execute: {approve: {spender: stars1df6y7m4nkhefvvxp7umh3zzp33ugkxrx8qgsku, token_id: \"1\"}}, expect: {error: {kind: contract}}}",
	"a misspelt name":                             "  - {as: bob, execute: {approve: {spender: $bbo, token_id: \"1\"}}, expect: error}",
	"a forgotten dollar sign in a query":          "  - {query: {all_operators: {owner: bob}}, expect: error}",
	"a place to go on from that is no address":    "  - {query: {all_operators: {owner: $bob, start_after: alice}}, expect: error}",
	"a new owner without a dollar sign":           "  - {as: bob, execute: {update_minter_ownership: {transfer_ownership: {new_owner: bob}}}, expect: {error: {kind: contract}}}",
	"a payee without a dollar sign":               "  - {as: bob, execute: {update_collection_info: {collection_info: {extension: {royalty_info: {payment_address: bob, share: \"0.01\"}}}}}, expect: {error: {kind: contract}}}",
	"a minter without a dollar sign":              "  - {as: bob, instantiate: {name: M, symbol: M, minter: bob}, expect: {error: {kind: chain}}}",
	"a message of another rule set":               "  - {as: bob, execute: {add_minter: {minter: $bob}}, expect: error}",
	"a member of another rule set":                "  - {as: bob, execute: {update_collection_info: {collection_info: {extension: {banner_url: \"https://a.b\"}}}}, expect: error}",
	"an expiration that is none":                  "  - {as: alice, execute: {approve: {spender: $bob, token_id: \"1\", expires: soon}}, expect: error}",
	"an expiration without a unit":                "  - {as: alice, execute: {approve: {spender: $bob, token_id: \"1\", expires: \"10\"}}, expect: error}",
	"an expiration with a misspelt axis":          "  - {as: alice, execute: {approve: {spender: $bob, token_id: \"1\", expires: {at_hieght: 9}}}, expect: error}",
	"a height in quotes":                          "  - {as: alice, execute: {approve: {spender: $bob, token_id: \"1\", expires: {at_height: \"9\"}}}, expect: error}",
	"a time in digits":                            "  - {as: alice, execute: {approve_all: {operator: $bob, expires: {at_time: 9}}}, expect: error}",
	"expect inside of the message":                "  - {as: alice, execute: {burn: {token_id: \"1\"}, expect: ok}, expect: error}",
	"a member given twice":                        "  - {as: bob, execute: {burn: {token_id: \"1\", token_id: \"1\"}}, expect: error}",
	"an action as an object":                      "  - {as: bob, execute: {update_minter_ownership: {accept_ownership: {}}}, expect: error}",
	"a misspelt action":                           "  - {as: bob, execute: {update_minter_ownership: acept_ownership}, expect: error}",
	"a share in percent":                          "  - {as: alice, execute: {update_collection_info: {collection_info: {extension: {royalty_info: {payment_address: $bob, share: 5%}}}}}, expect: error}",
	"a message that is no base64":                 "  - {as: alice, execute: {send_nft: {contract: $bob, token_id: \"1\", msg: hello}}, expect: error}",
	"a token sent to a plain account":             "  - {as: alice, execute: {send_nft: {contract: $bob, token_id: \"1\", msg: \"\"}}, expect: error}",
	"the same, with the kind alone":               "  - {as: alice, execute: {send_nft: {contract: $bob, token_id: \"1\", msg: \"\"}}, expect: {error: {kind: chain}}}",
	"a link that is none":                         "  - {as: alice, execute: {mint: {token_id: \"2\", owner: $bob, token_uri: \"//x\"}}, expect: error}",
	"a misspelt member of the metadata":           "  - {as: bob, execute: {mint: {token_id: \"2\", owner: $bob, extension: {nmae: Rose}}}, expect: error}",
	"a misspelt query":                            "  - {query: {ownerof: {token_id: \"1\"}}, expect: error}",
	"a misspelt message for which either is fine": "  - {as: bob, execute: {brun: {token_id: \"1\"}}, expect: any}",
	"a second collection":                         "  - {as: bob, instantiate: {name: N, symbol: S}, expect: error}",
	"v0.22.0: a grant that never expires":         "rules: v0.22.0\n" + shop + "  - {as: alice, execute: {approve: {spender: $bob, token_id: \"1\", expire: \"+10\"}}}",
	"v0.22.0: a query of all that has expired":    "rules: v0.22.0\n" + shop + "  - {query: {owner_of: {token_id: \"1\", include_expird: true}}, expect: {has: {owner: $alice}}}",
	"v0.22.0: a misspelt member of an offer":      "rules: v0.22.0\n" + shop + "  - {as: alice, execute: {update_minter_ownership: {transfer_ownership: {new_owner: $bob, expires: \"+10\"}}}}",
	"v0.19.0: a spender that is no address":       "rules: v0.19.0\n" + shop + "  - {query: {approval: {token_id: \"1\", spender: bob}}, expect: error}",
	"no steps":                                    "accounts: {bob: }\nsteps:",
	"nothing but a header":                        "name: N",
	"nothing that can fail":                       shop[:strings.Index(shop, "  - ")] + "  - {as: alice, instantiate: {name: N, symbol: S}, expect: any}",
	"nothing but clock moves":                     "steps:\n  - advance: \"+10\"\n  - note: done",
	"no collection":                               "accounts: {bob: }\nsteps:\n  - {as: bob, execute: {burn: {token_id: \"1\"}}, expect: error}",
	"no collection, with the kind":                "accounts: {bob: }\nsteps:\n  - {as: bob, execute: {burn: {token_id: \"1\"}}, expect: {error: {kind: chain}}}",
	"no collection to preview":                    "accounts: {bob: }\nsteps:\n  - {as: bob, preview: {burn: {token_id: \"1\"}}, expect: error}",
	"no collection to ask":                        "steps:\n  - {query: {num_tokens: {}}, expect: error}",
}

const shop = `accounts: {alice: , bob: }
steps:
  - {as: alice, instantiate: {name: N, symbol: S}}
  - {as: alice, execute: {mint: {token_id: "1", owner: $alice}}}
`

func TestNoTypingMistakePasses(t *testing.T) {
	for name, text := range mistakes {
		if strings.HasPrefix(text, "  - ") {
			text = shop + text
		}
		if res, err := play("x.yaml", text+"\n"); err == nil && res.OK() {
			t.Errorf("%s is green:\n%s", name, text)
		}
	}
}

func TestATypingMistakeIsReportedWithItsLineAndASuggestion(t *testing.T) {
	for step, want := range map[string]string{
		"  - {query: {ownerof: {token_id: \"1\"}}, expect: error}":                                                            "x.yaml:5: query.ownerof: unknown variant `ownerof`: did you mean owner_of?",
		"  - as: bob\n    execute:\n      transfer_nft:\n        recipient: bob\n        token_id: \"1\"\n    expect: error":  `x.yaml:8: execute.transfer_nft.recipient: "bob" is no address: did you mean $bob?`,
		"  - as: bob\n    execute:\n      burn:\n        tokenid: \"1\"\n    expect: error":                                   "x.yaml:8: execute.burn.tokenid: unknown field `tokenid`: did you mean token_id?",
		"  - as: bob\n    execute:\n      update_minter_ownership:\n        transfer_ownership:\n          new_owner: alic\n": `x.yaml:9: execute.update_minter_ownership.transfer_ownership.new_owner: "alic" is no address: did you mean $alice?`,
		"  - {as: bob, execute: {approve: {spender: $alcie, token_id: \"1\"}}, expect: error}":                                `x.yaml:5: execute.approve.spender: no account is named "alcie": did you mean $alice?`,
		"  - {as: alice, execute: {approve: {spender: $bob, token_id: \"1\", expires: soon}}, expect: error}":                 `x.yaml:5: execute.approve.expires: "soon" is no expiration, expected one of: never, +10, +90m, h1110, 2026-12-01T09:00:00Z`,
	} {
		if got := errorOf(t, "x.yaml", shop+step).Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	text := "rules: v0.22.0\n" + shop + "  - as: alice\n    execute:\n      approve:\n        spender: $bob\n        token_id: \"1\"\n        expire: \"+10\"\n"
	want := "x.yaml:11: execute.approve.expire: ignored by v0.22.0: did you mean expires?"
	if got := errorOf(t, "x.yaml", text).Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	checkHolds(t, "x.yaml", text+"    ignored: true\n")
}

func TestARecordingInYAMLMarksMembersThatTheContractIgnored(t *testing.T) {
	w := newCollection(t)
	w.Do("alice", `{"mint":{"token_id":"1","owner":"$alice"}}`)
	w.Refused("bob", `{"transfer_nft":{"recipient":"bob","token_id":"1"}}`)
	text := recordAll(w, scenario.YAML)
	if strings.Count(text, "ignored: true") != 1 {
		t.Errorf("expected one step to be marked in\n%s", text)
	}
	replayOf(t, "x.yaml", text)
	if lines := recordAll(w, scenario.Lines); strings.Contains(lines, "ignored") {
		t.Error(lines)
	}
}

func TestAnImportGivesThePrefixToAccountsWithoutAnAddress(t *testing.T) {
	const text = "import: state.json\naccounts: {alice: }\nsteps:\n  - query: {minter: {}}\n    expect: {ok: {minter: $alice}}\n"
	from := newCollection(t)
	o := scenario.Options{Open: chaintest.InMemory, Import: func(c *chain.Chain, g chain.Genesis, _ string) error {
		g.Prefix = "cosmos"
		return from.C.View(func(v *chain.View) error { return c.Import(g, v.Records(), nil) })
	}}
	if res, err := run("x.yaml", text, o); err != nil || !res.OK() {
		t.Errorf("%+v, %v", res, err)
	}
	o.Import = func(*chain.Chain, chain.Genesis, string) error { return fmt.Errorf("state.json: cannot be read") }
	if _, err := run("x.yaml", text, o); err == nil || err.Error() != "x.yaml:1: import: state.json: cannot be read" {
		t.Errorf("got %v", err)
	}
}
