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
	RulesStandard Rules = "standard" // the interface as documented; the default
	RulesV019     Rules = "v0.19.0"  // as released: anyone may change royalties
	RulesV022     Rules = "v0.22.0"  // as released: additional minters and a banner; unknown members are ignored
)

// ruleSet is everything in which rule sets differ. Another version of the
// contract is another entry of ruleSets, and the functions that it names.
type ruleSet struct {
	name    Rules
	version string // in contract_info (cw2)
	// releases are the minor versions of cw721 0.x that have these rules.
	releases []int
	// absentNames are the messages, members and attributes of later versions, which
	// this one does not know.
	absentNames []string
	// ignoresUnknown lets members pass that no type has; else they are refused.
	ignoresUnknown bool
	// royalty is who may change it.
	royalty Rule
	// maxShareIncrease is by how much one update may raise a royalty's share; the zero
	// share is no limit but the cap.
	maxShareIncrease Share
	// mintChecks are what mint looks at between the permission and the id.
	mintChecks []func(*Mint, *execution) error
	// approvalSpender is what the query approval asks of its spender before it
	// loads the token; nil takes any text.
	approvalSpender func(Contract, Address, string) error
	// burnReportsOwner lets burn report the owner, reportsURI lets update_nft_info
	// report the URI.
	burnReportsOwner, updateReportsURI bool
}

// sinceV022 are the names that v0.22.0 has and no rule set before it.
var sinceV022 = []string{"add_minter", "remove_minter", additionalMinters, "get_" + additionalMinters, bannerURL}

// ruleSets are all rule sets, the default first.
var ruleSets = []*ruleSet{
	{
		name: RulesStandard, version: "0.19.0",
		absentNames:     sinceV022,
		royalty:         RuleCreator,
		mintChecks:      []func(*Mint, *execution) error{(*Mint).checkURI, (*Mint).checkOwner, (*Mint).checkExtension},
		approvalSpender: Contract.checkAddress,
	},
	{
		name: RulesV019, version: "0.19.0",
		releases:         []int{19},
		absentNames:      sinceV022,
		royalty:          RuleAnyone, // a mistake that v0.22.0 corrects
		maxShareIncrease: Percent(2),
		mintChecks:       []func(*Mint, *execution) error{(*Mint).checkURI, (*Mint).checkExtension, (*Mint).checkOwner},
	},
	{
		name: RulesV022, version: "0.22.0",
		releases:         []int{20, 21, 22},
		ignoresUnknown:   true,
		royalty:          RuleCreator,
		maxShareIncrease: Percent(2),
		mintChecks:       []func(*Mint, *execution) error{(*Mint).checkURI, (*Mint).checkOwner, (*Mint).checkExtension},
		approvalSpender:  Contract.checkAddress,
		burnReportsOwner: true,
		updateReportsURI: true,
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

// IsKnown tells whether r is a rule set.
func (r Rules) IsKnown() bool { return slices.Contains(AllRules(), r) }

// ruleSet gives the rules of that name, the default for a name that is none.
func (r Rules) ruleSet() *ruleSet {
	for _, s := range ruleSets {
		if s.name == r {
			return s
		}
	}
	return ruleSets[0]
}

func (c Contract) ruleSet() *ruleSet { return c.Rules.ruleSet() }

// has tells whether a message, member or attribute is known.
func (s *ruleSet) has(name string) bool { return !slices.Contains(s.absentNames, name) }

// HasAdditionalMinters tells whether others than the minter may mint, and whether
// a collection has a banner: both came with v0.22.0 (spec §14).
func (r Rules) HasAdditionalMinters() bool { return r.ruleSet().has(additionalMinters) }

// CanAnyoneChangeRoyalty tells whether anyone may change the royalty, the mistake that
// v0.22.0 corrected (spec §7).
func (r Rules) CanAnyoneChangeRoyalty() bool { return r.ruleSet().royalty == RuleAnyone }

// IgnoresUnknownMembers tells whether members that no type has are passed over.
func (r Rules) IgnoresUnknownMembers() bool { return r.ruleSet().ignoresUnknown }

// MaxShareIncrease tells by how much one update may raise the royalty; ok is false
// when only the cap holds.
func (r Rules) MaxShareIncrease() (step Share, ok bool) {
	step = r.ruleSet().maxShareIncrease
	return step, step != Share{}
}

// IgnoredMembers is a member of a message that its rule set passes over, as v0.22.0
// does with every member that it does not know (spec §14).
type IgnoredMember struct {
	wire.Ignored
	Rules Rules
}

// String names the member, and the one that was likely meant: "expirse: ignored
// by v0.22.0: did you mean expires?".
func (m IgnoredMember) String() string {
	text := m.Field + ": ignored by " + string(m.Rules)
	if near := wire.Nearest(m.Field[strings.LastIndexByte(m.Field, '.')+1:], m.Known); near != "" {
		text += ": did you mean " + near + "?"
	}
	return text
}

// Version is what the code notes of itself under contract_info (cw2).
func (c Contract) Version() Version { return Version{c.codeName(), c.ruleSet().version} }

// IdentifyCode gives the rules and the flavour of the code that a contract_info names.
// The rules are empty for code that is no known release of cw721 0.19 to 0.22. The
// flavour is empty where the name does not show it.
func IdentifyCode(v Version) (rules Rules, flavour Flavour) {
	for _, f := range []Flavour{FlavourBase, FlavourOnchain} {
		if strings.HasSuffix(v.Contract, "cw721-"+string(f)) {
			flavour = f
		}
	}

	var major, minor int
	n, _ := fmt.Sscanf(v.Version, "%d.%d", &major, &minor)
	if flavour == "" || n < 2 || major > 0 {
		return "", flavour
	}
	for _, s := range ruleSets {
		if slices.Contains(s.releases, minor) {
			rules = s.name
		}
	}
	return rules, flavour
}

// DifferenceFrom says how the rules r differ from those of the code that a
// contract_info names. It is empty where they are known not to differ.
func (r Rules) DifferenceFrom(v Version) string {
	released, _ := IdentifyCode(v)
	switch {
	case v == Version{}:
		return "there is no contract_info, so the contract's rules are not known"
	case released == "":
		return fmt.Sprintf("contract_info names %s %s, whose rules are not known", v.Contract, v.Version)
	case released != r:
		return fmt.Sprintf("contract_info names %s %s, whose rules are %s", v.Contract, v.Version, released)
	case r == RulesV022 && !strings.HasPrefix(v.Version, "0.22."):
		return fmt.Sprintf("%s %s lets anyone change the royalty, %s only the creator", v.Contract, v.Version, r)
	}
	return ""
}
