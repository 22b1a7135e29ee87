package chain_test

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

func TestAMessageChangesTheContractAndTellsWhat(t *testing.T) {
	w := newWorld(t)
	r := w.do("creator", `{"mint":{"token_id":"1","owner":"$alice"}}`)
	same(t, "the block", cw721.Block{Height: 100, Time: 1000e9}, r.Block)
	same(t, "the message with the name replaced", `{"mint":{"token_id":"1","owner":"`+string(address("alice"))+`"}}`, string(r.Message))
	keys := []string{}
	for _, c := range r.Changes {
		keys = append(keys, string(c.Key))
	}
	same(t, "what it changed", []string{"\x00\x06tokens1", "\x00\rtokens__owner\x00\x2d" + string(address("alice")) + "1", "num_tokens"}, keys)
	same(t, "the owner", "alice", w.ownerOf("1"))
	w.checkDerived()
}

func TestARefusedMessageIsRememberedAndChangesNothingElse(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	for name, msg := range map[string]string{
		"not allowed":    `{"burn":{"token_id":"1"}}`,
		"no such token":  `{"burn":{"token_id":"2"}}`,
		"a bad address":  `{"approve_all":{"operator":"cosmos1"}}`,
		"a bad URL":      `{"mint":{"token_id":"3","owner":"$bob","token_uri":"no"}}`,
		"no JSON at all": "\xff{",
		"nothing":        ``,
	} {
		t.Run(name, func(t *testing.T) {
			before, head := w.state(), w.head()
			r := w.refused("bob", "%s", msg)
			same(t, "the state", before, w.state())
			if len(r.Changes) > 0 || r.Node != head+1 {
				t.Errorf("changes %v at node %d, want none at %d", r.Changes, r.Node, head+1)
			}
			w.view(func(v *chain.View) {
				n := must(v.Node(r.Node))(t)
				same(t, "the message", string(r.Message), n.Message)
				same(t, "the refusal", r.Refusal.Text, n.Refusal.Text)
				same(t, "the sender", address("bob"), n.Sender)
				if len(n.Answer) > 0 || n.Changes != 0 {
					t.Errorf("the node has answer %s and %d changes", n.Answer, n.Changes)
				}
			})
		})
	}
}

func TestANameThatNobodyHasIsNotARefusal(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	_, err := w.c.Execute(address("creator"), []byte(`{"mint":{"token_id":"1","owner":"$nobody"}}`))
	var unknown *wire.UnknownNameError
	if !errors.As(err, &unknown) || unknown.Name != "nobody" {
		t.Errorf("got %v, want that nobody is named so", err)
	}
	same(t, "the store", before, w.everything())
}

func TestADollarOutsideAnAddressIsADollar(t *testing.T) {
	w := newWorld(t)
	w.mint("$alice", "alice")
	same(t, "the tokens", `{"tokens":["$alice"]}`, w.ask(`{"all_tokens":{}}`))
}

// send mints a token for alice and has her send it.
func send(t *testing.T, w *world, to cw721.Address) chain.Receipt {
	t.Helper()
	w.mint("1", "alice")
	return w.run("alice", `{"send_nft":{"token_id":"1","contract":%q,"msg":"aGk="}}`, to)
}

func TestSendingToAPlainAccountIsRefusedAsAChainDoes(t *testing.T) {
	w := newWorld(t)
	before := func() map[string]string { return w.state() }
	r := send(t, w, address("bob"))
	if r.Refusal == nil {
		t.Fatal("it was delivered")
	}
	same(t, "the kind", chain.KindChain, r.Refusal.Kind)
	same(t, "the text", "address "+string(address("bob"))+": no such contract", r.Refusal.Text)
	same(t, "the owner", "alice", w.ownerOf("1"))
	same(t, "the state", before(), w.state())
	if len(r.Response.Messages)+len(r.Response.Attributes) > 0 {
		t.Errorf("a refusal answered %v", r.Response)
	}
}

func TestARejectingReceiverRevertsEverything(t *testing.T) {
	w := newWorld(t)
	market := must(w.c.AddAccount("market", "", chain.ReceiverRejects))(t)
	w.mint("1", "alice")
	w.do("alice", `{"approve":{"token_id":"1","spender":"$bob"}}`)
	before := w.state()
	r := w.refused("alice", `{"send_nft":{"token_id":"1","contract":"$market","msg":""}}`)
	same(t, "the kind", chain.KindChain, r.Refusal.Kind)
	if !strings.Contains(r.Refusal.Text, string(market.Address)) {
		t.Errorf("the refusal does not name the receiver: %s", r.Refusal.Text)
	}
	same(t, "the state", before, w.state())
}

func TestAnAcceptingReceiverOwnsWhatItIsSent(t *testing.T) {
	w := newWorld(t)
	market := must(w.c.AddAccount("market", "", chain.ReceiverAccepts))(t)
	r := send(t, w, market.Address)
	ok(t, r.Err())
	same(t, "the owner", string(market.Address), w.ownerOf("1"))
	same(t, "how many messages went out", 1, len(r.Response.Messages))
	w.checkDerived()
}

func TestA32ByteAddressWithoutANameAcceptsAndACalledPlainOneDoesNot(t *testing.T) {
	contract := must(chain.AddressFor("cosmos", "somewhere", 32))(t)
	w := newWorld(t)
	r := send(t, w, contract)
	ok(t, r.Err())

	w = newWorld(t)
	must(w.c.AddAccount("empty", contract, chain.ReceiverPlain))(t)
	if r := send(t, w, contract); r.Refusal == nil {
		t.Error("a plain account took a token")
	}
}

func TestTheCollectionItselfTakesNoTokens(t *testing.T) {
	w := newWorld(t)
	cfg, _ := w.c.Config()
	r := send(t, w, cfg.Self)
	if r.Refusal == nil || r.Refusal.Kind != chain.KindChain {
		t.Errorf("got %v, want a refusal by the chain", r.Refusal)
	}
}

func TestAChainThatOnlyRecordsDeliversNothing(t *testing.T) {
	g := genesis()
	g.Record = true
	w := &world{t: t, db: memory(t)}
	w.c = must(chain.Open(w.db))(t)
	must(w.c.Create(g, address("creator"), []byte(founding)))(t)
	r := send(t, w, address("bob"))
	ok(t, r.Err())
	same(t, "how many messages went out", 1, len(r.Response.Messages))
	same(t, "the owner", "bob", w.ownerOf("1"))
}

func TestThereIsNothingToExecuteBeforeTheCollection(t *testing.T) {
	c := must(chain.Open(memory(t)))(t)
	msg := []byte(`{"burn":{"token_id":"1"}}`)
	begun := false
	for {
		if _, err := c.Execute(address("alice"), msg); !errors.Is(err, chain.ErrNoCollection) {
			t.Errorf("execute gave %v", err)
		}
		if _, err := c.Query([]byte(`{"num_tokens":{}}`)); !errors.Is(err, chain.ErrNoCollection) {
			t.Errorf("query gave %v", err)
		}
		if begun {
			return
		}
		ok(t, c.Begin(genesis()))
		begun = true
	}
}

func TestARefusedFirstMessageLeavesTheStoreEmpty(t *testing.T) {
	db := memory(t)
	c := must(chain.Open(db))(t)
	r, err := c.Create(genesis(), address("creator"), []byte(`{"name":"","symbol":"APE"}`))
	if cw721.AsError(err) == nil || r.Node != 0 {
		t.Errorf("got node %d, %v; want a refusal without a node", r.Node, err)
	}
	same(t, "the store", map[string]string{}, parts(t, db, ""))
	must(c.Create(genesis(), address("creator"), []byte(founding)))(t)
}

func TestACollectionIsMadeOnce(t *testing.T) {
	db := memory(t)
	first, second := must(chain.Open(db))(t), must(chain.Open(db))(t)
	must(first.Create(genesis(), address("creator"), []byte(founding)))(t)
	before := parts(t, db, "")
	for _, c := range []*chain.Chain{first, second} {
		if err := c.Begin(genesis()); !errors.Is(err, chain.ErrCollection) {
			t.Errorf("begin gave %v", err)
		}
	}
	if _, err := first.Instantiate(address("bob"), []byte(founding)); !errors.Is(err, chain.ErrCollection) {
		t.Errorf("instantiate gave %v", err)
	}
	same(t, "the store", before, parts(t, db, ""))
}

func TestABegunChainRemembersRefusedInstantiationsAndIsSealedByTheRightOne(t *testing.T) {
	db := memory(t)
	w := &world{t: t, db: db, c: must(chain.Open(db))(t)}
	ok(t, w.c.Begin(genesis()))
	must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	if r := must(w.c.Instantiate(address("creator"), []byte(`{"name":""}`)))(t); r.Refusal == nil || r.Node != 2 {
		t.Errorf("got node %d, refusal %v", r.Node, r.Refusal)
	}
	r := must(w.c.Instantiate(address("creator"), []byte(founding)))(t)
	ok(t, r.Err())
	w.view(func(v *chain.View) { same(t, "the revision", v.Revision, r.Revision) })
	if _, err := w.c.Undo(1); err == nil {
		t.Error("undo took the collection away")
	}
	for _, query := range []string{`{"get_all_info":{}}`, `{"get_config":{}}`} { // spec §11
		if got := w.ask("%s", query); !strings.Contains(got, `"contract_info":{"code_id":1,"creator":"`+string(address("creator"))) {
			t.Errorf("%s does not tell who created it: %s", query, got)
		}
	}
}

// failing is a store whose reads fail when told to.
type failing struct {
	kv.DB
	when func(key []byte) bool
}

var errDisk = errors.New("the disk is gone")

func (f *failing) Update(fn func(kv.Txn) error) error {
	return f.DB.Update(func(t kv.Txn) error { return fn(failingTxn{t, f}) })
}

type failingTxn struct {
	kv.Txn
	f *failing
}

func (t failingTxn) Get(key []byte) ([]byte, bool, error) {
	if t.f.when != nil && t.f.when(key) {
		return nil, false, errDisk
	}
	return t.Txn.Get(key)
}

func TestTroubleWithTheStoreIsNoRefusalAndLeavesNothing(t *testing.T) {
	db := &failing{DB: memory(t)}
	w := worldOn(t, db)
	w.mint("1", "alice")
	before := w.everything()
	for part, what := range map[string]string{"c": "the contract", "h": "the history", "a": "the agenda", "b": "the accounts", "m": "the clock"} {
		db.when = func(key []byte) bool { return string(key[:1]) == part }
		r, err := w.c.Execute(address("alice"), []byte(`{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`))
		db.when = nil
		if !errors.Is(err, errDisk) || r.Refusal != nil {
			t.Errorf("where %s cannot be read: got refusal %v, error %v", what, r.Refusal, err)
		}
		same(t, "the store", before, w.everything())
	}
}
