package chain_test

import (
	"encoding/json"
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

// tester is what both testing and rapid give.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// world is a chain with a collection on it and people around it.
type world struct {
	t  tester
	db kv.DB
	c  *chain.Chain
}

var people = []string{"creator", "alice", "bob", "carol"}

func must[T any](v T, err error) func(t tester) T {
	return func(t tester) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v", err)
		}
		return v
	}
}

func ok(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

func address(name string) cw721.Address {
	a, err := chain.AddressFor("cosmos", name, cw721.AccountBytes)
	if err != nil {
		panic(err)
	}
	return a
}

// genesis is height 100, time 1,000 s, five seconds a block.
func genesis() chain.Genesis {
	g := chain.Genesis{Clock: chain.Clock{Height: 100, Time: 1000e9}}
	for _, name := range people {
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: address(name)})
	}
	return g
}

const founding = `{"name":"Apes","symbol":"APE"}`

// newWorld gives a chain in memory whose creator is minter too.
func newWorld(t tester) *world { return worldOn(t, kv.NewMemory()) }

func worldOn(t tester, db kv.DB) *world {
	t.Helper()
	w := &world{t: t, db: db}
	w.c = must(chain.Open(db))(t)
	must(w.c.Create(genesis(), address("creator"), []byte(founding)))(t)
	return w
}

// run executes a message, whatever comes of it.
func (w *world) run(who, format string, args ...any) chain.Receipt {
	w.t.Helper()
	return must(w.c.Execute(address(who), fmt.Appendf(nil, format, args...)))(w.t)
}

// do executes a message that must be carried out.
func (w *world) do(who, format string, args ...any) chain.Receipt {
	w.t.Helper()
	r := w.run(who, format, args...)
	ok(w.t, r.Err())
	return r
}

// refused executes a message that must be refused.
func (w *world) refused(who, format string, args ...any) chain.Receipt {
	w.t.Helper()
	r := w.run(who, format, args...)
	if r.Refusal == nil {
		w.t.Fatalf("%s was carried out", r.Message)
	}
	return r
}

func (w *world) mint(id, owner string) history.ID {
	w.t.Helper()
	return w.do("creator", `{"mint":{"token_id":%q,"owner":"$%s"}}`, id, owner).Node
}

func (w *world) ask(format string, args ...any) string {
	w.t.Helper()
	return string(must(w.c.Query(fmt.Appendf(nil, format, args...)))(w.t))
}

func (w *world) ownerOf(id string) string {
	w.t.Helper()
	var answer struct{ Owner cw721.Address }
	ok(w.t, json.Unmarshal([]byte(w.ask(`{"owner_of":{"token_id":%q}}`, id)), &answer))
	for _, name := range people {
		if address(name) == answer.Owner {
			return name
		}
	}
	return string(answer.Owner)
}

func (w *world) view(fn func(*chain.View)) {
	w.t.Helper()
	ok(w.t, w.c.View(func(v *chain.View) error { fn(v); return nil }))
}

func (w *world) clock() (c chain.Clock) {
	w.t.Helper()
	w.view(func(v *chain.View) { c = v.Clock })
	return c
}

func (w *world) head() (id history.ID) {
	w.t.Helper()
	w.view(func(v *chain.View) { id = v.Head })
	return id
}

// parts reads the records whose keys begin with one of the letters, or all of
// them.
func parts(t tester, db kv.DB, letters string) map[string]string {
	t.Helper()
	all := map[string]string{}
	ok(t, db.View(func(r kv.Reader) error {
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

// state is everything that undo must bring back: the contract's records, the
// agenda and the clock.
func (w *world) state() map[string]string { w.t.Helper(); return parts(w.t, w.db, "cam") }

func (w *world) everything() map[string]string { w.t.Helper(); return parts(w.t, w.db, "") }

func same(t tester, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// collect reads a walk to its end.
func collect[T any](t tester, seq iter.Seq2[T, error]) []T {
	t.Helper()
	all := []T{}
	for v, err := range seq {
		ok(t, err)
		all = append(all, v)
	}
	return all
}

// recounted reads grants and holdings from the contract's own records, the way
// nobody would for a screen.
func recounted(t tester, v *chain.View) (grants []cw721.Grant, holdings map[cw721.Address]int, tokens int) {
	t.Helper()
	holdings = map[cw721.Address]int{}
	indexed := 0
	for _, p := range collect(t, copied(v.Records())) {
		in, err := cw721.GrantsIn(p.Key, p.Value)
		ok(t, err)
		grants = append(grants, in...)
		if strings.HasPrefix(string(p.Key), "\x00\x06tokens") {
			var token struct{ Owner cw721.Address }
			ok(t, json.Unmarshal(p.Value, &token))
			holdings[token.Owner]++
			tokens++
		}
		if _, _, ok := cw721.HoldingIn(p.Key); ok {
			indexed++
		}
	}
	if indexed != tokens {
		t.Fatalf("the owner index has %d entries for %d tokens", indexed, tokens)
	}
	return grants, holdings, tokens
}

func copied(seq iter.Seq2[kv.Pair, error]) iter.Seq2[kv.Pair, error] {
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

// sortGrants brings grants in one order, whatever order they came in.
func sortGrants(gs []cw721.Grant) []cw721.Grant {
	gs = append([]cw721.Grant{}, gs...)
	slices.SortFunc(gs, func(a, b cw721.Grant) int { return strings.Compare(fmt.Sprintf("%q", a), fmt.Sprintf("%q", b)) })
	return gs
}

// checkDerived holds everything that is kept beside the contract's records to
// what they say.
func (w *world) checkDerived() {
	w.t.Helper()
	w.view(func(v *chain.View) { checkDerived(w.t, v) })
}

func checkDerived(t tester, v *chain.View) {
	t.Helper()
	grants, holdings, tokens := recounted(t, v)
	same(t, "the expiry index and a recount", sortGrants(grants), sortGrants(grantsOf(collect(t, v.Grants(expiry.Index{})))))
	var approvals []cw721.Grant
	for _, g := range grants {
		if g.Kind == cw721.GrantApproval {
			approvals = append(approvals, g)
		}
	}
	same(t, "the approvals by token and a recount", sortGrants(approvals), sortGrants(grantsOf(collect(t, v.GrantsOnTokens("")))))
	for _, name := range people {
		who := address(name)
		var gave, has []cw721.Grant
		for _, g := range grants {
			if g.Owner == who {
				gave = append(gave, g)
			}
			if g.Spender == who {
				has = append(has, g)
			}
		}
		same(t, "what "+name+" gave", sortGrants(gave), sortGrants(grantsOf(collect(t, v.Grants(expiry.Index{Owner: who})))))
		same(t, "what "+name+" was given", sortGrants(has), sortGrants(grantsOf(collect(t, v.Grants(expiry.Index{Spender: who})))))
		same(t, "the holdings of "+name, holdings[who], must(v.Holdings(who))(t))
	}
	c := must(v.Collection())(t)
	same(t, "num_tokens and a recount", uint64(tokens), c.Tokens)
}

// memory gives an empty store.
func memory(t testing.TB) kv.DB {
	db := kv.NewMemory()
	t.Cleanup(func() { ok(t, db.Close()) })
	return db
}
