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

func TestEveryRecordedAnswerOfTheCompiledContractIsRepeated(t *testing.T) {
	for _, name := range conformanceFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			checkRecorded(t, name, scenario.Options{Open: chaintest.InMemory})
		})
	}
}

// checkRecorded plays a conformance file and reports its mismatches.
func checkRecorded(t *testing.T, name string, o scenario.Options) {
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
}
