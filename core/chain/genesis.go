package chain

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"ephemera/core/cw721"
)

// Config has the settings of a chain that are fixed when the chain is made.
type Config struct {
	Rules         cw721.Rules   `wire:"rules"` // empty for a contract of no known release
	Flavour       cw721.Flavour `wire:"flavour"`
	Prefix        string        `wire:"prefix"` // the bech32 prefix of all addresses
	Self          cw721.Address `wire:"self"`   // the contract's address
	SkipsDelivery bool          `wire:"record"` // records outgoing messages without delivering them
	About         string        `wire:"about"`  // the collection for people, in a word such as "demo"
}

// Contract returns the built-in contract with the config's rules, flavour and prefix.
func (c Config) Contract() cw721.Contract {
	return cw721.Contract{Rules: c.Rules, Flavour: c.Flavour, Prefix: c.Prefix}
}

// DefaultPrefix is the bech32 prefix of addresses if none is given.
const DefaultPrefix = "cosmos"

// WithDefaults fills in empty fields: metadata-onchain, cosmos, and the standard rules.
func (c Config) WithDefaults() Config {
	c.Rules = cmp.Or(c.Rules, cw721.RulesStandard)
	c.Flavour = cmp.Or(c.Flavour, cw721.FlavourOnchain)
	c.Prefix = cmp.Or(c.Prefix, DefaultPrefix)
	return c
}

// Genesis is what a new chain starts from. [Genesis.WithDefaults] fills in empty fields.
type Genesis struct {
	Config
	Clock    Clock
	Accounts []Account
	// Instantiator is the account that created an imported collection, which is not in the
	// collection's records; empty if unknown. For a new collection it is ignored, since that
	// is created by the sender of the instantiate message.
	Instantiator cw721.Address
	// Module is the compiled contract to run; nil for the built-in one. A module of a known
	// release has the rules of this release, and the field Rules is only used for any other
	// module. If the field Flavour is set, it takes precedence over the flavour of the module
	// until a migration.
	Module *Module
	// RulesMustFit makes it an error if the module has other rules than those in Rules.
	RulesMustFit bool
	// Converted reports whether the records of an import were converted from an older layout,
	// which has no rules of its own. It is called after the records are read. Nil means that
	// none was converted.
	Converted func() bool
	// KeepsLayout makes an import take records in an older layout as they are. Without rules
	// for them, they can only be read.
	KeepsLayout bool
	// OnContradiction is called if the records of an import contradict each other, before
	// they are repaired. sentence tells the user what is wrong, and what is computed again
	// from the tokens. If OnContradiction is nil, such an import fails.
	OnContradiction func(sentence string)
	// OnKeptMembers is called at the end of an import with a sentence for the user if tokens have
	// members that cw721 does not know. It can be nil.
	OnKeptMembers func(sentence string)
}

// WithDefaults fills in the empty fields: those of the config as [Config.WithDefaults] does,
// the height 1, five seconds per block, and an address for the contract. Empty rules of a
// compiled contract stay empty. WithDefaults fails with a [*FieldError] for unknown rules, an
// unknown flavour, a prefix that cannot begin an address, or an invalid address of the
// contract, and with a [*RangeError] if the seconds per block are out of range.
func (g Genesis) WithDefaults() (Genesis, error) {
	requestedRules := g.Rules
	g.Config = g.Config.WithDefaults()

	if g.Module != nil {
		g.Rules = requestedRules
	}

	g.Clock.Height = max(g.Clock.Height, 1)
	g.Clock.SecondsPerBlock = cmp.Or(g.Clock.SecondsPerBlock, DefaultSecondsPerBlock)
	if err := checkPace(g.Clock.SecondsPerBlock); err != nil {
		return g, err
	}
	if g.Rules != "" {
		if err := checkRules(g.Rules); err != nil {
			return g, err
		}
	}
	if err := checkFlavour(g.Flavour); err != nil {
		return g, err
	}

	defaultSelf, err := AddressFor(g.Prefix, "ephemera", cw721.ContractBytes)
	if err != nil {
		return g, err
	}
	g.Self = cmp.Or(g.Self, defaultSelf)
	if err := cw721.ValidateAddress(g.Prefix, g.Self); err != nil {
		return g, fieldErrorf("self", "%v", err)
	}
	return g, nil
}

func checkRules(rules cw721.Rules) error {
	if rules.IsKnown() {
		return nil
	}
	var names []string
	for _, ruleSet := range cw721.AllRules() {
		names = append(names, string(ruleSet))
	}
	return fieldErrorf(
		"rules",
		"%q is no rule set, expected one of %s",
		rules,
		strings.Join(names, ", "),
	)
}

func checkFlavour(flavour cw721.Flavour) error {
	if flavour.IsKnown() {
		return nil
	}
	return fieldErrorf("flavour", "%q is no flavour, expected base or metadata-onchain", flavour)
}

// ParseHeight parses a whole number from 1, or fails with a [*FieldError].
func ParseHeight(text string) (cw721.Height, error) {
	height, err := strconv.ParseUint(text, 10, 64)
	if err != nil || height == 0 {
		return 0, fieldErrorf(
			"height",
			"%q is no block height, expected a whole number from 1 to %d",
			text,
			uint64(math.MaxUint64),
		)
	}
	return cw721.Height(height), nil
}

// GenesisFields are the fields of a new chain as a person writes them, or empty.
type GenesisFields struct {
	Rules   string // such as "standard"
	Flavour string // such as "base"
	Prefix  string // of all addresses, such as "cosmos"
	Height  string // of the first block, such as "1200"
}

// ParseGenesis parses those fields of a new chain that are not empty. Rules that are given must
// also be those of the compiled contract, if there is one. problems has a [*FieldError] for each
// invalid field. An invalid prefix is dropped, so that the names of accounts can still be resolved.
func ParseGenesis(fields GenesisFields) (genesis Genesis, problems []error) {
	addProblem := func(err error) {
		if err != nil {
			problems = append(problems, err)
		}
	}

	if fields.Rules != "" {
		genesis.Rules = cw721.Rules(fields.Rules)
		genesis.RulesMustFit = true
		addProblem(checkRules(genesis.Rules))
	}
	if fields.Flavour != "" {
		genesis.Flavour = cw721.Flavour(fields.Flavour)
		addProblem(checkFlavour(genesis.Flavour))
	}

	if fields.Prefix != "" {
		_, err := AddressFor(fields.Prefix, "", cw721.AccountBytes)
		if err == nil {
			genesis.Prefix = fields.Prefix
		}
		addProblem(err)
	}
	if fields.Height != "" {
		height, err := ParseHeight(fields.Height)
		genesis.Clock.Height = height
		addProblem(err)
	}
	return genesis, problems
}
