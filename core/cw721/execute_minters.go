package cw721

import (
	"iter"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// The additional minters of v0.22.0 (spec §14): accounts that may mint besides
// the minter, who adds and removes them.

const (
	additionalMinters    = "additional_minters"
	maxAdditionalMinters = 10
)

// AdditionalMinters walks those who may mint besides the minter, by address,
// after an address where it is not nil.
func AdditionalMinters(r kv.Reader, after *Address) iter.Seq2[Address, error] {
	return mintersMap.Keys(r, Walk{After: (*string)(after)}.bounds(nil))
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

func (m *AddMinter) execute(x *exec) error {
	if found, err := x.findMinter(m, m.Minter); err != nil || found {
		return orElse(err, errMinterAdded.at("minter"))
	}
	all, err := take(AdditionalMinters(x.r, nil), maxAdditionalMinters)
	if err != nil || len(all) == maxAdditionalMinters {
		return orElse(err, errTooManyMinters)
	}
	x.act("add_additional_minter", "minter", string(m.Minter))
	return mintersMap.Save(x.w, m.Minter, Empty{})
}

func (m *RemoveMinter) decide(c *call) (*Decision, error) { return c.decideMinters("remove_minter") }

func (m *RemoveMinter) execute(x *exec) error {
	if found, err := x.findMinter(m, m.Minter); err != nil || !found {
		return orElse(err, errNoSuchMinter.at("minter"))
	}
	x.act("remove_additional_minter", "minter", string(m.Minter))
	return mintersMap.Remove(x.w, m.Minter)
}

// findMinter tells whether an address is an additional minter, once the sender
// may ask and the address is one.
func (x *exec) findMinter(msg ExecuteMsg, a Address) (bool, error) {
	if _, err := x.permit(msg); err != nil {
		return false, err
	}
	if err := x.address(a, "minter"); err != nil {
		return false, err
	}
	return mintersMap.Has(x.r, a)
}

// clearMinters removes all of them, as whoever accepts or renounces the minter's
// role does.
func (x *exec) clearMinters() error {
	all, err := take(AdditionalMinters(x.r, nil), MaxLimit)
	for _, a := range all {
		err = orElse(err, mintersMap.Remove(x.w, a))
	}
	return err
}

// orElse gives the first error that is one.
func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func (m *GetAdditionalMinters) answer(c *call) (any, error) {
	if m.StartAfter != nil {
		if err := c.address(*m.StartAfter, "start_after"); err != nil {
			return nil, err
		}
	}
	minters, err := take(AdditionalMinters(c.r, m.StartAfter), pageSize(m.Limit))
	return struct {
		Minters []Address `wire:"minters"`
	}{minters}, err
}
