package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
)

func TestTheTeachersPageHasTheAnswersAndTheMisconceptions(t *testing.T) {
	all := chaintest.Must(lesson.All())(t)
	page := strings.Join(strings.Fields(readText(t, "help/teaching.md")), " ")
	for _, misconception := range lesson.Misconceptions() {
		want := string(misconception)
		for i, l := range all {
			for j, task := range l.Tasks {
				if slices.Contains(task.CanFind(), misconception) {
					want += fmt.Sprintf(" %d.%d", i+1, j+1)
				}
			}
		}
		if want += " " + misconception.Belief(); !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for i, l := range all {
		want := fmt.Sprintf(" %d:", i+1)
		for _, task := range l.Tasks {
			want += fmt.Sprintf(" %d", slices.Index(task.Ask.Choices, task.Ask.Answer)+1)
		}
		if !strings.Contains(page, want+" ") {
			t.Errorf("the page does not have the answers%s", want)
		}
	}
	tasks := func(lessons ...int) (n int) {
		for _, l := range lessons {
			n += len(all[l-1].Tasks)
		}
		return n
	}
	for _, want := range []string{
		fmt.Sprintf("what an operator leaves behind. %d tasks", tasks(1, 2, 4, 7, 9)),
		fmt.Sprintf("lessons 1 to 12 %d tasks", tasks(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
