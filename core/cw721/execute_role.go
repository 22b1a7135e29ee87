package cw721

import "ephemera/core/kv"

type roleItem = kv.Item[Ownership]

// decideRole and executeRole serve the three messages on roles (spec §6).
func decideRole(c *call, rule Rule, item roleItem, a OwnershipAction) (*Decision, error) {
	role, _, err := item.Load(c.r)
	if err != nil {
		return nil, err
	}
	return c.mayChangeRole(rule, role, a), nil
}

func executeRole(x *exec, msg ExecuteMsg, rule Rule, item roleItem, a OwnershipAction) error {
	if _, err := x.permit(msg); err != nil {
		return err
	}
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
	return executeRole(x, m, RuleMinter, minterItem, m.OwnershipAction)
}

func (m *UpdateCreatorOwnership) decide(c *call) (*Decision, error) {
	return decideRole(c, RuleCreator, creatorItem, m.OwnershipAction)
}

func (m *UpdateCreatorOwnership) execute(x *exec) error {
	return executeRole(x, m, RuleCreator, creatorItem, m.OwnershipAction)
}

func (m *SetWithdrawAddress) decide(c *call) (*Decision, error) { return c.creatorOnly(errNotOwner) }

func (m *SetWithdrawAddress) execute(x *exec) error {
	if _, err := x.permit(m); err != nil {
		return err
	}
	if err := x.address(m.Address, "address"); err != nil {
		return err
	}
	x.report("action", "set_withdraw_address", "address", string(m.Address))
	return withdrawItem.Save(x.w, m.Address)
}

func (m *RemoveWithdrawAddress) decide(c *call) (*Decision, error) { return c.creatorOnly(errNotOwner) }

func (m *RemoveWithdrawAddress) execute(x *exec) error {
	if _, err := x.permit(m); err != nil {
		return err
	}
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
