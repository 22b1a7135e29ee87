package chain_test

import (
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

func TestAReceiptListsTheChangesOfAMessage(t *testing.T) {
	w := New(t)
	r := w.Do("creator", `{"mint":{"token_id":"1","owner":"$alice"}}`)
	Same(t, "the block", cw721.Block{Height: 100, Time: 1000e9}, r.Block)
	Same(t, "the message with the name replaced", `{"mint":{"token_id":"1","owner":"`+string(Address("alice"))+`"}}`, string(r.Message))
	keys := []string{}
	for _, c := range r.Changes {
		keys = append(keys, string(c.Key))
	}
	Same(t, "what it changed", []string{"\x00\x06tokens1", "\x00\rtokens__owner\x00\x2d" + string(Address("alice")) + "1", "num_tokens"}, keys)
	Same(t, "the owner", "alice", w.OwnerOf("1"))
	w.CheckDerived()
}

func TestARefusedMessageIsInTheHistoryAndChangesNothingElse(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	for name, msg := range map[string]string{
		"not allowed":    `{"burn":{"token_id":"1"}}`,
		"no such token":  `{"burn":{"token_id":"2"}}`,
		"a bad address":  `{"approve_all":{"operator":"cosmos1"}}`,
		"a bad URL":      `{"mint":{"token_id":"3","owner":"$bob","token_uri":"no"}}`,
		"no JSON at all": "\xff{",
		"nothing":        ``,
	} {
		t.Run(name, func(t *testing.T) {
			before, head := w.State(), w.Head()
			r := w.Refused("bob", "%s", msg)
			Same(t, "the state", before, w.State())
			if len(r.Changes) > 0 || r.Node != head+1 {
				t.Errorf("changes %v at node %d, want none at %d", r.Changes, r.Node, head+1)
			}
			w.View(func(v *chain.View) {
				n := Must(v.Node(r.Node))(t)
				Same(t, "the message", string(r.Message), n.Message)
				Same(t, "the refusal", r.Refusal.Text, n.Refusal.Text)
				Same(t, "the sender", Address("bob"), n.Sender)
				if len(n.Answer) > 0 || n.ChangeCount != 0 {
					t.Errorf("the node has answer %s and %d changes", n.Answer, n.ChangeCount)
				}
			})
		})
	}
}

func TestAnUnknownNameIsAnErrorAndNoRefusal(t *testing.T) {
	w := New(t)
	before := w.Everything()
	_, err := w.C.Execute(Address("creator"), []byte(`{"mint":{"token_id":"1","owner":"$nobody"}}`))
	var unknown *wire.UnknownNameError
	if !errors.As(err, &unknown) || unknown.Name != "nobody" {
		t.Errorf("got %v, want an unknown name", err)
	}
	Same(t, "the store", before, w.Everything())
}

func TestANameOutsideAnAddressIsNotReplaced(t *testing.T) {
	w := New(t)
	w.Mint("$alice", "alice")
	Same(t, "the tokens", `{"tokens":["$alice"]}`, w.Ask(`{"all_tokens":{}}`))
}

func TestATokenCanOnlyBeSentToAReceiverThatAcceptsIt(t *testing.T) {
	nameless := Must(chain.AddressFor("cosmos", "somewhere", cw721.ContractBytes))(t)
	self := Must(chain.AddressFor("cosmos", "ephemera", cw721.ContractBytes))(t)
	for name, test := range map[string]struct {
		account chain.Account
		refusal string // a part of its text; empty if the receiver accepts
	}{
		"a plain account":      {chain.Account{Name: "bob"}, "address " + string(Address("bob")) + ": no such contract"},
		"one that rejects":     {chain.Account{Name: "market", Receiver: chain.ReceiverRejects}, " rejected the token: "},
		"one that accepts":     {chain.Account{Name: "market", Receiver: chain.ReceiverAccepts}, ""},
		"a nameless contract":  {chain.Account{Address: nameless}, ""},
		"one that is plain":    {chain.Account{Name: "empty", Address: nameless, Receiver: chain.ReceiverPlain}, "no such contract"},
		"the collection alone": {chain.Account{Address: self}, "the collection itself does not take"},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			to := test.account
			if to.Name != "" {
				to = Must(w.C.AddAccount(to.Name, to.Address, to.Receiver))(t)
			}
			w.Mint("1", "alice")
			before := w.State()
			r := w.Run("alice", `{"send_nft":{"token_id":"1","contract":%q,"msg":"aGk="}}`, to.Address)
			w.CheckDerived()

			if test.refusal == "" {
				OK(t, r.Err())
				Same(t, "the owner", string(to.Address), w.OwnerOf("1"))
				Same(t, "how many messages went out", 1, len(r.Response.Messages))
				return
			}
			if r.Refusal == nil || r.Refusal.Kind != chain.KindChain || !strings.Contains(r.Refusal.Text, test.refusal) {
				t.Fatalf("got %v", r.Refusal)
			}
			refusing, _, isReceivers := chain.ReceiverBehind(r.Refusal.Kind, r.Refusal.Text)
			if hasReceiver := to.Address != self; isReceivers != hasReceiver || hasReceiver && refusing != to.Address {
				t.Errorf("%q was refused by %q, %v", r.Refusal.Text, refusing, isReceivers)
			}
			Same(t, "the state", before, w.State())
			if len(r.Response.Messages)+len(r.Response.Attributes) > 0 {
				t.Errorf("a refusal answered %v", r.Response)
			}
		})
	}
}

func TestAChainThatOnlyRecordsDeliversNothing(t *testing.T) {
	g := Genesis()
	g.SkipsDelivery = true
	w := Blank(t, Memory(t))
	Must(w.C.Create(g, Address("creator"), []byte(Founding)))(t)
	w.Mint("1", "alice")
	r := w.Do("alice", `{"send_nft":{"token_id":"1","contract":"$bob","msg":"aGk="}}`)
	Same(t, "how many messages went out", 1, len(r.Response.Messages))
	Same(t, "the owner", "bob", w.OwnerOf("1"))
}

func TestMessagesAndQueriesFailBeforeThereIsACollection(t *testing.T) {
	c := Must(InMemory())(t)
	for range 2 {
		Fails(c.Execute(Address("alice"), []byte(`{"burn":{"token_id":"1"}}`)))(t, "execute", chain.ErrNoCollection)
		Fails(c.Query([]byte(`{"num_tokens":{}}`)))(t, "query", chain.ErrNoCollection)
		_ = c.Begin(Genesis()) // the second time it has begun
	}
}

func TestARefusedFirstMessageLeavesTheStoreEmpty(t *testing.T) {
	db := Memory(t)
	c := Must(chain.Open(db))(t)
	r, err := c.Create(Genesis(), Address("creator"), []byte(`{"name":"","symbol":"APE"}`))
	if cw721.AsError(err) == nil || r.Node != 0 {
		t.Errorf("got node %d, %v; want a refusal without a node", r.Node, err)
	}
	Same(t, "the store", map[string]string{}, Parts(t, db, ""))
	Must(c.Create(Genesis(), Address("creator"), []byte(Founding)))(t)
}

func TestACollectionIsCreatedOnce(t *testing.T) {
	db := Memory(t)
	first := Must(chain.Open(db))(t)
	second := Must(chain.Open(db))(t)
	Must(first.Create(Genesis(), Address("creator"), []byte(Founding)))(t)
	before := Parts(t, db, "")
	for _, c := range []*chain.Chain{first, second} {
		if err := c.Begin(Genesis()); !errors.Is(err, chain.ErrCollectionExists) {
			t.Errorf("begin gave %v", err)
		}
	}
	Fails(first.Instantiate(Address("bob"), []byte(Founding)))(t, "instantiate", chain.ErrCollectionExists)
	Same(t, "the store", before, Parts(t, db, ""))
}

func TestARefusedInstantiationIsInTheHistoryAndUndoStopsAtTheSuccessfulOne(t *testing.T) {
	db := Memory(t)
	w := Blank(t, db)
	OK(t, w.C.Begin(Genesis()))
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	if r := Must(w.C.Instantiate(Address("creator"), []byte(`{"name":""}`)))(t); r.Refusal == nil || r.Node != 2 {
		t.Errorf("got node %d, refusal %v", r.Node, r.Refusal)
	}
	r := Must(w.C.Instantiate(Address("creator"), []byte(Founding)))(t)
	OK(t, r.Err())
	w.View(func(v *chain.View) { Same(t, "the revision", v.Revision, r.Revision) })
	if _, err := w.C.Undo(1); err == nil {
		t.Error("undo took the collection away")
	}
	for _, query := range []string{`{"get_all_info":{}}`, `{"get_config":{}}`} { // spec §11
		if got := w.Ask("%s", query); !strings.Contains(got, `"contract_info":{"code_id":1,"creator":"`+string(Address("creator"))) {
			t.Errorf("%s does not tell who created it: %s", query, got)
		}
	}
}

// unreadableStore is a store in which transactions cannot read some keys.
type unreadableStore struct {
	kv.DB
	failsAt func(key []byte) bool // nil if all keys can be read
}

// Update runs a transaction.
func (s *unreadableStore) Update(fn func(kv.Txn) error) error {
	return s.DB.Update(func(t kv.Txn) error { return fn(unreadableTxn{t, s}) })
}

// unreadableTxn is a transaction of an unreadableStore.
type unreadableTxn struct {
	kv.Txn
	store *unreadableStore
}

// Get reads a record, or fails with [ErrDisk] if the store fails at the key.
func (t unreadableTxn) Get(key []byte) ([]byte, bool, error) {
	if t.store.failsAt != nil && t.store.failsAt(key) {
		return nil, false, ErrDisk
	}
	return t.Txn.Get(key)
}

func TestAFailureOfTheStoreIsNoRefusalAndChangesNothing(t *testing.T) {
	db := &unreadableStore{DB: Memory(t)}
	w := On(t, db)
	w.Mint("1", "alice")
	before := w.Everything()
	for part, what := range map[string]string{"c": "the contract", "h": "the history", "a": "the expiry index", "b": "the accounts", "m": "the clock"} {
		db.failsAt = func(key []byte) bool { return string(key[:1]) == part }
		r, err := w.C.Execute(Address("alice"), []byte(`{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`))
		db.failsAt = nil
		if !errors.Is(err, ErrDisk) || r.Refusal != nil {
			t.Errorf("if %s cannot be read: got refusal %v, error %v", what, r.Refusal, err)
		}
		Same(t, "the store", before, w.Everything())
	}
}
