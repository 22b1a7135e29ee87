package scenario

import (
	"context"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Player plays the steps of one scenario on a chain.
type Player struct {
	File string // the file name in mismatches and errors

	chain      *chain.Chain
	invariants Invariants // of the header; they must hold after every step
	// answeredInvariants has the indexes of the [Nobody] invariants that a search answered
	// after some step.
	answeredInvariants map[int]bool
	// pendingGenesis is the first state of the chain until a message creates it, and then nil.
	pendingGenesis *chain.Genesis
	stepCount      int             // the steps that were played, including the current one
	ctx            context.Context // cancels the search that checks a [Nobody] claim
}

// NewPlayer starts a scenario on an empty chain. If the header names a dump, the chain
// begins with the collection in it, and otherwise without a collection. NewPlayer fails
// with an [*Error] for a dump that cannot be read.
func NewPlayer(c *chain.Chain, header Header, options Options) (*Player, error) {
	genesis, err := header.Genesis()
	if err != nil {
		return nil, err
	}
	genesis.Module = options.Module

	// The chain begins empty, or with the records of the dump.
	switch {
	case header.Import == "":
		if err := c.Begin(genesis); err != nil {
			return nil, err
		}
	case options.Import == nil:
		return nil, playErrorf("import", "a dump cannot be read here")
	default:
		if err := options.Import(c, genesis, header.Import); err != nil {
			return nil, playErrorf("import", "%w", err)
		}
	}
	return &Player{
		chain:              c,
		invariants:         header.Invariants,
		answeredInvariants: map[int]bool{},
		ctx:                context.Background(),
	}, nil
}

// joinChain starts a scenario on an existing chain, and adds the accounts of the header to
// it. It fails with an [*Error] if the scenario is for another collection than the chain
// has.
func joinChain(c *chain.Chain, header Header, module *chain.Module) (*Player, error) {
	if header.Import != "" {
		return nil, playErrorf("import",
			"the scenario begins with a dump, and is to be played on a collection that is there")
	}
	player := &Player{chain: c, invariants: header.Invariants, answeredInvariants: map[int]bool{}}

	// The first message of the scenario that is accepted creates a chain that does not exist
	// yet, so a refused message leaves it empty.
	config, exists := c.Config()
	if !exists {
		genesis, err := header.genesisOfEmptyChain(module)
		if err != nil {
			return nil, playErrorf("", "%w", err)
		}
		player.pendingGenesis = &genesis
		return player, nil
	}

	// Otherwise the scenario must fit the chain.
	err := c.View(func(view *chain.View) error { return header.checkFits(view.Config) })
	if err != nil {
		return nil, err
	}
	return player, addAccounts(c, config.Prefix, header)
}

// genesisOfEmptyChain returns the state with which an empty chain will begin: that of the
// header, with the defaults and the compiled contract, if there is one.
func (h Header) genesisOfEmptyChain(module *chain.Module) (chain.Genesis, error) {
	genesis, err := h.Genesis()
	if err != nil {
		return genesis, err
	}

	// The clock can move before the chain exists, so it needs its defaults now.
	completeGenesis, err := genesis.WithDefaults()
	if err != nil || module == nil {
		return completeGenesis, err
	}

	// A compiled contract has rules of its own, so those of the header get no default.
	completeGenesis.Module = module
	completeGenesis.Rules = h.Rules
	return completeGenesis, nil
}

// checkFits fails if the header names other rules, another prefix of addresses or another
// flavour than the configuration of an existing chain. What the header leaves out fits.
func (h Header) checkFits(config chain.Config) error {
	const format = "the scenario is for %s, and the collection has %s"
	prefix := h.impliedPrefix()
	switch {
	case h.Rules != "" && h.Rules != config.Rules:
		return playErrorf("rules", format, h.Rules, config.Rules)
	case prefix != "" && prefix != config.Prefix:
		return playErrorf("prefix", format, prefix, config.Prefix)
	case h.Flavour != "" && h.Flavour != config.Flavour:
		return playErrorf("flavour", format, h.Flavour, config.Flavour)
	}
	return nil
}

// addAccounts adds those accounts of a header to an existing chain that the chain lacks. It
// fails with an [*Error], and adds none, if the chain has another address for the name of an
// account, another name for its address, or lets it receive tokens in another way.
func addAccounts(c *chain.Chain, prefix string, header Header) error {
	existingAccounts, err := chain.Read(c, (*chain.View).Accounts)
	if err != nil {
		return err
	}
	accountByName := map[string]chain.Account{}
	nameByAddress := map[cw721.Address]string{}
	for _, account := range existingAccounts {
		accountByName[account.Name] = account
		nameByAddress[account.Address] = account.Name
	}

	// Check all accounts before the first one is added.
	var missingAccounts []chain.Account
	for _, account := range header.chainAccounts() {
		if knownAccount, isKnown := accountByName[account.Name]; isKnown {
			if err := checkKnownAccount(account, knownAccount, prefix); err != nil {
				return err
			}
			continue
		}
		if otherName := nameByAddress[account.Address]; otherName != "" {
			return playErrorf("accounts."+account.Name,
				"the collection knows %s as %s",
				account.Address, otherName)
		}
		missingAccounts = append(missingAccounts, account)
	}

	for _, account := range missingAccounts {
		if _, err := c.AddAccount(account.Name, account.Address, account.Receiver); err != nil {
			return playErrorf("accounts."+account.Name, "%w", err)
		}
	}
	return nil
}

// checkKnownAccount fails if an account of a scenario contradicts the one of the same name on the
// chain. What the scenario leaves out is no contradiction.
func checkKnownAccount(account, knownAccount chain.Account, prefix string) error {
	if account.Address != "" && account.Address != knownAccount.Address {
		return playErrorf("accounts."+account.Name,
			"the scenario means %s, and the collection has the name for %s",
			account.Address, knownAccount.Address)
	}
	if account.Receiver == chain.ReceiverDefault {
		return nil
	}
	receiver, err := knownAccount.ResolveReceiver(prefix)
	if err != nil {
		return err
	}
	if account.Receiver != receiver {
		return playErrorf("contracts."+account.Name,
			"the scenario needs %s, and the collection has %s",
			account.Receiver, receiver)
	}
	return nil
}
