package scenario_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	chainhistory "ephemera/core/chain/history"
	"ephemera/core/scenario"
)

// run runs a scenario given as text.
func run(name, text string, o scenario.Options) (scenario.Result, error) {
	r, err := scenario.Open(name, strings.NewReader(text))
	if err != nil {
		return scenario.Result{}, err
	}
	return scenario.Run(context.Background(), r, o)
}

// play runs one on a fresh chain in memory.
func play(name, text string) (scenario.Result, error) {
	return run(name, text, scenario.Options{Open: chaintest.InMemory})
}

// on runs one on a chain as it stands.
func on(c *chain.Chain, text string) (scenario.Result, error) {
	return run("x.jsonl", text, scenario.Options{Chain: c})
}

// holds runs one that must hold.
func holds(t testing.TB, name, text string) {
	t.Helper()
	for _, m := range chaintest.Must(play(name, text))(t).Mismatches {
		t.Error(m)
	}
}

// errorOf gives the error of reading or playing a scenario, which must be one
// about its file.
func errorOf(t testing.TB, name, text string) *scenario.Error {
	t.Helper()
	_, err := play(name, text)
	var e *scenario.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, expected an error about the file", err)
	}
	return e
}

// begun is a chain with a collection of alice's, who is the only account.
func begun(t testing.TB) *chaintest.World {
	t.Helper()
	w := chaintest.Blank(t, chaintest.Memory(t))
	alice := chaintest.Address("alice")
	g := chain.Genesis{Accounts: []chain.Account{{Name: "alice", Address: alice}}}
	chaintest.Must(w.C.Create(g, alice, []byte(chaintest.Founding)))(t)
	return w
}

// imported is a chain with what another holds.
func imported(from *chaintest.World) *chaintest.World {
	from.T.Helper()
	w := &chaintest.World{T: from.T, C: chaintest.Must(chaintest.InMemory())(from.T)}
	from.View(func(v *chain.View) { chaintest.OK(w.T, w.C.Import(chain.Genesis{}, v.Records(), nil)) })
	return w
}

// saved is what happened on a chain as a file, or a part of it, and the node of
// the import that it names.
func saved(w *chaintest.World, f scenario.Format, part scenario.HistoryPart) (text string, imported chainhistory.ID, err error) {
	var file strings.Builder
	w.View(func(v *chain.View) { _, imported, err = scenario.Record(&file, f, v, part, nil) })
	return file.String(), imported, err
}
