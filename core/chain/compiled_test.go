package chain_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// module returns the contract in the test data of package wasm. It counts messages and has
// no tokens.
func module(t Tester) *chain.Module {
	code := Must(os.ReadFile("../wasm/testdata/contract.wasm"))(t)
	return &chain.Module{File: "contract.wasm", Code: code}
}

// newCompiled returns a chain that runs the contract of [module], which has counted to 1.
func newCompiled(t Tester, o chain.Options) *World {
	w := &World{T: t, DB: kv.NewMemory()}
	w.C = Must(chain.OpenWith(w.DB, o))(t)
	g := Genesis()
	g.Module = module(t)
	Must(w.C.Create(g, Address("creator"), []byte(`{"count":{}}`)))(t)
	return w
}

// count is a message that makes the test contract count, and a query for the count.
const count = `{"count":{}}`

// expectCount compares the count of the test contract.
func expectCount(w *World, want string) {
	w.T.Helper()
	if got := w.Ask(count); got != want {
		w.T.Errorf("the count is %s, want %s", got, want)
	}
}

func TestACompiledContractExecutesUndoesAndPreviewsMessages(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	r := w.Do("alice", count)
	if len(r.Response.Attributes) != 1 || len(r.Changes) != 1 || r.Node == 0 {
		t.Errorf("%+v", r)
	}
	expectCount(w, "2")
	Must(w.C.Undo(1))(t)
	expectCount(w, "1")
	Must(w.C.Redo(1))(t)
	expectCount(w, "2")
	if r := Must(w.C.Preview(Address("bob"), []byte(count)))(t); len(r.Changes) != 1 || r.Node != 0 {
		t.Errorf("%+v", r)
	}
	expectCount(w, "2")
}

func TestTheModuleIsStoredOutsideTheContractsRecords(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	w.C = Must(chain.Open(w.DB))(t)
	w.Do("bob", count)
	expectCount(w, "2")
	w.View(func(v *chain.View) {
		stored, isCompiled, err := v.Module()
		if err != nil || !isCompiled || len(stored.Checksum) != 64 {
			t.Errorf("the module is %+v, %v, %v", stored, isCompiled, err)
		}
		Same(t, "the name of the module", "contract.wasm", stored.File)
		Same(t, "the size of the module", uint64(len(module(t).Code)), stored.Size)
		Same(t, "the number of the contract's records", 1, len(Collect(t, v.Records())))
		if err := v.CheckReadable(); err == nil || err.Error() != "contract.wasm does not keep its storage as cw721 0.16 and later do" {
			t.Error(err)
		}
	})
}

func TestADamagedModuleIsCorruptAndNotARefusal(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	OK(t, w.DB.Update(func(txn kv.Txn) error {
		for p := range txn.Scan(kv.Range{Start: []byte("w"), End: []byte("x")}) {
			return txn.Set(p.Key, []byte("rubbish"))
		}
		return nil
	}))
	w.C = Must(chain.Open(w.DB))(t)
	if _, err := w.C.Execute(Address("bob"), []byte(count)); !kv.IsCorrupt(err) {
		t.Error(err)
	}
}

func TestAFileThatIsNoContractLeavesTheStoreEmpty(t *testing.T) {
	db := kv.NewMemory()
	c := Must(chain.Open(db))(t)
	g := Genesis()
	g.Module = &chain.Module{File: "x.wasm", Code: []byte("no")}
	if _, err := c.Create(g, Address("creator"), []byte(count)); !errors.As(err, new(*wasm.ModuleError)) {
		t.Error(err)
	}
	g.Module = module(t)
	if _, err := c.Create(g, Address("creator"), []byte(`{"no":{}}`)); cw721.AsError(err) == nil {
		t.Error(err)
	}
	OK(t, db.View(func(r kv.Reader) error {
		for p := range r.Scan(kv.Range{KeysOnly: true}) {
			t.Errorf("there is %q", p.Key)
		}
		return nil
	}))
}

func TestRefusalsOfACompiledContractAreInTheHistoryAndLimitsAreNot(t *testing.T) {
	w := newCompiled(t, chain.Options{TimeLimit: 100 * time.Millisecond})
	before := w.Head()
	r := w.Refused("alice", `{"no":{}}`)
	if r.Refusal.Kind != cw721.KindContract || r.Refusal.Text != "Unauthorized" || len(r.Changes) > 0 {
		t.Errorf("%+v", r.Refusal)
	}
	expectCount(w, "1")
	newest := lastNode(w)
	if newest == before {
		t.Error("the refusal is not in the history")
	}

	endless := []byte(`{"loop":{}}`)
	if _, err := w.C.Execute(Address("alice"), endless); !errors.As(err, new(*wasm.LimitError)) {
		t.Error(err)
	}
	if lastNode(w) != newest {
		t.Error("a message that was stopped is in the history")
	}
	w.View(func(v *chain.View) {
		message := chain.TimedMessage{Block: v.Clock.Block(), Sender: Address("alice"), Message: endless}
		executed, refusal, err := v.TryMessages([]chain.TimedMessage{message})
		if err != nil || executed != 0 || refusal == nil || refusal.Kind != chain.KindLimit {
			t.Errorf("trying the message: %d executed, %v, %v", executed, refusal, err)
		}
	})
	expectCount(w, "1")
}

// lastNode returns the newest node of the history.
func lastNode(w *World) (id history.ID) {
	w.View(func(v *chain.View) {
		state := Must(v.HistoryState())(w.T)
		id = state.Last
	})
	return id
}

func TestACompiledContractGetsAddressesForNamesThatAreWholeStrings(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	r := w.Do("alice", `{ "s" : "$bob" }`)
	if want := `{"s":"` + string(Address("bob")) + `"}`; string(r.Message) != want {
		t.Errorf("%s was sent", r.Message)
	}
	for _, msg := range []string{`{"s":"$5"}`, `{"s":"to $bob"}`, `{"$bob":"x"}`, `{"s":"$bob"`} {
		if r := w.Run("alice", "%s", msg); string(r.Message) != msg {
			t.Errorf("%s was sent for %s", r.Message, msg)
		}
	}
}

func TestTheLinesThatAContractLogsInAQueryAreInTheView(t *testing.T) {
	c := Must(chain.Open(kv.NewMemory()))(t)
	g := Genesis()
	g.Module = &chain.Module{File: "hostile.wasm", Code: Must(os.ReadFile("../wasm/testdata/hostile.wasm"))(t)}
	OK(t, c.Import(g, func(func(kv.Pair, error) bool) {}, nil))
	var msg []byte // writes a region and two letters, and logs them
	for _, n := range []uint32{0, 1000, 2000, 0, 0, 1004, 2, 0, 0, 1008, 2, 0, 0, 2000, 'h' | 'i'<<8, 0, 12, 1000, 0, 0} {
		msg = binary.LittleEndian.AppendUint32(msg, n)
	}
	OK(t, c.View(func(v *chain.View) error {
		if _, err := v.Query(msg); !slices.Equal(v.LogLines, []string{"hi"}) {
			t.Errorf("%q %v", v.LogLines, err)
		}
		return nil
	}))
}

func TestAContractGetsRepliesAboutItsMessages(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	Must(w.C.AddAccount("market", "", chain.ReceiverAccepts))(t)

	// storedReply sends a token to the market, and returns the reply, which the contract
	// stores.
	storedReply := func() string {
		t.Helper()
		r := w.Do("alice", `{"give":{}}`)
		if len(r.Response.Messages) != 1 || len(r.Response.Attributes) != 1 {
			t.Errorf("%+v", r.Response)
		}
		return string(r.Changes[0].NewValue)
	}
	const success = `{"id":7,"payload":"","gas_used":0,"result":{"ok":{"events":[],"msg_responses":[]}}}`
	Same(t, "the reply about an accepted message", success, storedReply())

	Must(w.C.SetReceiver("market", chain.ReceiverRejects))(t)
	const failure = `{"id":7,"payload":"","gas_used":0,"result":{"error":"codespace: wasm, code: 5"}}`
	Same(t, "the reply about a refused message", failure, storedReply())
}

func TestAMigrationIsANodeThatUndoReverts(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	_, err := w.C.Migrate(chain.Module{File: "x.wasm", Code: []byte("no")}, Address("creator"), []byte(count))
	if !errors.As(err, new(*wasm.ModuleError)) {
		t.Error(err)
	}
	r := Must(w.C.Migrate(*module(t), Address("creator"), []byte(`{"no":{}}`)))(t)
	if r.Refusal == nil || w.OwnerOf("1") != "alice" {
		t.Errorf("%+v", r)
	}
	r = Must(w.C.Migrate(*module(t), Address("creator"), []byte(count)))(t)
	OK(t, r.Err())
	if len(r.Changes) != 1 {
		t.Errorf("%+v", r.Changes)
	}
	expectCount(w, "1")
	w.View(func(v *chain.View) {
		if n := Must(v.Node(r.Node))(t); n.Kind != history.KindMigrate {
			t.Errorf("%+v", n)
		}
	})
	compared := Must(chain.OpenWith(w.DB, chain.Options{Compare: true}))(t)
	OK(t, Must(compared.Migrate(*module(t), Address("creator"), []byte(count)))(t).Err())
	Must(w.C.Undo(2))(t)
	if w.OwnerOf("1") != "alice" {
		t.Error("the token is gone")
	}
	Must(w.C.Redo(1))(t)
	expectCount(w, "1")
}

func TestTheFirstMessageReportsAnotherStorageLayoutAndNothingIsComparedAfterIt(t *testing.T) {
	w := newCompiled(t, chain.Options{Compare: true})
	w.View(func(v *chain.View) {
		first := Must(v.Node(1))(t)
		if first.Refusal != nil || !strings.Contains(string(first.Difference), "another storage layout") {
			t.Errorf("the first node is %+v", first)
		}
	})

	if r := w.Do("alice", count); r.Difference != nil {
		t.Errorf("a later message is compared: %s", r.Difference)
	}
	if _, err := w.C.Query([]byte(count)); err != nil {
		t.Errorf("a query is compared: %v", err)
	}
}

// rulesOf returns the rules and the flavour that are in force, separated by a space.
func rulesOf(w *World) string {
	v := Must(chain.Read(w.C, func(v *chain.View) (chain.Config, error) { return v.Config, nil }))(w.T)
	return string(v.Rules) + " " + string(v.Flavour)
}

func TestAMigrationChangesTheRulesToThoseOfContractInfoAndUndoRestoresThem(t *testing.T) {
	w := New(t) // whose contract_info, which the test contract leaves, is that of 0.19.0
	w.Mint("ape", "alice")
	before := Must(chain.Read(w.C, func(v *chain.View) (history.ID, error) { return v.Head, nil }))(t)
	Same(t, "before", "standard metadata-onchain", rulesOf(w))
	Must(w.C.Migrate(*module(t), Address("creator"), []byte(count)))(t)
	Same(t, "after", "v0.19.0 metadata-onchain", rulesOf(w))
	OK(t, w.C.ViewAt(before, func(v *chain.View) error {
		Same(t, "looking back", cw721.RulesStandard, v.Rules)
		return nil
	}))
	w.C = Must(chain.Open(w.DB))(t)
	Same(t, "opened again", "v0.19.0 metadata-onchain", rulesOf(w))
	Must(w.C.Undo(1))(t)
	Same(t, "undone", "standard metadata-onchain", rulesOf(w))
	Must(w.C.Redo(1))(t)
	Same(t, "redone", "v0.19.0 metadata-onchain", rulesOf(w))
}

func TestACompiledContractWithoutKnownRulesHasThoseOfTheGenesis(t *testing.T) {
	w := &World{T: t, DB: kv.NewMemory()}
	w.C = Must(chain.Open(w.DB))(t)
	g := Genesis()
	g.Module = module(t)
	g.Config.Rules = cw721.RulesV022
	g.Config.Flavour = cw721.FlavourBase
	g.RulesMustFit = true
	Must(w.C.Create(g, Address("creator"), []byte(count)))(t)
	Same(t, "the rules", "v0.22.0 base", rulesOf(w))
}

func TestAReleasedContractHasItsOwnRulesAndRefusesOthers(t *testing.T) {
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	cached := chain.Options{CacheDir: t.TempDir()}
	for file, want := range map[string]string{
		"cw721_metadata_onchain_v0.19.0.wasm": "v0.19.0 metadata-onchain",
		"cw721_base_v0.19.0.wasm":             "v0.19.0 base",
		"cw721_base_v0.18.0.wasm":             " base",
	} {
		code := Must(os.ReadFile(filepath.Join(dir, file)))(t)
		g := Genesis()
		g.Module = &chain.Module{File: file, Code: code}
		msg := []byte(`{"name":"Apes","symbol":"APE","minter":"` + string(Address("creator")) + `"}`)

		w := &World{T: t, C: Must(chain.OpenWith(Memory(t), cached))(t)}
		Must(w.C.Create(g, Address("creator"), msg))(t)
		Same(t, file, want, rulesOf(w))

		begun := &World{T: t, C: Must(chain.OpenWith(Memory(t), cached))(t)}
		g.Config.Rules = cw721.RulesV022
		g.Config.Flavour = cw721.FlavourOnchain
		OK(t, begun.C.Begin(g))
		Must(begun.C.Instantiate(Address("creator"), msg))(t)
		rules, _, _ := strings.Cut(want, " ")
		if rules == "" {
			rules = "v0.22.0" // nothing is known against those that were given
		}
		Same(t, file+", begun with a flavour", rules+" metadata-onchain", rulesOf(begun))

		g.RulesMustFit = true
		refused := Must(chain.OpenWith(Memory(t), cached))(t)
		_, err := refused.Create(g, Address("creator"), msg)
		if contradicts := errors.As(err, new(*chain.FieldError)); contradicts != (rules == "v0.19.0") {
			t.Errorf("%s with rules of v0.22.0: %v", file, err)
		}
		if _, made := refused.Config(); made != (err == nil) {
			t.Errorf("%s: there is a chain: %v, after %v", file, made, err)
		}
	}
}

func TestAModuleThatTakesTooLongToCompileIsRefusedAsALimit(t *testing.T) {
	// The module has one function, with 40,000 empty if blocks. Its body and its section each
	// follow their size.
	body := "\x00" + strings.Repeat("\x41\x01\x04\x40\x0b", 40_000) + "\x0b"
	section := binary.AppendUvarint([]byte{1}, uint64(len(body)))
	section = append(section, body...)
	code := binary.AppendUvarint([]byte("\x00asm\x01\x00\x00\x00\x0a"), uint64(len(section)))
	code = append(code, section...)

	w := newCompiled(t, chain.Options{})
	_, err := w.C.Migrate(chain.Module{File: "bomb.wasm", Code: code}, Address("alice"), []byte(count))
	if e := cw721.AsError(err); e == nil || e.Kind != chain.KindLimit || !strings.HasPrefix(e.Text, "bomb.wasm cannot run here: one of its functions takes too long to compile") {
		t.Errorf("%v", err)
	}
}

func TestCompilingIsAnnouncedAndCanBeCancelled(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var events []string
	o := chain.Options{BeginCompiling: func(file string) (context.Context, func()) {
		events = append(events, "begins "+file)
		return cancelled, func() { events = append(events, "ends") }
	}}
	g := Genesis()
	g.Module = module(t)
	c := Must(chain.OpenWith(kv.NewMemory(), o))(t)
	_, err := c.Create(g, Address("creator"), []byte(count))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("creating the chain gave %v", err)
	}
	Same(t, "the events", []string{"begins contract.wasm", "ends"}, events)
}

// A fork that differs from a release in the name of its code alone differs from the built-in
// contract in no message and in no query that the release does not differ in.
func TestARenamedForkComparesAsItsReleaseDoes(t *testing.T) {
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	const release = "crates.io:cw721-metadata-onchain"
	code := Must(os.ReadFile(filepath.Join(dir, "cw721_metadata_onchain_v0.19.0.wasm")))(t)
	fork := bytes.Replace(code, []byte(release), []byte("crates.io:my721-apes-are-forever"), 1)

	differences := func(code []byte) (found []string) {
		c := Must(chain.OpenWith(Memory(t), chain.Options{CacheDir: t.TempDir(), Compare: true}))(t)
		g := Genesis()
		g.Module = &chain.Module{File: "fork.wasm", Code: code}
		g.Config.Rules = cw721.RulesV019
		g.Config.Flavour = cw721.FlavourOnchain
		receipts := []chain.Receipt{Must(c.Create(g, Address("creator"), []byte(`{"name":"Apes","symbol":"APE"}`)))(t)}
		for _, message := range []string{
			`{"mint":{"token_id":"1","owner":"$creator","extension":{"name":"one"}}}`,
			`{"update_collection_info":{"collection_info":{"name":"Other"}}}`,
			`{"approve":{"spender":"$alice","token_id":"1"}}`,
			`{"burn":{"token_id":"none"}}`,
		} {
			receipts = append(receipts, Must(c.Execute(Address("creator"), []byte(message)))(t))
		}
		for i, receipt := range receipts {
			if receipt.Difference != nil {
				found = append(found, fmt.Sprintf("message %d: %v", i, receipt.Difference))
			}
		}
		for _, name := range cw721.RulesV019.QueryNames() {
			_, err := c.Query([]byte(`{"` + name + `":{}}`))
			if errors.As(err, new(*chain.DifferenceError)) {
				found = append(found, "query "+name)
			}
		}
		return found
	}

	ofRelease := differences(code)
	Same(t, "the differences of the fork", ofRelease, differences(fork))
	Same(t, "the differences of the release", []string{"query get_config"}, ofRelease)
}
