// Package generate makes up collections of any size, the same for the same
// seed: to see how something feels with a million tokens, and to measure it.
//
// It writes the contract's records as the contract would have left them, which
// takes a few microseconds a token where messages would take many times that.
// It must never know where the records go.
package generate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Plan says what to make.
type Plan struct {
	// Tokens is how many tokens, Grants how many approvals and operator grants.
	Tokens, Grants int
	Seed           uint64
	// Prefix is the bech32 prefix of all addresses; empty is cosmos.
	Prefix string
}

// MaxCount is how many tokens or grants a plan may ask for.
const MaxCount = 10_000_000

// Check holds a plan to what can be made.
func (p Plan) Check() error {
	if p.Tokens < 0 || p.Tokens > MaxCount {
		return fmt.Errorf("tokens: %d, expected 0 to %d", p.Tokens, MaxCount)
	}
	if p.Grants < 0 || p.Grants > MaxCount {
		return fmt.Errorf("grants: %d, expected 0 to %d", p.Grants, MaxCount)
	}
	if p.Grants > 0 && p.Tokens == 0 {
		return fmt.Errorf("grants: %d without a token to give them on", p.Grants)
	}
	return nil
}

// names are the accounts that a person meets first; the many have none.
var names = []string{"alice", "bob", "carol", "dave", "erin", "frank", "minter", "creator"}

// crowd is how many accounts own the rest.
const crowd = 500

// Genesis gives the chain that the records belong to: its accounts and its
// block, at height 1,000,000.
func (p Plan) Genesis() (chain.Genesis, error) {
	prefix := cmp.Or(p.Prefix, chain.DefaultPrefix)
	g := chain.Genesis{
		Config: chain.Config{Rules: cw721.RulesStandard, Flavour: cw721.FlavourOnchain, Prefix: prefix, About: fmt.Sprintf("generated, seed %d", p.Seed)},
		Clock:  chain.Clock{Height: 1_000_000, Time: 1_795_262_400 * cw721.Time(time.Second)},
	}
	for _, name := range names {
		a, err := chain.AddressFor(prefix, name, cw721.AccountBytes)
		if err != nil {
			return g, err
		}
		g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: a})
	}
	return g, nil
}

// Records walks the contract's records. The same plan gives the same records.
func (p Plan) Records() iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		g, err := p.Genesis()
		var begun []kv.Pair
		if err == nil {
			begun, err = collection(g)
		}
		if err != nil {
			yield(kv.Pair{}, err)
			return
		}
		w := &writer{plan: p, clock: g.Clock, rng: rand.New(rand.NewPCG(p.Seed, p.Seed^0x9e3779b97f4a7c15))}
		for _, a := range g.Accounts[:6] {
			w.owners = append(w.owners, a.Address)
		}
		for i := range crowd {
			w.owners = append(w.owners, stranger(g.Prefix, p.Seed, i))
		}
		for _, records := range []iter.Seq[kv.Pair]{slices.Values(begun), w.tokens, w.operators} {
			for record := range records {
				if !yield(record, nil) {
					return
				}
			}
		}
		if p.Tokens > 0 {
			yield(cw721.TokenCountRecord(uint64(p.Tokens)), nil)
		}
	}
}

func stranger(prefix string, seed uint64, i int) cw721.Address {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, seed), uint64(i)))
	a, _ := cw721.NewAddress(prefix, sum[:cw721.AccountBytes]) // the prefix was good for the names
	return a
}

type writer struct {
	plan   Plan
	clock  chain.Clock
	rng    *rand.Rand
	owners []cw721.Address
}

// collection gives what an instantiate message writes, by running one.
func collection(g chain.Genesis) (all []kv.Pair, err error) {
	contract := g.Contract()
	minter, creator := g.Accounts[6].Address, g.Accounts[7].Address
	msg := &cw721.InstantiateMsg{Name: "Generated", Symbol: "GEN", Minter: &minter, Creator: &creator}
	store := kv.NewMemory()
	defer store.Close()
	err = store.Update(func(t kv.Txn) error {
		_, err := contract.RunInstantiate(t, cw721.Env{Block: g.Clock.Block()}, cw721.Info{Sender: creator}, msg)
		for p, scanErr := range t.Scan(kv.Range{}) {
			err = cmp.Or(err, scanErr)
			all = append(all, kv.Pair{Key: bytes.Clone(p.Key), Value: bytes.Clone(p.Value)})
		}
		return err
	})
	return all, err
}

// operatorShare is one operator grant for so many approvals.
const operatorShare = 50

func (w *writer) tokens(yield func(kv.Pair) bool) {
	on := make([]int32, w.plan.Grants-w.plan.Grants/operatorShare)
	for i := range on {
		on[i] = int32(w.rng.IntN(w.plan.Tokens))
	}
	slices.Sort(on)
	for i := range w.plan.Tokens {
		var grants int
		for len(on) > 0 && int(on[0]) == i {
			grants, on = grants+1, on[1:]
		}
		id, token := w.token(i, grants)
		for _, p := range cw721.TokenRecords(id, token) {
			if !yield(p) {
				return
			}
		}
	}
}

// token makes the token of a number. Its owner is one of the crowd, the named
// accounts more often than the others.
func (w *writer) token(i, grants int) (string, cw721.Token) {
	name, uri := fmt.Sprintf("Generated #%d", i+1), fmt.Sprintf("ipfs://bafygenerated/%d.json", i+1)
	t := cw721.Token{Owner: w.someone(), TokenURI: &uri}
	if i%4 == 0 {
		traits := []cw721.Trait{{TraitType: "rank", Value: fmt.Sprint(w.rng.IntN(100))}}
		t.Extension.Metadata = &cw721.Metadata{Name: &name, Attributes: &traits}
	}
	for range grants {
		spender := w.someone()
		if !slices.ContainsFunc(t.Approvals, func(a cw721.Approval) bool { return a.Spender == spender }) {
			t.Approvals = append(t.Approvals, cw721.Approval{Spender: spender, Expires: w.end()})
		}
	}
	return fmt.Sprintf("gen-%07d", i+1), t
}

func (w *writer) someone() cw721.Address {
	if w.rng.IntN(10) == 0 {
		return w.owners[w.rng.IntN(6)]
	}
	return w.owners[w.rng.IntN(len(w.owners))]
}

// end makes an end around now: one in ten never ends, of the others a third is
// over already.
func (w *writer) end() cw721.Expiration {
	const span = 10_000 // blocks
	switch ahead := w.rng.Int64N(3*span) - span; w.rng.IntN(10) {
	case 0:
		return cw721.Expiration{}
	case 1, 2, 3, 4:
		return cw721.UntilTime(cw721.Time(int64(w.clock.Time) + ahead*5*int64(time.Second)))
	default:
		return cw721.UntilHeight(cw721.Height(int64(w.clock.Height) + ahead))
	}
}

func (w *writer) operators(yield func(kv.Pair) bool) {
	type pair struct{ owner, operator cw721.Address }
	seen := map[pair]bool{}
	for range w.plan.Grants / operatorShare {
		p := pair{w.someone(), w.someone()}
		if seen[p] {
			continue
		}
		seen[p] = true
		if !yield(cw721.OperatorRecord(p.owner, p.operator, w.end())) {
			return
		}
	}
}
