package whocan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// threeAdversaries is one token with three grants.
func threeAdversaries(t testing.TB) *world {
	return newWorld(t).do("alice approve bob rose 1100\nalice approve_all carol 1200\nalice approve_all dave t1005000")
}

// noWay has none in threeAdversaries, so that all depths are searched.
const noWay = "approve as bob unmoved depth "

// BenchmarkWhoCan searches one token with three grants; with -cpu 1 it tells what
// one thread does.
func BenchmarkWhoCan(b *testing.B) {
	for _, depth := range []int{4, 6} {
		b.Run(fmt.Sprintf("Depth%d", depth), func(b *testing.B) {
			w := threeAdversaries(b)
			counted := &leaving{Context: context.Background(), leavesAt: math.MaxInt64}
			for b.Loop() {
				w.view(func(v *chain.View) error {
					a, err := Ask(counted, v, w.question(noWay+fmt.Sprint(depth)))
					if err != nil || a.Verdict == WayExists {
						b.Fatalf("there is a way: %s, %v", ways(a), err)
					}
					return nil
				})
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/search")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(counted.asked.Load()), "us/message")
		})
	}
}

// BenchmarkWhoCanAmongAMillion asks the same about one of a hundred tokens and
// one of a million, in turns: what else there is must not matter.
func BenchmarkWhoCanAmongAMillion(b *testing.B) {
	if os.Getenv("EPHEMERA_BENCH_DIR") == "" {
		b.Skip("takes a minute, for .ci/bench")
	}
	few, many := threeAdversaries(b).among(100), threeAdversaries(b).among(1_000_000)
	for b.Loop() {
		var took [2][21]time.Duration
		for i := range took[0] {
			for j, w := range []*world{few, many} {
				start := time.Now()
				w.ask(noWay + "4")
				took[j][i] = time.Since(start)
			}
		}
		slices.Sort(took[0][:])
		slices.Sort(took[1][:])
		b.ReportMetric(took[1][10].Seconds()/took[0][10].Seconds(), "ratio")
	}
}

// among gives the same world with so many tokens of erin's.
func (w *world) among(tokens int) *world {
	w.t.Helper()
	var all []kv.Pair
	w.view(func(v *chain.View) error {
		for p, err := range v.Records() {
			chaintest.OK(w.t, err)
			if !cw721.IsTokenCountKey(p.Key) {
				all = append(all, kv.Pair{Key: slices.Clone(p.Key), Value: slices.Clone(p.Value)})
			}
		}
		return nil
	})
	all = append(all, cw721.TokenCountRecord(uint64(tokens)+1))
	c := chaintest.Must(chain.Open(kv.NewMemory()))(w.t)
	chaintest.OK(w.t, c.Import(chain.Genesis{Clock: w.clock()}, func(yield func(kv.Pair, error) bool) {
		for _, p := range all {
			if !yield(p, nil) {
				return
			}
		}
		for i := range tokens {
			for _, p := range cw721.TokenRecords(fmt.Sprintf("other-%07d", i), cw721.Token{Owner: address("erin")}) {
				if !yield(p, nil) {
					return
				}
			}
		}
	}, nil))
	return &world{w.t, c}
}

func TestMemoryStaysSmallUntilTheHonestStop(t *testing.T) {
	if kvtest.Times() < 10 {
		t.Skip("takes a minute")
	}
	w, text := wide(t)
	w.view(func(v *chain.View) error {
		a, err := Ask(context.Background(), v, w.question(text))
		if err != nil || a.Verdict != NoneWithin || a.CutReason == "" {
			t.Errorf("got %s to depth %d, cut because %q, %v", a.Verdict, a.Depth, a.CutReason, err)
		}
		t.Logf("%d states, depth %d", a.States, a.Depth)
		return nil
	})
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("there is no /proc")
	}
	var peak int // in kB
	for line := range strings.Lines(string(status)) {
		if rest, is := strings.CutPrefix(line, "VmHWM:"); is {
			chaintest.Must(fmt.Sscan(rest, &peak))(t)
		}
	}
	t.Logf("at most %d kB resident", peak)
	if peak == 0 || peak > 200<<10 {
		t.Errorf("it took %d kB", peak)
	}
}

// BenchmarkWhoCanLeft tells how long a search takes to its first depth, and to its
// end once it is cancelled at twenty moments: the medians.
func BenchmarkWhoCanLeft(b *testing.B) {
	w, text := wide(b)
	q := w.question(text)
	var first, left []time.Duration
	for b.Loop() {
		for i := range 20 {
			ctx, cancel := context.WithCancel(context.Background())
			var told, cancelled time.Time
			begun := time.Now()
			w.view(func(v *chain.View) error {
				one := q
				one.Depth = 1
				if _, err := Ask(ctx, v, one); err != nil {
					b.Error(err)
				}
				told = time.Now()
				time.AfterFunc(time.Duration(i)*10*time.Millisecond, func() { cancelled = time.Now(); cancel() })
				if _, err := Ask(ctx, v, q); !errors.Is(err, context.Canceled) {
					b.Errorf("got %v", err)
				}
				return nil
			})
			first, left = append(first, told.Sub(begun)), append(left, time.Since(cancelled))
		}
	}
	slices.Sort(first)
	slices.Sort(left)
	b.ReportMetric(float64(first[len(first)/2].Microseconds())/1000, "ms/first")
	b.ReportMetric(float64(left[len(left)/2].Microseconds())/1000, "ms/left")
}
