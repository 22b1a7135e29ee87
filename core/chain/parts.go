package chain

import (
	"errors"

	"ephemera/core/kv"
)

// Parts are the records of a chain's store by what they are about, each with
// the keys that it has there. They are for package check, which holds them
// against each other.
type Parts struct {
	Config                                    Config
	Contract, History, Expiry, Accounts, Meta kv.Reader
	// Unreadable is set where a compiled contract runs whose records are not laid
	// out as a collection's.
	Unreadable bool

	all kv.Reader
}

// StoredConfig reads the configuration as it stands in the store.
func (p Parts) StoredConfig() (cfg Config, ok bool, err error) { return configItem.Load(p.Meta) }

// StoredClock reads the clock as it stands in the store, and whether it is noted
// that there is a collection.
func (p Parts) StoredClock() (c Clock, collection, ok bool, err error) {
	now, ok, err := blockStateItem.Load(p.Meta)
	return now.Clock, now.collection, ok, err
}

// Inspect runs fn over all parts in one snapshot. It fails with
// [ErrNoCollection] where there is no chain.
func (c *Chain) Inspect(fn func(Parts) error) error {
	cfg, err := c.mustConfig()
	if err != nil {
		return err
	}
	return c.db.View(func(r kv.Reader) error {
		v := View{Config: cfg, t: r, contract: kv.PrefixedReader(r, contractPart), modules: c.modules}
		p := Parts{Config: cfg, all: r, Contract: v.contract, History: v.history(), Expiry: v.expiry(), Accounts: v.accounts(), Meta: v.meta()}
		err := v.CheckReadable()
		p.Unreadable = errors.As(err, new(*UnreadableError))
		if err != nil && !p.Unreadable && !kv.IsCorrupt(err) {
			return err
		}
		return fn(p)
	})
}

// CheckModule fails with a [*kv.CorruptError] where the compiled contract is not
// what it was.
func (p Parts) CheckModule() error {
	about, ok, err := moduleItem.Load(p.Meta)
	if err != nil || !ok {
		return err
	}
	_, err = readModule(p.all, about)
	return err
}

// Writers write into two of the [Parts], and commit in batches.
type Writers struct{ Contract, Expiry kv.Writer }

// Repair runs fn as [Chain.Inspect] does, with writers, and counts a revision
// where fn says that it wrote.
func (c *Chain) Repair(fn func(p Parts, w Writers) (wrote bool, err error)) error {
	wrote := false
	err := c.db.Load(func(w kv.Writer) error {
		// The writer waits for this load, so the snapshot stays the newest.
		return c.Inspect(func(p Parts) (err error) {
			wrote, err = fn(p, Writers{kv.PrefixedWriter(w, contractPart), kv.PrefixedWriter(w, expiryPart)})
			return err
		})
	})
	if err != nil || !wrote {
		return err
	}
	return c.update(func(s *session) error { return s.bump() })
}
