package scenario

import (
	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// join plays on a chain as it stands. An empty one is begun by the first
// message, in the same transaction, so that a refused one leaves it empty.
func join(c *chain.Chain, h Header, module *chain.Module) (*Player, error) {
	p := &Player{chain: c, book: map[string]cw721.Address{}, invariants: h.Invariants}
	if h.Import != "" {
		return nil, unfit("import", "the scenario begins with a dump, and is to be played on a collection that is there")
	}
	if _, ok := c.Config(); !ok {
		g, err := h.Genesis()
		if err == nil {
			g, err = g.WithDefaults() // the clock of it can be moved before it is made
		}
		if err != nil {
			return nil, unfit("", "%w", err)
		}
		g.Module = module
		p.genesis = &g
		return p, nil
	}
	cfg, err := chain.Read(c, func(v *chain.View) (chain.Config, error) { return v.Config, nil })
	if err != nil {
		return nil, err
	}
	prefix := h.saidPrefix()
	switch {
	case h.Rules != "" && h.Rules != cfg.Rules:
		return nil, unfit("rules", "the scenario is for %s, and the collection has %s", h.Rules, cfg.Rules)
	case prefix != "" && prefix != cfg.Prefix:
		return nil, unfit("prefix", "the scenario is for %s, and the collection has %s", prefix, cfg.Prefix)
	case h.Flavour != "" && h.Flavour != cfg.Flavour:
		return nil, unfit("flavour", "the scenario is for %s, and the collection has %s", h.Flavour, cfg.Flavour)
	}
	return p, introduce(c, cfg, h)
}

// introduce makes the scenario's names known to a chain that has names of its
// own. A name that means something else there is an error: nothing is renamed,
// and before the first such error nothing is added.
func introduce(c *chain.Chain, cfg chain.Config, h Header) error {
	known := map[string]chain.Account{}
	named := map[cw721.Address]string{}
	err := c.View(func(v *chain.View) error {
		all, err := v.Accounts()
		for _, a := range all {
			known[a.Name], named[a.Address] = a, a.Name
		}
		return err
	})
	if err != nil {
		return err
	}
	var strangers []chain.Account
	for _, a := range h.named() {
		k, there := known[a.Name]
		other := named[a.Address]
		switch {
		case !there && other != "":
			return unfit("accounts."+a.Name, "the collection knows %s as %s", a.Address, other)
		case !there:
			strangers = append(strangers, a)
		case a.Address != "" && a.Address != k.Address:
			return unfit("accounts."+a.Name, "the scenario means %s, and the collection has the name for %s", a.Address, k.Address)
		case a.Receiver != chain.ReceiverDefault:
			found, err := k.Found(cfg.Prefix)
			if err != nil {
				return err
			}
			if a.Receiver != found {
				return unfit("contracts."+a.Name, "the scenario needs %s, and the collection has %s", a.Receiver, found)
			}
		}
	}
	for _, a := range strangers {
		if _, err := c.AddAccount(a.Name, a.Address, a.Receiver); err != nil {
			return unfit("accounts."+a.Name, "%w", err)
		}
	}
	return nil
}
