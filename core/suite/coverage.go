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
// collected from the decisions that the contract makes. The zero Coverage is empty, and
// can only be read.
type Coverage map[Case]uint64

// Case is one way in which the check of a rule can come out for a message.
type Case struct {
	Message string              `wire:"message"` // its name in JSON, such as "transfer_nft"
	Rule    cw721.Rule          `wire:"rule"`
	State   scenario.CheckState `wire:"state"`
	// Count is the number of messages that met the case in the result of [Coverage.Cases],
	// where 0 is a gap. It is 0 in a key of [Coverage].
	Count uint64 `wire:"messages"`
}

// Add counts the checks of the decision about a step's message. It fails with the errors of
// the store.
func (c Coverage) Add(p scenario.PlayedStep) error {
	checks, err := p.Checks()
	for _, check := range checks {
		message := p.Step.MessageName()
		if message == "update_ownership" {
			message = "update_minter_ownership" // update_ownership is its deprecated name
		}
		c[Case{Message: message, Rule: check.Rule, State: check.State}]++
	}
	return err
}

// Merge adds the counts of another coverage.
func (c Coverage) Merge(other Coverage) {
	for exercised, count := range other {
		c[exercised] += count
	}
}

// Cases returns the cases that were counted, and all others that are possible in some rule
// sets. A case is a message, a rule that decides about it, and the state in which the rule
// was asked. A possible case with the count 0 is a gap. Gaps come first; otherwise the order
// is that of message, rule and state.
func (c Coverage) Cases(ruleSets []cw721.Rules) ([]Case, error) {
	all := Coverage{}
	all.Merge(c)
	for _, rules := range ruleSets {
		if err := all.addPossible(rules); err != nil {
			return nil, err
		}
	}

	// Every case has its count, which is 0 for a gap.
	var cases []Case
	for possible, count := range all {
		possible.Count = count
		cases = append(cases, possible)
	}
	slices.SortFunc(cases, func(a, b Case) int {
		return cmp.Or(
			cmp.Compare(min(a.Count, 1), min(b.Count, 1)), // gaps before others
			cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(slices.Index(scenario.CheckStates, a.State), slices.Index(scenario.CheckStates, b.State)),
		)
	})
	return cases, nil
}

// addPossible adds the cases that are possible in a rule set. It finds the rules of a message
// in the contract's decision about a stranger, for whom all of them are checked.
func (c Coverage) addPossible(rules cw721.Rules) error {
	contract := cw721.Contract{Rules: rules, Flavour: cw721.FlavourBase, Prefix: chain.DefaultPrefix}
	address, err := chain.AddressFor(contract.Prefix, "creator", cw721.AccountBytes)
	if err != nil {
		return err
	}
	creator := cw721.Info{Sender: address}
	stranger := cw721.Info{Sender: "stranger"}
	messages := rules.EmptyMessages()
	for _, action := range rules.Actions() {
		messages = append(messages, action.Message("", stranger.Sender))
	}

	// The decisions need a collection with a token that the stranger has no right to.
	storage := kv.NewOverlay(nil)
	instantiate := &cw721.InstantiateMsg{Name: "Coverage", Symbol: "COV"}
	if _, err := contract.RunInstantiate(storage, cw721.Env{}, creator, instantiate); err != nil {
		return err
	}
	token := cw721.TokenRecords("", cw721.Token{Owner: creator.Sender}) // the messages are about it
	if err := storage.Set(token[0].Key, token[0].Value); err != nil {
		return err
	}

	// Every rule that is checked for the stranger is possible in all its states.
	for _, msg := range messages {
		decision, err := contract.Decide(storage, cw721.Env{}, stranger, msg)
		if err != nil {
			return err
		}
		for _, check := range decision.Checks {
			c.addStates(cw721.MessageName(msg), check.Rule)
		}
	}
	return nil
}

// addStates adds the possible cases of a message and a rule with the count 0, unless they were
// counted already.
func (c Coverage) addStates(message string, rule cw721.Rule) {
	if message == "update_ownership" {
		return // the old name of update_minter_ownership, as which Add counts it
	}
	for _, state := range scenario.CheckStates {
		isPossible := true
		switch state {
		case scenario.CheckAbsent:
			isPossible = rule != cw721.RuleAnyone
		case scenario.CheckLastBlock, scenario.CheckFirstExpired, scenario.CheckLongExpired:
			isPossible = rule.CanExpire()
		}
		if isPossible {
			c[Case{Message: message, Rule: rule, State: state}] += 0
		}
	}
}
