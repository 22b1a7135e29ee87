package generate_test

import (
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/chain/expiry"
	"ephemera/core/generate"
	"ephemera/core/kv"
)

func generated(t *testing.T, p generate.Plan) *chain.Chain {
	t.Helper()
	c := chaintest.Must(chain.Open(kv.NewMemory()))(t)
	g := chaintest.Must(p.Genesis())(t)
	chaintest.OK(t, c.Import(g, p.Records(), nil))
	return c
}

func storage(t *testing.T, c *chain.Chain) (all []string) {
	t.Helper()
	chaintest.OK(t, c.View(func(v *chain.View) error {
		for p, err := range v.Records() {
			chaintest.OK(t, err)
			all = append(all, string(p.Key)+"="+string(p.Value))
		}
		return nil
	}))
	return all
}

func TestAPlanMakesTheTokensAndGrantsThatItSays(t *testing.T) {
	c := generated(t, generate.Plan{Tokens: 2000, Grants: 500, Seed: 7})
	chaintest.OK(t, c.View(func(v *chain.View) error {
		chaintest.Same(t, "the tokens that are counted", uint64(2000), chaintest.Must(v.Collection())(t).TokenCount)
		// Two grants to the same spender on one token are one.
		if n := len(chaintest.Collect(t, v.Grants(expiry.Index{}))); n < 480 || n > 500 {
			t.Errorf("%d grants were made, about 500 were planned", n)
		}
		return nil
	}))
}

func TestTheSameSeedMakesTheSameCollectionAndAnotherAnother(t *testing.T) {
	plan := generate.Plan{Tokens: 300, Grants: 100, Seed: 1}
	a, b := storage(t, generated(t, plan)), storage(t, generated(t, plan))
	plan.Seed = 2
	c := storage(t, generated(t, plan))
	if !slices.Equal(a, b) {
		t.Error("one seed made two collections")
	}
	if slices.Equal(a, c) {
		t.Error("two seeds made one collection")
	}
}

func TestAGeneratedCollectionAnswersAndCanBeActedOn(t *testing.T) {
	c := generated(t, generate.Plan{Tokens: 50, Grants: 20, Seed: 3})
	r := chaintest.Must(c.Execute(chaintest.Address("minter"), []byte(`{"mint":{"token_id":"new","owner":"$alice"}}`)))(t)
	chaintest.OK(t, r.Err())
	chaintest.Must(c.Query([]byte(`{"all_nft_info":{"token_id":"gen-0000001"}}`)))(t)
}

func TestAPlanBeyondWhatCanBeMadeSaysSo(t *testing.T) {
	for _, p := range []generate.Plan{{Tokens: -1}, {Tokens: generate.MaxCount + 1}, {Grants: 1}, {Tokens: 1, Grants: -1}} {
		if p.Check() == nil {
			t.Errorf("%+v passes", p)
		}
	}
	for _, p := range []generate.Plan{{}, {Tokens: generate.MaxCount, Grants: generate.MaxCount}} {
		if err := p.Check(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestWhoeverStopsEarlyIsGivenNoMore(t *testing.T) {
	plan := generate.Plan{Tokens: 3, Grants: 100, Seed: 1}
	whole := 0
	for _, err := range plan.Records() {
		chaintest.OK(t, err)
		whole++
	}
	for stop := 1; stop <= whole; stop++ {
		n := 0
		for range plan.Records() { // a walk that goes on behind a break panics
			if n++; n == stop {
				break
			}
		}
	}
}

func TestAPrefixThatBeginsNoAddressIsNamed(t *testing.T) {
	plan := generate.Plan{Tokens: 1, Prefix: "Mixed"}
	if _, err := plan.Genesis(); err == nil || !strings.Contains(err.Error(), `prefix: "Mixed"`) {
		t.Errorf("got %v", err)
	}
}
