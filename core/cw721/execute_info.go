package cw721

import (
	"cmp"
	"reflect"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// RunInstantiate creates the collection. A refusal is an [*Error] and leaves txn as it was; any
// other failure may have written to txn.
func (c Contract) RunInstantiate(txn kv.Txn, env Env, info Info, msg *InstantiateMsg) (Response, error) {
	minter := *cmp.Or(msg.Minter, &info.Sender)
	creator := *cmp.Or(msg.Creator, &info.Sender)
	if err := msg.check(c, minter, creator); err != nil {
		return Response{}, err
	}

	exec := c.newExecution(txn, env, info)
	exec.addAttributes("minter", string(minter), "creator", string(creator))
	collection := CollectionInfo{Name: msg.Name, Symbol: msg.Symbol, UpdatedAt: env.Block.Time}

	// All of these write, even if an earlier one fails. The caller then discards the writes.
	var storedExtension *CollectionExtension // a new collection has none
	err := cmp.Or(
		versionItem.Save(txn, c.Version()),
		infoItem.Save(txn, collection),
		exec.saveExtension(msg.Extension, storedExtension),
		minterItem.Save(txn, Ownership{Owner: &minter}),
		creatorItem.Save(txn, Ownership{Owner: &creator}),
	)
	if msg.WithdrawAddress != nil {
		err = cmp.Or(err, withdrawItem.Save(txn, *msg.WithdrawAddress))
	}
	return exec.response, err
}

// check refuses a message with an invalid member, in the contract's order (spec §4). minter
// and creator are the accounts that get the roles.
func (m *InstantiateMsg) check(contract Contract, minter, creator Address) error {
	var storedRoyalty *RoyaltyInfo // a new collection has none

	return cmp.Or(
		refuseEmpty(&m.Name, errEmptyName, "name"),
		refuseEmpty(&m.Symbol, errEmptySymbol, "symbol"),
		m.Extension.check(contract, "collection_info_extension", storedRoyalty),
		contract.checkAddress(minter, "minter"),
		contract.checkAddress(creator, "creator"),
		contract.checkOptionalAddress(m.WithdrawAddress, "withdraw_address"),
	)
}

// saveExtension merges changes into the stored extension and writes it, unless changes is nil.
func (e *execution) saveExtension(
	changes *CollectionExtensionMsg,
	storedExtension *CollectionExtension,
) error {
	if changes == nil {
		return nil
	}

	extension := changes.merge(storedExtension)
	for _, field := range extension.fields() {
		// Older rule sets have no banner.
		if !e.ruleSet().has(field.key) {
			continue
		}

		attribute := Attribute{Key: field.key, Value: wire.Encode(field.member)}
		if err := extensionMap.Save(e.writer, field.key, attribute); err != nil {
			return err
		}
	}
	return nil
}

// decideInfoUpdate decides whether the sender may change every member that the message has. The
// start of trading requires the minter's role, and most other members require the creator's
// (spec §7 steps 2 to 4). Anyone may send a message without such members.
func (c *call) decideInfoUpdate(m *UpdateCollectionInfo) (*Decision, error) {
	// The contract checks the names before the permission, and everything else in the message
	// after it (spec §7 step 1).
	err := cmp.Or(
		refuseEmpty(m.CollectionInfo.Name, errEmptyName, "collection_info.name"),
		refuseEmpty(m.CollectionInfo.Symbol, errEmptySymbol, "collection_info.symbol"),
	)
	if err != nil {
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
	nameMembers := namesOfSetMembers(m.CollectionInfo, "extension")
	if len(nameMembers) > 0 {
		if !decision.addHolderCheck(RuleCreator, creator.Owner, nameMembers...) {
			return decision.refuseWith(errNotCreator), nil
		}
	}

	// The start of trading belongs to the minter.
	extension := cmp.Or(m.CollectionInfo.Extension, &CollectionExtensionMsg{})
	if extension.StartTradingTime != nil {
		if !decision.addHolderCheck(RuleMinter, minter.Owner, "start_trading_time") {
			return decision.refuseWith(errNotMinter), nil
		}
	}

	// The other members of the extension belong to the creator. Some rule sets leave the
	// royalty to anyone.
	exceptions := []string{"start_trading_time"}
	if c.Rules.CanAnyoneChangeRoyalty() {
		exceptions = append(exceptions, "royalty_info")
	}
	extensionMembers := namesOfSetMembers(*extension, exceptions...)
	if len(extensionMembers) > 0 {
		if !decision.addHolderCheck(RuleCreator, creator.Owner, extensionMembers...) {
			return decision.refuseWith(errNotCreator), nil
		}
	}

	// Without a check so far, the message changes nothing that is protected.
	if len(decision.Checks) == 0 {
		decision.Checks = []Check{{Rule: RuleAnyone, Passed: true}}
	}
	return decision.allow(), nil
}

// namesOfSetMembers returns the JSON names of the members that are set in a message, without
// exceptions. The message is a struct of pointers, and a nil pointer is not set.
func namesOfSetMembers(message any, exceptions ...string) []string {
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

func (m *UpdateCollectionInfo) execute(exec *execution) error {
	storedExtension, err := LoadExtension(exec.reader)
	if err != nil {
		return err
	}

	// Check the new values. A royalty may depend on the stored one.
	storedRoyalty := cmp.Or(storedExtension, &CollectionExtension{}).RoyaltyInfo
	extension := m.CollectionInfo.Extension
	if err := extension.check(exec.Contract, "collection_info.extension", storedRoyalty); err != nil {
		return err
	}

	// Replace the names that the message has.
	info, _, err := infoItem.Load(exec.reader)
	if err != nil {
		return err
	}
	info.Name = *cmp.Or(m.CollectionInfo.Name, &info.Name)
	info.Symbol = *cmp.Or(m.CollectionInfo.Symbol, &info.Symbol)
	if err := infoItem.Save(exec.writer, info); err != nil {
		return err
	}

	exec.addActionAttributes("update_collection_info")
	return exec.saveExtension(extension, storedExtension)
}
