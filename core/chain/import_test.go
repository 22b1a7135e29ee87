package chain_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/kv"
)

// records gives the contract's storage of a world with a bit of everything.
func records(t *testing.T) []kv.Pair {
	t.Helper()
	w := newWorld(t)
	for i := range 5 {
		w.mint(fmt.Sprint(i), []string{"alice", "bob"}[i%2])
	}
	w.do("alice", `{"approve":{"spender":"$bob","token_id":"0","expires":{"at_height":105}}}`)
	w.do("bob", `{"approve_all":{"operator":"$carol","expires":{"at_time":"2000000000000"}}}`)
	w.do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$alice","expiry":{"at_height":200}}}}`)
	var all []kv.Pair
	w.view(func(v *chain.View) { all = collect(t, copied(v.Records())) })
	return all
}

func each(all []kv.Pair) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		for _, p := range all {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func TestAnImportGivesTheSameRecordsAndAllThatIsDerivedFromThem(t *testing.T) {
	all := records(t)
	for name, order := range map[string]func([]kv.Pair){
		"in order":   func([]kv.Pair) {},
		"back first": slices.Reverse[[]kv.Pair],
	} {
		t.Run(name, func(t *testing.T) {
			mixed := slices.Clone(all)
			order(mixed)
			w := &world{t: t, db: memory(t)}
			w.c = must(chain.Open(w.db))(t)
			g := genesis()
			g.Instantiator = address("carol")
			ok(t, w.c.Import(g, each(mixed), nil))
			w.view(func(v *chain.View) { same(t, "the records", all, collect(t, copied(v.Records()))) })
			w.checkDerived()
			if got := w.ask(`{"get_all_info":{}}`); !strings.Contains(got, string(address("carol"))) {
				t.Errorf("who created it is lost: %s", got)
			}
			if _, err := w.c.Undo(1); !errors.Is(err, history.ErrNothingToUndo) {
				t.Errorf("undo of an import gave %v", err)
			}
			again := must(chain.Open(w.db))(t)
			same(t, "what is next", "alice", w.ownerOf("0"))
			if err := again.Import(g, each(all), nil); !errors.Is(err, chain.ErrCollection) {
				t.Errorf("a second import gave %v", err)
			}
		})
	}
}

var errCutOff = errors.New("cut off")

// cutOff gives a store in which an import was interrupted after n records.
func cutOff(t *testing.T, db kv.DB, n int) {
	t.Helper()
	c := must(chain.Open(db))(t)
	err := c.Import(genesis(), func(yield func(kv.Pair, error) bool) {
		for _, p := range records(t)[:n] {
			if !yield(p, nil) {
				return
			}
		}
		yield(kv.Pair{}, errCutOff)
	}, nil)
	if !errors.Is(err, errCutOff) {
		t.Fatalf("the import ended with %v", err)
	}
	for what, do := range map[string]func() error{
		"begin":  func() error { return c.Begin(genesis()) },
		"create": func() error { _, err := c.Create(genesis(), address("creator"), []byte(founding)); return err },
		"import": func() error { return c.Import(genesis(), each(records(t)), nil) },
		"open":   func() error { _, err := chain.Open(db); return err },
	} {
		if err := do(); !errors.Is(err, chain.ErrImporting) {
			t.Errorf("%s over the rest of an import gave %v", what, err)
		}
	}
}

// halfway is a store whose bulk writes stay where they are when cut off, as on
// a disk.
type halfway struct{ kv.DB }

func (h halfway) Load(fn func(kv.Writer) error) error {
	return fn(singly{h.DB})
}

type singly struct{ db kv.DB }

func (s singly) Set(k, v []byte) error {
	return s.db.Update(func(t kv.Txn) error { return t.Set(k, v) })
}

func (s singly) Delete(k []byte) error {
	return s.db.Update(func(t kv.Txn) error { return t.Delete(k) })
}

func TestAnInterruptedImportIsRefusedUntilItIsDiscarded(t *testing.T) {
	for name, db := range map[string]kv.DB{"in memory": memory(t), "on what keeps a half": halfway{memory(t)}} {
		t.Run(name, func(t *testing.T) {
			cutOff(t, db, 7)
			ok(t, chain.Discard(db))
			same(t, "what is left", map[string]string{}, parts(t, db, ""))
			w := worldOn(t, db)
			before := w.everything()
			ok(t, chain.Discard(db))
			same(t, "a whole collection after a discard", before, w.everything())
		})
	}
}

func TestADiscardThatIsCutOffCanBeDoneAgain(t *testing.T) {
	db := memory(t)
	cutOff(t, halfway{db}, 7)
	n := 0
	broken := brokenDeletes{halfway{db}, &n}
	if err := chain.Discard(broken); !errors.Is(err, errDisk) {
		t.Fatalf("got %v", err)
	}
	if _, err := chain.Open(db); !errors.Is(err, chain.ErrImporting) {
		t.Errorf("half discarded, open gave %v", err)
	}
	ok(t, chain.Discard(halfway{db}))
	same(t, "what is left", map[string]string{}, parts(t, db, ""))
}

// brokenDeletes fails at the fourth delete.
type brokenDeletes struct {
	halfway
	n *int
}

func (b brokenDeletes) Load(fn func(kv.Writer) error) error {
	return b.halfway.Load(func(w kv.Writer) error { return fn(countedWriter{w, b.n}) })
}

type countedWriter struct {
	kv.Writer
	n *int
}

func (c countedWriter) Delete(k []byte) error {
	if *c.n++; *c.n > 3 {
		return errDisk
	}
	return c.Writer.Delete(k)
}

func TestARecordThatComesTwiceIsNoticedWhereverItStands(t *testing.T) {
	all := records(t)
	for name, twice := range map[string][]kv.Pair{
		"one after the other": slices.Insert(slices.Clone(all), 3, all[2]),
		"far apart":           append(slices.Clone(all), all[2]),
	} {
		c := must(chain.Open(memory(t)))(t)
		var wrong *chain.ImportError
		if err := c.Import(genesis(), each(twice), nil); !errors.As(err, &wrong) || !strings.Contains(wrong.Text, "1 of the dump's") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
