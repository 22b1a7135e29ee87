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
	"ephemera/core/check"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// records gives the contract's storage of a world with a bit of everything.
func records(t *testing.T) []kv.Pair {
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
			w := Blank(t, Memory(t))
			g := Genesis()
			g.Instantiator = Address("carol")
			OK(t, w.C.Import(g, each(mixed), nil))
			w.View(func(v *chain.View) { Same(t, "the records", all, Collect(t, Copied(v.Records()))) })
			w.CheckDerived()
			if got := w.Ask(`{"get_all_info":{}}`); !strings.Contains(got, string(Address("carol"))) {
				t.Errorf("who created it is lost: %s", got)
			}
			Fails(w.C.Undo(1))(t, "undo of an import", history.ErrNothingToUndo)
			again := Must(chain.Open(w.DB))(t)
			Same(t, "what is next", "alice", w.OwnerOf("0"))
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
	c := Must(chain.Open(db))(t)
	err := c.Import(Genesis(), func(yield func(kv.Pair, error) bool) {
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
		"begin":  func() error { return c.Begin(Genesis()) },
		"create": func() error { _, err := c.Create(Genesis(), Address("creator"), []byte(Founding)); return err },
		"import": func() error { return c.Import(Genesis(), each(records(t)), nil) },
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
	for name, db := range map[string]kv.DB{"in memory": Memory(t), "on what keeps a half": halfway{Memory(t)}} {
		t.Run(name, func(t *testing.T) {
			cutOff(t, db, 7)
			OK(t, chain.Discard(db))
			Same(t, "what is left", map[string]string{}, Parts(t, db, ""))
			w := On(t, db)
			before := w.Everything()
			OK(t, chain.Discard(db))
			Same(t, "a whole collection after a discard", before, w.Everything())
		})
	}
}

func TestADiscardThatIsCutOffCanBeDoneAgain(t *testing.T) {
	db := Memory(t)
	cutOff(t, halfway{db}, 7)
	n := 0
	broken := brokenDeletes{halfway{db}, &n}
	if err := chain.Discard(broken); !errors.Is(err, ErrDisk) {
		t.Fatalf("got %v", err)
	}
	Fails(chain.Open(db))(t, "half discarded, open", chain.ErrImporting)
	OK(t, chain.Discard(halfway{db}))
	Same(t, "what is left", map[string]string{}, Parts(t, db, ""))
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
		return ErrDisk
	}
	return c.Writer.Delete(k)
}

func TestARecordThatComesTwiceIsNoticedWhereverItStands(t *testing.T) {
	all := records(t)
	for name, twice := range map[string][]kv.Pair{
		"one after the other": slices.Insert(slices.Clone(all), 3, all[2]),
		"far apart":           append(slices.Clone(all), all[2]),
	} {
		c := Must(chain.Open(Memory(t)))(t)
		var wrong *chain.ImportError
		if err := c.Import(Genesis(), each(twice), nil); !errors.As(err, &wrong) || !strings.Contains(wrong.Text, "1 of the dump's") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// changed gives records with one of them set, or without it where value is empty.
func changed(all []kv.Pair, key, value string) []kv.Pair {
	rest := slices.DeleteFunc(slices.Clone(all), func(p kv.Pair) bool { return string(p.Key) == key })
	if value == "" {
		return rest
	}
	return append(rest, kv.Pair{Key: []byte(key), Value: []byte(value)})
}

func TestADumpThatIsNotWholeIsRefusedOrRepaired(t *testing.T) {
	all := records(t)
	index := string(indexEntry("alice", "0", "").Key)
	operator := slices.IndexFunc(all, func(p kv.Pair) bool { return strings.HasPrefix(string(p.Key), "\x00\x09operators") })
	for name, c := range map[string]struct {
		records []kv.Pair
		says    string
	}{
		"no num_tokens":            {changed(all, "num_tokens", ""), "num_tokens says 0, and there are 5 tokens; expected all of its pages, or --repair"},
		"another num_tokens":       {changed(all, "num_tokens", "6"), "num_tokens says 6, and there are 5 tokens;"},
		"a token is gone":          {changed(all, "\x00\x06tokens0", ""), `num_tokens says 5, and there are 4 tokens; the owner index gives ` + string(Address("alice")) + ` the token "0", which is not there (2 differences in all)`},
		"the first page is gone":   {all[operator:], "num_tokens says 5, and there are 0 tokens; the owner index gives"},
		"no owner index":           {slices.DeleteFunc(slices.Clone(all), func(p kv.Pair) bool { return strings.HasPrefix(string(p.Key), "\x00\x0d") }), "is missing in the owner index ("},
		"an entry that is too old": {append(changed(all, index, ""), indexEntry("bob", "0", "1")), "(2 differences in all)"},
	} {
		t.Run(name, func(t *testing.T) {
			var wrong *chain.ImportError
			err := Must(chain.Open(Memory(t)))(t).Import(Genesis(), each(c.records), nil)
			if !errors.As(err, &wrong) || !strings.Contains(wrong.Text, c.says) {
				t.Errorf("got %v, expected %s", err, c.says)
			}
			var done string
			g := Genesis()
			g.Repair = func(text string) { done = text }
			w := Blank(t, Memory(t))
			OK(t, w.C.Import(g, each(c.records), nil))
			w.CheckDerived()
			if r := Must(check.Run(w.C, nil))(t); !r.IsClean() || !strings.Contains(done, "derived anew") {
				t.Errorf("told as %q, and then %+v", done, r.Faults)
			}
		})
	}
	for _, key := range []string{"contract_info", "cw721_collection_info", "collection_minter", "ownership"} {
		g := Genesis()
		g.Repair = func(string) {}
		err := Must(chain.Open(Memory(t)))(t).Import(g, each(changed(all, key, "")), nil)
		if err == nil || !strings.Contains(err.Error(), "no "+key+" record") {
			t.Errorf("without %s: %v", key, err)
		}
	}
}

func TestRecordsThatAreNotTheContractsAreKeptAndCounted(t *testing.T) {
	all := append(records(t), kv.Pair{Key: []byte("nft_info"), Value: []byte(`{"name":"n","symbol":"s"}`)}, kv.Pair{Key: []byte("\x00\x04mine1"), Value: []byte("\xff")})
	w := Blank(t, Memory(t))
	OK(t, w.C.Import(Genesis(), each(all), nil))
	w.View(func(v *chain.View) {
		slices.SortFunc(all, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
		Same(t, "the records", all, Collect(t, Copied(v.Records())))
		Same(t, "how many are others", uint64(2), Must(v.OtherRecords())(t))
	})
	if r := Must(check.Run(w.C, nil))(t); !r.IsClean() || r.Others != 2 {
		t.Errorf("%d others, %+v", r.Others, r.Faults)
	}
}

// unknownVersion is a contract_info that names no known release.
const unknownVersion = `{"contract":"crates.io:cw721-base","version":"0.23.0"}`

func TestADumpOfNoKnownReleaseIsReadButNeitherJudgedNorChanged(t *testing.T) {
	// given
	w := Blank(t, Memory(t))
	OK(t, w.C.Import(Genesis(), each(changed(records(t), "contract_info", unknownVersion)), nil))

	// then
	noRules := "there is no rule set for this contract, so what it permits is not known: contract_info names crates.io:cw721-base 0.23.0, whose rules are not known"
	w.View(func(v *chain.View) {
		_, err := v.Decide(Address("alice"), &cw721.Burn{TokenID: "0"})
		Same(t, "a decision", noRules, fmt.Sprint(err))
	})
	_, err := w.C.Execute(Address("alice"), []byte(`{"approve_all":{"operator":"$bob"}}`))
	Same(t, "a message", noRules, fmt.Sprint(err))
	Must(w.C.Query([]byte(`{"num_tokens":{}}`)))(t)
	if r := Must(check.Run(w.C, nil))(t); !r.IsClean() {
		t.Errorf("doctor found %+v", r.Faults)
	}
}

func TestRulesAndFlavourFollowTheCodeOfTheDump(t *testing.T) {
	all := changed(records(t), "\x00\x06tokens0", `{"owner":"`+string(Address("alice"))+`","approvals":[],"token_uri":null,"extension":null}`)
	metadata := changed(all, "\x00\x06tokens0", `{"owner":"`+string(Address("alice"))+`","approvals":[],"token_uri":null,"extension":{"name":"x"}}`)
	for _, c := range []struct {
		records []kv.Pair
		version string
		said    chain.Config
		want    string
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
		OK(t, ch.Import(chain.Genesis{Config: c.said}, each(changed(c.records, "contract_info", c.version)), nil))
		cfg, _ := ch.Config()
		Same(t, c.version, c.want, string(cfg.Rules)+" "+string(cfg.Flavour))
	}
}
