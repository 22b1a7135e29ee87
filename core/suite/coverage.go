package suite

import (
	"cmp"
	"maps"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// Coverage has the number of messages with which a test suite exercises each case of the
// contract's permissions.
type Coverage map[Case]uint64

// Case is a message, a rule that the contract checks to decide about it, and what the check
// found. For example, the message "transfer_nft" is allowed by an approval in the last block
// before the approval expires.
type Case struct {
	Message string              `wire:"message"` // its name in JSON, such as "transfer_nft"
	Rule    cw721.Rule          `wire:"rule"`
	State   scenario.CheckState `wire:"state"`    // what the check of the rule found
	Count   uint64              `wire:"messages"` // that met the case; always 0 in a key of [Coverage]
}

// Add counts each check that the contract made to decide about the step's message. It counts
// none for a step that holds whatever the contract does.
func (c Coverage) Add(step scenario.PlayedStep) error {
	if !step.Step.CanFail() {
		return nil
	}
	checks, err := step.Checks()
	if err != nil {
		return err
	}

	// update_ownership is the deprecated name of update_minter_ownership.
	message := step.Step.MessageName()
	if message == "update_ownership" {
		message = "update_minter_ownership"
	}
	for _, check := range checks {
		c[Case{Message: message, Rule: check.Rule, State: check.State}]++
	}
	return nil
}

// Merge adds the counts of another coverage to c.
func (c Coverage) Merge(other Coverage) {
	for otherCase, count := range other {
		c[otherCase] += count
	}
}

// Cases returns all cases that were counted, and all that are possible in the given rule sets.
// Those that no message met, the gaps, come first. The further order is by message, rule and
// state.
func (c Coverage) Cases(ruleSets []cw721.Rules) ([]Case, error) {
	countedCases := maps.Clone(c)
	for _, rules := range ruleSets {
		if err := countedCases.addPossibleCases(rules); err != nil {
			return nil, err
		}
	}

	// Each case takes its count along, which is 0 for a gap.
	var cases []Case
	for countedCase, count := range countedCases {
		countedCase.Count = count
		cases = append(cases, countedCase)
	}

	stateIndex := func(c Case) int { return slices.Index(scenario.CheckStates, c.State) }
	slices.SortFunc(cases, func(a, b Case) int {
		return cmp.Or(
			cmp.Compare(min(a.Count, 1), min(b.Count, 1)), // 0 is a gap, and 1 is any other case
			cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(stateIndex(a), stateIndex(b)),
		)
	})
	return cases, nil
}

// addPossibleCases adds all cases that are possible in a rule set, with the count 0 unless they
// were counted already. To find the rules for a message, it lets the contract decide about a
// stranger, for whom every rule is checked.
func (c Coverage) addPossibleCases(rules cw721.Rules) error {
	contract := cw721.Contract{Rules: rules, Flavour: cw721.FlavourBase, Prefix: chain.DefaultPrefix}
	creatorAddress, err := chain.AddressFor(contract.Prefix, "creator", cw721.AccountBytes)
	if err != nil {
		return err
	}
	creator := cw721.Info{Sender: creatorAddress}
	stranger := cw721.Info{Sender: "stranger"}
	messages := rules.EmptyMessages()
	for _, action := range rules.Actions() {
		messages = append(messages, action.Message("", stranger.Sender))
	}

	// The decisions need a collection with a token that the stranger has no right to. The
	// token's ID is empty, as in the messages.
	storage := kv.NewOverlay(nil)
	instantiate := &cw721.InstantiateMsg{Name: "Coverage", Symbol: "COV"}
	if _, err := contract.RunInstantiate(storage, cw721.Env{}, creator, instantiate); err != nil {
		return err
	}
	tokenRecord := cw721.TokenRecords("", cw721.Token{Owner: creator.Sender})[0] // [1] is its index entry
	if err := storage.Set(tokenRecord.Key, tokenRecord.Value); err != nil {
		return err
	}

	for _, msg := range messages {
		message := cw721.MessageName(msg)
		if message == "update_ownership" { // Add counts it under its newer name
			continue
		}
		decision, err := contract.Decide(storage, cw721.Env{}, stranger, msg)
		if err != nil {
			return err
		}
		for _, check := range decision.Checks {
			for _, state := range scenario.CheckStates {
				if canEndIn(state, check.Rule) {
					c[Case{Message: message, Rule: check.Rule, State: state}] += 0 // adds a missing key
				}
			}
		}
	}
	return nil
}

// canEndIn reports whether the check of a rule can end in a state.
func canEndIn(state scenario.CheckState, rule cw721.Rule) bool {
	switch state {
	case scenario.CheckAbsent:
		return rule != cw721.RuleAnyone // everybody has what it requires
	case scenario.CheckLastBlock, scenario.CheckFirstExpired, scenario.CheckLongExpired:
		return rule.CanExpire()
	}
	return true
}
