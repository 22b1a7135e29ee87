package cw721

import (
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// The additional minters of v0.22.0 (spec §14): accounts that may mint besides
// the minter, who adds and removes them.

const (
	additionalMinters    = "additional_minters"
	maxAdditionalMinters = 10
)

// LoadAdditionalMinters reads a page of those who may mint besides the minter, by
// address, after an address where it is not nil.
func LoadAdditionalMinters(r kv.Reader, after *Address, limit int) ([]Address, error) {
	return take(mintersMap.Keys(r, Walk{After: (*string)(after)}.bounds(nil)), limit)
}

// decideMinters decides who may change them: the minter alone. It fails under
// rules that have none.
func (c *call) decideMinters(message string) (*Decision, error) {
	if rules := c.rules(); !rules.has(message) {
		return nil, parseError("ExecuteMsg", &wire.Error{Cause: wire.UnknownVariant(message, rules.names(executes))})
	}
	minter, _, err := minterItem.Load(c.r)
	if err != nil {
		return nil, err
	}
	d := c.decision()
	return d.verdict(d.role(RuleMinter, minter), errNotMinterOwner), nil
}

func (m *AddMinter) decide(c *call) (*Decision, error) { return c.decideMinters("add_minter") }

func (m *AddMinter) execute(x *exec) error { return x.changeMinter(m, m.Minter, true) }

func (m *RemoveMinter) decide(c *call) (*Decision, error) { return c.decideMinters("remove_minter") }

func (m *RemoveMinter) execute(x *exec) error { return x.changeMinter(m, m.Minter, false) }

func (x *exec) changeMinter(msg ExecuteMsg, a Address, add bool) error {
	if _, err := x.permit(msg); err != nil {
		return err
	}
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
