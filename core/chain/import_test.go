package chain_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/doctor"
	"ephemera/core/kv"
)

// sampleRecords returns the records of a contract with five tokens, an approval, an operator
// and the offer of a role.
func sampleRecords(t *testing.T) []kv.Pair {
	t.Helper()
	w := New(t)
	for i := range 5 {
		w.Mint(fmt.Sprint(i), []string{"alice", "bob"}[i%2])
	}
	w.Do("alice", `{"approve":{"spender":"$bob","token_id":"0","expires":{"at_height":105}}}`)
	w.Do("bob", `{"approve_all":{"operator":"$carol","expires":{"at_time":"2000000000000"}}}`)
	w.Do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$alice","expiry":{"at_height":200}}}}`)
	var all []kv.Pair
	w.View(func(v *chain.View) { all = Collect(t, Copied(v.Records())) })
	return all
}

// yieldAll yields records for an import.
func yieldAll(all []kv.Pair) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		for _, p := range all {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func TestAnImportKeepsTheRecordsAndDerivesTheIndexesFromThem(t *testing.T) {
	all := sampleRecords(t)
	for name, order := range map[string]func([]kv.Pair){
		"in order":   func([]kv.Pair) {},
		"back first": slices.Reverse[[]kv.Pair],
	} {
		t.Run(name, func(t *testing.T) {
			mixed := slices.Clone(all)
			order(mixed)
			w := Blank(t, Memory(t))
			g := Genesis()
			g.Instantiator = Address("carol")
			OK(t, w.C.Import(g, yieldAll(mixed), nil))
			w.View(func(v *chain.View) { Same(t, "the records", all, Collect(t, Copied(v.Records()))) })
			w.CheckDerived()
			if got := w.Ask(`{"get_all_info":{}}`); !strings.Contains(got, string(Address("carol"))) {
				t.Errorf("who created it is lost: %s", got)
			}
			Fails(w.C.Undo(1))(t, "undo of an import", history.ErrNothingToUndo)
			again := Must(chain.Open(w.DB))(t)
			Same(t, "what is next", "alice", w.OwnerOf("0"))
			if err := again.Import(g, yieldAll(all), nil); !errors.Is(err, chain.ErrCollectionExists) {
				t.Errorf("a second import gave %v", err)
			}
		})
	}
}

// errInterrupted is the error with which [interruptImport] ends an import.
var errInterrupted = errors.New("interrupted")

// interruptImport imports n records into a store and then fails. It checks that the store
// cannot be used for anything else.
func interruptImport(t *testing.T, db kv.DB, n int) {
	t.Helper()
	c := Must(chain.Open(db))(t)
	err := c.Import(Genesis(), func(yield func(kv.Pair, error) bool) {
		for _, p := range sampleRecords(t)[:n] {
			if !yield(p, nil) {
				return
			}
		}
		yield(kv.Pair{}, errInterrupted)
	}, nil)
	if !errors.Is(err, errInterrupted) {
		t.Fatalf("the import ended with %v", err)
	}

	_, createErr := c.Create(Genesis(), Address("creator"), []byte(Founding))
	_, openErr := chain.Open(db)
	for what, err := range map[string]error{
		"Begin":  c.Begin(Genesis()),
		"Create": createErr,
		"Import": c.Import(Genesis(), yieldAll(sampleRecords(t)), nil),
		"Open":   openErr,
	} {
		if !errors.Is(err, chain.ErrImporting) {
			t.Errorf("%s after an interrupted import gave %v", what, err)
		}
	}
}

// unbatchedStore is a store whose bulk writes keep what they wrote before an error, as on a
// disk.
type unbatchedStore struct{ kv.DB }

// Load calls a function with a writer that commits each record by itself.
func (s unbatchedStore) Load(fn func(kv.Writer) error) error {
	return fn(unbatchedWriter{s.DB})
}

// unbatchedWriter commits each record by itself.
type unbatchedWriter struct{ db kv.DB }

// Set writes a record.
func (w unbatchedWriter) Set(k, v []byte) error {
	return w.db.Update(func(t kv.Txn) error { return t.Set(k, v) })
}

// Delete deletes a record.
func (w unbatchedWriter) Delete(k []byte) error {
	return w.db.Update(func(t kv.Txn) error { return t.Delete(k) })
}

func TestAnInterruptedImportMustBeDiscardedFirst(t *testing.T) {
	for name, db := range map[string]kv.DB{"in memory": Memory(t), "without batches": unbatchedStore{Memory(t)}} {
		t.Run(name, func(t *testing.T) {
			interruptImport(t, db, 7)
			OK(t, chain.Discard(db))
			Same(t, "the records after a discard", map[string]string{}, Parts(t, db, ""))
			w := On(t, db)
			before := w.Everything()
			OK(t, chain.Discard(db))
			Same(t, "a whole collection after a discard", before, w.Everything())
		})
	}
}

func TestAnInterruptedDiscardCanBeRepeated(t *testing.T) {
	db := Memory(t)
	interruptImport(t, unbatchedStore{db}, 7)
	deletes := 0
	if err := chain.Discard(failingDeletes{unbatchedStore{db}, &deletes}); !errors.Is(err, ErrDisk) {
		t.Fatalf("got %v", err)
	}
	Fails(chain.Open(db))(t, "opening after an interrupted discard", chain.ErrImporting)
	OK(t, chain.Discard(unbatchedStore{db}))
	Same(t, "the records after a discard", map[string]string{}, Parts(t, db, ""))
}

// failingDeletes is a store that fails at the fourth delete.
type failingDeletes struct {
	unbatchedStore
	deletes *int
}

// Load calls a function with a writer that fails at the fourth delete.
func (s failingDeletes) Load(fn func(kv.Writer) error) error {
	return s.unbatchedStore.Load(func(w kv.Writer) error { return fn(failingDeleter{w, s.deletes}) })
}

// failingDeleter counts deletes, and fails at the fourth.
type failingDeleter struct {
	kv.Writer
	deletes *int
}

// Delete deletes a record unless it is the fourth or a later one.
func (w failingDeleter) Delete(k []byte) error {
	*w.deletes++
	if *w.deletes > 3 {
		return ErrDisk
	}
	return w.Writer.Delete(k)
}

func TestAnImportRefusesRepeatedKeysInAnyOrder(t *testing.T) {
	all := sampleRecords(t)
	for name, twice := range map[string][]kv.Pair{
		"one after the other": slices.Insert(slices.Clone(all), 3, all[2]),
		"far apart":           append(slices.Clone(all), all[2]),
	} {
		c := Must(chain.Open(Memory(t)))(t)
		var wrong *chain.ImportError
		if err := c.Import(Genesis(), yieldAll(twice), nil); !errors.As(err, &wrong) || !strings.Contains(wrong.Text, "1 of the dump's") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestARecordThatIsTooLargeIsNamedByItsNumber(t *testing.T) {
	all := sampleRecords(t)
	all[2].Value = make([]byte, kv.MaxValue+1)
	err := Must(chain.Open(Memory(t)))(t).Import(Genesis(), yieldAll(all), nil)
	var wrong *chain.ImportError
	if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Text, "record 3: ") {
		t.Errorf("got %v", err)
	}
}

// withRecord returns records with another value under a key, or without the key if the value
// is empty.
func withRecord(all []kv.Pair, key, value string) []kv.Pair {
	others := slices.DeleteFunc(slices.Clone(all), func(p kv.Pair) bool { return string(p.Key) == key })
	if value == "" {
		return others
	}
	return append(others, kv.Pair{Key: []byte(key), Value: []byte(value)})
}

func TestAnIncompleteDumpIsRefusedOrRepaired(t *testing.T) {
	all := sampleRecords(t)
	index := string(indexEntry("alice", "0", "").Key)
	operator := slices.IndexFunc(all, func(p kv.Pair) bool { return strings.HasPrefix(string(p.Key), "\x00\x09operators") })
	for name, c := range map[string]struct {
		records []kv.Pair
		says    string
	}{
		"no num_tokens":            {withRecord(all, "num_tokens", ""), "num_tokens says 0, and there are 5 tokens; expected all of its pages, or --repair"},
		"another num_tokens":       {withRecord(all, "num_tokens", "6"), "num_tokens says 6, and there are 5 tokens;"},
		"a token is gone":          {withRecord(all, "\x00\x06tokens0", ""), `num_tokens says 5, and there are 4 tokens; the owner index gives ` + string(Address("alice")) + ` the token "0", which is not there (2 differences in all)`},
		"the first page is gone":   {all[operator:], "num_tokens says 5, and there are 0 tokens; the owner index gives"},
		"no owner index":           {slices.DeleteFunc(slices.Clone(all), func(p kv.Pair) bool { return strings.HasPrefix(string(p.Key), "\x00\x0d") }), "is missing in the owner index ("},
		"an entry that is too old": {append(withRecord(all, index, ""), indexEntry("bob", "0", "1")), "(2 differences in all)"},
	} {
		t.Run(name, func(t *testing.T) {
			var wrong *chain.ImportError
			err := Must(chain.Open(Memory(t)))(t).Import(Genesis(), yieldAll(c.records), nil)
			if !errors.As(err, &wrong) || !strings.Contains(wrong.Text, c.says) {
				t.Errorf("got %v, expected %s", err, c.says)
			}

			var repaired string
			g := Genesis()
			g.OnContradiction = func(text string) { repaired = text }
			w := Blank(t, Memory(t))
			OK(t, w.C.Import(g, yieldAll(c.records), nil))
			w.CheckDerived()
			if r := Must(doctor.Run(w.C, nil))(t); !r.IsClean() || !strings.Contains(repaired, "are recomputed") {
				t.Errorf("the repair is described as %q, and leaves %+v", repaired, r.Faults)
			}
		})
	}
	for _, key := range []string{"contract_info", "cw721_collection_info", "collection_minter", "ownership"} {
		g := Genesis()
		g.OnContradiction = func(string) {}
		err := Must(chain.Open(Memory(t)))(t).Import(g, yieldAll(withRecord(all, key, "")), nil)
		if err == nil || !strings.Contains(err.Error(), "no "+key+" record") {
			t.Errorf("without %s: %v", key, err)
		}
	}
}

func TestRecordsThatAreNotTheContractsAreKeptAndCounted(t *testing.T) {
	all := append(sampleRecords(t), kv.Pair{Key: []byte("nft_info"), Value: []byte(`{"name":"n","symbol":"s"}`)}, kv.Pair{Key: []byte("\x00\x04mine1"), Value: []byte("\xff")})
	w := Blank(t, Memory(t))
	OK(t, w.C.Import(Genesis(), yieldAll(all), nil))
	w.View(func(v *chain.View) {
		slices.SortFunc(all, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
		Same(t, "the records", all, Collect(t, Copied(v.Records())))
		Same(t, "how many are others", uint64(2), Must(v.UnknownRecordCount())(t))
	})
	if r := Must(doctor.Run(w.C, nil))(t); !r.IsClean() || r.UnknownRecords != 2 {
		t.Errorf("%d others, %+v", r.UnknownRecords, r.Faults)
	}
}

// unknownVersion is a contract_info that names no known release.
const unknownVersion = `{"contract":"crates.io:cw721-base","version":"0.23.0"}`

func TestACollectionOfNoKnownReleaseCanBeReadButNotDecidedOrChanged(t *testing.T) {
	// given
	w := Blank(t, Memory(t))
	OK(t, w.C.Import(Genesis(), yieldAll(withRecord(sampleRecords(t), "contract_info", unknownVersion)), nil))

	// then
	noRules := "there is no rule set for this contract, so what it permits is not known: contract_info names crates.io:cw721-base 0.23.0, whose rules are not known"
	w.View(func(v *chain.View) {
		_, err := v.Decide(Address("alice"), &cw721.Burn{TokenID: "0"})
		Same(t, "a decision", noRules, fmt.Sprint(err))
	})
	_, err := w.C.Execute(Address("alice"), []byte(`{"approve_all":{"operator":"$bob"}}`))
	Same(t, "a message", noRules+"; to execute messages, import it with its compiled contract or with a rule set", fmt.Sprint(err))
	Must(w.C.Query([]byte(`{"num_tokens":{}}`)))(t)
	if r := Must(doctor.Run(w.C, nil))(t); !r.IsClean() {
		t.Errorf("doctor found %+v", r.Faults)
	}
}

func TestRulesAndFlavourAreThoseOfTheImportedCode(t *testing.T) {
	all := withRecord(sampleRecords(t), "\x00\x06tokens0", `{"owner":"`+string(Address("alice"))+`","approvals":[],"token_uri":null,"extension":null}`)
	metadata := withRecord(all, "\x00\x06tokens0", `{"owner":"`+string(Address("alice"))+`","approvals":[],"token_uri":null,"extension":{"name":"x"}}`)
	for _, c := range []struct {
		records   []kv.Pair
		version   string // contract_info
		requested chain.Config
		want      string // rules and flavour
	}{
		{all, `{"contract":"crates.io:cw721-base","version":"0.19.0"}`, chain.Config{}, "v0.19.0 base"},
		{all, `{"contract":"crates.io:cw721-base","version":"0.19.0"}`, chain.Config{Rules: cw721.RulesStandard}, "standard base"},
		{all, `{"contract":"crates.io:cw721-base","version":"0.18.0"}`, chain.Config{}, " base"},
		{all, `{"contract":"crates.io:cw721-base","version":"0.23.0"}`, chain.Config{}, " base"},
		{all, `{"contract":"crates.io:cw721-base","version":"1.20.0"}`, chain.Config{}, " base"},
		{all, `{"contract":"mine","version":"0.19.0"}`, chain.Config{}, " metadata-onchain"},
		{all, `{"contract":"crates.io:cw721-base","version":"0.20.1"}`, chain.Config{}, "v0.20.0 base"},
		{all, `{"contract":"crates.io:cw721-base","version":"0.21.0"}`, chain.Config{}, "v0.21.0 base"},
		{all, `{"contract":"crates.io:cw721-metadata-onchain","version":"0.22.0"}`, chain.Config{}, "v0.22.0 metadata-onchain"},
		{all, `{"contract":"mine","version":"9"}`, chain.Config{}, " metadata-onchain"},
		{metadata, `{"contract":"crates.io:cw721-base","version":"0.19.0"}`, chain.Config{}, "v0.19.0 metadata-onchain"},
		{all, `{"contract":"crates.io:cw721-base","version":"0.22.0"}`, chain.Config{Rules: cw721.RulesV019, Flavour: cw721.FlavourOnchain}, "v0.19.0 metadata-onchain"},
	} {
		ch := Must(chain.Open(Memory(t)))(t)
		OK(t, ch.Import(chain.Genesis{Config: c.requested}, yieldAll(withRecord(c.records, "contract_info", c.version)), nil))
		cfg, _ := ch.Config()
		Same(t, c.version, c.want, string(cfg.Rules)+" "+string(cfg.Flavour))
	}
}
