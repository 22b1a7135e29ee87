package suite_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"ephemera/core/chain/chaintest"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
	"ephemera/core/suite"
)

// BenchmarkTryAHundredStories measures how much longer it takes to try every mutant with 100
// stories that kill none than to read and play the stories once. The goal is 20 times.
func BenchmarkTryAHundredStories(b *testing.B) {
	const file = "testdata/weak.yaml"
	text := string(chaintest.Must(os.ReadFile(file))(b))
	var stories []suite.Story
	for range 100 {
		stories = append(stories, storiesOf(b, file, text)...)
	}

	var once, tried time.Duration
	for b.Loop() {
		start := time.Now()
		for range stories {
			reader := chaintest.Must(scenario.Open(file, strings.NewReader(text)))(b)
			chaintest.Must(scenario.Run(context.Background(), reader, scenario.Options{Open: chaintest.InMemory}))(b)
		}
		once += time.Since(start)

		start = time.Now()
		chaintest.Must(suite.TryMutants(context.Background(), stories, mutant.All()))(b)
		tried += time.Since(start)
	}
	b.ReportMetric(float64(tried)/float64(once), "runs")
}
