package persist_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721/cw721test"
	"ephemera/core/kv/kvtest"
	"ephemera/core/scenario"
	"ephemera/persist"
)

const recorded = "../core/cw721/testdata"

func TestEveryAnswerOnBadgerIsThatOfTheRealContracts(t *testing.T) {
	if testing.Short() {
		t.Skip("plays 780 cases one after the other")
	}
	t.Parallel()
	db := kvtest.Must(persist.Open(t.TempDir(), persist.Options{}))(t)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	cw721test.Run(t, os.DirFS(recorded), db)
}

// every is how many scenarios are left out after one that a whole chain plays on
// Badger, which syncs each of its commits.
const every = 20

func TestAChainOnBadgerAnswersAsTheRealContracts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recorded, "conformance*/*.jsonl.gz"))
	if err != nil || len(files) != 87 {
		t.Fatalf("there are %d conformance files, %v; expected 87", len(files), err)
	}
	for i, name := range files {
		if os.Getenv("EPHEMERA_LONG") == "" && i%every != 0 {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			f := kvtest.Must(os.Open(name))(t)
			defer f.Close()
			r := kvtest.Must(scenario.Open(name, f))(t)
			dir := t.TempDir()
			res, err := scenario.Run(context.Background(), r, scenario.Options{Open: func() (*chain.Chain, error) {
				db, err := persist.Open(dir, persist.Options{})
				if err != nil {
					return nil, err
				}
				return chain.Open(db)
			}})
			kvtest.OK(t, err)
			for _, m := range res.Mismatches {
				t.Error(m)
			}
			if res.Steps < 100 {
				t.Errorf("only %d steps were played", res.Steps)
			}
		})
	}
}
