package chain_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/kv"
)

// compareSpeed runs two functions in alternating turns of 64 calls. It reports the median
// duration of a call of each, in nanoseconds, and their ratio in the given unit. The calls
// are numbered.
func compareSpeed(b *testing.B, unit string, one, other func(i int)) {
	const turn = 64
	var durations [2][]time.Duration // of a call, by the index of the function
	for n := 0; b.Loop(); n += turn {
		for side, fn := range []func(int){one, other} {
			start := time.Now()
			for i := range turn {
				fn(n + i)
			}
			durations[side] = append(durations[side], time.Since(start)/turn)
		}
	}

	var medians [2]float64
	for side, all := range durations {
		slices.Sort(all)
		medians[side] = float64(all[len(all)/2].Nanoseconds())
	}
	b.ReportMetric(medians[0]/medians[1], unit)
	b.ReportMetric(medians[0], "one-ns")
	b.ReportMetric(medians[1], "other-ns")
	b.ReportMetric(0, "ns/op") // the time of two turns together means nothing
}

// BenchmarkCompiled compares messages and queries in the compiled contract of cw721 0.19
// with those in the built-in one. Both chains are in memory and record their history.
func BenchmarkCompiled(b *testing.B) {
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		b.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	code := Must(os.ReadFile(filepath.Join(dir, "cw721_metadata_onchain_v0.19.0.wasm")))(b)
	newChain := func(module *chain.Module) *chain.Chain {
		c := Must(chain.Open(kv.NewMemory()))(b)
		g := Genesis()
		g.Module = module
		Must(c.Create(g, Address("creator"), []byte(Founding)))(b)
		return c
	}
	compiled := newChain(&chain.Module{File: "cw721.wasm", Code: code})
	builtIn := newChain(nil)

	mintOn := func(c *chain.Chain) func(int) {
		return func(i int) {
			msg := fmt.Appendf(nil, `{"mint":{"token_id":"%d","owner":"$alice"}}`, i)
			OK(b, Must(c.Execute(Address("creator"), msg))(b).Err())
		}
	}
	askOwnerOn := func(c *chain.Chain) func(int) {
		return func(int) { Must(c.Query([]byte(`{"owner_of":{"token_id":"0"}}`)))(b) }
	}
	b.Run("execute", func(b *testing.B) { compareSpeed(b, "x-engine", mintOn(compiled), mintOn(builtIn)) })
	b.Run("owner_of", func(b *testing.B) { compareSpeed(b, "x-engine", askOwnerOn(compiled), askOwnerOn(builtIn)) })
}
