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
		Line: 19, FromYAML: true, Sender: "bob", Kind: scenario.Execute,
		Message: []byte(`{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`),
		Expect:  &scenario.Expect{Refused: true, Kind: "contract"},
		Note:    "bob owns nothing",
		Hints:   []string{"look", "look closer", "approve first"},
		Ask:     &scenario.Ask{Question: "Why?", Choices: scenario.Choices{{Text: "a"}, {Text: "b"}}, Answer: "b"},
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

func TestATextThatTheYAMLParserShouldNotGetIsRefused(t *testing.T) {
	const tooLarge = "x.yaml: it has more than 1 MiB, 20000 lines or 150000 members, the limit for YAML; use .jsonl for larger scenarios"
	for text, want := range map[string]string{
		"a: b\nname: \xff\n":                              "x.yaml:2: it is not text in UTF-8",
		"name: " + strings.Repeat("[", 5000):              "x.yaml:1: it is nested deeper than a scenario can be",
		"name:\n  " + strings.Repeat("- ", 5000):          "x.yaml:2: it is nested deeper than a scenario can be",
		strings.Repeat("k: 1\n", 20_001):                  tooLarge,
		"about: [" + strings.Repeat("1,", 150_000):        tooLarge,
		"about: " + strings.Repeat("a", scenario.MaxYAML): tooLarge,
	} {
		if got := errorOf(t, "x.yaml", text).Error(); got != want {
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
    expect: {error: {kind: parse, has: unknown variant}}
`)
}
