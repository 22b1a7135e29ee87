package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
)

// allMisconceptions returns each misconception that a choice in one of the lessons names.
func allMisconceptions(all []lesson.Lesson) (named []lesson.Misconception) {
	for _, l := range all {
		for _, task := range l.Tasks {
			for _, misconception := range task.DetectableMisconceptions() {
				if !slices.Contains(named, misconception) {
					named = append(named, misconception)
				}
			}
		}
	}
	return named
}

// beliefIn returns what a misconception means in the first of the lessons that knows it.
func beliefIn(all []lesson.Lesson, m lesson.Misconception) string {
	i := slices.IndexFunc(all, func(l lesson.Lesson) bool { return l.Belief(m) != "" })
	return all[i].Belief(m)
}

func TestTheTeachersPageHasTheAnswersAndTheMisconceptions(t *testing.T) {
	all := chaintest.Must(lesson.All())(t)
	page := strings.Join(strings.Fields(readText(t, "help/teaching.md")), " ")
	for _, misconception := range allMisconceptions(all) {
		if !misconception.HasWorld() {
			continue // its sentence is in the lessons' files
		}
		want := string(misconception)
		for i, l := range all {
			for j, task := range l.Tasks {
				if slices.Contains(task.DetectableMisconceptions(), misconception) {
					want += fmt.Sprintf(" %d.%d", i+1, j+1)
				}
			}
		}
		if want += " " + beliefIn(all, misconception); !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for i, l := range all {
		want := fmt.Sprintf(" %d:", i+1)
		for _, task := range l.Tasks {
			want += fmt.Sprintf(" %d", slices.Index(task.Ask.Choices.Texts(), task.Ask.Answer)+1)
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
