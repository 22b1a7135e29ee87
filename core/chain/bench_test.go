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
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

// granted gives a chain on which n operator grants end, one a block from
// height 1,000 on.
func granted(b *testing.B, n int) *World {
	b.Helper()
	w := On(b, kv.NewMemory())
	for i := range n {
		operator := Address(fmt.Sprint(i))
		msg := fmt.Appendf(nil, `{"approve_all":{"operator":%q,"expires":{"at_height":%d}}}`, operator, 1000+i)
		OK(b, Must(w.C.Execute(Address("alice"), msg))(b).Err())
	}
	return w
}

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

// BenchmarkAgenda asks for the next end and for a span of 1,000 blocks among
// 100,000 grants, against the same among 1,000.
func BenchmarkAgenda(b *testing.B) {
	many, few := granted(b, 100_000), granted(b, 1000)
	next := func(w *World) func(int) {
		return func(int) {
			w.View(func(v *chain.View) {
				if Must(v.NextExpiry())(b) == nil {
					b.Fatal("nothing ends")
				}
			})
		}
	}
	span := func(w *World) func(int) {
		return func(int) {
			w.View(func(v *chain.View) {
				n := 0
				for _, err := range v.ExpiringBetween(cw721.AtHeight, 1000, 1999) {
					OK(b, err)
					n++
				}
				if n != 1000 {
					b.Fatalf("%d ends in the span", n)
				}
			})
		}
	}
	given := func(w *World) func(int) {
		return func(i int) {
			w.View(func(v *chain.View) {
				if n := len(Collect(b, v.Grants(expiry.Index{Spender: Address(fmt.Sprint(i % 1000))}))); n != 1 {
					b.Fatalf("%d grants", n)
				}
			})
		}
	}
	b.Run("next", func(b *testing.B) { versus(b, "x-1000", next(many), next(few)) })
	b.Run("span", func(b *testing.B) { versus(b, "x-1000", span(many), span(few)) })
	b.Run("to an account", func(b *testing.B) { versus(b, "x-1000", given(many), given(few)) })
}

// BenchmarkDecide asks for a decision, against two times owner_of.
func BenchmarkDecide(b *testing.B) {
	w := On(b, kv.NewMemory())
	w.Mint("1", "alice")
	w.Do("alice", `{"approve":{"spender":"$carol","token_id":"1","expires":{"at_height":500}}}`)
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	msg := &cw721.TransferNft{Recipient: Address("carol"), TokenID: "1"}
	bob := Address("bob")
	twice := func(int) {
		for range 2 {
			Must(w.C.Query([]byte(`{"owner_of":{"token_id":"1"}}`)))(b)
		}
	}
	b.Run("decision", func(b *testing.B) {
		versus(b, "x-two-owner_of", func(int) { w.View(func(v *chain.View) { Must(v.Decide(bob, msg))(b) }) }, twice)
	})
	b.Run("why", func(b *testing.B) {
		versus(b, "x-two-owner_of", func(int) { w.View(func(v *chain.View) { Must(explain.WhyMessage(v, bob, "transfer", msg))(b) }) }, twice)
	})
}

// BenchmarkUndo takes 1,000 messages back, and does them again.
func BenchmarkUndo(b *testing.B) {
	w := On(b, kv.NewMemory())
	for i := range 1000 {
		w.Mint(fmt.Sprint(i), "alice")
	}
	for b.Loop() {
		Must(w.C.Undo(1000))(b)
		Must(w.C.Redo(1000))(b)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(2*b.N), "ms/1000-nodes")
	b.ReportMetric(0, "ns/op")
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
