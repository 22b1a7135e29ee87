package storage

import (
	"testing"
	"time"
)

func TestTheProgressOfAnImportTellsTheRateAndWhatIsLeft(t *testing.T) {
	start := time.Unix(1000, 0)
	part := func(f float64) func() float64 { return func() float64 { return f } }
	for _, c := range []struct {
		after time.Duration
		done  func() float64
		want  string
	}{
		{time.Second, part(0.5), "300,000 records"},
		{2 * time.Second, nil, "300,000 records, 150,000 a second"},
		{10 * time.Second, nil, "300,000 records, 30,000 a second"},
		{10 * time.Second, part(0.25), "300,000 records, 30,000 a second, 25 %, 30s left"},
		{10 * time.Second, part(1), "300,000 records, 30,000 a second, 100 %, 0s left"},
		{10 * time.Second, part(0), "300,000 records, 30,000 a second"},
	} {
		p := progressLine{startTime: start, measureFraction: c.done}
		if got := p.text(300_000, start.Add(c.after)); got != c.want {
			t.Errorf("after %v: %q, want %q", c.after, got, c.want)
		}
	}
}
