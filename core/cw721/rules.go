package cw721

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/wire"
)

// Rules names a rule set, which says how one version of the contract behaves. The released
// versions differ in a few rules, and some of the differences are mistakes (spec §0.2).
type Rules string

// The rule sets.
const (
	RulesStandard Rules = "standard" // the interface as documented; the default
	RulesV019     Rules = "v0.19.0"  // as released: anyone may change royalties
	RulesV020     Rules = "v0.20.0"  // as released: like v0.19.0, but unknown members are ignored
	RulesV021     Rules = "v0.21.0"  // as released: like v0.20.0, and a collection may have a banner
	RulesV022     Rules = "v0.22.0"  // as released: additional minters; the creator sets royalties
)

// ruleSet says in what one version of the contract differs from the others. To add a
// version, add an entry to ruleSets. For a new difference, add a field here, and read it
// where the contract behaves differently.
type ruleSet struct {
	name                     Rules
	version                  string   // in contract_info (cw2)
	absentNames              []string // messages, members and attributes that only later versions know
	ignoresUnknownMembers    bool     // unknown members of messages are ignored, not refused
	anyoneChangesRoyalty     bool     // every account may change the royalty, not only the creator
	maxShareIncrease         Share    // how much one update may raise a share; 0 if only [MaxShare] limits it
	checksExtensionFirst     bool     // a mint message's extension is checked before its owner
	validatesApprovalSpender bool     // the query approval validates its spender before it loads the token
	burnReportsOwner         bool     // burn has an attribute with the owner
	updateReportsURI         bool     // update_nft_info has an attribute with the URI
}

// namesSinceV022 are the messages, members and attributes that v0.22.0 introduced.
var namesSinceV022 = []string{
	addMinterMessage,
	removeMinterMessage,
	additionalMintersName,
	"get_" + additionalMintersName,
}

// namesSinceV021 are the names that v0.20.0 does not know yet: the banner, which v0.21.0
// introduced, and all that v0.22.0 introduced.
var namesSinceV021 = append([]string{bannerURLName}, namesSinceV022...)

// ruleSets are all rule sets, the default first.
var ruleSets = []*ruleSet{
	{
		name:                     RulesStandard,
		version:                  "0.19.0",
		absentNames:              namesSinceV021,
		validatesApprovalSpender: true,
	},
	{
		name:                 RulesV019,
		version:              "0.19.0",
		absentNames:          namesSinceV021,
		anyoneChangesRoyalty: true, // a mistake that v0.22.0 corrects
		maxShareIncrease:     Percent(2),
		checksExtensionFirst: true,
	},
	{
		name:                     RulesV020,
		version:                  "0.20.0",
		absentNames:              namesSinceV021,
		ignoresUnknownMembers:    true,
		anyoneChangesRoyalty:     true,
		maxShareIncrease:         Percent(2),
		validatesApprovalSpender: true,
	},
	{
		name:                     RulesV021,
		version:                  "0.21.0",
		absentNames:              namesSinceV022,
		ignoresUnknownMembers:    true,
		anyoneChangesRoyalty:     true,
		maxShareIncrease:         Percent(2),
		validatesApprovalSpender: true,
		burnReportsOwner:         true,
	},
	{
		name:                     RulesV022,
		version:                  "0.22.0",
		ignoresUnknownMembers:    true,
		maxShareIncrease:         Percent(2),
		validatesApprovalSpender: true,
		burnReportsOwner:         true,
		updateReportsURI:         true,
	},
}

// AllRules returns the rule sets, the default first.
func AllRules() []Rules {
	names := make([]Rules, len(ruleSets))
	for i, s := range ruleSets {
		names[i] = s.name
	}
	return names
}

// IsKnown reports whether r names a rule set.
func (r Rules) IsKnown() bool { return r.ruleSet().name == r }

// ruleSet returns the default rule set for an unknown name.
func (r Rules) ruleSet() *ruleSet {
	for _, s := range ruleSets {
		if s.name == r {
			return s
		}
	}
	return ruleSets[0]
}

func (c Contract) ruleSet() *ruleSet { return c.Rules.ruleSet() }

func (s *ruleSet) has(name string) bool { return !slices.Contains(s.absentNames, name) }

// HasAdditionalMinters reports whether accounts other than the minter may mint, as
// v0.22.0 introduced (spec §14).
func (r Rules) HasAdditionalMinters() bool { return r.ruleSet().has(additionalMintersName) }

// HasBanner reports whether collections may have a banner, as v0.21.0 introduced
// (spec §14).
func (r Rules) HasBanner() bool { return r.ruleSet().has(bannerURLName) }

// CanAnyoneChangeRoyalty reports whether any account may change the royalty, a
// mistake that v0.22.0 corrected (spec §7).
func (r Rules) CanAnyoneChangeRoyalty() bool { return r.ruleSet().anyoneChangesRoyalty }

// IgnoresUnknownMembers reports whether messages may have unknown members, which
// other rule sets refuse.
func (r Rules) IgnoresUnknownMembers() bool { return r.ruleSet().ignoresUnknownMembers }

// MaxShareIncrease returns how much one update may raise a royalty's share. ok is
// false if only [MaxShare] limits the share.
func (r Rules) MaxShareIncrease() (increase Share, ok bool) {
	increase = r.ruleSet().maxShareIncrease
	return increase, increase != Share{}
}

// IgnoredMember is a member of a message that the contract does not know. Versions since
// v0.20.0 ignore such members (spec §14), and all versions do in a message without a meaning
// of its own, such as update_extension. Rules names the rule set that did.
type IgnoredMember struct {
	wire.UnknownMember
	Rules Rules
}

// String describes the member and suggests a similar one that the message knows:
// "expirse: ignored by v0.22.0: did you mean expires?".
func (m IgnoredMember) String() string {
	text := m.Field + ": ignored by " + string(m.Rules)
	nearest := wire.NearestName(m.Name, m.KnownNames)
	if nearest == "" {
		return text
	}
	return text + ": did you mean " + nearest + "?"
}

// Version returns what the contract stores in the record contract_info: the name of its
// code and the version of that code.
func (c Contract) Version() Version {
	return Version{Contract: "crates.io:cw721-" + string(c.Flavour), Number: c.ruleSet().version}
}

// IdentifyCode returns the rules and the flavour of the code that a contract_info names.
// The name decides, exactly: "x-cw721-base" is another contract, and nothing is known about it.
// All patches of a release have its rules, so 0.19.1 has those of v0.19.0. The rules are ""
// for code that is no release of cw721 from 0.19 to 0.22. The flavour is "" if the name is
// not known.
func IdentifyCode(version Version) (rules Rules, flavour Flavour) {
	suffix, isCW721 := strings.CutPrefix(version.CodeName(), "cw721-")
	flavour = Flavour(suffix)
	if !isCW721 || !flavour.IsKnown() {
		return "", ""
	}

	// The minor version number tells the release. A version before a release, such as
	// 0.19.0-rc1, can have other rules.
	var minor, patch uint
	_, err := fmt.Sscanf(version.Number, "0.%d.%d", &minor, &patch)
	release := Rules(fmt.Sprintf("v0.%d.0", minor))
	if err != nil || version.Number != fmt.Sprintf("0.%d.%d", minor, patch) || !release.IsKnown() {
		return "", flavour
	}
	return release, flavour
}

// DescribeDifference returns a clause for people that says how r differs from the rules of
// the code that a contract_info names, or why the code's rules are not known. It returns ""
// if the rules are the same.
func (r Rules) DescribeDifference(version Version) string {
	if version == (Version{}) {
		return "there is no contract_info, so the contract's rules are not known"
	}

	code := "contract_info names " + version.Contract + " " + version.Number
	codeRules, _ := IdentifyCode(version)
	switch codeRules {
	case "":
		return code + ", whose rules are not known"
	case r:
		return ""
	}
	return code + ", whose rules are " + string(codeRules)
}
