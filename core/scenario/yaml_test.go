package scenario_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

//go:embed testdata/story.yaml
var story string

func TestTheStoryInYAMLPlaysWithoutAMismatch(t *testing.T) {
	checkHolds(t, "story.yaml", story)
}

func TestTheHeaderAndTheStepsOfTheStoryAreRead(t *testing.T) {
	s := chaintest.Must(scenario.Load("story.yml", strings.NewReader(story)))(t)
	if s.Name != "Who may move a token" || s.About != "A first look" || len(s.Accounts) != 3 || len(s.Contracts) != 2 || uint64(*s.Start.Time) != 1795262400000000000 {
		t.Errorf("the header is %+v", s.Header)
	}
	third := s.Steps[2]
	if diff := cmp.Diff(scenario.Step{
		Line: 19, FromYAML: true, As: "bob", Kind: scenario.Execute,
		Message: []byte(`{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`),
		Expect:  &scenario.Expect{Refused: true, Kind: "contract"},
		Note:    "bob owns nothing",
		Hints:   []string{"look", "look closer", "approve first"},
		Ask:     &scenario.Ask{Question: "Why?", Choices: []string{"a", "b"}, Answer: "b"},
	}, third); diff != "" {
		t.Error(diff)
	}
}

func TestScalarsOfYAMLBecomeTheJSONThatIsMeant(t *testing.T) {
	for yaml, json := range map[string]string{
		`18446744073709551615`:    `18446744073709551615`,
		`99999999999999999999999`: `99999999999999999999999`,
		`-0`:                      `-0`,
		`1.50`:                    `1.50`,
		`1e400`:                   `1e400`,
		`0x1F`:                    `31`,
		`1_000`:                   `1000`,
		`"1"`:                     `"1"`,
		`'1'`:                     `"1"`,
		`yes`:                     `"yes"`,
		`true`:                    `true`,
		`~`:                       `null`,
		`2026-01-01`:              `"2026-01-01"`,
		`!!str 5`:                 `"5"`,
		`$alice`:                  `"$alice"`,
		`"a\tb\u00e9😀"`:           `"a\tbé😀"`,
		`{"a":1,"b":[],"c":{}}`:   `{"a":1,"b":[],"c":{}}`,
		"{a: &x {k: 1}, b: *x}":   `{"a":{"k":1},"b":{"k":1}}`,
		"\n      a:\n        - 1\n        - b: |\n            two\n            lines\n": `{"a":[1,{"b":"two\nlines\n"}]}`,
	} {
		s, err := scenario.Load("x.yaml", strings.NewReader("steps:\n  - as: a\n    ignored: true\n    execute: "+yaml+"\n"))
		if err != nil {
			t.Errorf("%s: %v", yaml, err)
			continue
		}
		if got := string(s.Steps[0].Message); got != json {
			t.Errorf("%s became %s, expected %s", yaml, got, json)
		}
	}
}

func TestAMistakeInYAMLIsReportedWithItsLineAndField(t *testing.T) {
	head := "name: x\naccounts: {alice: , bob: }\nsteps:\n  - as: alice\n    instantiate: {name: N, symbol: S}\n"
	const begins = "accounts: {alice: }\nsteps:\n  - as: alice\n    instantiate: "
	for text, want := range map[string]string{
		begins + "{name: !!binary aGk=, symbol: S}\n":                   `x.yaml:4: the tag !!binary is not supported, expected plain values`,
		begins + "{name: .nan, symbol: S}\n":                            `x.yaml:4: ".nan" cannot be a value here`,
		begins + "{<<: {name: N}, symbol: S}\n":                         `x.yaml:4: merging with << is not supported, expected the members themselves`,
		begins + "{name: *who, symbol: S}\n":                            `x.yaml:4: *who stands for nothing, expected an anchor before it`,
		"steps: []\nsteps: []\n":                                        `x.yaml:2: steps: it is given twice`,
		"accounts: {a: , a: }\n":                                        `x.yaml:1: accounts.a: it is given twice`,
		"flavour: sweet\n":                                              `x.yaml:1: flavour: "sweet" is no flavour, expected base or metadata-onchain`,
		"deliver: no thanks\n":                                          `x.yaml:1: deliver: expected true or false, got a string`,
		"steps:\n  - as: alice\n":                                       `x.yaml:2: the step has a sender and no message, expected instantiate, execute or query`,
		"steps:\n  - query: {num_tokens: {}}\n    expect: 7\n":          `x.yaml:3: expect: expected ok, error, any, or an object with one of ok, has and error, got a number`,
		"steps:\n  - query: {num_tokens: {}}\n    expect: {error: 7}\n": `x.yaml:3: expect.error: expected a part of the text in a string, or an object with kind and text, got a number; write it in quotes`,
		"steps:\n  - {note: a, state: 7}\n":                             `x.yaml:2: state: expected an array of [key in hex, value], got a number`,
		head + "  - as: alice\n    execute:\n      mint:\n        owner: $alice\n        token_id: 1\n":                    "x.yaml:10: execute.mint.token_id: expected a string, got a number; write it in quotes",
		head + "  - as: alice\n    execute: {approve: {spender: $bob, token_id: \"1\", expires: {at_time: 1700000000}}}\n": "x.yaml:7: execute.approve.expires.at_time: expected nanoseconds as a string of digits, got a number; write it in quotes",
		head + "  - as: alice\n    execute: {mint: {token_id: \"1\"}}\n":                                                   "x.yaml:7: execute.mint: missing field `owner`",
		head + "  - as: alice\n    execute: {mnt: {}}\n":                                                                   "x.yaml:7: execute.mnt: unknown variant `mnt`: did you mean mint?",
		head + "  - as: alice\n    exeucte: {mint: {}}\n":                                                                  "x.yaml:7: exeucte: a step has no such member, expected one of at, advance, contracts, as, instantiate, execute, preview, query, nobody, ignored, expect, state, note, hint, ask",
		head + "  - as: alice\n    execute: {burn: {token_id: \"1\"}}\n    query: {num_tokens: {}}\n":                      "x.yaml:8: query: the step has two messages, execute and query; expected one a step",
		head + "  - execute: {burn: {token_id: \"1\"}}\n":                                                                  "x.yaml:6: execute needs a sender, expected as: NAME",
		head + "  - at: {height: 1}\n    advance: {blocks: 2}\n":                                                           "x.yaml:6: the step has both at and advance, expected one of them",
		head + "  - at: {time: 1700000000}\n":                                                                              "x.yaml:6: at.time: expected nanoseconds in a string of digits, or a date and time as RFC 3339 has them, got a number; write it in quotes",
		head + "  - at: {time: tomorrow}\n":                                                                                `x.yaml:6: at.time: "tomorrow" is no time, expected nanoseconds in a string of digits, or a date and time like 2026-11-21T12:00:05Z`,
		head + "  - advance:\n      time: 5\n":                                                                             `x.yaml:7: advance.time: expected a duration in a string, like "90m", got a number; write it in quotes`,
		head + "  - advance:\n      time: soon\n":                                                                          `x.yaml:7: advance.time: "soon" is no duration, expected one like "90m" or "1h30m"`,
		head + "  - expect: ok\n":                                                                                          "x.yaml:6: the step expects an answer and has no message, expected instantiate, execute or query",
		head + "  - query: {num_tokens: {}}\n    expect: fine\n":                                                           `x.yaml:7: expect: expected ok, error, any, or an object with one of ok, has and error, got "fine"`,
		head + "  - query: {num_tokens: {}}\n    expect: {ok: 1, has: 2}\n":                                                "x.yaml:7: expect.has: an expectation has one of ok, has and error, got two of them",
		head + "  - as: bob\n    execute: {burn: {token_id: a}}\n    expect:\n      ok: [1]\n":                             "x.yaml:6: expect: expected an object with attributes, messages or both, got an array",
		head + "  - query: {num_tokens: {}}\n    expect: {error: {kind: odd}}\n":                                           `x.yaml:7: expect.error.kind: "odd" is no kind of refusal, expected one of [parse address url not_found contract chain limit]`,
		head + "  - state: [[zz, v]]\n":                                                                                    `x.yaml:6: state: record 1: expected a key in hex, got "zz"`,
		head + "  - state: [[\"61\", v], [\"61\", w]]\n":                                                                   `x.yaml:6: state: the key 61 is in it twice`,
		head + "  - as: zoe\n    execute: {burn: {token_id: a}}\n":                                                         `x.yaml:6: as: no account is named "zoe", and it is not an address of this chain`,
		head + "  - as: bob\n    execute: {transfer_nft: {recipient: $zoe, token_id: a}}\n":                                `x.yaml:7: execute.transfer_nft.recipient: no account is named "zoe"`,
		"name: x\nnmae: y\n":                              "x.yaml:2: nmae: the header has no such member, expected one of name, about, rules, flavour, prefix, self, accounts, contracts, start, import, invariants, deliver",
		"name: x\nrules: v1\n":                            `x.yaml:2: rules: "v1" is no rule set, expected one of [standard v0.19.0 v0.20.0 v0.21.0 v0.22.0]`,
		"name: 5\n":                                       "x.yaml:1: name: expected a string, got a number; write it in quotes",
		"name: x\nname: y\n":                              "x.yaml:2: name: it is given twice",
		"name: x\ncontracts:\n  m: no\n":                  `x.yaml:3: contracts.m: expected accepts, rejects or plain, got "no"`,
		"name: x\nself: cosmos1zzz\nsteps: []\n":          "x.yaml: self: Generic error",
		"name: x\naccounts: {\"a b\": }\nsteps: []\n":     `x.yaml: name: "a b" cannot name an account`,
		"name: x\nsteps: {a: b}\n":                        "x.yaml:2: steps: expected a list of steps, each beginning with a dash, got a mapping",
		"name: x\nsteps:\n  - hello\n":                    "x.yaml:3: expected an object, got a string",
		"name: x\nsteps:\n  - note: *a\n":                 "x.yaml:3: *a stands for nothing, expected an anchor before it",
		"name: x\n<<: {a: b}\n":                           "x.yaml:2: <<: ",
		"name: x\naccounts: {<<: {a: }}\n":                "x.yaml:2: merging with << is not supported, expected the members themselves",
		"name: x\n---\nname: y\n":                         "x.yaml:3: a second document begins here, expected one scenario a file",
		"- a\n":                                           "x.yaml:1: expected a scenario with name and steps, got a list",
		"":                                                "x.yaml: it is empty, expected a scenario with name and steps",
		"name: [\n":                                       "x.yaml:1: it is not YAML: ",
		"a: b\nname: \xff\n":                              "x.yaml:2: it is not text in UTF-8",
		"name: " + strings.Repeat("[", 5000):              "x.yaml:1: it is nested deeper than a scenario can be",
		"name:\n  " + strings.Repeat("- ", 5000):          "x.yaml:2: it is nested deeper than a scenario can be",
		strings.Repeat("k: 1\n", 20_001):                  "x.yaml: it has more than 20000 lines or 150000 members, which is for people to read; write a scenario of this size as .jsonl",
		"about: [" + strings.Repeat("1,", 150_000):        "x.yaml: it has more than 20000 lines or 150000 members, which is for people to read; write a scenario of this size as .jsonl",
		"about: " + strings.Repeat("a", scenario.MaxYAML): "x.yaml: it is larger than 1 MiB, which is for people to read; write a scenario of this size as .jsonl",
	} {
		if got := errorOf(t, "x.yaml", text).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%.200s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestAliasesThatRepeatTooMuchAreRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("name: x\nsteps:\n  - as: a\n    expect: error\n    execute:\n      l0: &l0 [a, a, a, a, a, a, a, a, a, a]\n")
	for i := 1; i < 12; i++ {
		n, m := string(rune('0'+i%10))+strings.Repeat("x", i/10), string(rune('0'+(i-1)%10))+strings.Repeat("x", (i-1)/10)
		b.WriteString("      l" + n + ": &l" + n + " [" + strings.TrimSuffix(strings.Repeat("*l"+m+", ", 10), ", ") + "]\n")
	}
	if got := errorOf(t, "x.yaml", b.String()).Error(); !strings.Contains(got, "it becomes too large here") {
		t.Error(got)
	}
	if got := errorOf(t, "x.yaml", "name: &a [*a]\n").Error(); !strings.Contains(got, "it becomes too large here") {
		t.Error(got)
	}
}

func TestAMessageCanBeWrongOnPurpose(t *testing.T) {
	checkHolds(t, "x.yaml", `name: x
accounts: {alice: , bob: }
steps:
  - as: alice
    instantiate: {name: N, symbol: S}
  - as: alice
    execute: {mint: {token_id: 1, owner: $alice}}
    expect: {error: {kind: parse}}
  - as: alice
    execute: {burn: {token_id: a, token_id: a}}
    expect: {error: {kind: parse}}
  - as: alice
    execute: {mint: {token_id: a, owner: alice}}
    expect: {error: {kind: address}}
  - as: bob
    execute: {mint: {token_id: a, owner: bob}}
    expect: error
    ignored: true
  - query: {nosuch: {}}
    expect: {error: unknown variant}
`)
}
