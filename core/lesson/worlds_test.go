package lesson_test

import (
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
)

func TestTheOutcomesInTwoWorldsDifferInTheLastRowOnly(t *testing.T) {
	for _, l := range allLessons(t) {
		for i, task := range l.Tasks {
			for _, misconception := range task.DetectableMisconceptions() {
				if !misconception.HasWorld() {
					continue
				}
				worlds, differ, err := l.CompareContracts(i, misconception)
				if err != nil || !differ {
					t.Fatalf("%s, task %d, %s: the outcomes differ: %t, %v", l.ID, i+1, misconception, differ, err)
				}
				for n, row := range worlds.Rows {
					isLast := n == len(worlds.Rows)-1
					if (row.Believed != row.Truth) != isLast {
						t.Errorf("%s, task %d, %s: row %d of %d: %q, %q", l.ID, i+1, misconception, n+1, len(worlds.Rows), row.Believed, row.Truth)
					}
				}
			}
		}
	}
}

func TestTheLastRowIsExplainedByTheRulesOfTheTrueContract(t *testing.T) {
	worlds, _, err := lessonNamed(t, "the-block-it-expires").CompareContracts(0, "inclusive-end")
	chaintest.OK(t, err)

	last := worlds.Rows[len(worlds.Rows)-1]
	if last.Block.Height != 1110 || last.Believed != "done" || !strings.HasPrefix(last.Truth, "refused: Caller is not") {
		t.Errorf("the last row is %+v", last)
	}
	if why := strings.Join(worlds.Why, "; "); !strings.Contains(why, "1,110 ≥ 1,110") {
		t.Errorf("the rules are %q", why)
	}
}
