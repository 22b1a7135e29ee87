package scenario_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// The compiled contract plays the conformance files, and the built-in one beside
// it does the same with every message and query.
func TestTheCompiledContractAndTheBuiltInOneDoTheSame(t *testing.T) {
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	const file = "cw721_metadata_onchain_v0.19.0.wasm"
	code, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	for _, name := range conformanceFiles(t) {
		if strings.Contains(name, "conformance-2") && !strings.HasPrefix(filepath.Base(name), "on19x-") {
			continue // of other contracts
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := scenario.Open(name, f)
			if err != nil {
				t.Fatal(err)
			}
			res, err := scenario.Run(context.Background(), r, scenario.Options{
				Open: func() (*chain.Chain, error) {
					return chain.OpenWith(kv.NewMemory(), chain.Options{CacheDir: cache, Compare: true})
				},
				Module: &chain.Module{File: file, Code: code},
			})
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

func TestAContractThatDoesOtherwiseIsToldWithBothAnswers(t *testing.T) {
	code, err := os.ReadFile("../wasm/testdata/contract.wasm")
	if err != nil {
		t.Fatal(err)
	}
	const text = `{"name":"other","accounts":{"alice":"cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a"}}
{"as":"alice","instantiate":{"count":{}}}
`
	r, err := scenario.Open("other.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	res, err := scenario.Run(context.Background(), r, scenario.Options{
		Open: func() (*chain.Chain, error) {
			return chain.OpenWith(kv.NewMemory(), chain.Options{Compare: true})
		},
		Module: &chain.Module{File: "contract.wasm", Code: code},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "other.jsonl:2: step 1: instantiate as alice: the compiled contract does otherwise than the built-in one"
	if len(res.Mismatches) != 1 || !strings.HasPrefix(res.Mismatches[0].String(), want) {
		t.Errorf("%v\nwant %s", res.Mismatches, want)
	}
}
