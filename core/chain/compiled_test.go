package chain_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// module is the contract that package wasm is tested with.
func module(t tester) *chain.Module {
	code, err := os.ReadFile("../wasm/testdata/contract.wasm")
	ok(t, err)
	return &chain.Module{File: "contract.wasm", Code: code}
}

// newCompiled gives a chain that runs the test contract, which has counted to 1.
func newCompiled(t tester, o chain.Options) *world {
	w := &world{t: t, db: kv.NewMemory()}
	w.c = must(chain.OpenWith(w.db, o))(t)
	g := genesis()
	g.Module = module(t)
	must(w.c.Create(g, address("creator"), []byte(`{"count":{}}`)))(t)
	return w
}

const count = `{"count":{}}`

func (w *world) counts(want string) {
	w.t.Helper()
	if got := w.ask(count); got != want {
		w.t.Errorf("the count is %s, want %s", got, want)
	}
}

func TestACompiledContractIsPlayedAsTheBuiltInOneIs(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	r := w.do("alice", count)
	if len(r.Response.Attributes) != 1 || len(r.Changes) != 1 || r.Node == 0 {
		t.Errorf("%+v", r)
	}
	w.counts("2")
	must(w.c.Undo(1))(t)
	w.counts("1")
	must(w.c.Redo(1))(t)
	w.counts("2")
	if r := must(w.c.Preview(address("bob"), []byte(count)))(t); len(r.Changes) != 1 || r.Node != 0 {
		t.Errorf("%+v", r)
	}
	w.counts("2")
}

func TestTheModuleIsInTheStoreAndNotInItsExport(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	w.c = must(chain.Open(w.db))(t)
	w.do("bob", count)
	w.counts("2")
	w.view(func(v *chain.View) {
		about, has, err := v.Module()
		if err != nil || !has || about.File != "contract.wasm" || about.Size != uint64(len(module(t).Code)) || len(about.Checksum) != 64 {
			t.Errorf("%+v %v %v", about, has, err)
		}
		n := 0
		for range v.Records() {
			n++
		}
		if n != 1 {
			t.Errorf("%d records are exported", n)
		}
		if why, err := v.Unreadable(); err != nil || why != "contract.wasm does not keep its storage as cw721 0.19 and later do" {
			t.Error(why, err)
		}
	})
}

func TestADamagedModuleIsTroubleAndNoRefusal(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	ok(t, w.db.Update(func(txn kv.Txn) error {
		for p := range txn.Scan(kv.Range{Start: []byte("w"), End: []byte("x")}) {
			return txn.Set(p.Key, []byte("rubbish"))
		}
		return nil
	}))
	w.c = must(chain.Open(w.db))(t)
	if _, err := w.c.Execute(address("bob"), []byte(count)); !kv.IsCorrupt(err) {
		t.Error(err)
	}
}

func TestAFileThatIsNoContractLeavesTheStoreEmpty(t *testing.T) {
	db := kv.NewMemory()
	c := must(chain.Open(db))(t)
	g := genesis()
	g.Module = &chain.Module{File: "x.wasm", Code: []byte("no")}
	if _, err := c.Create(g, address("creator"), []byte(count)); !errors.As(err, new(*wasm.ModuleError)) {
		t.Error(err)
	}
	g.Module = module(t)
	if _, err := c.Create(g, address("creator"), []byte(`{"no":{}}`)); cw721.AsError(err) == nil {
		t.Error(err)
	}
	ok(t, db.View(func(r kv.Reader) error {
		for p := range r.Scan(kv.Range{KeysOnly: true}) {
			t.Errorf("there is %q", p.Key)
		}
		return nil
	}))
}

func TestRefusalsOfACompiledContractAreRememberedAndLimitsAreNot(t *testing.T) {
	w := newCompiled(t, chain.Options{TimeLimit: 100 * time.Millisecond})
	before := w.head()
	r := w.refused("alice", `{"no":{}}`)
	if r.Refusal.Kind != cw721.KindContract || r.Refusal.Text != "Unauthorized" || len(r.Changes) > 0 {
		t.Errorf("%+v", r.Refusal)
	}
	w.counts("1")
	last := w.last()
	if last == before {
		t.Error("the refusal is not in the history")
	}
	if _, err := w.c.Execute(address("alice"), []byte(`{"loop":{}}`)); !errors.As(err, new(*wasm.LimitError)) {
		t.Error(err)
	}
	if w.last() != last {
		t.Error("what was stopped is in the history")
	}
	w.counts("1")
}

// last is the youngest node.
func (w *world) last() (id history.ID) {
	w.view(func(v *chain.View) {
		state, err := v.HistoryState()
		ok(w.t, err)
		id = state.Last
	})
	return id
}

func TestNamesStandForAddressesWhereverTheyAreAWholeString(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	r := w.do("alice", `{ "s" : "$bob" }`)
	if want := `{"s":"` + string(address("bob")) + `"}`; string(r.Message) != want {
		t.Errorf("%s was sent", r.Message)
	}
	for _, msg := range []string{`{"s":"$5"}`, `{"s":"to $bob"}`, `{"$bob":"x"}`, `{"s":"$bob"`} {
		if r := w.run("alice", "%s", msg); string(r.Message) != msg {
			t.Errorf("%s was sent for %s", r.Message, msg)
		}
	}
}

func TestAContractHearsHowItsMessagesWent(t *testing.T) {
	w := newCompiled(t, chain.Options{})
	must(w.c.AddAccount("market", "", chain.ReceiverAccepts))(t)
	heard := func() string {
		t.Helper()
		r := w.do("alice", `{"give":{}}`)
		if len(r.Response.Messages) != 1 || len(r.Response.Attributes) != 1 {
			t.Errorf("%+v", r.Response)
		}
		return string(r.Changes[0].New)
	}
	if got := heard(); got != `{"id":7,"payload":"","gas_used":0,"result":{"ok":{"events":[],"msg_responses":[]}}}` {
		t.Error(got)
	}
	must(w.c.SetReceiver("market", chain.ReceiverRejects))(t)
	if got := heard(); got != `{"id":7,"payload":"","gas_used":0,"result":{"error":"codespace: wasm, code: 5"}}` {
		t.Error(got)
	}
}

func TestMigrateIsAStepThatCanBeUndone(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	_, err := w.c.Migrate(chain.Module{File: "x.wasm", Code: []byte("no")}, address("creator"), []byte(count))
	if !errors.As(err, new(*wasm.ModuleError)) {
		t.Error(err)
	}
	r := must(w.c.Migrate(*module(t), address("creator"), []byte(`{"no":{}}`)))(t)
	if r.Refusal == nil || w.ownerOf("1") != "alice" {
		t.Errorf("%+v", r)
	}
	r = must(w.c.Migrate(*module(t), address("creator"), []byte(count)))(t)
	ok(t, r.Err())
	if len(r.Changes) != 1 {
		t.Errorf("%+v", r.Changes)
	}
	w.counts("1")
	w.view(func(v *chain.View) {
		if n := must(v.Node(r.Node))(t); n.Kind != history.KindMigrate {
			t.Errorf("%+v", n)
		}
	})
	must(w.c.Undo(1))(t)
	if w.ownerOf("1") != "alice" {
		t.Error("the token is gone")
	}
	must(w.c.Redo(1))(t)
	w.counts("1")
}

func TestWhatTheBuiltInContractWouldHaveDoneIsKeptInTheHistory(t *testing.T) {
	w := newCompiled(t, chain.Options{Compare: true})
	r := w.do("alice", count)
	if r.Difference == nil || !strings.Contains(string(r.Difference.BuiltIn), `"kind":"parse"`) {
		t.Fatalf("%+v", r.Difference)
	}
	w.view(func(v *chain.View) {
		n := must(v.Node(r.Node))(t)
		if n.Refusal != nil || !strings.Contains(string(n.Difference), `"built_in":{"error":`) {
			t.Errorf("%+v", n)
		}
	})
	if _, err := w.c.Query([]byte(count)); !errors.As(err, new(*chain.DifferenceError)) {
		t.Error(err)
	}
	if r := w.refused("alice", `{"junk":{}}`); r.Difference != nil && r.Refusal.Kind == cw721.KindParse {
		t.Errorf("both refuse it as what it is: %s", r.Difference)
	}
}
