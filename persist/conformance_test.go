package persist_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/scenario"
	"ephemera/persist"
)

// Every commit is synced to the disk, so a quick run plays a sample.
const sampled = 4

func TestEveryAnswerOnBadgerIsThatOfTheCompiledContract(t *testing.T) {
	files, err := filepath.Glob("../core/cw721/testdata/conformance/*.jsonl.gz")
	if err != nil || len(files) != 30 {
		t.Fatalf("there are %d conformance files, %v; expected 30", len(files), err)
	}
	for i, name := range files {
		if testing.Short() && i%(len(files)/sampled) != 0 {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := scenario.Open(name, f)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			res, err := scenario.Run(context.Background(), r, scenario.Options{Open: func() (*chain.Chain, error) {
				db, err := persist.Open(dir, persist.Options{})
				if err != nil {
					return nil, err
				}
				return chain.Open(db)
			}})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range res.Mismatches {
				t.Error(m)
			}
			if res.Steps < 100 {
				t.Errorf("only %d steps were played", res.Steps)
			}
		})
	}
}
