package generate_test

import (
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
	err := c.View(func(v *chain.View) error {
		for p, err := range v.Records() {
			if err != nil {
				return err
			}
			all = append(all, string(p.Key)+"="+string(p.Value))
		}
		return nil
	})
	chaintest.OK(t, err)
	return all
}

func TestAPlanMakesTheTokensAndGrantsThatItSays(t *testing.T) {
	c := generated(t, generate.Plan{Tokens: 2000, Grants: 500, Seed: 7})
	err := c.View(func(v *chain.View) error {
		info, err := v.Collection()
		if err != nil {
			return err
		}
		if info.Tokens != 2000 {
			t.Errorf("%d tokens are counted, 2000 were planned", info.Tokens)
		}
		grants := 0
		for _, err := range v.Grants(expiry.Index{}) {
			if err != nil {
				return err
			}
			grants++
		}
		// Two grants to the same spender on one token are one.
		if grants < 480 || grants > 500 {
			t.Errorf("%d grants were made, about 500 were planned", grants)
		}
		return nil
	})
	chaintest.OK(t, err)
}

func TestTheSameSeedMakesTheSameCollectionAndAnotherAnother(t *testing.T) {
	plan := generate.Plan{Tokens: 300, Grants: 100, Seed: 1}
	a, b := storage(t, generated(t, plan)), storage(t, generated(t, plan))
	plan.Seed = 2
	c := storage(t, generated(t, plan))
	same := func(x, y []string) bool {
		for i := range x {
			if i >= len(y) || x[i] != y[i] {
				return false
			}
		}
		return len(x) == len(y)
	}
	if !same(a, b) {
		t.Error("one seed made two collections")
	}
	if same(a, c) {
		t.Error("two seeds made one collection")
	}
}

func TestAGeneratedCollectionAnswersAndCanBeActedOn(t *testing.T) {
	c := generated(t, generate.Plan{Tokens: 50, Grants: 20, Seed: 3})
	minter := chaintest.Address("minter")
	r, err := c.Execute(minter, []byte(`{"mint":{"token_id":"new","owner":"$alice"}}`))
	if err != nil || r.Refusal != nil {
		t.Fatal(err, r.Refusal)
	}
	chaintest.Must(c.Query([]byte(`{"all_nft_info":{"token_id":"gen-0000001"}}`)))(t)
}

func TestAPlanBeyondWhatCanBeMadeSaysSo(t *testing.T) {
	for _, p := range []generate.Plan{{Tokens: -1}, {Tokens: generate.Most + 1}, {Grants: 1}, {Tokens: 1, Grants: -1}} {
		if p.Check() == nil {
			t.Errorf("%+v passes", p)
		}
	}
	for _, p := range []generate.Plan{{}, {Tokens: generate.Most, Grants: generate.Most}} {
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
