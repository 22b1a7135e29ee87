package inspect_test

import (
	"slices"
	"strings"
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestAProbeShowsThatAnApprovalHasExpiredInTheBlockThatItNames(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("j", "j", "j", "B") // ape-04, bob's until height 1,110
	d.Sees("ape-04 → bob", "alice → dave (operator)", "as bob", " transfer ",
		"expiry − 1 height 1,109", "✓ ape-04 went to bob",
		"expiry     height 1,110", "✗ Caller is not the contract's current owner",
		"expiry + 1 height 1,111")
	d.Press("right")
	d.Sees("✓ ape-04 went to market")
	d.Press("right")
	d.Sees("✓ burned ape-04")
	d.Press("j")
	d.Sees("as dave", "this grant never expires, so there is no boundary to probe")
	d.Fits()
	d.Press("k", "enter")
	d.Sees("height 1,109")
	d.Press("esc")
	d.SeesIn(uitest.List, "ape-04") // it was not burned
}

func TestGrantsInForceAreProbedBeforeExpiredAndEndlessOnes(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"approve":{"token_id":"ape-04","spender":"$carol","expires":{"at_height":9000}}}`)
	d.Do("alice", `{"approve":{"token_id":"ape-04","spender":"$market","expires":{"at_time":"1795262465000000000"}}}`)
	d.Do("alice", `{"approve":{"token_id":"ape-04","spender":"$dave","expires":{"at_height":1103}}}`)
	d.Press(".", "j", "j", "j", "B")
	d.SeesIn(uitest.Dialog, "as bob", "expiry     height 1,110")
	d.Press("j")
	d.Sees("▸ ● ape-04 → market", "in 55s")
	d.Press("j")
	d.Sees("▸ ● ape-04 → carol", "in 7,897 blocks")
	d.Press("j")
	d.Sees("▸ ○ ape-04 → dave", "as dave", "expiry     height 1,103", "dave is an operator of alice; it never expires",
		"The answer is the same on both sides: another grant carries on")
	d.Press("j")
	d.Sees("▸ ● alice → dave (operator)", "this grant never expires")
	d.Fits()
}

func TestAProbeOfATimeTriesOneNanosecondBeforeAndAfter(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	for range 6 {
		d.Press("j") // ape-07, carol's until 12:40
	}
	d.Press("B")
	d.Sees("12:39:59.999999999 UTC", "✓ ape-07 went to carol", "12:40:00.000000001 UTC")
	d.Fits()
}

func TestAProbeWithoutGrantsSaysSo(t *testing.T) {
	d := uitest.New(t, ui.New, 60, 20)
	d.Press("G", "B") // of carol, who has no operators, without approvals
	d.Sees("nobody was given a grant here that could expire")
	d.Fits()
}

func TestALowProbeScrollsToItsEnd(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.Press("j", "j", "j", "B")
	d.Sees("ape-04 → bob", "expiry − 1 height 1,109", "✓ ape-04 went to bob", "more lines")
	d.DoesNotSee("kept")
	d.Press("tab", "G")
	d.SeesIn(uitest.Dialog, "Nothing of")
	d.Press("l")
	d.Sees("expiry − 1 height 1,109", "✓ ape-04 went to market") // from the top again
	d.Fits()
}

func TestTheAnswersOfAProbeAreAlignedBehindTheirSigns(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {72, 40}, {80, 24}, {100, 40}, {120, 36}} {
		for _, row := range []int{3, 6} { // an expiry at a height, and one at a time
			for timeFormat := range 3 {
				d := uitest.New(t, ui.New, size[0], size[1])
				d.Press(slices.Repeat([]string{"f"}, timeFormat)...)
				d.Press(slices.Repeat([]string{"j"}, row)...)
				d.Press("B")
				columns := answerColumns(d.Reads())
				if len(columns) < 2 || len(slices.Compact(columns)) != 1 {
					t.Errorf("%v, time format %d, row %d: the answers begin at %v:\n%s", size, timeFormat, row, columns, d.Screen())
				}
				d.Fits()
			}
		}
	}
}

// answerColumns returns where the answers of a probe and their reasons begin, in cells
// from the left edge.
func answerColumns(screen string) []int {
	var columns []int
	for line := range strings.SplitSeq(screen, "\n") {
		before, _, isAnswer := strings.Cut(line, "✓ ")
		if !isAnswer {
			before, _, isAnswer = strings.Cut(line, "✗ ")
		}
		reason := strings.Index(line, "bob has an approval")
		if reason < 0 {
			reason = strings.Index(line, "carol has an approval")
		}
		switch {
		case isAnswer:
			columns = append(columns, len([]rune(before))+2)
		case reason >= 0:
			columns = append(columns, len([]rune(line[:reason])))
		}
	}
	return columns
}
