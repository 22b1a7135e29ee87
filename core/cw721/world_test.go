package cw721_test

import (
	"bytes"
	"crypto/sha256"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
	"ephemera/core/cw721/cw721test"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

// prefix is the bech32 prefix of all addresses in tests.
const prefix = "cosmos"

// addr returns the address of a name. The names market and vault are contracts,
// others are accounts.
func addr(name string) string {
	sum := sha256.Sum256([]byte("test/" + name))
	size := cw721.AccountBytes
	if name == "market" || name == "vault" {
		size = cw721.ContractBytes
	}

	a, err := cw721.NewAddress(prefix, sum[:size])
	if err != nil {
		panic(err)
	}
	return string(a)
}

// dollarName matches the name of an account in a message, such as $alice.
var dollarName = regexp.MustCompile(`\$[a-z]+`)

// withAddresses replaces every "$name" in s with the address of the name.
func withAddresses(s string) string {
	return dollarName.ReplaceAllStringFunc(s, func(name string) string { return addr(name[1:]) })
}

// world is a contract with a store in memory and the block that messages run in. Its
// methods replace "$name" in messages and expected texts with the address of the
// name.
type world struct {
	testing.TB
	cw721test.RawContract
	db  kv.DB
	env cw721.Env
}

// plainInstantiate is an instantiate message without optional members of the collection.
const plainInstantiate = `{"name":"Apes","symbol":"APE","minter":"$minter","creator":"$creator"}`

// newWorld returns a world without a collection, at height 1000.
func newWorld(t testing.TB, rules cw721.Rules, flavour cw721.Flavour) *world {
	contract := cw721.Contract{Rules: rules, Flavour: flavour, Prefix: prefix}
	return &world{
		TB:          t,
		RawContract: cw721test.RawContract{Contract: contract},
		db:          kv.NewMemory(),
		env: cw721.Env{
			Block:        cw721.Block{Height: 1000, Time: 1_700_000_000_000_000_000},
			Self:         cw721.Address(addr("vault")),
			Instantiator: cw721.Address(addr("deployer")),
		},
	}
}

// newCollection returns a world with a collection under the standard rules. alice owns the
// tokens.
func newCollection(t testing.TB, tokenIDs ...string) *world {
	return newCollectionUnder(t, cw721.RulesStandard, tokenIDs...)
}

// newCollectionUnder is newCollection with a rule set.
func newCollectionUnder(t testing.TB, rules cw721.Rules, tokenIDs ...string) *world {
	w := newWorld(t, rules, cw721.FlavourOnchain)
	w.mustInstantiate(plainInstantiate)
	w.mustMint("alice", tokenIDs...)
	return w
}

// mustMint mints tokens. It ends the test if a token cannot be minted.
func (w *world) mustMint(owner string, tokenIDs ...string) {
	w.Helper()
	for _, id := range tokenIDs {
		w.mustExecute("minter", `{"mint":{"token_id":`+string(wire.AppendString(nil, id))+`,"owner":"$`+owner+`"}}`)
	}
}

// instantiate creates the collection for a sender. A refused message leaves no record.
func (w *world) instantiate(sender, msg string) (cw721.Response, error) {
	return w.update(func(t kv.Txn) (cw721.Response, error) {
		return w.Instantiate(t, w.env, cw721.Info{Sender: cw721.Address(addr(sender))}, []byte(withAddresses(msg)))
	})
}

// execute executes a message for a sender. A refused message changes no record.
func (w *world) execute(sender, msg string) (cw721.Response, error) {
	return w.update(func(t kv.Txn) (cw721.Response, error) {
		return w.Execute(t, w.env, cw721.Info{Sender: cw721.Address(addr(sender))}, []byte(withAddresses(msg)))
	})
}

// update runs a function in a transaction, which is discarded if the function fails.
func (w *world) update(run func(kv.Txn) (cw721.Response, error)) (r cw721.Response, err error) {
	err = w.db.Update(func(t kv.Txn) error {
		r, err = run(t)
		return err
	})
	return r, err
}

// query returns the JSON that answers a query.
func (w *world) query(msg string) (answer []byte, err error) {
	_ = w.db.View(func(r kv.Reader) error {
		answer, err = w.Query(r, w.env, []byte(withAddresses(msg)))
		return err
	})
	return answer, err
}

// mustInstantiate creates the collection. It ends the test if that is refused.
func (w *world) mustInstantiate(msg string) {
	w.Helper()
	if _, err := w.instantiate("deployer", msg); err != nil {
		w.Fatalf("instantiate %s: %v", msg, err)
	}
}

// mustExecute executes a message and returns its attributes. It ends the test if the
// message is refused.
func (w *world) mustExecute(sender, msg string) string {
	w.Helper()
	r, err := w.execute(sender, msg)
	if err != nil {
		w.Fatalf("%s sends %s: %v", sender, msg, err)
	}
	return formatAttributes(r)
}

// expectRefusal executes a message and expects a refusal that changes no record. It
// compares the refusal as checkRefusal does.
func (w *world) expectRefusal(sender, msg string, kind cw721.Kind, text string) *cw721.Error {
	w.Helper()
	before := w.dump()
	_, err := w.execute(sender, msg)
	if diff := cmp.Diff(before, w.dump()); diff != "" {
		w.Errorf("%s sends %s, which is refused and changes\n%s", sender, msg, diff)
	}
	return w.checkRefusal(sender+" sends "+msg, err, kind, text)
}

// expectInstantiateRefusal expects that instantiate is refused and leaves no record.
// It compares the refusal as checkRefusal does.
func (w *world) expectInstantiateRefusal(msg string, kind cw721.Kind, text string) *cw721.Error {
	w.Helper()
	_, err := w.instantiate("deployer", msg)
	if records := w.dump(); len(records) > 0 {
		w.Errorf("instantiate %s is refused and leaves %v", msg, records)
	}
	return w.checkRefusal("instantiate "+msg, err, kind, text)
}

// expectAnswer compares the whole answer to a query.
func (w *world) expectAnswer(msg, want string) {
	w.Helper()
	got, err := w.query(msg)
	if err != nil {
		w.Errorf("%s: %v", msg, err)
	} else if string(got) != withAddresses(want) {
		w.Errorf("%s answers\n%s\nwant\n%s", msg, got, withAddresses(want))
	}
}

// expectQueryRefusal expects that a query is refused. It compares the refusal as
// checkRefusal does.
func (w *world) expectQueryRefusal(msg string, kind cw721.Kind, text string) {
	w.Helper()
	_, err := w.query(msg)
	w.checkRefusal(msg, err, kind, text)
}

// checkRefusal compares an error with a kind and a text, where "…" is any text. It
// returns the refusal, and ends the test if err is none.
func (w *world) checkRefusal(message string, err error, kind cw721.Kind, text string) *cw721.Error {
	w.Helper()
	got := cw721.AsError(err)
	if got == nil {
		w.Fatalf("%s gives %v, want a refusal: %s", message, err, text)
	}
	hasText := text == "…" || got.Text == withAddresses(text)
	if got.Kind != kind || !hasText {
		w.Errorf("%s is refused with\n%s %q\nwant\n%s %q", message, got.Kind, got.Text, kind, withAddresses(text))
	}
	return got
}

// dump returns every record: its key in hex and its value as text.
func (w *world) dump() [][2]string { return kvtest.Dump(w, w.db, nil) }

// formatAttributes returns the attributes of a response as "key=value, key=value".
func formatAttributes(r cw721.Response) string {
	parts := make([]string, len(r.Attributes))
	for i, a := range r.Attributes {
		parts[i] = a.Key + "=" + a.Value
	}
	return strings.Join(parts, ", ")
}

// read runs a function over the world's store and expects that it succeeds.
func (w *world) read(run func(r kv.Reader) error) {
	w.Helper()
	kvtest.OK(w, w.db.View(run))
}

// records returns every record of the store.
func (w *world) records() (all []kv.Pair) {
	w.Helper()
	w.read(func(r kv.Reader) error {
		for p, err := range r.Scan(kv.Range{}) {
			kvtest.OK(w, err)
			all = append(all, kv.Pair{Key: bytes.Clone(p.Key), Value: bytes.Clone(p.Value)})
		}
		return nil
	})
	return all
}
