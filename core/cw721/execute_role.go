package cw721

import (
	"ephemera/core/kv"
	"ephemera/core/wire"
)

type roleItem = kv.Item[Ownership]

// decideRole and executeRole serve the three messages on roles (spec §6).
func decideRole(c *call, rule Rule, item roleItem, a OwnershipAction) (*Decision, error) {
	role, _, err := item.Load(c.r)
	if err != nil {
		return nil, err
	}
	return c.mayChangeRole(rule, role, a), nil
}

func executeRole(x *exec, rule Rule, item roleItem, a OwnershipAction) error {
	role, _, err := item.Load(x.r)
	if err != nil {
		return err
	}
	switch {
	case a.Transfer != nil:
		// The expiry is not held against now: an offer can be made that has
		// lapsed already.
		if err := x.address(a.Transfer.NewOwner, "new_owner"); err != nil {
			return err
		}
		role.PendingOwner, role.PendingExpiry = &a.Transfer.NewOwner, a.Transfer.Expiry
	case a.Name == actionAccept:
		role = Ownership{Owner: role.PendingOwner}
	default:
		role = Ownership{}
	}
	if a.Transfer == nil && rule == RuleMinter && x.rules().has(additionalMinters) {
		if err := x.clearMinters(); err != nil {
			return err
		}
	}
	expiry := "none"
	if role.PendingExpiry != nil {
		expiry = role.PendingExpiry.String()
	}
	x.report("update_"+string(rule)+"_ownership", string(x.sender), "owner", orNone(role.Owner), "pending_owner", orNone(role.PendingOwner), "pending_expiry", expiry)
	return item.Save(x.w, role)
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

func (m *UpdateMinterOwnership) execute(x *exec) error {
	return executeRole(x, RuleMinter, minterItem, m.OwnershipAction)
}

func (m *UpdateCreatorOwnership) decide(c *call) (*Decision, error) {
	return decideRole(c, RuleCreator, creatorItem, m.OwnershipAction)
}

func (m *UpdateCreatorOwnership) execute(x *exec) error {
	return executeRole(x, RuleCreator, creatorItem, m.OwnershipAction)
}

func (m *SetWithdrawAddress) decide(c *call) (*Decision, error) { return c.creatorOnly(errNotOwner) }

func (m *SetWithdrawAddress) execute(x *exec) error {
	if err := x.address(m.Address, "address"); err != nil {
		return err
	}
	x.report("action", "set_withdraw_address", "address", string(m.Address))
	return withdrawItem.Save(x.w, m.Address)
}

func (m *RemoveWithdrawAddress) decide(c *call) (*Decision, error) { return c.creatorOnly(errNotOwner) }

func (m *RemoveWithdrawAddress) execute(x *exec) error {
	a, err := x.withdrawAddress()
	if err != nil {
		return err
	}
	x.report("action", "remove_withdraw_address", "address", string(a))
	return withdrawItem.Remove(x.w)
}

func (m *WithdrawFunds) decide(c *call) (*Decision, error) { return c.anyone() }

func (m *WithdrawFunds) execute(x *exec) error {
	to, err := x.withdrawAddress()
	if err != nil {
		return err
	}
	x.response.Messages = append(x.response.Messages, OutMsg{Bank: &BankSend{to, []Coin{m.Amount}}})
	x.report("action", "withdraw_funds", "amount", string(m.Amount.Amount), "denom", m.Amount.Denom)
	return nil
}

func (c *call) withdrawAddress() (Address, error) {
	a, ok, err := withdrawItem.Load(c.r)
	if err == nil && !ok {
		err = errNoWithdraw
	}
	return a, err
}

// The additional minters of v0.22.0 (spec §14): accounts that may mint besides
// the minter, who adds and removes them.

const (
	additionalMinters    = "additional_minters"
	maxAdditionalMinters = 10
)

// LoadAdditionalMinters reads a page of those who may mint besides the minter, by
// address, after an address where it is not nil.
func LoadAdditionalMinters(r kv.Reader, after *Address, limit int) ([]Address, error) {
	return take(mintersMap.Keys(r, nil, Walk{Place: (*string)(after)}), limit)
}

// decideMinters decides who may change them: the minter alone. It fails under
// rules that have none.
func (c *call) decideMinters(message string) (*Decision, error) {
	if rules := c.rules(); !rules.has(message) {
		return nil, parseError("ExecuteMsg", &wire.Error{Cause: wire.Unknown("variant", message, rules.names(executes))})
	}
	minter, _, err := minterItem.Load(c.r)
	if err != nil {
		return nil, err
	}
	d := c.decision()
	return d.verdict(d.role(RuleMinter, minter), errNotMinterOwner), nil
}

func (m *AddMinter) decide(c *call) (*Decision, error) { return c.decideMinters("add_minter") }

func (m *AddMinter) execute(x *exec) error { return x.changeMinter(m.Minter, true) }

func (m *RemoveMinter) decide(c *call) (*Decision, error) { return c.decideMinters("remove_minter") }

func (m *RemoveMinter) execute(x *exec) error { return x.changeMinter(m.Minter, false) }

func (x *exec) changeMinter(a Address, add bool) error {
	if err := x.address(a, "minter"); err != nil {
		return err
	}
	found, err := mintersMap.Has(x.r, a)
	if err != nil {
		return err
	}
	if !add {
		if !found {
			return errNoSuchMinter.at("minter")
		}
		x.act("remove_additional_minter", "minter", string(a))
		return mintersMap.Remove(x.w, a)
	}
	all, err := LoadAdditionalMinters(x.r, nil, maxAdditionalMinters)
	switch {
	case err != nil:
		return err
	case found:
		return errMinterAdded.at("minter")
	case len(all) == maxAdditionalMinters:
		return errTooManyMinters
	}
	x.act("add_additional_minter", "minter", string(a))
	return mintersMap.Save(x.w, a, Empty{})
}

// clearMinters removes all of them, as whoever accepts or renounces the minter's
// role does.
func (x *exec) clearMinters() error {
	all, err := LoadAdditionalMinters(x.r, nil, MaxLimit)
	for _, a := range all {
		if err = mintersMap.Remove(x.w, a); err != nil {
			break
		}
	}
	return err
}

func (m *GetAdditionalMinters) answer(c *call) (any, error) {
	if m.StartAfter != nil {
		if err := c.address(*m.StartAfter, "start_after"); err != nil {
			return nil, err
		}
	}
	minters, err := LoadAdditionalMinters(c.r, m.StartAfter, pageSize(m.Limit))
	return struct {
		Minters []Address `wire:"minters"`
	}{minters}, err
}
