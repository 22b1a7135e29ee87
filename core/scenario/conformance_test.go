package scenario_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

func conformanceFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../cw721/testdata/conformance*/*.jsonl.gz")
	if err != nil || len(files) != 87 {
		t.Fatalf("there are %d conformance files, %v; expected 87", len(files), err)
	}
	return files
}

func TestEveryAnswerIsThatOfTheCompiledContract(t *testing.T) {
	for _, name := range conformanceFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			recorded(t, name, scenario.Options{Open: chaintest.InMemory})
		})
	}
}

// recorded plays a conformance file, which must hold, and counts its steps.
func recorded(t testing.TB, name string, o scenario.Options) int {
	t.Helper()
	f := chaintest.Must(os.Open(name))(t)
	defer f.Close()
	r := chaintest.Must(scenario.Open(name, f))(t)
	res := chaintest.Must(scenario.Run(context.Background(), r, o))(t)
	for _, m := range res.Mismatches {
		t.Error(m)
	}
	if res.Steps < 100 {
		t.Errorf("only %d steps were played", res.Steps)
	}
	return res.Steps
}

// BenchmarkConformance reports steps per second over all conformance files.
func BenchmarkConformance(b *testing.B) {
	files := conformanceFiles(b)
	steps := 0
	for b.Loop() {
		for _, name := range files {
			steps += recorded(b, name, scenario.Options{Open: chaintest.InMemory})
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}
