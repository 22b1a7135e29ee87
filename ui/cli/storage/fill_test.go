package storage

import (
	"testing"
	"time"
)

func TestTheProgressOfAnImportTellsTheRateAndWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		after    time.Duration
		fraction float64
		want     string
	}{
		{time.Second, 0.5, "300,000 records"},
		{2 * time.Second, 0, "300,000 records, 150,000 a second"},
		{10 * time.Second, 0.25, "300,000 records, 30,000 a second, 25 %, 30s left"},
		{10 * time.Second, 1, "300,000 records, 30,000 a second, 100 %, 0s left"},
		{10 * time.Second, 0, "300,000 records, 30,000 a second"},
	} {
		if got := progressText(300_000, c.after, c.fraction); got != c.want {
			t.Errorf("after %v: %q, want %q", c.after, got, c.want)
		}
	}
}
