// Package chaintest is what the tests of the chain, and of what stands above it,
// share: a collection in memory with people around it, a walker that does
// anything, and short ways to fail.
package chaintest

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Tester is what both testing and rapid give.
type Tester interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// World is a chain with a collection on it and People around it.
type World struct {
	T  Tester
	DB kv.DB
	C  *chain.Chain
}

// People are the accounts of a [World].
var People = []string{"creator", "alice", "bob", "carol"}

// Must gives a value, and ends the test where there is an error instead.
func Must[T any](v T, err error) func(t Tester) T {
	return func(t Tester) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v", err)
		}
		return v
	}
}

// OK ends the test at an error.
func OK(t Tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// Fails holds what a call gives to an error.
func Fails[T any](_ T, err error) func(t Tester, what string, want error) {
	return func(t Tester, what string, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s gave %v, want %v", what, err, want)
		}
	}
}

// FailsAs holds what a call gives to an error of a type.
func FailsAs[E error, T any](_ T, err error) func(t Tester, what string) {
	return func(t Tester, what string) {
		t.Helper()
		if want := new(E); !errors.As(err, want) {
			t.Errorf("%s gave %v, want %T", what, err, *want)
		}
	}
}

// InMemory opens an empty chain in memory.
func InMemory() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }

// Copy opens a chain of its own on what a store in memory holds.
func Copy(t Tester, from *kv.Memory) *chain.Chain {
	t.Helper()
	to := kv.NewMemory()
	CopyTo(t, to, from)
	return Must(chain.Open(to))(t)
}

// CopyTo brings every record of a store to another.
func CopyTo(t Tester, to, from kv.DB) {
	t.Helper()
	OK(t, from.View(func(r kv.Reader) error {
		return to.Load(func(w kv.Writer) error {
			for p, err := range r.Scan(kv.Range{}) {
				if err := errors.Join(err, w.Set(p.Key, p.Value)); err != nil {
					return err
				}
			}
			return nil
		})
	}))
}

// Address is the one that a name stands for.
func Address(name string) cw721.Address {
	a, err := chain.AddressFor("cosmos", name, cw721.AccountBytes)
	if err != nil {
		panic(err)
	}
	return a
}

// Genesis is height 100, time 1,000 s, five seconds a block.
func Genesis() chain.Genesis {
	g := chain.Genesis{Clock: chain.Clock{Height: 100, Time: 1000e9}}
	for _, name := range People {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: Address(name)})
	}
	return g
}

// Founding is the instantiate message of a [World].
const Founding = `{"name":"Apes","symbol":"APE"}`

// New gives a chain in memory whose creator is minter too.
func New(t Tester) *World { return On(t, kv.NewMemory()) }

// Blank gives the chain that a store holds, which may be none yet.
func Blank(t Tester, db kv.DB) *World {
	t.Helper()
	return &World{T: t, DB: db, C: Must(chain.Open(db))(t)}
}

// On is [New] over a store.
func On(t Tester, db kv.DB) *World {
	t.Helper()
	return Under(t, db, cw721.RulesStandard, cw721.FlavourOnchain)
}

// Under is [On] with a rule set and a flavour.
func Under(t Tester, db kv.DB, rules cw721.Rules, flavour cw721.Flavour) *World {
	t.Helper()
	w := Blank(t, db)
	g := Genesis()
	g.Rules, g.Flavour = rules, flavour
	Must(w.C.Create(g, Address("creator"), []byte(Founding)))(t)
	return w
}

// Run executes a message, whatever comes of it.
func (w *World) Run(who, format string, args ...any) chain.Receipt {
	w.T.Helper()
	return Must(w.C.Execute(Address(who), fmt.Appendf(nil, format, args...)))(w.T)
}

// Do executes a message that must be carried out.
func (w *World) Do(who, format string, args ...any) chain.Receipt {
	w.T.Helper()
	r := w.Run(who, format, args...)
	OK(w.T, r.Err())
	return r
}

// Refused executes a message that must be refused.
func (w *World) Refused(who, format string, args ...any) chain.Receipt {
	w.T.Helper()
	r := w.Run(who, format, args...)
	if r.Refusal == nil {
		w.T.Fatalf("%s was carried out", r.Message)
	}
	return r
}

// Mint makes a token, as the minter, and gives the node.
func (w *World) Mint(id, owner string) history.ID {
	w.T.Helper()
	return w.Do("creator", `{"mint":{"token_id":%q,"owner":"$%s"}}`, id, owner).Node
}

// Ask gives the answer to a query.
func (w *World) Ask(format string, args ...any) string {
	w.T.Helper()
	return string(Must(w.C.Query(fmt.Appendf(nil, format, args...)))(w.T))
}

// OwnerOf gives the name of a token's owner, or the address.
func (w *World) OwnerOf(id string) string {
	w.T.Helper()
	var answer struct{ Owner cw721.Address }
	OK(w.T, json.Unmarshal([]byte(w.Ask(`{"owner_of":{"token_id":%q}}`, id)), &answer))
	for _, name := range People {
		if Address(name) == answer.Owner {
			return name
		}
	}
	return string(answer.Owner)
}

// View runs fn over the chain as it is.
func (w *World) View(fn func(*chain.View)) {
	w.T.Helper()
	OK(w.T, w.C.View(func(v *chain.View) error { fn(v); return nil }))
}

// Clock reads the clock.
func (w *World) Clock() (c chain.Clock) {
	w.T.Helper()
	w.View(func(v *chain.View) { c = v.Clock })
	return c
}

// Head reads where the history stands.
func (w *World) Head() (id history.ID) {
	w.T.Helper()
	w.View(func(v *chain.View) { id = v.Head })
	return id
}

// Parts reads the records whose keys begin with one of the letters, or all of
// them.
func Parts(t Tester, db kv.DB, letters string) map[string]string {
	t.Helper()
	all := map[string]string{}
	OK(t, db.View(func(r kv.Reader) error {
		for p, err := range r.Scan(kv.Range{}) {
			if err != nil {
				return err
			}
			if letters == "" || strings.ContainsRune(letters, rune(p.Key[0])) {
				all[string(p.Key)] = string(p.Value)
			}
		}
		return nil
	}))
	return all
}

// State is everything that undo must bring back: the contract's records, the
// agenda and the clock.
func (w *World) State() map[string]string { w.T.Helper(); return Parts(w.T, w.DB, "cam") }

// Everything is every record of the store.
func (w *World) Everything() map[string]string { w.T.Helper(); return Parts(w.T, w.DB, "") }

// Same ends the test where two values differ, with the difference.
func Same(t Tester, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// Collect reads a walk to its end.
func Collect[T any](t Tester, seq iter.Seq2[T, error]) []T {
	t.Helper()
	all := []T{}
	for v, err := range seq {
		OK(t, err)
		all = append(all, v)
	}
	return all
}

// recounted reads grants and holdings from the contract's own records, the way
// nobody would for a screen.
func recounted(t Tester, v *chain.View) (grants []cw721.Grant, holdings map[cw721.Address]int, tokens int) {
	t.Helper()
	holdings = map[cw721.Address]int{}
	indexed := 0
	for _, p := range Collect(t, Copied(v.Records())) {
		in, err := cw721.DecodeGrants(p.Key, p.Value)
		OK(t, err)
		grants = append(grants, in...)
		if strings.HasPrefix(string(p.Key), "\x00\x06tokens") {
			var token struct{ Owner cw721.Address }
			OK(t, json.Unmarshal(p.Value, &token))
			holdings[token.Owner]++
			tokens++
		}
		if _, _, ok := cw721.DecodeOwnerIndexKey(p.Key); ok {
			indexed++
		}
	}
	if indexed != tokens {
		t.Fatalf("the owner index has %d entries for %d tokens", indexed, tokens)
	}
	return grants, holdings, tokens
}

// Copied is a walk over a store whose pairs may be kept.
func Copied(seq iter.Seq2[kv.Pair, error]) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		for p, err := range seq {
			if !yield(kv.Pair{Key: slices.Clone(p.Key), Value: slices.Clone(p.Value)}, err) {
				return
			}
		}
	}
}

func grantsOf(entries []expiry.Entry) []cw721.Grant {
	all := []cw721.Grant{}
	for _, e := range entries {
		all = append(all, e.Grant)
	}
	return all
}

// SortGrants brings grants in one order, whatever order they came in.
func SortGrants(gs []cw721.Grant) []cw721.Grant {
	gs = append([]cw721.Grant{}, gs...)
	slices.SortFunc(gs, func(a, b cw721.Grant) int { return strings.Compare(fmt.Sprintf("%q", a), fmt.Sprintf("%q", b)) })
	return gs
}

// CheckDerived holds everything that is kept beside the contract's records to
// what they say.
func (w *World) CheckDerived() {
	w.T.Helper()
	w.View(func(v *chain.View) { CheckDerived(w.T, v) })
}

// CheckDerived is [World.CheckDerived] for a view.
func CheckDerived(t Tester, v *chain.View) {
	t.Helper()
	grants, holdings, tokens := recounted(t, v)
	Same(t, "the expiry index and a recount", SortGrants(grants), SortGrants(grantsOf(Collect(t, v.Grants(expiry.Index{})))))
	var approvals []cw721.Grant
	for _, g := range grants {
		if g.Kind == cw721.GrantApproval {
			approvals = append(approvals, g)
		}
	}
	Same(t, "the approvals by token and a recount", SortGrants(approvals), SortGrants(grantsOf(Collect(t, v.GrantsOnTokens("")))))
	for _, name := range People {
		who := Address(name)
		var gave, has []cw721.Grant
		for _, g := range grants {
			if g.Owner == who {
				gave = append(gave, g)
			}
			if g.Spender == who {
				has = append(has, g)
			}
		}
		Same(t, "what "+name+" gave", SortGrants(gave), SortGrants(grantsOf(Collect(t, v.Grants(expiry.Index{Owner: who})))))
		Same(t, "what "+name+" was given", SortGrants(has), SortGrants(grantsOf(Collect(t, v.Grants(expiry.Index{Spender: who})))))
		Same(t, "the holdings of "+name, holdings[who], Must(v.Holdings(who))(t))
	}
	c := Must(v.Collection())(t)
	Same(t, "num_tokens and a recount", uint64(tokens), c.TokenCount)
}

// Memory gives an empty store.
func Memory(t testing.TB) kv.DB {
	db := kv.NewMemory()
	t.Cleanup(func() { OK(t, db.Close()) })
	return db
}
