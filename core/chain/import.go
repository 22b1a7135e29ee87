package chain

import (
	"fmt"
	"iter"
	"strings"

	"ephemera/core/chain/agenda"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// importingKey marks a store whose import is not whole yet.
var importingKey = []byte("importing")

// Records walks the contract's storage in key order, keys as the contract has
// them: what an export writes.
func (v *View) Records() iter.Seq2[kv.Pair, error] { return v.contract.Scan(kv.Range{}) }

// ImportError says why a dump cannot be a collection here.
type ImportError struct{ Text string }

func (e *ImportError) Error() string { return e.Text }

// Import fills an empty store with a contract's records, in any order. It
// writes in batches, behind a mark that keeps a cut-off import from being taken
// for a collection; what [Discard] then removes. progress, which can be nil, is
// told how many records are in. It fails with an [*ImportError] when the
// records are not a collection of this contract, and leaves the store marked.
func (c *Chain) Import(g Genesis, records iter.Seq2[kv.Pair, error], progress func(int)) error {
	if _, ok := c.Config(); ok {
		return ErrCollection
	}
	g, err := g.withDefaults()
	if err != nil {
		return err
	}
	err = c.db.Update(func(t txn) error { return kv.Prefixed(t, metaPart).Set(importingKey, []byte{1}) })
	if err != nil {
		return err
	}
	in := importer{owners: map[cw721.Address]int{}, progress: progress, now: g.Clock.Block()}
	if err := c.db.Load(func(w kv.Writer) error { return in.load(w, records) }); err != nil {
		return err
	}
	err = c.db.Update(func(t txn) error { return in.finish(newSession(t, g.Config), g) })
	if err == nil {
		c.setConfig(g.Config)
	}
	return err
}

type importer struct {
	now      cw721.Block
	n        int
	owners   map[cw721.Address]int
	progress func(int)
}

func (in *importer) load(w kv.Writer, records iter.Seq2[kv.Pair, error]) error {
	for p, err := range records {
		if err != nil {
			return err
		}
		if err := cw721.CheckRecord(p.Key, p.Value); err != nil {
			return &ImportError{fmt.Sprintf("record %d: %v", in.n+1, err)}
		}
		if err := w.Set(append([]byte(string(contractPart)), p.Key...), append([]byte(nil), p.Value...)); err != nil {
			return err
		}
		if owner, _, ok := cw721.HoldingIn(p.Key); ok {
			in.owners[owner]++
		}
		if err := agenda.Load(prefixedWriter{w, agendaPart}, in.now, p.Key, p.Value); err != nil {
			return err
		}
		if in.n++; in.progress != nil && in.n%1000 == 0 {
			in.progress(in.n)
		}
	}
	return agenda.LoadHoldings(prefixedWriter{w, agendaPart}, in.owners)
}

func (in *importer) finish(s *session, g Genesis) error {
	version, ok, err := cw721.LoadVersion(s.contract)
	switch {
	case err != nil:
		return err
	case !ok:
		return &ImportError{"the dump has no contract_info record, so it is not a CW721 collection of version 0.19 or later"}
	case !strings.Contains(version.Contract, "cw721"):
		return &ImportError{fmt.Sprintf("the dump is of contract %q, expected a cw721 of version 0.19 or later", version.Contract)}
	case older(version.Version):
		return &ImportError{fmt.Sprintf("the dump is of %s version %s, expected version 0.19 or later", version.Contract, version.Version)}
	}
	if _, ok, err := cw721.LoadInfo(s.contract); err != nil || !ok {
		return firstOf(err, &ImportError{"the dump has no cw721_collection_info record: pages are missing"})
	}
	for _, a := range g.Accounts {
		if err := saveAccount(s.accounts, g.Prefix, a); err != nil {
			return err
		}
	}
	state := history.State{Revision: 1}
	node := history.Node{Kind: history.KindImport, Height: g.Clock.Height, Time: g.Clock.Time, Message: fmt.Sprintf("%d records", in.n)}
	if _, err = state.Append(s.history, node, nil); err != nil {
		return err
	}
	state.Base = state.Head
	return firstOf(
		state.Save(s.history),
		clockItem.Save(s.meta, g.Clock),
		configItem.Save(s.meta, g.Config),
		s.meta.Delete(importingKey),
	)
}

// older tells whether a version is before 0.19, the first with this storage.
func older(version string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 {
		return true
	}
	return major == 0 && minor < 19
}

// Discard empties a store that holds an interrupted import, and nothing else.
func Discard(db kv.DB) error {
	for {
		var batch [][]byte
		err := db.Update(func(t txn) error {
			meta := kv.Prefixed(t, metaPart)
			if _, marked, err := meta.Get(importingKey); err != nil || !marked {
				return err
			}
			for p, err := range t.Scan(kv.Range{KeysOnly: true}) {
				if err != nil {
					return err
				}
				if string(p.Key) != string(metaPart)+string(importingKey) {
					batch = append(batch, append([]byte(nil), p.Key...))
				}
				if len(batch) == discardBatch {
					break
				}
			}
			for _, k := range batch {
				if err := t.Delete(k); err != nil {
					return err
				}
			}
			if len(batch) < discardBatch {
				return meta.Delete(importingKey)
			}
			return nil
		})
		if err != nil || len(batch) < discardBatch {
			return err
		}
	}
}

const discardBatch = 2000 // keys, well below what a transaction holds

type prefixedWriter struct {
	w      kv.Writer
	prefix []byte
}

func (p prefixedWriter) Set(key, value []byte) error {
	return p.w.Set(append(append([]byte(nil), p.prefix...), key...), value)
}

func (p prefixedWriter) Delete(key []byte) error {
	return p.w.Delete(append(append([]byte(nil), p.prefix...), key...))
}
