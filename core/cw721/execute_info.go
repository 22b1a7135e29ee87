package cw721

import (
	"cmp"
	"reflect"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// RunInstantiate creates the collection from a decoded message. A refusal is an
// [*Error] and leaves txn as it was; any other failure may have written to txn.
func (c Contract) RunInstantiate(txn kv.Txn, env Env, info Info, m *InstantiateMsg) (Response, error) {
	minter := *cmp.Or(m.Minter, &info.Sender)
	creator := *cmp.Or(m.Creator, &info.Sender)
	if err := m.check(c, minter, creator); err != nil {
		return Response{}, err
	}

	x := c.newExecution(txn, env, info)
	x.addAttributes("minter", string(minter), "creator", string(creator))
	collection := CollectionInfo{Name: m.Name, Symbol: m.Symbol, UpdatedAt: env.Block.Time}

	// All of these write, even if an earlier one fails. The caller then discards the writes.
	err := cmp.Or(
		versionItem.Save(txn, c.Version()),
		infoItem.Save(txn, collection),
		x.saveExtension(m.Extension, nil),
		minterItem.Save(txn, Ownership{Owner: &minter}),
		creatorItem.Save(txn, Ownership{Owner: &creator}),
	)
	if err != nil || m.WithdrawAddress == nil {
		return x.response, err
	}
	return x.response, withdrawItem.Save(txn, *m.WithdrawAddress)
}

// check refuses a message with an invalid member, in the contract's order (spec §4). minter
// and creator are the accounts that get the roles. Each is the message's, or the sender if
// the message names none.
func (m *InstantiateMsg) check(c Contract, minter, creator Address) error {
	return cmp.Or(
		refuseEmpty(&m.Name, errEmptyName, "name"),
		refuseEmpty(&m.Symbol, errEmptySymbol, "symbol"),
		m.Extension.check(c, "collection_info_extension", nil),
		c.checkAddress(minter, "minter"),
		c.checkAddress(creator, "creator"),
		c.checkOptionalAddress(m.WithdrawAddress, "withdraw_address"),
	)
}

// saveExtension merges the message into the collection's stored extension and writes each
// member of the result as an attribute. A nil message writes nothing.
func (x *execution) saveExtension(m *CollectionExtensionMsg, stored *CollectionExtension) error {
	if m == nil {
		return nil
	}

	merged := m.merge(stored)
	for _, field := range merged.fields() {
		if !x.ruleSet().has(field.key) { // a banner under older rule sets
			continue
		}

		attribute := Attribute{Key: field.key, Value: wire.Encode(field.member)}
		if err := extensionMap.Save(x.writer, field.key, attribute); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses an empty name or symbol. The contract checks the names before the
// permission of the sender, and everything else in the message after it (spec §7 step 1).
func (m *UpdateCollectionInfo) checkNames() error {
	info := m.CollectionInfo
	return cmp.Or(
		refuseEmpty(info.Name, errEmptyName, "collection_info.name"),
		refuseEmpty(info.Symbol, errEmptySymbol, "collection_info.symbol"),
	)
}

// decide decides whether the sender may change every member that the message has. The
// start of trading requires the minter's role, and most other members require the creator's
// (spec §7 steps 2 to 4). Anyone may send a message without such members.
func (m *UpdateCollectionInfo) decide(c *call) (*Decision, error) {
	if err := m.checkNames(); err != nil {
		return nil, err
	}
	minter, creator, err := CurrentLayout.LoadRoles(c.reader)
	if err != nil {
		return nil, err
	}

	// Each of the checks must pass, and the first that fails refuses the message.
	decision := c.newDecision()
	decision.RequiresAll = true

	// The name and the symbol belong to the creator.
	names := setMembers(m.CollectionInfo, "extension")
	if len(names) > 0 && !decision.addHolderCheck(RuleCreator, creator.Owner, names...) {
		return decision.conclude(false, errNotCreator), nil
	}

	// The start of trading belongs to the minter.
	extension := cmp.Or(m.CollectionInfo.Extension, &CollectionExtensionMsg{})
	if extension.StartTradingTime != nil && !decision.addHolderCheck(RuleMinter, minter.Owner, "start_trading_time") {
		return decision.conclude(false, errNotMinter), nil
	}

	// The other members of the extension belong to the creator. Some rule sets leave the
	// royalty to anyone.
	exceptions := []string{"start_trading_time"}
	if c.Rules.CanAnyoneChangeRoyalty() {
		exceptions = append(exceptions, "royalty_info")
	}
	members := setMembers(*extension, exceptions...)
	if len(members) > 0 && !decision.addHolderCheck(RuleCreator, creator.Owner, members...) {
		return decision.conclude(false, errNotCreator), nil
	}

	// Without a check so far, the message changes nothing that is protected.
	if len(decision.Checks) == 0 {
		decision.Checks = []Check{{Rule: RuleAnyone, Passed: true}}
	}
	return decision.conclude(true, nil), nil
}

// setMembers returns the JSON names of the members that are set in a message. It leaves out
// the names in exceptions. The message is a struct whose fields are all pointers, and a nil
// pointer is a member that is not set.
func setMembers(message any, exceptions ...string) []string {
	fields := reflect.ValueOf(message)
	var names []string
	for _, member := range wire.PlanOf(fields.Type()).Fields {
		isSet := !fields.Field(member.Index).IsNil()
		if isSet && !slices.Contains(exceptions, member.Name) {
			names = append(names, member.Name)
		}
	}
	return names
}

// execute changes the members of the collection that the message has, and keeps the others.
func (m *UpdateCollectionInfo) execute(x *execution) error {
	stored, err := LoadExtension(x.reader)
	if err != nil {
		return err
	}

	// Check the new values. A royalty may depend on the stored one.
	storedRoyalty := cmp.Or(stored, &CollectionExtension{}).RoyaltyInfo
	extension := m.CollectionInfo.Extension
	if err := extension.check(x.Contract, "collection_info.extension", storedRoyalty); err != nil {
		return err
	}

	// Replace the names that the message has.
	info, _, err := infoItem.Load(x.reader)
	if err != nil {
		return err
	}
	info.Name = *cmp.Or(m.CollectionInfo.Name, &info.Name)
	info.Symbol = *cmp.Or(m.CollectionInfo.Symbol, &info.Symbol)
	if err := infoItem.Save(x.writer, info); err != nil {
		return err
	}

	x.addActionAttributes("update_collection_info")
	return x.saveExtension(extension, stored)
}
