package scenario_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

// play runs a scenario given as text, on a fresh chain in memory.
func play(t testing.TB, name, text string) (scenario.Result, error) {
	t.Helper()
	r, err := scenario.Open(name, strings.NewReader(text))
	if err != nil {
		return scenario.Result{}, err
	}
	return scenario.Run(context.Background(), r, scenario.Options{Open: chaintest.InMemory})
}

// holds runs a scenario that must hold.
func holds(t testing.TB, name, text string) {
	t.Helper()
	res := chaintest.Must(play(t, name, text))(t)
	for _, m := range res.Mismatches {
		t.Error(m)
	}
}

// errorOf gives the error of reading or playing a scenario, which must be one
// about its file.
func errorOf(t testing.TB, name, text string) *scenario.Error {
	t.Helper()
	_, err := play(t, name, text)
	var e *scenario.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, expected an error about the file", err)
	}
	return e
}

func begun(t testing.TB, c *chain.Chain) {
	t.Helper()
	alice := chaintest.Address("alice")
	g := chain.Genesis{Accounts: []chain.Account{{Name: "alice", Address: alice}}}
	chaintest.Must(c.Create(g, alice, []byte(`{"name":"Apes","symbol":"APE"}`)))(t)
}
