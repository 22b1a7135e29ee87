package scenario_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

const opening = `{"name":"x","accounts":{"alice":null,"bob":null}}
{"as":"alice","instantiate":{"name":"N","symbol":"S"}}
`

func TestAMismatchIsDescribedInAFewLines(t *testing.T) {
	for step, want := range map[string]string{
		`{"as":"bob","execute":{"mint":{"token_id":"1","owner":"$bob"}},"expect":"ok"}`: `
x.jsonl:3: step 2: execute mint as bob: the answer is not as expected
  message   {"mint":{"token_id":"1","owner":"$bob"}}
  expected  ok
  got       error contract: Caller is not minter
  rule      ✗ minter         alice holds the minter role, not bob`,
		`{"as":"bob","execute":{"mint":{"token_id":"1","owner":"$bob"}},"expect":{"error":{"kind":"contract","text":"Caller is not owner"}}}`: `
x.jsonl:3: step 2: execute mint as bob: the refusal is not as expected
  message   {"mint":{"token_id":"1","owner":"$bob"}}
  expected  error contract, exactly: Caller is not owner
  got       error contract: Caller is not minter
  rule      ✗ minter         alice holds the minter role, not bob`,
		`{"as":"bob","execute":{"mint":{"token_id":"1","owner":"$bob"}},"expect":{"error":"admin"}}`: `
x.jsonl:3: step 2: execute mint as bob: the refusal is not as expected
  message   {"mint":{"token_id":"1","owner":"$bob"}}
  expected  error, a part: admin
  got       error contract: Caller is not minter
  rule      ✗ minter         alice holds the minter role, not bob`,
		`{"as":"bob","execute":{"mint":{"token_id":"1"}},"expect":{"error":"owner"}}`: `
x.jsonl:3: step 2: execute mint as bob: the refusal is not as expected
  message   {"mint":{"token_id":"1"}}
  expected  error, a part: owner
  got       error parse: Error parsing into type ExecuteMsg: missing field ` + "`owner`" + ` (in mint)
  hint      a text without a kind is one of the contract or the receiver; write {error: {kind: parse, has: owner}} if this one is meant`,
		`{"query":{"owner_of":{"token_id":"1"}},"expect":"error"}`: `
x.jsonl:3: step 2: query owner_of: the refusal is not as expected
  message   {"owner_of":{"token_id":"1"}}
  expected  an error of kind contract
  got       error not_found: token "1" not found`,
		`{"query":{"num_tokens":{}},"expect":"error"}`: `
x.jsonl:3: step 2: query num_tokens: the answer is not as expected
  message   {"num_tokens":{}}
  expected  an error of kind contract
  got       ok: {"count":0}`,
		`{"query":{"minter":{}},"expect":{"ok":{"minter":"$bob","extra":[1]}}}`: `
x.jsonl:3: step 2: query minter: the answer is not as expected
  message   {"minter":{}}
  at        minter
  expected  "$bob"
  got       "$alice"
  at        extra
  expected  [1]
  got       nothing`,
		`{"query":{"all_tokens":{}},"expect":{"has":{"tokens":["7"]}}}`: `
x.jsonl:3: step 2: query all_tokens: the answer is not as expected
  message   {"all_tokens":{}}
  at        tokens
  expected  an item like "7"
  got       []`,
		`{"at":{"height":0}}`: `
x.jsonl:3: step 2: move the clock: the clock cannot go there
  expected  at height 0
  got       height: 0 is before block 1; the clock only moves forward, going back is undo`,
		`{"advance":{"blocks":18446744073709551615,"time":"1s"}}`: `
x.jsonl:3: step 2: move the clock: the clock cannot go there
  expected  advance 18446744073709551615 blocks and 1s
  got       the clock would pass the last height or the last time there can be`,
	} {
		res, err := play("x.jsonl", opening+step+"\n")
		if err != nil || res.FailedSteps != 1 || len(res.Mismatches) != 1 {
			t.Errorf("%s: %+v, %v", step, res, err)
			continue
		}
		if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), res.Mismatches[0].String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestARunContinuesAfterAMismatchAndListsTheFirst(t *testing.T) {
	res, err := play("x.jsonl", opening+strings.Repeat(`{"query":{"num_tokens":{}},"expect":{"ok":{"count":1}}}`+"\n", scenario.MaxMismatches+5))
	if err != nil || res.FailedSteps != scenario.MaxMismatches+5 || len(res.Mismatches) != scenario.MaxMismatches || res.OK() {
		t.Errorf("%d failed, %d listed, %v", res.FailedSteps, len(res.Mismatches), err)
	}
}

func TestARunEndsIfTheClockCannotMove(t *testing.T) {
	res, err := play("x.jsonl", opening+`{"at":{"height":9}}
{"at":{"height":8},"query":{"num_tokens":{}}}
{"query":{"num_tokens":{}},"expect":"error"}
`)
	if err != nil || res.Steps != 3 || res.FailedSteps != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestWithoutACollectionEveryMessageIsRefused(t *testing.T) {
	checkHolds(t, "x.jsonl", `{"accounts":{"alice":null}}
{"query":{"num_tokens":{}},"expect":{"error":{"kind":"chain","text":"there is no collection yet"}}}
{"as":"alice","execute":{"burn":{"token_id":"1"}},"expect":{"error":{"kind":"chain","has":"no collection yet"}}}
{"as":"alice","instantiate":{"name":"","symbol":"S"},"expect":{"error":{"kind":"contract"}}}
{"as":"alice","instantiate":{"name":"N","symbol":"S"},"expect":"ok"}
{"as":"alice","instantiate":{"name":"N","symbol":"S"},"expect":{"error":{"kind":"chain"}}}
`)
	res, err := play("x.jsonl", "{}\n"+`{"query":{"num_tokens":{}},"expect":"ok"}`)
	if err != nil || res.FailedSteps != 1 || !strings.Contains(res.Mismatches[0].Got, "there is no collection yet") {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestAStepPassesIfItsExpectationMatches(t *testing.T) {
	const (
		burn      = `{"as":"bob","execute":{"burn":{"token_id":"2"}}`
		approvals = `{"query":{"approvals":{"token_id":"1"}},"expect":{"has":{"approvals":`
		mint      = `{"as":"alice","execute":{"mint":{"token_id":"2","owner":"$alice"}},"expect":{"has":{"attributes":[`
		alice     = `{"value":"$alice"}` // the minter and the owner, so she is in the answer twice
		before    = opening + `{"as":"alice","execute":{"mint":{"token_id":"1","owner":"$alice"}}}
{"as":"alice","execute":{"approve":{"spender":"$bob","token_id":"1"}}}
`
	)
	for step, holds := range map[string]bool{
		burn + `}`: false,
		`{"query":{"owner_of":{"token_id":"2"}}}`:                                          false,
		burn + `,"expect":"any"}`:                                                          true,
		burn + `,"expect":"error"}`:                                                        false, // there is no such token
		burn + `,"expect":{"error":{"kind":"not_found"}}}`:                                 true,
		`{"as":"bob","execute":{"mint":{"token_id":"2","owner":"$bob"}},"expect":"error"}`: true,
		`{"query":{"num_tokens":{}},"expect":"any"}`:                                       true,
		`{"as":"bob","execute":{"burnt":{}},"expect":"any"}`:                               true,
		`{"as":"alice","execute":{"mint":{"token_id":"2","owner":"$bob"}}}`:                true,
		// An empty list or object is empty.
		approvals + `[]}}}`:                         false,
		approvals + `[{}]}}}`:                       false,
		approvals + `[{"expires":{"never":{}}}]}}}`: true,
		approvals + `[{"spender":"$bob"}]}}}`:       true,
		// What is expected twice must be there twice.
		mint + alice + `,` + alice + `]}}}`:               true,
		mint + alice + `,` + alice + `,` + alice + `]}}}`: false,
	} {
		res, err := play("x.jsonl", before+step)
		if err != nil || res.OK() != holds {
			t.Errorf("%s: %+v, %v", step, res, err)
		}
	}
}

func TestAMissingItemOfAnArrayIsTheOnlyDifference(t *testing.T) {
	mints := opening
	for i := range 9 {
		mints += fmt.Sprintf(`{"as":"alice","execute":{"mint":{"token_id":"%d","owner":"$alice"}}}`+"\n", i)
	}
	for tokens, want := range map[string]string{
		`["0","1","2","3","4","5","6","7","8","9"]`: `tokens[9]: "9" and nothing`,
		`["0","1","3","4","5","6","7","8"]`:         `tokens[2]: nothing and "2"`,
		`["0","x","1","2","3","4","5","6","7","8"]`: `tokens[1]: "x" and nothing`,
		`["0","1","2","x","4","5","6","7"]`:         `tokens[3]: "x" and "3", tokens[8]: nothing and "8"`,
	} {
		res, err := play("x.jsonl", mints+`{"query":{"all_tokens":{}},"expect":{"ok":{"tokens":`+tokens+`}}}`)
		if err != nil || len(res.Mismatches) != 1 {
			t.Fatalf("%s: %+v, %v", tokens, res, err)
		}
		var got []string
		for _, d := range res.Mismatches[0].Differences {
			got = append(got, d.Path+": "+d.Expected+" and "+d.Got)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, expected %s", tokens, got, want)
		}
	}
}

func TestOnStepIsCalledAfterEachStepInOrder(t *testing.T) {
	var told []int
	_, err := run("x.jsonl", opening+`{"advance":{"blocks":3}}`, scenario.Options{Open: chaintest.InMemory, OnStep: func(p scenario.PlayedStep) { told = append(told, p.Number) }})
	if diff := cmp.Diff([]int{1, 2}, told); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestACancelledRunEndsBetweenSteps(t *testing.T) {
	r := chaintest.Must(scenario.Open("x.jsonl", strings.NewReader(opening)))(t)
	ctx, cancel := context.WithCancel(context.Background())
	res, err := scenario.Run(ctx, r, scenario.Options{Open: chaintest.InMemory, OnStep: func(scenario.PlayedStep) { cancel() }})
	if !errors.Is(err, context.Canceled) || res.Steps != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestAMessageWithInvalidTextReachesTheContractUnchanged(t *testing.T) {
	for _, id := range []string{`\ud800`, `\udc00`, `\ud83dx`, "\xff"} {
		checkHolds(t, "x.jsonl", opening+`{"as":"bob","execute":{"burn":{"token_id":"`+id+`"}},"expect":{"error":{"kind":"parse"}}}
{"query":{"owner_of":{"token_id":"`+id+`"}},"expect":{"error":{"kind":"parse"}}}
`)
	}
}

func TestTheEndOfAFileNameIsItsFormat(t *testing.T) {
	for name, want := range map[string]scenario.Format{
		"a.yaml": scenario.YAML, "dir.jsonl/A.YML": scenario.YAML, "a.jsonl": scenario.JSONLines, "a.b.jsonl.gz": scenario.LinesGzip,
	} {
		if got, err := scenario.FormatOf(name); got != want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got := errorOf(t, "a.json", "").Error(); got != "a.json: expected a name that ends in .yaml, .yml, .jsonl or .jsonl.gz" {
		t.Error(got)
	}
	if got := errorOf(t, "a.jsonl.gz", "{}").Error(); !strings.HasPrefix(got, "a.jsonl.gz: it is not a gzip file, as its name says") {
		t.Error(got)
	}
}

// endlessLine reads as a line without an end.
type endlessLine struct{ n int64 }

func (l *endlessLine) Read(p []byte) (int, error) {
	l.n += int64(len(p))
	return copy(p, bytes.Repeat([]byte{'a'}, len(p))), nil
}

func TestALineWithoutAnEndIsRefused(t *testing.T) {
	endless := &endlessLine{}
	_, err := scenario.Open("x.jsonl", io.MultiReader(strings.NewReader("{}\n"), endless))
	chaintest.OK(t, err)
	_, err = scenario.Open("x.jsonl", endless)
	if err == nil || err.Error() != "x.jsonl:1: the line is longer than 64 MiB, expected one step" {
		t.Error(err)
	}
	if endless.n > 2*scenario.MaxLine {
		t.Errorf("%d bytes were read", endless.n)
	}
}

func TestAScenarioPlaysOnAnExistingCollectionFromItsBlock(t *testing.T) {
	w := newCollection(t)
	mint := func(id int) string {
		return fmt.Sprintf(`{"name":"x","accounts":{"alice":null,"zoe":null},"start":{"height":7000}}`+"\n"+
			`{"as":"alice","execute":{"mint":{"token_id":"%d","owner":"$zoe"}},"expect":"ok"}`, id)
	}
	for id := range 2 {
		if res, err := playOn(w.C, mint(id)); err != nil || !res.OK() {
			t.Fatal(res, err)
		}
	}
	w.View(func(v *chain.View) {
		if n := chaintest.Must(v.Collection())(t).TokenCount; n != 2 || v.Clock.Height != 1 {
			t.Errorf("there are %d tokens in block %d; expected 2 in block 1, as start is ignored", n, v.Clock.Height)
		}
	})
}

func TestAScenarioForAnotherCollectionIsRefusedAndAddsNoAccount(t *testing.T) {
	w := newCollection(t)
	stars := chaintest.Must(chain.AddressFor("stars", "alice", 20))(t)
	alice, bob := chaintest.Address("alice"), chaintest.Address("bob")
	for header, want := range map[string]string{
		`{"rules":"v0.19.0"}`:                                     "x.jsonl: rules: the scenario is for v0.19.0, and the collection has standard",
		`{"prefix":"stars"}`:                                      "x.jsonl: prefix: the scenario is for stars, and the collection has cosmos",
		fmt.Sprintf(`{"accounts":{"alice":%q}}`, stars):           "x.jsonl: prefix: the scenario is for stars, and the collection has cosmos",
		`{"flavour":"base"}`:                                      "x.jsonl: flavour: the scenario is for base, and the collection has metadata-onchain",
		fmt.Sprintf(`{"accounts":{"zoe":null,"alice":%q}}`, bob):  "x.jsonl: accounts.alice: the scenario means " + string(bob),
		fmt.Sprintf(`{"accounts":{"zoe":null,"anna":%q}}`, alice): "x.jsonl: accounts.anna: the collection knows " + string(alice) + " as alice",
		`{"contracts":{"alice":"rejects"}}`:                       "x.jsonl: contracts.alice: the scenario needs rejects, and the collection has plain",
	} {
		_, err := playOn(w.C, header+"\n")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", header, err, want)
		}
	}
	w.View(func(v *chain.View) {
		if all := chaintest.Must(v.Accounts())(t); len(all) != 1 {
			t.Errorf("%d accounts are known, expected alice alone", len(all))
		}
	})
}

func TestAnEmptyChainIsCreatedByTheFirstAcceptedMessage(t *testing.T) {
	for text, begins := range map[string]bool{
		`{"accounts":{"alice":null},"start":{"height":50}}
{"advance":{"blocks":5},"as":"alice","instantiate":{"name":"N","symbol":"S","minter":"$alice"},"expect":{"has":{"attributes":[{"value":"$alice"}]}}}`: true,
		`{"accounts":{"alice":null}}
{"as":"alice","instantiate":{"name":"","symbol":"S"},"expect":"error"}`: false,
	} {
		c := chaintest.Must(chaintest.InMemory())(t)
		res, err := playOn(c, text)
		if err != nil || !res.OK() {
			t.Fatal(res, err)
		}
		_, got := c.Config()
		if got != begins {
			t.Errorf("%s\nthere is a chain: %v", text, got)
		}
		if begins {
			if m, err := c.Advance(chain.ClockStep{Blocks: 1}); err != nil || m.From.Height != 55 || uint64(m.From.Time) != 25e9 {
				t.Errorf("it began in %+v, %v", m.From, err)
			}
		}
	}
	c := chaintest.Must(chaintest.InMemory())(t)
	for _, first := range []string{`{"query":{"num_tokens":{}}}`, `{"as":"alice","execute":{"burn":{"token_id":"1"}}}`} {
		if _, err := playOn(c, `{"accounts":{"alice":null}}`+"\n"+first); !errors.Is(err, chain.ErrNoCollection) {
			t.Errorf("%s gave %v", first, err)
		}
	}
}
