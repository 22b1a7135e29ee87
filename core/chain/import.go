package chain

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
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

// CheckTokenCount fails with a [*CountError] if the number of tokens differs from
// the one that the contract stores. Storage that cannot be looked into passes.
func (v *View) CheckTokenCount() error {
	if errors.As(v.CheckReadable(), new(*UnreadableError)) {
		return nil
	}
	stored, err := cw721.LoadTokenCount(v.contract)
	if err != nil {
		return err
	}
	found := uint64(0)
	for _, err := range cw721.TokenIDs(v.contract, cw721.Walk{}) {
		if err != nil {
			return err
		}
		found++
	}
	if found != stored {
		return &CountError{Stored: stored, Found: found}
	}
	return nil
}

// CountError says that the number of tokens differs from the stored one.
type CountError struct {
	Stored, Found uint64
}

func (e *CountError) Error() string {
	return fmt.Sprintf("the contract's storage counts %s tokens and holds %s; `ephemera doctor` says what is wrong", human.Thousands(e.Stored), human.Thousands(e.Found))
}

// ImportError says why a dump cannot be a collection here.
type ImportError struct{ Text string }

func (e *ImportError) Error() string { return e.Text }

// Import fills an empty store with a contract's records, in any order. It
// writes in batches, behind a mark that keeps a cut-off import from being taken
// for a collection; what [Discard] then removes. progress, which can be nil, is
// told how many records are in. Records that are not the contract's are kept and
// counted ([View.OtherRecords]). Empty rules and flavour in g follow the records'
// contract_info ([cw721.IdentifyCode]); records that were converted take the standard
// rules. It fails with an [*ImportError] when the records are
// not a whole collection of this contract, and leaves the store marked.
func (c *Chain) Import(g Genesis, records Records, progress func(int)) error {
	if _, ok := c.Config(); ok {
		return ErrCollection
	}
	in := importer{Genesis: g, progress: progress}
	g, err := g.WithDefaults()
	if err != nil {
		return err
	}
	in.now = g.Clock.Block()
	err = c.db.Update(func(t kv.Txn) error {
		s := newSession(t, g.Config, c.modules)
		return cmp.Or(s.checkEmpty(), s.meta.Set(importingKey, []byte{1}))
	})
	if err != nil {
		return err
	}
	if in.module, err = c.add(g.Module, g.Prefix); err != nil {
		return err
	}
	if err := c.db.Load(func(w kv.Writer) error { return in.load(w, records) }); err != nil {
		return err
	}
	if err := c.db.View(func(r kv.Reader) error { return in.verify(c.db, kv.PrefixedReader(r, contractPart)) }); err != nil {
		return err
	}
	err = c.db.Update(func(t kv.Txn) error {
		s := newSession(t, g.Config, c.modules)
		return cmp.Or(in.followCode(s), in.finish(s, g))
	})
	if err == nil {
		c.config.Store(&in.config)
	}
	return err
}

type importer struct {
	Genesis                // as it was given, without defaults
	module   *StoredModule // whose storage it is; nil: the built-in contract's
	now      cw721.Block
	config   Config // what becomes of its config
	n        int
	others   uint64 // of n, records that are not the contract's
	tally    cw721.Tally
	metadata bool // a token has some
	progress func(int)
	last     []byte // the key before
	mixed    bool   // the keys did not come in order
}

func (in *importer) load(w kv.Writer, records Records) error {
	contract := kv.PrefixedWriter(w, contractPart)
	derive := expiry.Deriver{
		Set:       kv.PrefixedWriter(w, expiryPart).Set,
		GrantedAt: func(cw721.Grant) (cw721.Block, error) { return in.now, nil },
	}
	for p, err := range records {
		if err != nil {
			return err
		}
		if err := cw721.CheckRecord(p.Key, p.Value); in.module != nil {
			// It keeps its storage as it likes.
		} else if cw721.IsUnknownRecord(err) {
			in.others++
		} else if err != nil {
			return &ImportError{fmt.Sprintf("record %d: %v", in.n+1, err)}
		}
		in.mixed = in.mixed || bytes.Compare(p.Key, in.last) <= 0
		in.last = append(in.last[:0], p.Key...)
		if err := contract.Set(p.Key, bytes.Clone(p.Value)); err != nil {
			if limit := (*kv.LimitError)(nil); errors.As(err, &limit) {
				return &ImportError{fmt.Sprintf("record %d: %v", in.n+1, limit)}
			}
			return err
		}
		in.tally.Add(p.Key, p.Value)
		in.metadata = in.metadata || cw721.HasMetadata(p.Key, p.Value)
		if err := derive.Record(p.Key, p.Value); err != nil && !(in.module != nil && kv.IsCorrupt(err)) {
			return err
		}
		if in.n++; in.progress != nil && in.n%1000 == 0 {
			in.progress(in.n)
		}
	}
	return derive.Finish()
}

// neededRecords are those that every collection has. They come last in key order,
// so a dump whose last page is missing lacks some.
var neededRecords = []string{"cw721_collection_info", "collection_minter", "ownership"}

// lacking names one of them that is missing; empty where none is.
func lacking(contract kv.Reader) (string, error) {
	for _, key := range neededRecords {
		if _, ok, err := contract.Get([]byte(key)); err != nil || !ok {
			return key, err
		}
	}
	return "", nil
}

// verify fails where the records are not a whole collection, or repairs what can
// be derived anew.
func (in *importer) verify(db kv.DB, contract kv.Reader) error {
	if in.module != nil {
		return in.recount(contract)
	}
	version, ok, err := cw721.LoadVersion(contract)
	if err != nil || !ok {
		return cmp.Or[error](err, &ImportError{"the dump has no contract_info record: it is not of a CW721 collection, or pages are missing"})
	}
	if key, err := lacking(contract); err != nil || key != "" {
		text := "the dump of contract %q version %q has no %s record: it is not of a CW721 collection, or pages are missing"
		return cmp.Or[error](err, &ImportError{fmt.Sprintf(text, version.Contract, version.Version, key)})
	}
	if err := in.recount(contract); err != nil {
		return err
	}
	if consistent, err := in.tally.IsConsistent(contract); err != nil || consistent {
		return err
	}
	var first, last string // the last is about the number of tokens, where that is wrong
	differences := uint64(0)
	for wrong, err := range cw721.Inconsistencies(contract) {
		if err != nil {
			return err
		}
		differences++
		first, last = cmp.Or(first, wrong.Text), wrong.Text
	}
	switch {
	case differences == 0:
		return nil
	case differences > 1:
		last += fmt.Sprintf("; %s (%s differences in all)", first, human.Thousands(differences))
	}
	if in.Repair == nil {
		return &ImportError{"the dump is not whole: " + last + "; expected all of its pages, or --repair to derive the number and the owner index from the tokens"}
	}
	in.Repair("the dump is not whole: " + last + "; the number of tokens and the owner index are derived anew from its tokens")
	return db.Load(func(w kv.Writer) error {
		_, err := cw721.RepairInconsistencies(contract, kv.PrefixedWriter(w, contractPart))
		return err
	})
}

// followCode gives the rules and the flavour that are not said those of the code
// that the dump is of.
func (in *importer) followCode(s *session) error {
	version, _, err := cw721.LoadVersion(s.contract)
	if in.module != nil {
		err = nil // whose contract_info can be anything
	}
	rules, flavour := cw721.IdentifyCode(version)
	if in.metadata {
		flavour = cw721.FlavourOnchain // whatever it calls itself
	}
	converted := in.Converted != nil && in.Converted()
	if in.module != nil || in.Rules == "" && !converted {
		s.Rules = cmp.Or(rules, s.Rules)
	}
	if in.Flavour == "" && flavour != "" {
		s.Flavour = flavour
	}
	in.config = s.Config
	if in.module != nil {
		err = cmp.Or(err, s.checkRulesFit(in.Genesis))
	}
	return err
}

func (in *importer) finish(s *session, g Genesis) error {
	err := cmp.Or(
		in.module.save(s.meta),
		s.saveGenesis(s.Config, blockState{g.Clock, true}, g.Accounts),
		s.beginHistory(g.Clock, fmt.Sprintf("%d records", in.n)),
	)
	if in.others > 0 {
		err = cmp.Or(err, othersItem.Save(s.meta, in.others))
	}
	if g.Instantiator != "" {
		err = cmp.Or(err, instantiatorItem.Save(s.meta, g.Instantiator))
	}
	return cmp.Or(err, s.meta.Delete(importingKey))
}

// beginHistory makes the import the first node, which undo never goes before.
func (s *session) beginHistory(now Clock, what string) error {
	state := history.State{Revision: 1}
	_, err := state.Append(s.history, history.Node{Kind: history.KindImport, Height: now.Height, Time: now.Time, Message: what}, nil)
	state.SetupEnd = state.Head
	return cmp.Or(err, state.Save(s.history))
}

// othersItem counts the records of an import that are not the contract's.
var othersItem = kv.NewItem("other_records", cw721.StoredJSON[uint64]())

// OtherRecords tells how many records of the contract's storage are none that a
// cw721 writes: what its past, or other code, has left there before an import.
func (v *View) OtherRecords() (uint64, error) {
	n, _, err := othersItem.Load(v.meta())
	return n, err
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

// Discard removes what a failed import has left, and nothing else.
func (c *Chain) Discard() error { return Discard(c.db) }

// removeAll deletes every record but one, nil for none.
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
