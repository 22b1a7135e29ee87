package cw721

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/wire"
)

// Rules names a rule set: the deployed versions of the contract differ in a
// few rules, and some of those are mistakes (spec §0.2).
type Rules string

// The rule sets.
const (
	RulesStandard Rules = "standard" // the safe reading; the default
	RulesV019     Rules = "v0.19.0"  // as compiled: anyone may change royalties
	RulesV022     Rules = "v0.22.0"  // with additional minters and a banner; unknown members are ignored
)

// ruleSet is everything in which rule sets differ. Another version of the
// contract is another entry of ruleSets, and the functions that it names.
type ruleSet struct {
	name    Rules
	version string // in contract_info (cw2)
	// without are the messages, members and attributes of later versions, which
	// this one does not know.
	without []string
	// ignoresUnknown lets members pass that no type has; else they are refused.
	ignoresUnknown bool
	// royalty is who may change it.
	royalty Rule
	// shareStep is by how much one update may raise a royalty's share; the zero
	// share is no limit but the cap.
	shareStep Share
	// mintChecks are what mint looks at between the permission and the id.
	mintChecks []func(*Mint, *exec) error
	// approvalSpender is what the query approval asks of its spender before it
	// loads the token; nil takes any text.
	approvalSpender func(Contract, Address, string) error
	// reportsOwner lets burn report the owner, reportsURI lets update_nft_info
	// report the URI.
	reportsOwner, reportsURI bool
}

// sinceV022 are the names that v0.22.0 has and no rule set before it.
var sinceV022 = []string{"add_minter", "remove_minter", additionalMinters, "get_" + additionalMinters, bannerURL}

// ruleSets are all rule sets, the default first.
var ruleSets = []*ruleSet{
	{
		name: RulesStandard, version: "0.19.0",
		without:         sinceV022,
		royalty:         RuleCreator,
		mintChecks:      []func(*Mint, *exec) error{(*Mint).checkURI, (*Mint).checkOwner, (*Mint).checkExtension},
		approvalSpender: Contract.address,
	},
	{
		name: RulesV019, version: "0.19.0",
		without:    sinceV022,
		royalty:    RuleAnyone, // a mistake that v0.22.0 corrects
		shareStep:  Percent(2),
		mintChecks: []func(*Mint, *exec) error{(*Mint).checkURI, (*Mint).checkExtension, (*Mint).checkOwner},
	},
	{
		name: RulesV022, version: "0.22.0",
		ignoresUnknown:  true,
		royalty:         RuleCreator,
		shareStep:       Percent(2),
		mintChecks:      []func(*Mint, *exec) error{(*Mint).checkURI, (*Mint).checkOwner, (*Mint).checkExtension},
		approvalSpender: Contract.address,
		reportsOwner:    true,
		reportsURI:      true,
	},
}

// AllRules lists the rule sets, the default first.
func AllRules() []Rules {
	all := make([]Rules, len(ruleSets))
	for i, s := range ruleSets {
		all[i] = s.name
	}
	return all
}

// Known tells whether r is a rule set.
func (r Rules) Known() bool { return slices.Contains(AllRules(), r) }

// set gives the rules of that name, the default for a name that is none.
func (r Rules) set() *ruleSet {
	for _, s := range ruleSets {
		if s.name == r {
			return s
		}
	}
	return ruleSets[0]
}

func (c Contract) rules() *ruleSet { return c.Rules.set() }

// has tells whether a message, member or attribute is known.
func (s *ruleSet) has(name string) bool { return !slices.Contains(s.without, name) }

// HasAdditionalMinters tells whether others than the minter may mint, and whether
// a collection has a banner: both came with v0.22.0 (spec §14).
func (r Rules) HasAdditionalMinters() bool { return r.set().has(additionalMinters) }

// RoyaltyByAnyone tells whether anyone may change the royalty, the mistake that
// v0.22.0 corrected (spec §7).
func (r Rules) RoyaltyByAnyone() bool { return r.set().royalty == RuleAnyone }

// IgnoresUnknown tells whether members that no type has are passed over.
func (r Rules) IgnoresUnknown() bool { return r.set().ignoresUnknown }

// ShareStep tells by how much one update may raise the royalty; ok is false
// when only the cap holds.
func (r Rules) ShareStep() (step Share, ok bool) {
	step = r.set().shareStep
	return step, step != Share{}
}

// Ignored is a member of a message that its rule set passes over, as v0.22.0
// does with every member that it does not know (spec §14).
type Ignored struct {
	wire.Ignored
	Rules Rules
}

// String names the member, and the one that was likely meant: "expirse: ignored
// by v0.22.0: did you mean expires?".
func (m Ignored) String() string {
	text := m.Field + ": ignored by " + string(m.Rules)
	if near := wire.Nearest(m.Field[strings.LastIndexByte(m.Field, '.')+1:], m.Known); near != "" {
		text += ": did you mean " + near + "?"
	}
	return text
}

// Version is what the code notes of itself under contract_info (cw2).
func (c Contract) Version() Version { return Version{c.name(), c.rules().version} }

// CodeOf tells which rules and which flavour code has, by what it calls itself:
// 0.20 and later have the rules of v0.22.0. An empty flavour is one that the
// name does not tell. known is false for what no release calls itself; its rules
// are a guess then.
func CodeOf(v Version) (rules Rules, flavour Flavour, known bool) {
	rules = RulesStandard
	var major, minor int
	n, _ := fmt.Sscanf(v.Version, "%d.%d", &major, &minor)
	if n == 2 && (major > 0 || minor >= 20) {
		rules = RulesV022
	}
	for _, f := range []Flavour{FlavourBase, FlavourOnchain} {
		if strings.HasSuffix(v.Contract, "cw721-"+string(f)) {
			flavour = f
		}
	}
	return rules, flavour, flavour != "" && n == 2 && major == 0 && 19 <= minor && minor <= 22
}
