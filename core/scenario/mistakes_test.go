package scenario_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

// The name of each file of the archive is the mistake that is reported about its text.
func TestEveryMistakeIsReportedWithItsPlace(t *testing.T) {
	archive := chaintest.Must(txtar.ParseFile("testdata/mistakes.txtar"))(t)
	for _, file := range archive.Files {
		name, _, _ := strings.Cut(file.Name, ":")
		result, err := play(name, string(file.Data))
		if err == nil && !result.OK() {
			err = errors.New(result.Mismatches[0].String())
		}
		if err == nil || !strings.HasPrefix(err.Error(), file.Name) {
			t.Errorf("%s\ngot  %v\nwant %s", file.Data, err, file.Name)
		}
	}
}

func TestAMemberThatTheContractIgnoresIsNoMistakeIfTheStepSaysSo(t *testing.T) {
	checkHolds(t, "x.yaml", `rules: v0.22.0
accounts: {alice: , bob: }
steps:
  - {as: alice, instantiate: {name: N, symbol: S}}
  - {as: alice, execute: {mint: {token_id: "1", owner: $alice}}}
  - {as: alice, execute: {approve: {spender: $bob, token_id: "1", expire: "+10"}}, ignored: true}
`)
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
	if lines := recordAll(w, scenario.JSONLines); strings.Contains(lines, "ignored") {
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
