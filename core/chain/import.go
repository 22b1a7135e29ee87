package chain

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strings"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// importingKey marks a store whose import is not whole yet.
var importingKey = []byte("importing")

// Records is a walk over a contract's storage, keys as the contract has them:
// what [View.Records] gives and [Chain.Import] takes. It has a name so that
// whoever hands it on need not know the store.
type Records = iter.Seq2[kv.Pair, error]

// Records walks the contract's storage in key order, keys as the contract has
// them: what an export writes.
func (v *View) Records() Records { return v.contract.Scan(kv.Range{}) }

// ImportError says why a dump cannot be a collection here.
type ImportError struct{ Text string }

func (e *ImportError) Error() string { return e.Text }

// Import fills an empty store with a contract's records, in any order. It
// writes in batches, behind a mark that keeps a cut-off import from being taken
// for a collection; what [Discard] then removes. progress, which can be nil, is
// told how many records are in. It fails with an [*ImportError] when the
// records are not a collection of this contract, and leaves the store marked.
func (c *Chain) Import(g Genesis, records Records, progress func(int)) error {
	if _, ok := c.Config(); ok {
		return ErrCollection
	}
	g, err := g.WithDefaults()
	if err != nil {
		return err
	}
	err = c.db.Update(func(t kv.Txn) error {
		s := newSession(t, g.Config, c.modules)
		if err := s.empty(); err != nil {
			return err
		}
		return s.meta.Set(importingKey, []byte{1})
	})
	if err != nil {
		return err
	}
	about, err := c.addModule(g)
	if err != nil {
		return err
	}
	in := importer{module: about, progress: progress, now: g.Clock.Block()}
	if err := c.db.Load(func(w kv.Writer) error { return in.load(w, records) }); err != nil {
		return err
	}
	err = c.db.Update(func(t kv.Txn) error { return in.finish(newSession(t, g.Config, c.modules), g) })
	if err == nil {
		c.setConfig(g.Config)
	}
	return err
}

type importer struct {
	module   *StoredModule // whose storage it is; nil: the built-in contract's
	now      cw721.Block
	n        int
	progress func(int)
	last     []byte // the key before
	mixed    bool   // the keys did not come in order
	version  cw721.Version
	wrong    error // the first record that is none of this contract
}

func (in *importer) load(w kv.Writer, records Records) error {
	contract := kv.PrefixedWriter(w, contractPart)
	derive := expiry.Deriver{
		W:         kv.PrefixedWriter(w, expiryPart),
		GrantedAt: func(cw721.Grant) (cw721.Block, error) { return in.now, nil },
	}
	for p, err := range records {
		if err != nil {
			return err
		}
		if string(p.Key) == versionKey && wire.Decode(p.Value, &in.version) == nil && in.wrong != nil {
			break
		}
		if in.wrong != nil {
			continue // only to tell what it is instead
		}
		if err := cw721.CheckRecord(p.Key, p.Value); err != nil && in.module == nil {
			in.wrong = notOurs(in.n+1, p.Key, err)
			continue
		}
		in.mixed = in.mixed || bytes.Compare(p.Key, in.last) <= 0
		in.last = append(in.last[:0], p.Key...)
		if err := contract.Set(p.Key, bytes.Clone(p.Value)); err != nil {
			return err
		}
		if err := derive.Record(p.Key, p.Value); err != nil && !(in.module != nil && kv.IsCorrupt(err)) {
			return err
		}
		if in.n++; in.progress != nil && in.n%1000 == 0 {
			in.progress(in.n)
		}
	}
	if in.wrong != nil {
		if err := importable(in.version); in.version.Contract != "" && err != nil {
			return err
		}
		return in.wrong
	}
	return derive.Finish()
}

func (in *importer) finish(s *session, g Genesis) error {
	if err := in.recount(s.contract); err != nil {
		return err
	}
	if err := in.module.save(s.meta); err != nil {
		return err
	}
	if in.module == nil {
		if err := collectionIn(s.contract); err != nil {
			return err
		}
	}
	for _, a := range g.Accounts {
		if err := saveAccount(s.accounts, g.Prefix, a); err != nil {
			return err
		}
	}
	state := history.State{Revision: 1}
	node := history.Node{Kind: history.KindImport, Height: g.Clock.Height, Time: g.Clock.Time, Message: fmt.Sprintf("%d records", in.n)}
	if _, err := state.Append(s.history, node, nil); err != nil {
		return err
	}
	state.Base = state.Head
	if err := state.Save(s.history); err != nil {
		return err
	}
	if err := blockStateItem.Save(s.meta, blockState{g.Clock, true}); err != nil {
		return err
	}
	if err := configItem.Save(s.meta, g.Config); err != nil {
		return err
	}
	if err := s.instantiated(g.Instantiator); err != nil {
		return err
	}
	return s.meta.Delete(importingKey)
}

// collectionIn fails where the records are no collection of the built-in
// contract.
func collectionIn(contract kv.Reader) error {
	version, ok, err := cw721.LoadVersion(contract)
	switch {
	case err != nil:
		return err
	case !ok:
		return &ImportError{"the dump has no contract_info record, so it is not a CW721 collection of version 0.19 or later"}
	}
	if err := importable(version); err != nil {
		return err
	}
	if _, ok, err := cw721.LoadInfo(contract); err != nil || !ok {
		return cmp.Or[error](err, &ImportError{"the dump has no cw721_collection_info record: pages are missing"})
	}
	return nil
}

// notOurs says which record is none of this contract.
func notOurs(n int, key []byte, err error) *ImportError {
	if unknown := (*cw721.UnknownRecordError)(nil); errors.As(err, &unknown) {
		return &ImportError{fmt.Sprintf("record %d has the key %q (%X), which no CW721 collection of version 0.19 or later has", n, key, key)}
	}
	return &ImportError{fmt.Sprintf("record %d: %v", n, err)}
}

// versionKey is where every contract keeps its name and version (cw2).
const versionKey = "contract_info"

// importable tells whether a contract's records can be read here.
func importable(v cw721.Version) error {
	switch {
	case !strings.Contains(v.Contract, "cw721"):
		return &ImportError{fmt.Sprintf("the dump is of contract %q version %q, expected a cw721 of version 0.19 or later", v.Contract, v.Version)}
	case older(v.Version):
		return &ImportError{fmt.Sprintf("the dump is of %q version %q, expected version 0.19 or later", v.Contract, v.Version)}
	}
	return nil
}

// recount finds keys that came more than once: the later one has replaced the
// earlier. Keys in order need no count.
func (in *importer) recount(contract kv.Reader) error {
	if !in.mixed {
		return nil
	}
	n := 0
	for _, err := range contract.Scan(kv.Range{KeysOnly: true}) {
		if err != nil {
			return err
		}
		n++
	}
	if n < in.n {
		return &ImportError{fmt.Sprintf("%d of the dump's %d records have a key that another one has, expected every key once: was a page given twice?", in.n-n, in.n)}
	}
	return nil
}

// older tells whether a version is before 0.19, the first with this storage.
func older(version string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 {
		return true
	}
	return major == 0 && minor < 19
}

// instantiated keeps who is said to have created a collection, if anyone is.
func (s *session) instantiated(by cw721.Address) error {
	if by == "" {
		return nil
	}
	return instantiatorItem.Save(s.meta, by)
}

// Discard empties a store that holds an interrupted import, and nothing else.
// The mark goes last, so that a cut-off one can be done again.
func Discard(db kv.DB) error {
	mark := append(metaPart[:1:1], importingKey...)
	marked := false
	err := db.View(func(r kv.Reader) (err error) {
		if _, marked, err = r.Get(mark); err != nil || !marked {
			return err
		}
		return db.Load(func(w kv.Writer) error { return removeAll(r, w, mark) })
	})
	if err != nil || !marked {
		return err
	}
	return db.Update(func(t kv.Txn) error { return t.Delete(mark) })
}

// removeAll deletes every record but one.
func removeAll(r kv.Reader, w kv.Writer, but []byte) error {
	for p, err := range r.Scan(kv.Range{KeysOnly: true}) {
		if err != nil {
			return err
		}
		if bytes.Equal(p.Key, but) {
			continue
		}
		if err := w.Delete(bytes.Clone(p.Key)); err != nil {
			return err
		}
	}
	return nil
}
