// Package generate makes up collections of any size, to try the program with a million
// tokens and to measure it. The same seed gives the same collection.
//
// It makes the records that the contract would have stored for its messages. That takes a
// few microseconds a token, many times less than running the messages.
//
// The package must never know where the records are stored.
package generate

import (
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

// Plan describes a collection to make up.
type Plan struct {
	Tokens int // how many
	// Grants is the number of token approvals and operator grants together. Some are drawn
	// at random more than once but made only once, so the collection has a few less.
	Grants int
	Seed   uint64 // the same seed gives the same collection
	Prefix string // of all addresses, such as "stars" for stars1…; "" means "cosmos"
}

// MaxCount is the largest number of tokens, and of grants, that a plan may have.
const MaxCount = 10_000_000

// Check returns an error with the field and the permitted values if a collection cannot be made
// by this plan: "tokens: -1, expected 0 to 10000000".
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

// accountNames are the names of the accounts in the address book.
var accountNames = []string{"alice", "bob", "carol", "dave", "erin", "frank", "minter", "creator"}

// The positions in accountNames.
const (
	ownerCount      = 6 // how many names at the beginning are those of owners
	minterPosition  = 6 // the index of the minter
	creatorPosition = 7 // the index of the creator
)

// unnamedOwnerCount is how many further accounts, without names, own tokens.
const unnamedOwnerCount = 500

// Genesis returns the chain around the collection: its rules, its address book, and its
// first block, which has the height 1,000,000. It fails if the prefix is not valid.
func (p Plan) Genesis() (chain.Genesis, error) {
	prefix := cmp.Or(p.Prefix, chain.DefaultPrefix)
	genesis := chain.Genesis{
		Config: chain.Config{
			Rules:   cw721.RulesStandard,
			Flavour: cw721.FlavourOnchain,
			Prefix:  prefix,
			About:   fmt.Sprintf("generated, seed %d", p.Seed),
		},
		Clock: chain.Clock{
			Height: 1_000_000,
			Time:   1_795_262_400 * cw721.Time(time.Second), // 21 November 2026, 12:00 UTC
		},
	}
	for _, name := range accountNames {
		address, err := chain.AddressFor(prefix, name, cw721.AccountBytes)
		if err != nil {
			return genesis, err
		}
		genesis.Accounts = append(genesis.Accounts, chain.Account{Name: name, Address: address})
	}
	return genesis, nil
}

// Records yields the records that the contract would have stored: those of a new collection,
// the tokens with their approvals, the operator grants, and the token count. It yields an error
// if the prefix is not valid, or if the contract refuses to begin a collection.
func (p Plan) Records() iter.Seq2[kv.Pair, error] {
	return kv.Sequence(func(yield func(kv.Pair) bool) error {
		genesis, err := p.Genesis()
		if err != nil {
			return err
		}
		newCollection, err := instantiate(genesis)
		if err != nil {
			return err
		}

		generator := newGenerator(p, genesis)
		for _, records := range []iter.Seq[kv.Pair]{
			slices.Values(newCollection),
			generator.tokenRecords,
			generator.operatorRecords,
		} {
			for record := range records {
				if !yield(record) {
					return nil
				}
			}
		}

		// A new collection has no token count until its first token is minted.
		if p.Tokens > 0 {
			yield(cw721.TokenCountRecord(uint64(p.Tokens)))
		}
		return nil
	})
}

// instantiate returns the records that the contract stores for a new collection. To get them,
// it runs the contract's instantiate message in memory.
func instantiate(genesis chain.Genesis) (records []kv.Pair, err error) {
	contract := genesis.Contract()
	creator := genesis.Accounts[creatorPosition].Address
	msg := &cw721.InstantiateMsg{
		Name:    "Generated",
		Symbol:  "GEN",
		Minter:  &genesis.Accounts[minterPosition].Address,
		Creator: &creator,
	}
	storage := kv.NewOverlay(nil)
	env := cw721.Env{Block: genesis.Clock.Block()}
	if _, err := contract.RunInstantiate(storage, env, cw721.Info{Sender: creator}, msg); err != nil {
		return nil, err
	}

	for record, err := range storage.Scan(kv.Range{}) {
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, nil
}

// generator makes the tokens and grants of a plan from random numbers, which it must draw in the
// same order every time.
type generator struct {
	plan   Plan
	clock  chain.Clock     // the clock of the first block; grants expire before and after it
	random *rand.Rand      // depends on the seed alone
	owners []cw721.Address // the accounts that own tokens; the first ownerCount have names
}

func newGenerator(plan Plan, genesis chain.Genesis) *generator {
	const secondSeed = 0x9e3779b97f4a7c15 // any constant: the random source takes two numbers
	generator := &generator{
		plan:   plan,
		clock:  genesis.Clock,
		random: rand.New(rand.NewPCG(plan.Seed, plan.Seed^secondSeed)),
	}
	for _, account := range genesis.Accounts[:ownerCount] {
		generator.owners = append(generator.owners, account.Address)
	}

	// The address of an account without a name encodes the first bytes of a hash of the seed and
	// the account's number.
	for number := range unnamedOwnerCount {
		seedAndNumber := binary.BigEndian.AppendUint64(nil, plan.Seed)
		seedAndNumber = binary.BigEndian.AppendUint64(seedAndNumber, uint64(number))
		hash := sha256.Sum256(seedAndNumber)

		// There is no error, because Genesis has made the named accounts with the same prefix.
		address, _ := cw721.NewAddress(genesis.Prefix, hash[:cw721.AccountBytes])
		generator.owners = append(generator.owners, address)
	}
	return generator
}

// grantsPerOperator says how many operator grants are made: one of every 50 grants. The
// others are token approvals.
const grantsPerOperator = 50

// tokenRecords yields the records of all tokens with their approvals.
func (g *generator) tokenRecords(yield func(kv.Pair) bool) {
	// Draw the indexes of the tokens that get an approval. A token may be drawn again.
	operatorCount := g.plan.Grants / grantsPerOperator
	approvedIndexes := make([]int32, g.plan.Grants-operatorCount)
	for index := range approvedIndexes {
		approvedIndexes[index] = int32(g.random.IntN(g.plan.Tokens))
	}
	slices.Sort(approvedIndexes)

	// Make the tokens in the order of their indexes. The drawn indexes are sorted, so those of
	// the next token always come first.
	for index := range g.plan.Tokens {
		approvalCount := 0
		for len(approvedIndexes) > 0 && int(approvedIndexes[0]) == index {
			approvalCount++
			approvedIndexes = approvedIndexes[1:]
		}
		id, token := g.makeToken(index, approvalCount)
		for _, record := range cw721.TokenRecords(id, token) {
			if !yield(record) {
				return
			}
		}
	}
}

// makeToken makes the token with an index, from 0. For example, the index 6 gives the id
// "gen-0000007". One token in four has metadata. The token has approvalCount approvals, or
// less if a spender is drawn more than once.
func (g *generator) makeToken(index, approvalCount int) (id string, token cw721.Token) {
	number := index + 1
	name := fmt.Sprintf("Generated #%d", number)
	uri := fmt.Sprintf("ipfs://bafygenerated/%d.json", number)
	token = cw721.Token{Owner: g.randomOwner(), TokenURI: &uri}
	if index%4 == 0 {
		rank := fmt.Sprint(g.random.IntN(100))
		traits := []cw721.Trait{{TraitType: "rank", Value: rank}}
		token.Extension.Metadata = &cw721.Metadata{Name: &name, Attributes: &traits}
	}

	// A spender who is drawn twice has one approval.
	for range approvalCount {
		spender := g.randomOwner()
		if !slices.ContainsFunc(token.Approvals, func(a cw721.Approval) bool { return a.Spender == spender }) {
			approval := cw721.Approval{Spender: spender, Expires: g.randomExpiry()}
			token.Approvals = append(token.Approvals, approval)
		}
	}
	return fmt.Sprintf("gen-%07d", number), token
}

// randomOwner draws an account to own tokens or to receive grants. One draw in ten is only
// among the named accounts, so they are drawn more often than the others.
func (g *generator) randomOwner() cw721.Address {
	if g.random.IntN(10) == 0 {
		return g.owners[g.random.IntN(ownerCount)]
	}
	return g.owners[g.random.IntN(len(g.owners))]
}

// randomExpiry draws when a grant expires. Of ten grants, one never expires, four expire at a
// time, and five at a height. These times and heights lie between 10,000 blocks before the
// first block and 20,000 blocks after it, so a third of them has passed.
func (g *generator) randomExpiry() cw721.Expiration {
	const pastBlocks = 10_000                // how many blocks the earliest expiry is ago
	const blockTime = int64(5 * time.Second) // nanoseconds from one block to the next
	blockOffset := g.random.Int64N(3*pastBlocks) - pastBlocks
	switch g.random.IntN(10) {
	case 0:
		return cw721.Expiration{} // never
	case 1, 2, 3, 4:
		return cw721.UntilTime(cw721.Time(int64(g.clock.Time) + blockOffset*blockTime))
	default:
		return cw721.UntilHeight(cw721.Height(int64(g.clock.Height) + blockOffset))
	}
}

// operatorRecords yields the records of the operator grants. A pair of accounts that is drawn
// again gets no second grant.
func (g *generator) operatorRecords(yield func(kv.Pair) bool) {
	type pair struct{ owner, operator cw721.Address }
	grantedPairs := map[pair]bool{}
	for range g.plan.Grants / grantsPerOperator {
		accounts := pair{owner: g.randomOwner(), operator: g.randomOwner()}
		if grantedPairs[accounts] {
			continue
		}
		grantedPairs[accounts] = true
		record := cw721.OperatorRecord(accounts.owner, accounts.operator, g.randomExpiry())
		if !yield(record) {
			return
		}
	}
}
