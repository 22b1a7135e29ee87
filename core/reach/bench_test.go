package reach

import (
	"context"
	"fmt"
	"testing"

	"ephemera/core/chain"
)

// threeAdversaries is one token with three grants; nobody finds a way, so the
// whole depth is searched.
func threeAdversaries(b *testing.B) *world {
	return newWorld(b).do("alice approve bob rose 1100\nalice approve_all carol 1200\nalice approve_all dave t1005000")
}

// BenchmarkAsk counts messages a second of one thread with -cpu 1.
func BenchmarkAsk(b *testing.B) {
	for _, depth := range []int{4, 6} {
		b.Run(fmt.Sprintf("Depth%d", depth), func(b *testing.B) {
			w := threeAdversaries(b)
			messages := 0
			for b.Loop() {
				a := w.ask(fmt.Sprintf("approve as bob unmoved depth %d", depth))
				if a.Verdict == Way {
					b.Fatalf("there is a way: %s", ways(a))
				}
				messages += a.Messages
			}
			b.ReportMetric(float64(messages)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}

// BenchmarkAskAmongMany asks the same about one of a hundred tokens and one of a
// hundred thousand: what else there is must not matter.
func BenchmarkAskAmongMany(b *testing.B) {
	for _, tokens := range []int{100, 100_000} {
		b.Run(fmt.Sprint(tokens), func(b *testing.B) {
			w := threeAdversaries(b)
			w.fill(tokens)
			for b.Loop() {
				w.view(func(v *chain.View) error {
					_, err := Ask(context.Background(), v, w.question("approve as bob unmoved"), nil)
					return err
				})
			}
		})
	}
}
