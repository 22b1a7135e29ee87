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

// versus runs two ways in short turns and reports the median turn of one
// against the median turn of the other.
func versus(b *testing.B, unit string, one, other func(i int)) {
	var took [2][]time.Duration
	const turn = 64
	for n := 0; b.Loop(); n += turn {
		for side, fn := range []func(int){one, other} {
			start := time.Now()
			for i := range turn {
				fn(n + i)
			}
			took[side] = append(took[side], time.Since(start)/turn)
		}
	}
	var median [2]float64
	for side, all := range took {
		slices.Sort(all)
		median[side] = float64(all[len(all)/2].Nanoseconds())
	}
	b.ReportMetric(median[0]/median[1], unit)
	b.ReportMetric(median[0], "one-ns")
	b.ReportMetric(median[1], "other-ns")
	b.ReportMetric(0, "ns/op") // a pair of turns says nothing
}

// BenchmarkCompiled runs messages and queries in the compiled contract of cw721
// 0.19, against the built-in one; both in memory, history and all.
func BenchmarkCompiled(b *testing.B) {
	dir := os.Getenv("EPHEMERA_CONTRACTS")
	if dir == "" {
		b.Skip("EPHEMERA_CONTRACTS names no folder with compiled contracts")
	}
	code := Must(os.ReadFile(filepath.Join(dir, "cw721_metadata_onchain_v0.19.0.wasm")))(b)
	begin := func(m *chain.Module) *chain.Chain {
		c := Must(chain.Open(kv.NewMemory()))(b)
		g := Genesis()
		g.Module = m
		Must(c.Create(g, Address("creator"), []byte(Founding)))(b)
		return c
	}
	binary, engine := begin(&chain.Module{File: "cw721.wasm", Code: code}), begin(nil)
	mint := func(c *chain.Chain) func(int) {
		return func(i int) {
			OK(b, Must(c.Execute(Address("creator"), fmt.Appendf(nil, `{"mint":{"token_id":"%d","owner":"$alice"}}`, i)))(b).Err())
		}
	}
	ownerOf := func(c *chain.Chain) func(int) {
		return func(int) { Must(c.Query([]byte(`{"owner_of":{"token_id":"0"}}`)))(b) }
	}
	b.Run("execute", func(b *testing.B) { versus(b, "x-engine", mint(binary), mint(engine)) })
	b.Run("owner_of", func(b *testing.B) { versus(b, "x-engine", ownerOf(binary), ownerOf(engine)) })
}
