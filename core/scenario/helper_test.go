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

// run plays a scenario in a text.
func run(name, text string, o scenario.Options) (scenario.Result, error) {
	r, err := scenario.Open(name, strings.NewReader(text))
	if err != nil {
		return scenario.Result{}, err
	}
	return scenario.Run(context.Background(), r, o)
}

// play plays a scenario on a new chain in memory.
func play(name, text string) (scenario.Result, error) {
	return run(name, text, scenario.Options{Open: chaintest.InMemory})
}

// playOn plays a scenario on an existing chain.
func playOn(c *chain.Chain, text string) (scenario.Result, error) {
	return run("x.jsonl", text, scenario.Options{Chain: c})
}

// checkHolds plays a scenario and reports its mismatches.
func checkHolds(t testing.TB, name, text string) {
	t.Helper()
	for _, m := range chaintest.Must(play(name, text))(t).Mismatches {
		t.Error(m)
	}
}

// errorOf returns the error of a scenario, which must be an [*scenario.Error].
func errorOf(t testing.TB, name, text string) *scenario.Error {
	t.Helper()
	_, err := play(name, text)
	var e *scenario.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, expected an error about the file", err)
	}
	return e
}

// newCollection returns a chain with a collection that alice created. She is the only
// account.
func newCollection(t testing.TB) *chaintest.World {
	t.Helper()
	w := chaintest.Blank(t, chaintest.Memory(t))
	alice := chaintest.Address("alice")
	g := chain.Genesis{Accounts: []chain.Account{{Name: "alice", Address: alice}}}
	chaintest.Must(w.C.Create(g, alice, []byte(chaintest.Founding)))(t)
	return w
}

// importedCopyOf returns a chain that imported the records of another.
func importedCopyOf(from *chaintest.World) *chaintest.World {
	from.T.Helper()
	w := &chaintest.World{T: from.T, C: chaintest.Must(chaintest.InMemory())(from.T)}
	from.View(func(v *chain.View) { chaintest.OK(w.T, w.C.Import(chain.Genesis{}, v.Records(), nil)) })
	return w
}

// recordPart returns the record of a part of a chain's history, and the node of its
// import.
func recordPart(w *chaintest.World, f scenario.Format, part scenario.HistoryPart) (text string, imported chainhistory.ID, err error) {
	var file strings.Builder
	part.DumpName = "x.state.json"
	w.View(func(v *chain.View) { _, imported, err = scenario.Record(&file, f, v, part, nil) })
	return file.String(), imported, err
}
