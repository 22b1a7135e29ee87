package scenario_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/kv/kvtest"
	"ephemera/core/scenario"
)

// longScenario is a scenario of any length, which is made while it is read. The same
// approval is given again and again, so that the collection does not grow.
type longScenario struct {
	steps, next int
	rest        string
}

func (r *longScenario) Read(p []byte) (int, error) {
	for r.rest == "" {
		switch {
		case r.next == 0:
			r.rest = opening + `{"as":"alice","execute":{"mint":{"token_id":"1","owner":"$alice"}},"expect":"ok"}` + "\n"
		case r.next > r.steps:
			return 0, io.EOF
		case r.next%2 == 0:
			r.rest = fmt.Sprintf(`{"at":{"height":%d},"as":"alice","execute":{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":%d}}},"expect":{"has":{"attributes":[{"key":"spender","value":"$bob"}]}}}`, r.next, r.next+10) + "\n"
		default:
			r.rest = fmt.Sprintf(`{"query":{"approvals":{"token_id":"1","include_expired":false}},"expect":"ok","note":"step %d"}`, r.next) + "\n"
		}
		r.next++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func TestALongRunTakesNoMoreMemoryThanAShortOne(t *testing.T) {
	const early = 2_000
	steps := 6_000 * kvtest.Times()
	r := chaintest.Must(scenario.Open("x.jsonl", &longScenario{steps: steps}))(t)
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var first, last uint64
	res, err := scenario.Run(context.Background(), r, scenario.Options{Open: chaintest.InMemory, OnStep: func(p scenario.PlayedStep) {
		n := p.Number
		switch n {
		case early:
			first = live()
		case steps:
			last = live()
		}
	}})
	if err != nil || !res.OK() || res.Steps != steps+2 {
		t.Fatalf("%d steps, %v, %v", res.Steps, res.Mismatches, err)
	}
	const slack = 2 << 20 // what the runtime and other tests may add
	if last > first+slack {
		t.Errorf("%d bytes were live after %d steps, and %d after %d", last, steps, first, early)
	}
}
