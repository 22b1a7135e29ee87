package cw721

import (
	"ephemera/core/kv"
	"ephemera/core/wire"
)

type roleItem = kv.Item[Ownership]

// decideRole and executeRole serve the three messages on roles (spec §6).
func decideRole(c *call, rule Rule, item roleItem, a OwnershipAction) (*Decision, error) {
	role, _, err := item.Load(c.reader)
	if err != nil {
		return nil, err
	}
	return c.decideRoleChange(rule, role, a), nil
}

func executeRole(x *execution, rule Rule, item roleItem, a OwnershipAction) error {
	role, _, err := item.Load(x.reader)
	if err != nil {
		return err
	}
	switch {
	case a.Transfer != nil:
		// The expiry is not held against now: an offer can be made that has
		// lapsed already.
		if err := x.checkAddress(a.Transfer.NewOwner, "new_owner"); err != nil {
			return err
		}
		role.PendingOwner, role.PendingExpiry = &a.Transfer.NewOwner, a.Transfer.Expiry
	case a.Name == actionAccept:
		role = Ownership{Owner: role.PendingOwner}
	default:
		role = Ownership{}
	}
	if a.Transfer == nil && rule == RuleMinter && x.ruleSet().has(additionalMinters) {
		if err := x.removeAllMinters(); err != nil {
			return err
		}
	}
	expiry := "none"
	if role.PendingExpiry != nil {
		expiry = role.PendingExpiry.String()
	}
	x.addAttributes("update_"+string(rule)+"_ownership", string(x.sender), "owner", orNone(role.Owner), "pending_owner", orNone(role.PendingOwner), "pending_expiry", expiry)
	return item.Save(x.writer, role)
}

func orNone(a *Address) string {
	if a == nil {
		return "none"
	}
	return string(*a)
}

func (m *UpdateMinterOwnership) decide(c *call) (*Decision, error) {
	return decideRole(c, RuleMinter, minterItem, m.OwnershipAction)
}

func (m *UpdateMinterOwnership) execute(x *execution) error {
	return executeRole(x, RuleMinter, minterItem, m.OwnershipAction)
}

func (m *UpdateCreatorOwnership) decide(c *call) (*Decision, error) {
	return decideRole(c, RuleCreator, creatorItem, m.OwnershipAction)
}

func (m *UpdateCreatorOwnership) execute(x *execution) error {
	return executeRole(x, RuleCreator, creatorItem, m.OwnershipAction)
}

func (m *SetWithdrawAddress) decide(c *call) (*Decision, error) {
	return c.decideCreatorOnly(errNotOwner)
}

func (m *SetWithdrawAddress) execute(x *execution) error {
	if err := x.checkAddress(m.Address, "address"); err != nil {
		return err
	}
	x.addAttributes("action", "set_withdraw_address", "address", string(m.Address))
	return withdrawItem.Save(x.writer, m.Address)
}

func (m *RemoveWithdrawAddress) decide(c *call) (*Decision, error) {
	return c.decideCreatorOnly(errNotOwner)
}

func (m *RemoveWithdrawAddress) execute(x *execution) error {
	a, err := x.requireWithdrawAddress()
	if err != nil {
		return err
	}
	x.addAttributes("action", "remove_withdraw_address", "address", string(a))
	return withdrawItem.Remove(x.writer)
}

func (m *WithdrawFunds) decide(c *call) (*Decision, error) { return c.allowAnyone() }

func (m *WithdrawFunds) execute(x *execution) error {
	to, err := x.requireWithdrawAddress()
	if err != nil {
		return err
	}
	x.response.Messages = append(x.response.Messages, OutMsg{Bank: &BankSend{to, []Coin{m.Amount}}})
	x.addAttributes("action", "withdraw_funds", "amount", string(m.Amount.Amount), "denom", m.Amount.Denom)
	return nil
}

func (c *call) requireWithdrawAddress() (Address, error) {
	a, ok, err := withdrawItem.Load(c.reader)
	if err == nil && !ok {
		err = errNoWithdrawAddress
	}
	return a, err
}

// The additional minters of v0.22.0 (spec §14): accounts that may mint besides
// the minter, who adds and removes them.

const (
	addMinter            = "add_minter"
	removeMinter         = "remove_minter"
	additionalMinters    = "additional_minters"
	maxAdditionalMinters = 10
)

// LoadAdditionalMinters reads a page of those who may mint besides the minter, by
// address, after an address where it is not nil.
func LoadAdditionalMinters(r kv.Reader, after *Address, limit int) ([]Address, error) {
	return collectPage(mintersMap.Keys(r, nil, Walk{Place: (*string)(after)}), limit)
}

// decideMinterChange decides who may change them: the minter alone. It fails under
// rules that have none.
func (c *call) decideMinterChange(message string) (*Decision, error) {
	if rules := c.ruleSet(); !rules.has(message) {
		return nil, parseError("ExecuteMsg", &wire.Error{Cause: wire.Unknown("variant", message, rules.variantNames(executes))})
	}
	minter, _, err := minterItem.Load(c.reader)
	if err != nil {
		return nil, err
	}
	d := c.newDecision()
	return d.conclude(d.checkRole(RuleMinter, minter), errNotMinterOwner), nil
}

func (m *AddMinter) decide(c *call) (*Decision, error) { return c.decideMinterChange(addMinter) }

func (m *AddMinter) execute(x *execution) error { return x.changeMinter(m.Minter, true) }

func (m *RemoveMinter) decide(c *call) (*Decision, error) {
	return c.decideMinterChange(removeMinter)
}

func (m *RemoveMinter) execute(x *execution) error { return x.changeMinter(m.Minter, false) }

func (x *execution) changeMinter(a Address, add bool) error {
	if err := x.checkAddress(a, "minter"); err != nil {
		return err
	}
	found, err := mintersMap.Has(x.reader, a)
	if err != nil {
		return err
	}
	if !add {
		if !found {
			return errNoSuchMinter.withField("minter")
		}
		x.addActionAttributes("remove_additional_minter", "minter", string(a))
		return mintersMap.Remove(x.writer, a)
	}
	all, err := LoadAdditionalMinters(x.reader, nil, maxAdditionalMinters)
	switch {
	case err != nil:
		return err
	case found:
		return errMinterAdded.withField("minter")
	case len(all) == maxAdditionalMinters:
		return errTooManyMinters
	}
	x.addActionAttributes("add_additional_minter", "minter", string(a))
	return mintersMap.Save(x.writer, a, Empty{})
}

// removeAllMinters removes all of them, as whoever accepts or renounces the minter's
// role does.
func (x *execution) removeAllMinters() error {
	all, err := LoadAdditionalMinters(x.reader, nil, MaxLimit)
	for _, a := range all {
		if err = mintersMap.Remove(x.writer, a); err != nil {
			break
		}
	}
	return err
}

func (m *GetAdditionalMinters) answer(c *call) (any, error) {
	if m.StartAfter != nil {
		if err := c.checkAddress(*m.StartAfter, "start_after"); err != nil {
			return nil, err
		}
	}
	minters, err := LoadAdditionalMinters(c.reader, m.StartAfter, pageSize(m.Limit))
	return struct {
		Minters []Address `wire:"minters"`
	}{minters}, err
}
