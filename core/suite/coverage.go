package suite

import (
	"cmp"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// Coverage counts what the messages of a suite exercise of the contract's permissions. It is
// collected from the decisions that the contract makes. The zero Coverage is empty.
type Coverage map[CoverageKey]map[scenario.CheckState]int

// CoverageKey is a rule that permits a message.
type CoverageKey struct {
	Message string // its name in JSON, such as "transfer_nft"
	Rule    cw721.Rule
}

// CoverageRow says how often a suite exercises a rule for a message.
type CoverageRow struct {
	CoverageKey
	// Counts has an entry for each state that the check of the rule can be in: how many
	// messages met it. 0 is a gap.
	Counts map[scenario.CheckState]int
}

// States are the states of a check in the order of a table.
var States = [...]scenario.CheckState{
	scenario.CheckPasses,
	scenario.CheckLastBlock,
	scenario.CheckFirstExpired,
	scenario.CheckLongExpired,
	scenario.CheckAbsent,
}

// Gaps returns the number of states that no message met.
func (r CoverageRow) Gaps() (gaps int) {
	for _, count := range r.Counts {
		if count == 0 {
			gaps++
		}
	}
	return gaps
}

// Add counts the checks of the decision about a step's message. It fails with the errors of
// the store.
func (c Coverage) Add(p scenario.PlayedStep) error {
	checks, err := p.Checks()
	for _, check := range checks {
		c.add(p.Step.MessageName(), check.Rule, check.State, 1)
	}
	return err
}

// Merge adds the counts of another coverage.
func (c Coverage) Merge(other Coverage) {
	for key, counts := range other {
		for state, count := range counts {
			c.add(key.Message, key.Rule, state, count)
		}
	}
}

// add adds a count, which can be 0 for a state that is possible.
func (c Coverage) add(message string, rule cw721.Rule, state scenario.CheckState, count int) {
	if message == "update_ownership" {
		message = "update_minter_ownership" // of which it is the deprecated name
	}
	key := CoverageKey{Message: message, Rule: rule}
	if c[key] == nil {
		c[key] = map[scenario.CheckState]int{}
	}
	c[key][state] += count
}

// Rows returns a row for each message and rule that exist in one of some rule sets. Rows with
// gaps are first, then rows are in the order of their names. It fails with the errors of a
// store in memory.
func (c Coverage) Rows(ruleSets []cw721.Rules) ([]CoverageRow, error) {
	all := Coverage{}
	for _, rules := range ruleSets {
		if err := all.addPossible(rules); err != nil {
			return nil, err
		}
	}
	all.Merge(c)

	var rows []CoverageRow
	for key, counts := range all {
		rows = append(rows, CoverageRow{CoverageKey: key, Counts: counts})
	}
	slices.SortFunc(rows, func(a, b CoverageRow) int {
		return cmp.Or(
			cmp.Compare(min(b.Gaps(), 1), min(a.Gaps(), 1)),
			cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Rule, b.Rule),
		)
	})
	return rows, nil
}

// addPossible adds a count of 0 for each state that the checks of a rule set can be in. It
// finds the rules of a message in the contract's decision about a stranger, for whom all of
// them are checked.
func (c Coverage) addPossible(rules cw721.Rules) error {
	contract := cw721.Contract{Rules: rules, Flavour: cw721.FlavourBase, Prefix: chain.DefaultPrefix}
	creator, err := chain.AddressFor(contract.Prefix, "creator", cw721.AccountBytes)
	if err != nil {
		return err
	}
	stranger, err := chain.AddressFor(contract.Prefix, "stranger", cw721.AccountBytes)
	if err != nil {
		return err
	}
	messages := rules.EmptyMessages()
	for _, action := range rules.Actions() {
		messages = append(messages, action.Message("", stranger))
	}

	return kv.NewMemory().Update(func(t kv.Txn) error {
		instantiate := &cw721.InstantiateMsg{Name: "Coverage", Symbol: "COV"}
		if _, err := contract.RunInstantiate(t, cw721.Env{}, cw721.Info{Sender: creator}, instantiate); err != nil {
			return err
		}
		for _, record := range cw721.TokenRecords("", cw721.Token{Owner: creator}) { // the token of the messages
			if err := t.Set(record.Key, record.Value); err != nil {
				return err
			}
		}
		for _, msg := range messages {
			decision, err := contract.Decide(t, cw721.Env{}, cw721.Info{Sender: stranger}, msg)
			if err != nil {
				return err
			}
			for _, check := range decision.Checks {
				c.addStatesOf(cw721.MessageName(msg), check.Rule)
			}
		}
		return nil
	})
}

// addStatesOf adds a count of 0 for each state that the check of a rule can be in.
func (c Coverage) addStatesOf(message string, rule cw721.Rule) {
	c.add(message, rule, scenario.CheckPasses, 0)
	if rule != cw721.RuleAnyone {
		c.add(message, rule, scenario.CheckAbsent, 0)
	}
	if !rule.CanExpire() {
		return
	}
	c.add(message, rule, scenario.CheckLastBlock, 0)
	c.add(message, rule, scenario.CheckFirstExpired, 0)
	c.add(message, rule, scenario.CheckLongExpired, 0)
}
