package scenario_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

// faultyHeader and faultyBeginning begin each of the scenarios with a planted fault. Most of
// what is in them does not matter for the fault.
const (
	faultyHeader = `name: With a fault
accounts: {a: , b: , c: , d: , b1: , b2: }
contracts: {shop: accepts, shut: rejects}
start: {height: 1100, time: "2026-11-21T12:00:00Z"}
`
	faultyBeginning = `steps:
  - as: d
    instantiate: {name: N, symbol: S, collection_info_extension: {description: D, royalty_info: {payment_address: $d, share: "0.05"}}}
  - as: d
    execute: {mint: {token_id: t1, owner: $a}}
  - as: d
    execute: {mint: {token_id: t2, owner: $b}}
  - as: d
    execute: {mint: {token_id: t3, owner: $b1}}
  - query: {num_tokens: {}}
    expect: {ok: {count: 3}}
  - as: a
    execute: {approve_all: {operator: $c}}
  - as: a
    execute: {approve: {spender: $b, token_id: t1, expires: "+20"}}
  - as: a
    execute: {approve: {spender: $b1, token_id: t1, expires: "+20"}}
  - as: b1
    execute: {approve: {spender: $b2, token_id: t3, expires: h1130}}
  - advance: "+5"
`
)

// plantedFaults are the ends of scenarios whose first failing step has a fault. A text
// before a line --- is added to the header.
var plantedFaults = map[string]string{
	"another owner": `
  - query: {owner_of: {token_id: t2}}
    expect: {has: {owner: $c}}`,
	"an owner after a transfer": `
  - as: c
    execute: {transfer_nft: {recipient: $b, token_id: t1}}
  - query: {owner_of: {token_id: t1}}
    expect: {has: {owner: $a}}`,
	"a spender who is missing": `
  - query: {approvals: {token_id: t1}}
    expect: {has: {approvals: [{spender: $d}]}}`,
	"a name with a number": `
  - query: {owner_of: {token_id: t3}}
    expect: {has: {owner: $b2}}`,
	"a count": `
  - query: {num_tokens: {}}
    expect: {ok: {count: 4}}`,
	"a list": `
  - query: {all_tokens: {}}
    expect: {ok: {tokens: [t1, t3]}}`,
	"a missing token": `
  - query: {owner_of: {token_id: t4}}
    expect: {has: {owner: $c}}`,
	"a refusal that did not come": `
  - as: c
    execute: {burn: {token_id: t1}}
    expect: error`,
	"an expired approval": `
  - advance: "+15"
    as: b
    execute: {transfer_nft: {recipient: $b, token_id: t1}}`,
	"the last block": `
  - at: {height: 1119}
  - as: b
    execute: {transfer_nft: {recipient: $b, token_id: t1}}
    expect: error`,
	"another text": `
  - as: b
    execute: {mint: {token_id: t4, owner: $b}}
    expect: {error: {kind: contract, text: Caller is not owner}}`,
	"a part that is not in it": `
  - as: b
    execute: {mint: {token_id: t4, owner: $b}}
    expect: {error: owner}`,
	"another kind": `
  - as: b
    execute: {burn: {token_id: t4}}
    expect: {error: {kind: contract}}`,
	"a parse error": `
  - as: b
    execute: {mint: {token_id: t4}}
    expect: {error: owner}`,
	"a receiver": `
  - as: a
    execute: {send_nft: {contract: $shut, token_id: t1, msg: ""}}
    note: it rejects
    expect: {error: $shop rejected the token}`,
	"no contract": `
  - as: a
    execute: {send_nft: {contract: $d, token_id: t1, msg: ""}}
    expect: {error: {kind: chain, text: "address $c: no such contract"}}`,
	"a preview": `
  - as: c
    preview: {update_collection_info: {collection_info: {extension: {royalty_info: {payment_address: $c, share: "0.05"}}}}}`,
	"attributes": `
  - as: c
    execute: {transfer_nft: {recipient: $b, token_id: t1}}
    expect: {has: {attributes: [{key: sender, value: $a}]}}`,
	"an account who can": `
  - nobody: {can: transfer, token: t1, as: c}`,
	"an operator behind an approval": `
  - nobody: {can: burn, token: t1, as: c, passive: [a, b, b1], depth: 2}`,
	"one of two who can, by the number in the name": `
accounts: {a: , b: , c: , d: , b1: , b2: , x-1: , x-2: }
---
  - as: b1
    execute: {approve: {spender: $x-2, token_id: t3, expires: h1140}}
  - as: b1
    execute: {approve: {spender: $x-1, token_id: t3, expires: h1150}}
  - advance: "+40"
  - nobody: {can: transfer, token: t3, passive: [b1, b2]}`,
	"anybody who can": `
  - nobody: {can: transfer, token: t1, passive: [a], after: h1110, until: h1119}`,
	"an invariant": `
invariants:
  - query: {num_tokens: {}}
    expect: any
  - query: {minter: {}}
    expect: {ok: {minter: $d}}
---
  - as: d
    execute: {update_minter_ownership: {transfer_ownership: {new_owner: $c}}}
  - as: c
    execute: {update_minter_ownership: accept_ownership}`,
	"an invariant about nobody": `
invariants:
  - query: {num_tokens: {}}
    expect: any
  - nobody: {can: transfer, token: t2, as: c}
---
  - as: b
    execute: {approve: {spender: $c, token_id: t2}}`,
	"storage": `
  - as: b
    execute: {burn: {token_id: t2}}
    state: []`,
	"the clock": `
  - at: {height: 1101}`,
}

// failureOf plays a scenario up to its first failure, and returns its step and, in a text in
// which heights and times are 0, all that is said about it.
func failureOf(t *testing.T, s scenario.Scenario) (step scenario.Step, failure string) {
	t.Helper()
	number := regexp.MustCompile(`( |:|\()[0-9][0-9,]*(-[0-9]+-[0-9]+)?`)
	chaintest.Must(scenario.Run(context.Background(), s.NewReader("x"), scenario.Options{
		Open:     chaintest.InMemory,
		FailFast: true,
		OnStep: func(p scenario.PlayedStep) {
			if p.Mismatch == nil {
				return
			}
			step = *p.Step
			m := *p.Mismatch
			m.Step, m.Line, m.Message = 0, 0, ""
			failure = number.ReplaceAllString(fmt.Sprint(m, chaintest.Must(p.Checks())(t)), "${1}0")
		},
	}))(t)
	return step, failure
}

func TestShrinkingKeepsTheFailingStepItsAnswerItsDecisionAndTheAccountsThatAreNamed(t *testing.T) {
	if len(plantedFaults) < 20 {
		t.Fatalf("%d faults, expected 20 or more", len(plantedFaults))
	}
	for name, fault := range plantedFaults {
		t.Run(name, func(t *testing.T) {
			header, end, hasHeader := strings.Cut(fault, "\n---")
			if !hasHeader {
				header, end = "", fault
			}
			start := faultyHeader
			if strings.Contains(header, "accounts:") {
				start = regexp.MustCompile(`accounts: .*\n`).ReplaceAllString(start, "")
			}
			whole := load(t, "x.yaml", start+strings.TrimPrefix(header+"\n", "\n")+strings.TrimSuffix(faultyBeginning, "\n")+end+"\n")
			wantStep, wantFailure := failureOf(t, whole)
			if wantFailure == "" {
				t.Fatal("no step fails")
			}

			small, _, err := scenario.ShrinkFailure(context.Background(), whole, scenario.Options{Open: chaintest.InMemory})
			if err != nil {
				t.Fatal(err)
			}

			// What is written is read back and fails alike.
			written := text(t, small)
			t.Logf("%d of %d steps:\n%s", len(small.Steps), len(whole.Steps), written)
			again := load(t, "small.yaml", written)
			gotStep, gotFailure := failureOf(t, again)
			if gotFailure != wantFailure {
				t.Errorf("it fails with\n%s\nwant\n%s", gotFailure, wantFailure)
			}
			if got, want := string(gotStep.AppendWire(nil)), string(wantStep.AppendWire(nil)); got != want {
				t.Errorf("the failing step is\n%s\nwant\n%s", got, want)
			}
			if len(small.Steps) >= len(whole.Steps) {
				t.Error("it is no smaller")
			}
			for _, account := range slices.Concat([]chain.Account(whole.Accounts), []chain.Account(whole.Contracts)) {
				isDeclared := func(a chain.Account) bool { return a.Name == account.Name }
				named := regexp.MustCompile(`(\$|as: |\[|, )` + account.Name + `\b`)
				steps := written[strings.Index(written, "steps:"):]
				if named.MatchString(steps) && !slices.ContainsFunc(slices.Concat([]chain.Account(again.Accounts), []chain.Account(again.Contracts)), isDeclared) {
					t.Errorf("%s is named, and the header does not have it:\n%s", account.Name, written)
				}
			}
		})
	}
}
