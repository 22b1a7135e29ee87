package lesson_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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
		belief := lesson.Belief{Misconception: misconception, Text: misconception.Belief()}
		for _, result := range class {
			isHeld := misconception == held && result.Learner == "ana"
			belief.Learners = append(belief.Learners, lesson.BeliefRecord{Learner: result.Learner, IsHeld: isHeld})
		}
		want = append(want, belief)
	}
	ignoreCounts := cmpopts.IgnoreFields(lesson.BeliefRecord{}, "Asked", "Held")
	if diff := cmp.Diff(want, report.Beliefs, ignoreCounts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, task := range report.Tasks {
		wantRight := 2
		if task.Lesson == "09-outlives-the-operator" && task.Task == 2 { // asks about it
			wantRight = 1
		}
		if task.Answered != 2 || task.Right != wantRight {
			t.Errorf("%s, task %d: %d of %d are right", task.Lesson, task.Task, task.Right, task.Answered)
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
			holders, shown := belief.Holders()
			isHeld := holders > 0
			if belief.Misconception == misconception {
				want := "ana held 1 of 6, right since"
				if isLast {
					want = "ana 1 of 6"
				}
				if len(shown) != 1 || shown[0].String() != want {
					t.Errorf("%s is wrong, and the report says %v, want %s", name, shown, want)
				}
			}
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

func TestAClassReportCountsWrongChoicesAndWhoLookedFirst(t *testing.T) {
	l := allLessons(t)[0]
	var class []lesson.Result
	for _, learner := range []string{"ana", "ben"} {
		s := begin(t, l, 0)
		if learner == "ben" {
			s.NoteQuery([]byte(`{"num_tokens":{}}`))
		}
		s.Answer(wrongChoice(s.Question()))
		progress := lesson.Progress{}
		progress.Record(s)
		class = append(class, progress.Result(learner, []lesson.Lesson{l}))
	}

	task := lesson.ReportClass(class).Tasks[0]

	want := []lesson.WrongChoice{{Choice: wrongChoice(l.Tasks[0].Ask), Count: 2}}
	if diff := cmp.Diff(want, task.Wrong); diff != "" {
		t.Errorf("wrong choices (-want +got):\n%s", diff)
	}
	if !slices.Equal(task.LookedFirst, []string{"ben"}) {
		t.Errorf("looked first: %v", task.LookedFirst)
	}
}

func TestOwnLessonsOfOneFileNameAreDifferentLessonsInAReport(t *testing.T) {
	var class []lesson.Result
	for _, question := range []string{"How many?", "How much?"} {
		text := strings.Replace(lesson.Skeleton(), "question: ", "question: "+question+" ", 1)
		l := chaintest.Must(lesson.Read("own.yaml", strings.NewReader(text)))(t)
		s := begin(t, l, 0)
		s.Answer(s.Question().Answer)
		progress := lesson.Progress{}
		progress.Record(s)
		class = append(class, progress.Result("ana", []lesson.Lesson{l}))
	}
	if tasks := lesson.ReportClass(class).Tasks; len(tasks) != 2 {
		t.Errorf("%d tasks, want one of each lesson: %+v", len(tasks), tasks)
	}
}
