package lesson_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
)

func TestAClassReportNamesTheHoldersOfEachMisconception(t *testing.T) {
	const held = "revoke-all-recalls"
	var class []lesson.Result
	for learner, misconception := range map[string]lesson.Misconception{"ana": held, "ben": lesson.NoMisconception} {
		progress := playCourse(t, func(task *lesson.Task) string { return answerOfBeliever(task, misconception) })
		text := chaintest.Must(progress.Result(learner, allLessons(t)).Encode())(t)
		class = append(class, chaintest.Must(lesson.DecodeResult(text))(t))
	}

	report := lesson.ReportClass(class)

	var want []lesson.Belief
	for _, misconception := range lesson.Misconceptions() {
		belief := lesson.Belief{Misconception: misconception, Asked: 2}
		if misconception == held {
			belief.Holders = []string{"ana"}
		}
		want = append(want, belief)
	}
	if diff := cmp.Diff(want, report.Beliefs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, task := range report.Tasks {
		wantRight := 2
		if task.Lesson == "09-outlives-the-operator" && task.Task == 1 { // asks about it
			wantRight = 1
		}
		if task.Answered != 2 || task.Right != wantRight {
			t.Errorf("%s, task %d: %d of %d are right", task.Lesson, task.Task+1, task.Right, task.Answered)
		}
	}
}

func TestALearnerHoldsTheMisconceptionThatTheLastAnswerShows(t *testing.T) {
	const misconception = "inclusive-end"
	progress := playCourse(t, func(task *lesson.Task) string { return task.Ask.Answer })
	for name, isLast := range map[string]bool{"the first answer": false, "the last answer": true} {
		result := progress.Result("ana", allLessons(t))
		var askingTasks []*lesson.TaskResult
		for i := range result.Lessons {
			for j, task := range result.Lessons[i].Tasks {
				if slices.Contains(task.About, misconception) {
					askingTasks = append(askingTasks, &result.Lessons[i].Tasks[j])
				}
			}
		}
		wrong := askingTasks[0]
		if isLast {
			wrong = askingTasks[len(askingTasks)-1]
		}
		wrong.Believes = misconception

		for _, belief := range lesson.ReportClass([]lesson.Result{result}).Beliefs {
			isHeld := len(belief.Holders) > 0
			if isHeld != (isLast && belief.Misconception == misconception) {
				t.Errorf("%s is wrong, and the report says that %s is held: %t", name, belief.Misconception, isHeld)
			}
		}
	}
}

func TestATextThatIsNotAResultIsRefused(t *testing.T) {
	for _, text := range []string{"", "{}", `{"version":2,"lessons":[]}`} {
		if _, err := lesson.DecodeResult([]byte(text)); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
