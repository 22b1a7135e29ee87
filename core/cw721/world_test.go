package cw721_test

import (
	"bytes"
	"crypto/sha256"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

const prefix = "cosmos"

// addr makes an address of a name; market and vault are contracts.
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

var dollar = regexp.MustCompile(`\$[a-z]+`)

// fill puts addresses in the place of "$name".
func fill(s string) string {
	return dollar.ReplaceAllStringFunc(s, func(name string) string { return addr(name[1:]) })
}

// world is a collection in memory, the block that it is in, and words to say
// what it should do. "$alice" in any text stands for alice's address.
type world struct {
	testing.TB
	cw721.Contract
	db  kv.DB
	env cw721.Env
}

const plain = `{"name":"Apes","symbol":"APE","minter":"$minter","creator":"$creator"}`

// blank is a world without a collection, at height 1000.
func blank(t testing.TB, rules cw721.Rules, flavour cw721.Flavour) *world {
	return &world{
		TB:       t,
		Contract: cw721.Contract{Rules: rules, Flavour: flavour, Prefix: prefix},
		db:       kv.NewMemory(),
		env: cw721.Env{
			Block:        cw721.Block{Height: 1000, Time: 1_700_000_000_000_000_000},
			Self:         cw721.Address(addr("vault")),
			Instantiator: cw721.Address(addr("deployer")),
		},
	}
}

// begin is a world with a plain collection and, if ids are given, tokens of
// alice.
func begin(t testing.TB, ids ...string) *world { return beginAs(t, cw721.RulesStandard, ids...) }

func beginAs(t testing.TB, rules cw721.Rules, ids ...string) *world {
	w := blank(t, rules, cw721.FlavourOnchain)
	w.creates(plain)
	w.mints("alice", ids...)
	return w
}

func (w *world) mints(owner string, ids ...string) {
	w.Helper()
	for _, id := range ids {
		w.does("minter", `{"mint":{"token_id":`+string(wire.AppendString(nil, id))+`,"owner":"$`+owner+`"}}`)
	}
}

// withField moves the block.
func (w *world) at(h cw721.Height, t cw721.Time) { w.env.Block = cw721.Block{Height: h, Time: t} }

func (w *world) instantiate(as, msg string) (cw721.Response, error) {
	return w.update(func(t kv.Txn) (cw721.Response, error) {
		return w.Instantiate(t, w.env, cw721.Info{Sender: cw721.Address(addr(as))}, []byte(fill(msg)))
	})
}

func (w *world) execute(as, msg string) (cw721.Response, error) {
	return w.update(func(t kv.Txn) (cw721.Response, error) {
		return w.Execute(t, w.env, cw721.Info{Sender: cw721.Address(addr(as))}, []byte(fill(msg)))
	})
}

func (w *world) update(fn func(kv.Txn) (cw721.Response, error)) (r cw721.Response, err error) {
	err = w.db.Update(func(t kv.Txn) error {
		r, err = fn(t)
		return err
	})
	return r, err
}

func (w *world) query(msg string) (answer []byte, err error) {
	_ = w.db.View(func(r kv.Reader) error {
		answer, err = w.Query(r, w.env, []byte(fill(msg)))
		return err
	})
	return answer, err
}

// creates expects that the collection comes to be.
func (w *world) creates(msg string) string {
	w.Helper()
	r, err := w.instantiate("deployer", msg)
	if err != nil {
		w.Fatalf("instantiate %s: %v", msg, err)
	}
	return attributes(r)
}

// does expects that a message is carried out and gives what it reports.
func (w *world) does(as, msg string) string {
	w.Helper()
	r, err := w.execute(as, msg)
	if err != nil {
		w.Fatalf("%s sends %s: %v", as, msg, err)
	}
	return attributes(r)
}

// reports expects that a message is carried out and reports just that.
func (w *world) reports(as, msg, want string) {
	w.Helper()
	if got := w.does(as, msg); got != fill(want) {
		w.Errorf("%s sends %s and reports\n%s\nwant\n%s", as, msg, got, fill(want))
	}
}

// refuses expects a refusal with that text that leaves every byte as it was.
func (w *world) refuses(as, msg string, kind cw721.Kind, text string) *cw721.Error {
	w.Helper()
	before := w.dump()
	_, err := w.execute(as, msg)
	if diff := cmp.Diff(before, w.dump()); diff != "" {
		w.Errorf("%s sends %s, which is refused and changes\n%s", as, msg, diff)
	}
	return w.refusal(as+" sends "+msg, err, kind, text)
}

// doesNotBegin expects that instantiate is refused with that text.
func (w *world) doesNotBegin(msg string, kind cw721.Kind, text string) *cw721.Error {
	w.Helper()
	_, err := w.instantiate("deployer", msg)
	if left := w.dump(); len(left) > 0 {
		w.Errorf("instantiate %s is refused and leaves %v", msg, left)
	}
	return w.refusal("instantiate "+msg, err, kind, text)
}

// answers expects an answer to a query, whole.
func (w *world) answers(msg, want string) {
	w.Helper()
	got, err := w.query(msg)
	if err != nil {
		w.Errorf("%s: %v", msg, err)
	} else if string(got) != fill(want) {
		w.Errorf("%s answers\n%s\nwant\n%s", msg, got, fill(want))
	}
}

// answersNot expects that a query is refused with that text.
func (w *world) answersNot(msg string, kind cw721.Kind, text string) {
	w.Helper()
	_, err := w.query(msg)
	w.refusal(msg, err, kind, text)
}

// refusal holds an error to a kind and a text; a text of "…" is any.
func (w *world) refusal(what string, err error, kind cw721.Kind, text string) *cw721.Error {
	w.Helper()
	got := cw721.AsError(err)
	if got == nil {
		w.Fatalf("%s gives %v, want a refusal: %s", what, err, text)
	}
	if got.Kind != kind || text != "…" && got.Text != fill(text) {
		w.Errorf("%s is refused with\n%s %q\nwant\n%s %q", what, got.Kind, got.Text, kind, fill(text))
	}
	return got
}

// dump gives every record: key in hex, value as text.
func (w *world) dump() [][2]string { return kvtest.Dump(w, w.db, nil) }

// attributes writes what a message reports as "key=value, key=value".
func attributes(r cw721.Response) string {
	parts := make([]string, len(r.Attributes))
	for i, a := range r.Attributes {
		parts[i] = a.Key + "=" + a.Value
	}
	return strings.Join(parts, ", ")
}

// read runs fn over the world's store.
func (w *world) read(fn func(r kv.Reader) error) {
	w.Helper()
	kvtest.OK(w, w.db.View(fn))
}

// records gives every record of the store.
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
