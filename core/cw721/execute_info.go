package cw721

import (
	"cmp"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// RunInstantiate creates the collection from a decoded message; the checks and
// their order are those of spec §4.
func (c Contract) RunInstantiate(t kv.Txn, env Env, info Info, m *InstantiateMsg) (Response, error) {
	if m.Name == "" {
		return Response{}, errEmptyName.withField("name")
	}
	if m.Symbol == "" {
		return Response{}, errEmptySymbol.withField("symbol")
	}
	if m.Extension != nil {
		if err := m.Extension.check(c, "collection_info_extension", nil); err != nil {
			return Response{}, err
		}
	}
	minter, creator := *cmp.Or(m.Minter, &info.Sender), *cmp.Or(m.Creator, &info.Sender)
	if err := cmp.Or(c.checkAddress(minter, "minter"), c.checkAddress(creator, "creator")); err != nil {
		return Response{}, err
	}
	if m.WithdrawAddress != nil {
		if err := c.checkAddress(*m.WithdrawAddress, "withdraw_address"); err != nil {
			return Response{}, err
		}
	}

	x := &execution{call: call{Contract: c, reader: t, env: env, sender: info.Sender}, writer: t}
	x.addAttributes("minter", string(minter), "creator", string(creator))
	err := cmp.Or(
		versionItem.Save(t, c.Version()),
		infoItem.Save(t, CollectionInfo{m.Name, m.Symbol, env.Block.Time}),
		x.saveExtension(m.Extension, nil),
		minterItem.Save(t, Ownership{Owner: &minter}),
		creatorItem.Save(t, Ownership{Owner: &creator}),
	)
	if m.WithdrawAddress != nil {
		err = cmp.Or(err, withdrawItem.Save(t, *m.WithdrawAddress))
	}
	return x.response, err
}

// saveExtension stores the message over what is there; no message stores
// nothing.
func (x *execution) saveExtension(m *CollectionExtensionMsg, old *CollectionExtension) error {
	if m == nil {
		return nil
	}
	e := m.merge(old)
	for _, f := range e.fields() {
		if !x.ruleSet().has(f.key) {
			continue
		}
		if err := extensionMap.Save(x.writer, f.key, Attribute{f.key, wire.Encode(f.member)}); err != nil {
			return err
		}
	}
	return nil
}

// checkNames is the one check of update_collection_info that comes before
// rights (spec §7 step 1).
func (m *UpdateCollectionInfo) checkNames() error {
	switch info := m.CollectionInfo; {
	case info.Name != nil && *info.Name == "":
		return errEmptyName.withField("collection_info.name")
	case info.Symbol != nil && *info.Symbol == "":
		return errEmptySymbol.withField("collection_info.symbol")
	}
	return nil
}

// decide asks for each role that the members given need, in the contract's
// order (spec §7 steps 2 to 4).
func (m *UpdateCollectionInfo) decide(c *call) (*Decision, error) {
	if err := m.checkNames(); err != nil {
		return nil, err
	}
	minter, creator, err := LoadRoles(c.reader)
	if err != nil {
		return nil, err
	}
	d := c.newDecision()
	d.RequiresAll = true
	named, described := m.creatorMembers(c.Rules)
	if len(named) > 0 && !d.checkRole(RuleCreator, creator, named...) {
		return d.conclude(false, errNotCreator), nil
	}
	if e := m.CollectionInfo.Extension; e != nil && e.StartTradingTime != nil && !d.checkRole(RuleMinter, minter, "start_trading_time") {
		return d.conclude(false, errNotMinter), nil
	}
	if len(described) > 0 && !d.checkRole(RuleCreator, creator, described...) {
		return d.conclude(false, errNotCreator), nil
	}
	if len(d.Checks) == 0 {
		d.Checks = []Check{{Rule: RuleAnyone, Passed: true}}
	}
	return d.conclude(true, nil), nil
}

// creatorMembers lists the members that only the creator may change: those of the
// collection itself, and those of its extension.
func (m *UpdateCollectionInfo) creatorMembers(rules Rules) (named, described []string) {
	add := func(list *[]string, name string, given bool) {
		if given {
			*list = append(*list, name)
		}
	}
	add(&named, "name", m.CollectionInfo.Name != nil)
	add(&named, "symbol", m.CollectionInfo.Symbol != nil)
	if e := m.CollectionInfo.Extension; e != nil {
		add(&described, "description", e.Description != nil)
		add(&described, "image", e.Image != nil)
		add(&described, "external_link", e.ExternalLink != nil)
		add(&described, bannerURL, e.BannerURL != nil)
		add(&described, "explicit_content", e.ExplicitContent != nil)
		add(&described, "royalty_info", e.RoyaltyInfo != nil && !rules.CanAnyoneChangeRoyalty())
	}
	return named, slices.Clip(described)
}

func (m *UpdateCollectionInfo) execute(x *execution) error {
	old, err := LoadExtension(x.reader)
	if err != nil {
		return err
	}
	if e := m.CollectionInfo.Extension; e != nil {
		var royalty *RoyaltyInfo
		if old != nil {
			royalty = old.RoyaltyInfo
		}
		if err := e.check(x.Contract, "collection_info.extension", royalty); err != nil {
			return err
		}
	}
	info, _, err := infoItem.Load(x.reader)
	if err != nil {
		return err
	}
	info.Name, info.Symbol = *cmp.Or(m.CollectionInfo.Name, &info.Name), *cmp.Or(m.CollectionInfo.Symbol, &info.Symbol)
	x.addActionAttributes("update_collection_info")
	return cmp.Or(infoItem.Save(x.writer, info), x.saveExtension(m.CollectionInfo.Extension, old))
}
