package scenario_test

import (
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
)

// chainOf returns a function that opens a chain in memory with a mutant.
func chainOf(m mutant.Mutant) func() (*chain.Chain, error) {
	return func() (*chain.Chain, error) {
		return chain.OpenWith(kv.NewMemory(), chain.Options{
			Mutate: func(truth cw721.Contract) chain.Code { return m.Wrap(truth) },
		})
	}
}

func TestANobodyStepAsksTheMutantThatRuns(t *testing.T) {
	const story = hole + `  - nobody: {can: transfer, token: rose, as: bob, after: {height: 100}, unmoved: true, depth: 1}
`
	truth := chaintest.Must(run("hole.yaml", story, scenario.Options{Open: chainOf(mutant.Mutant{})}))(t)
	if !truth.OK() {
		t.Fatalf("the step does not hold with the true contract: %v", truth.Mismatches)
	}

	inclusiveEnd := chaintest.Must(mutant.Find("inclusive-end"))(t)
	wrong := chaintest.Must(run("hole.yaml", story, scenario.Options{Open: chainOf(inclusiveEnd)}))(t)
	if wrong.FailedSteps != 1 || wrong.Mismatches[0].Step != 4 {
		t.Errorf("a contract whose operators can still act at height 100 has %d mismatches: %v", wrong.FailedSteps, wrong.Mismatches)
	}
}
