package cw721

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/wire"
)

// Rules names a rule set. The released versions of the contract differ in a few
// rules, and some of those are mistakes (spec §0.2).
type Rules string

// The rule sets.
const (
	RulesStandard Rules = "standard" // the interface as documented; the default
	RulesV019     Rules = "v0.19.0"  // as released: anyone may change royalties
	RulesV020     Rules = "v0.20.0"  // as released: like v0.19.0, but unknown members are ignored
	RulesV021     Rules = "v0.21.0"  // as released: like v0.20.0, and a collection may have a banner
	RulesV022     Rules = "v0.22.0"  // as released: additional minters, and only the creator may change royalties
)

// ruleSet has the differences of one released version of the contract from others. To add
// a version, add an entry to ruleSets, and the checks for new fields.
type ruleSet struct {
	name Rules
	// version is the version in contract_info (cw2).
	version string
	// absentNames are the messages, members and attributes that only later
	// versions know.
	absentNames []string
	// ignoresUnknown is set if messages may have unknown members. Otherwise they
	// are refused.
	ignoresUnknown bool
	// royalty is the rule that permits a change of the royalty.
	royalty Rule
	// maxShareIncrease is how much one update may raise a royalty's share; 0 if only
	// [MaxShare] limits it.
	maxShareIncrease Share
	// checksExtensionFirst is set if a mint message's extension is checked before its
	// owner.
	checksExtensionFirst bool
	// validatesApprovalSpender is set if the query approval validates its spender
	// before it loads the token.
	validatesApprovalSpender bool
	// burnReportsOwner is set if burn has an attribute with the owner.
	burnReportsOwner bool
	// updateReportsURI is set if update_nft_info has an attribute with the URI.
	updateReportsURI bool
}

// namesOfV022 are the messages, members and attributes that v0.22.0 introduced.
var namesOfV022 = []string{addMinter, removeMinter, additionalMinters, "get_" + additionalMinters}

// namesOfV021 are the attribute that v0.21.0 introduced, and all names of v0.22.0.
var namesOfV021 = append([]string{bannerURL}, namesOfV022...)

// ruleSets are all rule sets, the default first.
var ruleSets = []*ruleSet{
	{
		name: RulesStandard, version: "0.19.0",
		absentNames:              namesOfV021,
		royalty:                  RuleCreator,
		validatesApprovalSpender: true,
	},
	{
		name: RulesV019, version: "0.19.0",
		absentNames:          namesOfV021,
		royalty:              RuleAnyone, // a mistake that v0.22.0 corrects
		maxShareIncrease:     Percent(2),
		checksExtensionFirst: true,
	},
	{
		name: RulesV020, version: "0.20.0",
		absentNames:              namesOfV021,
		ignoresUnknown:           true,
		royalty:                  RuleAnyone,
		maxShareIncrease:         Percent(2),
		validatesApprovalSpender: true,
	},
	{
		name: RulesV021, version: "0.21.0",
		absentNames:              namesOfV022,
		ignoresUnknown:           true,
		royalty:                  RuleAnyone,
		maxShareIncrease:         Percent(2),
		validatesApprovalSpender: true,
		burnReportsOwner:         true,
	},
	{
		name: RulesV022, version: "0.22.0",
		ignoresUnknown:           true,
		royalty:                  RuleCreator,
		maxShareIncrease:         Percent(2),
		validatesApprovalSpender: true,
		burnReportsOwner:         true,
		updateReportsURI:         true,
	},
}

// AllRules returns the rule sets, the default first.
func AllRules() []Rules {
	all := make([]Rules, len(ruleSets))
	for i, s := range ruleSets {
		all[i] = s.name
	}
	return all
}

// IsKnown reports whether r names a rule set.
func (r Rules) IsKnown() bool { return slices.Contains(AllRules(), r) }

// ruleSet returns the rule set of that name, the default one for an unknown name.
func (r Rules) ruleSet() *ruleSet {
	for _, s := range ruleSets {
		if s.name == r {
			return s
		}
	}
	return ruleSets[0]
}

// ruleSet returns the rule set under which the contract runs.
func (c Contract) ruleSet() *ruleSet { return c.Rules.ruleSet() }

// has reports whether the rule set knows a message, member or attribute.
func (s *ruleSet) has(name string) bool { return !slices.Contains(s.absentNames, name) }

// HasAdditionalMinters reports whether accounts other than the minter may mint, as
// v0.22.0 introduced (spec §14).
func (r Rules) HasAdditionalMinters() bool { return r.ruleSet().has(additionalMinters) }

// HasBanner reports whether collections may have a banner, as v0.21.0 introduced
// (spec §14).
func (r Rules) HasBanner() bool { return r.ruleSet().has(bannerURL) }

// CanAnyoneChangeRoyalty reports whether any account may change the royalty, a
// mistake that v0.22.0 corrected (spec §7).
func (r Rules) CanAnyoneChangeRoyalty() bool { return r.ruleSet().royalty == RuleAnyone }

// IgnoresUnknownMembers reports whether messages may have unknown members, which
// other rule sets refuse.
func (r Rules) IgnoresUnknownMembers() bool { return r.ruleSet().ignoresUnknown }

// MaxShareIncrease returns how much one update may raise a royalty's share. ok is
// false if only [MaxShare] limits the share.
func (r Rules) MaxShareIncrease() (increase Share, ok bool) {
	increase = r.ruleSet().maxShareIncrease
	return increase, increase != Share{}
}

// IgnoredMember is a member of a message that the contract does not know and ignores under
// the given rules. Versions since v0.20.0 do so (spec §14).
type IgnoredMember struct {
	wire.Ignored
	Rules Rules
}

// String describes the member and suggests a similar one that the message knows:
// "expirse: ignored by v0.22.0: did you mean expires?".
func (m IgnoredMember) String() string {
	text := m.Field + ": ignored by " + string(m.Rules)
	name := m.Field[strings.LastIndexByte(m.Field, '.')+1:]
	if nearest := wire.Nearest(name, m.Known); nearest != "" {
		text += ": did you mean " + nearest + "?"
	}
	return text
}

// Version returns the name and version of its code that the contract stores in the record
// contract_info.
func (c Contract) Version() Version {
	return Version{Contract: c.codeName(), Version: c.ruleSet().version}
}

// IdentifyCode returns the rules and the flavour of the code that a contract_info
// names. The rules are those of the release 0.n, with all of its patches. They are empty
// for code that is no known release of cw721 0.19 to 0.22. The flavour is empty if the
// name does not show it.
func IdentifyCode(v Version) (rules Rules, flavour Flavour) {
	for _, f := range []Flavour{FlavourBase, FlavourOnchain} {
		if strings.HasSuffix(v.Contract, "cw721-"+string(f)) {
			flavour = f
		}
	}

	var minor uint
	_, err := fmt.Sscanf(v.Version, "0.%d", &minor)
	release := Rules(fmt.Sprintf("v0.%d.0", minor))
	if err != nil || flavour == "" || !release.IsKnown() {
		return "", flavour
	}
	return release, flavour
}

// DifferenceFrom compares r with the rules of the code that a contract_info names. It
// describes the difference, or why it is not known, and returns "" if there is none.
func (r Rules) DifferenceFrom(v Version) string {
	released, _ := IdentifyCode(v)
	switch {
	case v == Version{}:
		return "there is no contract_info, so the contract's rules are not known"
	case released == "":
		return fmt.Sprintf("contract_info names %s %s, whose rules are not known", v.Contract, v.Version)
	case released != r:
		return fmt.Sprintf("contract_info names %s %s, whose rules are %s", v.Contract, v.Version, released)
	}
	return ""
}
