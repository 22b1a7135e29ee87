package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// The compiled contract plays the conformance files, and the built-in one beside
// it does the same with every message and query.
func TestTheCompiledContractAndTheBuiltInOneAnswerAlike(t *testing.T) {
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		t.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	const file = "cw721_metadata_onchain_v0.19.0.wasm"
	code := chaintest.Must(os.ReadFile(filepath.Join(dir, file)))(t)
	cache := t.TempDir()
	for _, name := range conformanceFiles(t) {
		if strings.Contains(name, "conformance-2") && !strings.HasPrefix(filepath.Base(name), "on19x-") {
			continue // of other contracts
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			checkRecorded(t, name, scenario.Options{
				Open: func() (*chain.Chain, error) {
					return chain.OpenWith(kv.NewMemory(), chain.Options{CacheDir: cache, Compare: true})
				},
				Module: &chain.Module{File: file, Code: code},
			})
		})
	}
}

func TestACompiledContractThatDiffersIsAMismatchWithBothAnswers(t *testing.T) {
	code := chaintest.Must(os.ReadFile("../wasm/testdata/contract.wasm"))(t)
	const text = `{"name":"other","accounts":{"alice":"cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a"}}
{"as":"alice","instantiate":{"count":{}}}
`
	res := chaintest.Must(run("other.jsonl", text, scenario.Options{
		Open: func() (*chain.Chain, error) {
			return chain.OpenWith(kv.NewMemory(), chain.Options{Compare: true})
		},
		Module: &chain.Module{File: "contract.wasm", Code: code},
	}))(t)
	want := "other.jsonl:2: step 1: instantiate as alice: the compiled contract differs from the built-in one"
	if len(res.Mismatches) != 1 || !strings.HasPrefix(res.Mismatches[0].String(), want) {
		t.Errorf("%v\nwant %s", res.Mismatches, want)
	}
}
