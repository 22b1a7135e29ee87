package check

import (
	"bytes"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Repair brings the expiry index and the holdings in step with the contract's
// records, from which both are derived, and tells how many records it wrote.
// Only what is wrong is written, in batches, so one that is cut off can be done
// again. When a grant was given is kept where any index knows it, and is now
// elsewhere. progress, which can be nil, is told how many records were read.
func Repair(c *chain.Chain, progress func(done int)) (written int, err error) {
	err = c.Repair(func(p chain.Parts, w kv.Writer) (changed bool, err error) {
		x := checker{progress: progress, parts: p}
		clock, _, _, err := p.StoredClock()
		if err != nil {
			return false, err
		}
		m := repairer{checker: &x, w: &counter{Writer: w}, now: clock.Block()}
		err = m.run()
		written = m.w.n
		return written > 0, err
	})
	return written, err
}

// counter counts what it passes on.
type counter struct {
	kv.Writer
	n int
}

func (c *counter) Set(key, value []byte) error { c.n++; return c.Writer.Set(key, value) }

func (c *counter) Delete(key []byte) error { c.n++; return c.Writer.Delete(key) }

type repairer struct {
	*checker
	w   *counter
	now cw721.Block
}

// run drops before it adds: an entry that cannot be read is dropped wherever it
// stands, and written anew where one belongs.
func (m *repairer) run() error {
	for _, step := range []func() error{m.dropStray, m.addGrants, m.countHoldings} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (m *repairer) addGrants() error {
	return eachGrant(m.parts.Contract, m.step, func(g cw721.Grant) error {
		_, err := expiry.Repair(m.parts.Expiry, m.w, g, m.now)
		return err
	})
}

func (m *repairer) dropStray() error {
	for p, err := range m.parts.Expiry.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		m.step()
		if owner, ok := expiry.Holder(p.Key); ok {
			has, err := owns(m.parts.Contract, owner)
			if err == nil && !has {
				_, err = expiry.RepairHolding(m.parts.Expiry, m.w, owner, 0)
			}
			if err != nil {
				return err
			}
			continue
		}
		given := false
		if e, err := expiry.Read(p.Key, p.Value); err == nil {
			if given, err = isGiven(m.parts.Contract, e.Grant); err != nil {
				return err
			}
		}
		if !given {
			if err := m.w.Delete(bytes.Clone(p.Key)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *repairer) countHoldings() error {
	held := tally{each: func(owner cw721.Address, n int) error {
		_, err := expiry.RepairHolding(m.parts.Expiry, m.w, owner, n)
		return err
	}}
	for p, err := range m.parts.Contract.Scan(kv.Range{KeysOnly: true}) {
		if err != nil {
			return err
		}
		owner, _, ok := cw721.HoldingIn(p.Key)
		if !ok {
			continue
		}
		m.step()
		if err := held.meet(owner); err != nil {
			return err
		}
	}
	return held.settle()
}
