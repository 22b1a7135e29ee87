package lesson_test

import (
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
)

// Wherever a choice believes a lie, the two worlds part, and not before.
func TestTheWorldOneBelievesInPartsFromTheTrueOne(t *testing.T) {
	for _, l := range all(t) {
		for i, task := range l.Tasks {
			for _, lie := range task.CanFind() {
				w, ok, err := l.Worlds(i, lie)
				if err != nil || !ok {
					t.Fatalf("%s, task %d, %s: %t, %v", l.ID, i+1, lie, ok, err)
				}
				for n, row := range w.Rows {
					if last := n == len(w.Rows)-1; (row.Believed != row.Truth) != last {
						t.Errorf("%s, task %d, %s: row %d of %d: %q, %q", l.ID, i+1, lie, n+1, len(w.Rows), row.Believed, row.Truth)
					}
				}
			}
			if _, ok, err := l.Worlds(i, lesson.NoMisconception); ok || err != nil {
				t.Errorf("%s, task %d: the truth parts from itself: %v", l.ID, i+1, err)
			}
		}
	}
}

func TestTheTrueContractSaysWhyWhereTheWorldsPart(t *testing.T) {
	w, _, err := lessonOf(t, "the-block-it-expires").Worlds(0, "inclusive-end")
	chaintest.OK(t, err)
	last := w.Rows[len(w.Rows)-1]
	if last.Block.Height != 1110 || last.Believed != "done" || !strings.HasPrefix(last.Truth, "refused: Caller is not") {
		t.Errorf("they part so: %+v", last)
	}
	if why := strings.Join(w.Why, "; "); !strings.Contains(why, "1,110 ≥ 1,110") {
		t.Errorf("why: %q", why)
	}
}
