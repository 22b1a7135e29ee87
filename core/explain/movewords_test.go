package explain_test

import (
	"testing"

	"ephemera/core/chain/history"
	"ephemera/core/explain"
)

func TestAMoveOfTheClockIsDescribedByWhatChanged(t *testing.T) {
	const now = `{"height":1102,"time":"1000000000","seconds_per_block":5}`
	for after, want := range map[string]string{
		`{"height":1103,"time":"6000000000","seconds_per_block":5}`:    "clock +1 block to 1,103",
		`{"height":1102,"time":"7501000000000","seconds_per_block":5}`: "clock +2h 05m",
		`{"height":1102,"time":"1000000001","seconds_per_block":5}`:    "clock +1 ns",
		`{"height":1102,"time":"1000000000","seconds_per_block":6}`:    "6 s a block",
		`not a clock`: "a move of the clock",
	} {
		n := history.Node{Kind: history.KindClock, Message: now, Answer: []byte(after)}
		if got := explain.DescribeMove(n); got != want {
			t.Errorf("to %s: got %q, want %q", after, got, want)
		}
	}
}
