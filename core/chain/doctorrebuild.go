package chain

import (
	"bytes"

	"ephemera/core/chain/agenda"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Rebuild brings the agenda and the holdings in step with the contract's
// records, from which both are derived, and tells how many records it wrote.
// Only what is wrong is written, in batches, so one that is cut off can be done
// again. When a grant was given is kept where any index knows it, and is now
// elsewhere. progress, which can be nil, is told how many records were read.
func (c *Chain) Rebuild(progress func(done int)) (written int, err error) {
	if _, err := c.mustConfig(); err != nil {
		return 0, err
	}
	err = c.db.Load(func(w kv.Writer) error {
		// The writer waits for this load, so the snapshot stays the newest.
		return c.db.View(func(r kv.Reader) error {
			x := examiner{progress: progress, contract: kv.PrefixedReader(r, contractPart), agenda: kv.PrefixedReader(r, agendaPart)}
			now, err := loadMoment(kv.PrefixedReader(r, metaPart))
			if err != nil {
				return err
			}
			m := mender{examiner: &x, w: &counter{Writer: kv.PrefixedWriter(w, agendaPart)}, now: now.Block()}
			err = m.run()
			written = m.w.n
			return err
		})
	})
	if err != nil || written == 0 {
		return written, err
	}
	return written, c.update(func(s *session) error { return s.bump() })
}

// counter counts what it passes on.
type counter struct {
	kv.Writer
	n int
}

func (c *counter) Set(key, value []byte) error { c.n++; return c.Writer.Set(key, value) }

func (c *counter) Delete(key []byte) error { c.n++; return c.Writer.Delete(key) }

type mender struct {
	*examiner
	w   *counter
	now cw721.Block
}

// run drops before it adds: an entry that cannot be read is dropped wherever it
// stands, and written anew where one belongs.
func (m *mender) run() error {
	for _, step := range []func() error{m.dropStray, m.addGrants, m.countHoldings} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (m *mender) addGrants() error {
	return eachGrant(m.contract, m.step, func(g cw721.Grant) error {
		_, err := agenda.Mend(m.agenda, m.w, g, m.now)
		return err
	})
}

func (m *mender) dropStray() error {
	for p, err := range m.agenda.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		m.step()
		if owner, ok := agenda.Holder(p.Key); ok {
			has, err := owns(m.contract, owner)
			if err == nil && !has {
				_, err = agenda.MendHolding(m.agenda, m.w, owner, 0)
			}
			if err != nil {
				return err
			}
			continue
		}
		given := false
		if e, err := agenda.Read(p.Key, p.Value); err == nil {
			if given, err = isGiven(m.contract, e.Grant); err != nil {
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

func (m *mender) countHoldings() error {
	held := tally{each: func(owner cw721.Address, n int) error {
		_, err := agenda.MendHolding(m.agenda, m.w, owner, n)
		return err
	}}
	for p, err := range m.contract.Scan(kv.Range{KeysOnly: true}) {
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
