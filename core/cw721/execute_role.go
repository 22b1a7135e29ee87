package cw721

import (
	"cmp"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// roleItem is the stored record of the minter's or the creator's role: who holds it, and
// to whom it is offered.
type roleItem = kv.Item[Ownership]

// executeRoleChange offers, accepts or renounces the role in a record (spec §6). If the
// minter's role changes hands, all additional minters are removed (spec §14). roleName
// is [RuleMinter] or [RuleCreator].
func executeRoleChange(exec *execution, roleName Rule, roleRecord roleItem, action OwnershipAction) error {
	role, _, err := roleRecord.Load(exec.reader)
	if err != nil {
		return err
	}

	offer := action.Transfer
	switch {
	case offer != nil:
		// As in the contract, the expiry may be in the past.
		if err := exec.checkAddress(offer.NewOwner, "new_owner"); err != nil {
			return err
		}
		role.PendingOwner = &offer.NewOwner
		role.PendingExpiry = offer.Expiry
	case action.Name == actionAccept:
		role = Ownership{Owner: role.PendingOwner}
	default: // renounce
		role = Ownership{}
	}

	// An offer alone changes nothing for the additional minters.
	if offer == nil && roleName == RuleMinter {
		if err := exec.removeAllMinters(); err != nil {
			return err
		}
	}

	// The attributes are the role as it is now. What it does not have is "none".
	none := Address("none")
	expiry := string(none)
	if role.PendingExpiry != nil {
		expiry = role.PendingExpiry.String()
	}
	exec.addAttributes(
		"update_"+string(roleName)+"_ownership", string(exec.sender),
		"owner", string(*cmp.Or(role.Owner, &none)),
		"pending_owner", string(*cmp.Or(role.PendingOwner, &none)),
		"pending_expiry", expiry,
	)
	return roleRecord.Save(exec.writer, role)
}

func (m *UpdateMinterOwnership) execute(exec *execution) error {
	return executeRoleChange(exec, RuleMinter, minterItem, m.OwnershipAction)
}

func (m *UpdateCreatorOwnership) execute(exec *execution) error {
	return executeRoleChange(exec, RuleCreator, creatorItem, m.OwnershipAction)
}

func (m *SetWithdrawAddress) execute(exec *execution) error {
	if err := exec.checkAddress(m.Address, "address"); err != nil {
		return err
	}
	exec.addAttributes("action", "set_withdraw_address", "address", string(m.Address))
	return withdrawItem.Save(exec.writer, m.Address)
}

func (m *RemoveWithdrawAddress) execute(exec *execution) error {
	address, err := exec.requireWithdrawAddress()
	if err != nil {
		return err
	}
	exec.addAttributes("action", "remove_withdraw_address", "address", string(address))
	return withdrawItem.Remove(exec.writer)
}

func (m *WithdrawFunds) execute(exec *execution) error {
	address, err := exec.requireWithdrawAddress()
	if err != nil {
		return err
	}
	payment := &BankSend{ToAddress: address, Amount: []Coin{m.Amount}}
	exec.response.Messages = append(exec.response.Messages, OutMsg{Bank: payment})
	exec.addAttributes(
		"action", "withdraw_funds",
		"amount", string(m.Amount.Amount),
		"denom", m.Amount.Denom,
	)
	return nil
}

func (c *call) requireWithdrawAddress() (Address, error) {
	address, isSet, err := withdrawItem.Load(c.reader)
	if err != nil {
		return "", err
	}
	if !isSet {
		return "", errNoWithdrawAddress
	}
	return address, nil
}

// Names and a limit for additional minters, which are accounts that may mint besides the
// minter. The minter adds and removes them. Only v0.22.0 has them (spec §14).
const (
	addMinterMessage      = "add_minter"         // the message that adds one
	removeMinterMessage   = "remove_minter"      // the message that removes one
	additionalMintersName = "additional_minters" // the namespace of their records
	maxAdditionalMinters  = 10
)

// LoadAdditionalMinters returns at most limit additional minters, in the byte order of
// their addresses. If after is nil, the list starts with the first of all, and otherwise
// with the first one behind that address.
func LoadAdditionalMinters(reader kv.Reader, after *Address, limit int) ([]Address, error) {
	addresses := mintersMap.Keys(reader, anyKey, Walk{Place: (*string)(after)})
	return collectPage(addresses, limit)
}

// decideMinterChange permits only the minter to add or remove additional minters. It fails with an
// [*Error] of kind parse under rule sets that do not know the name of the message.
func (c *call) decideMinterChange(message string) (*Decision, error) {
	rules := c.ruleSet()
	if !rules.has(message) {
		cause := wire.DescribeUnknownName("variant", message, rules.variantNames(executeVariants))
		return nil, parseError("ExecuteMsg", &wire.Error{Cause: cause})
	}

	minter, _, err := minterItem.Load(c.reader)
	if err != nil {
		return nil, err
	}
	decision := c.newDecision()
	isMinter := decision.addHolderCheck(RuleMinter, minter.Owner)
	return decision.conclude(isMinter, errNotMinterOwner), nil
}

func (m *AddMinter) execute(exec *execution) error {
	isAdditionalMinter, err := exec.isAdditionalMinter(m.Minter)
	if err != nil {
		return err
	}
	if isAdditionalMinter {
		return errAlreadyMinter.withField("minter")
	}

	minters, err := LoadAdditionalMinters(exec.reader, nil, maxAdditionalMinters)
	if err != nil {
		return err
	}
	if len(minters) == maxAdditionalMinters {
		return errTooManyMinters
	}

	exec.addActionAttributes("add_additional_minter", "minter", string(m.Minter))
	return mintersMap.Save(exec.writer, m.Minter, Empty{})
}

func (m *RemoveMinter) execute(exec *execution) error {
	isAdditionalMinter, err := exec.isAdditionalMinter(m.Minter)
	if err != nil {
		return err
	}
	if !isAdditionalMinter {
		return errNoSuchMinter.withField("minter")
	}

	exec.addActionAttributes("remove_additional_minter", "minter", string(m.Minter))
	return mintersMap.Remove(exec.writer, m.Minter)
}

// isAdditionalMinter refuses an address that is not valid.
func (e *execution) isAdditionalMinter(minter Address) (bool, error) {
	if err := e.checkAddress(minter, "minter"); err != nil {
		return false, err
	}
	return mintersMap.Has(e.reader, minter)
}

// removeAllMinters does nothing under rule sets that have no additional minters.
func (e *execution) removeAllMinters() error {
	if !e.ruleSet().has(additionalMintersName) {
		return nil
	}

	minters, err := LoadAdditionalMinters(e.reader, nil, MaxLimit)
	if err != nil {
		return err
	}
	for _, minter := range minters {
		if err := mintersMap.Remove(e.writer, minter); err != nil {
			return err
		}
	}
	return nil
}

// answer lists the additional minters in the byte order of their addresses.
func (m *GetAdditionalMinters) answer(call *call) (any, error) {
	if err := call.checkOptionalAddress(m.StartAfter, "start_after"); err != nil {
		return nil, err
	}
	minters, err := LoadAdditionalMinters(call.reader, m.StartAfter, pageSize(m.Limit))
	return struct {
		Minters []Address `wire:"minters"`
	}{minters}, err
}
