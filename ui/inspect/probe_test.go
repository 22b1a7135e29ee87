package inspect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

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

func TestTheProbeSaysThatItLeavesGrantsOut(t *testing.T) {
	c := uitest.Fixture(t)
	for i := range 201 {
		uitest.Execute1(t, c, "alice", fmt.Sprintf(`{"approve_all":{"operator":"%s"}}`, chaintest.Address(fmt.Sprint("friend", i))))
	}
	d := uitest.On(t, ui.New, c, 120, 36)
	d.To("Accounts")
	d.Press("g") // alice
	d.Press("B")
	d.SeesIn(uitest.Dialog, "of 200+")
}
