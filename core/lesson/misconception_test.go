package lesson_test

import (
	"slices"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
)

// misconceptionsOf returns each misconception that a lesson of the course may name: those
// with a mutant, and those that a lesson's file describes.
func misconceptionsOf(course []lesson.Lesson) (all []lesson.Misconception) {
	for _, l := range course {
		for _, misconception := range l.Misconceptions() {
			if !slices.Contains(all, misconception) {
				all = append(all, misconception)
			}
		}
	}
	return all
}

// lessonsAbout returns the lessons with a question about a misconception.
func lessonsAbout(course []lesson.Lesson, misconception lesson.Misconception) (lessons []lesson.Lesson) {
	for _, l := range course {
		asks := func(task lesson.Task) bool { return slices.Contains(task.DetectableMisconceptions(), misconception) }
		if slices.ContainsFunc(l.Tasks, asks) {
			lessons = append(lessons, l)
		}
	}
	return lessons
}

// Every misconception must be asked about. If it can be played, the task that asks must have
// a step whose outcome differs when the misconception is true.
func TestEveryMisconceptionIsCaughtByATaskThatAsksAboutIt(t *testing.T) {
	course := allLessons(t)
	for _, misconception := range misconceptionsOf(course) {
		asking := 0
		for _, l := range lessonsAbout(course, misconception) {
			var catching []int
			if misconception.HasWorld() {
				catching = chaintest.Must(l.TasksAgainst(misconception))(t)
			}
			for i, task := range l.Tasks {
				if !slices.Contains(task.DetectableMisconceptions(), misconception) {
					continue
				}
				asking++
				if misconception.HasWorld() && !slices.Contains(catching, i) {
					t.Errorf("%s, task %d: a choice believes %s, and no step of the task shows that it is wrong", l.ID, i+1, misconception)
				}
			}
		}
		if asking == 0 {
			t.Errorf("no task asks about %s", misconception)
		}
	}
}

func TestAMisconceptionMeansTheSameInEveryLesson(t *testing.T) {
	course := allLessons(t)
	beliefs := map[lesson.Misconception]string{}
	for _, l := range course {
		for _, misconception := range l.Misconceptions() {
			belief := l.Belief(misconception)
			before, isKnown := beliefs[misconception]
			if belief == "" || isKnown && before != belief {
				t.Errorf("%s: %s is %q, and before it was %q", l.ID, misconception, belief, before)
			}
			beliefs[misconception] = belief
		}
	}
}

func TestEveryLessonNamesMisconceptions(t *testing.T) {
	for _, l := range allLessons(t) {
		named := 0
		for _, task := range l.Tasks {
			named += len(task.DetectableMisconceptions())
		}
		if named == 0 {
			t.Errorf("%s names no misconception", l.ID)
		}
	}
}

func TestTheTrueContractIsNeverCaught(t *testing.T) {
	for _, l := range allLessons(t) {
		if tasks := chaintest.Must(l.TasksAgainst(lesson.NoMisconception))(t); len(tasks) > 0 {
			t.Errorf("%s: it is caught by tasks %v", l.ID, tasks)
		}
	}
}

// playCourse plays lessons with the given answers and returns the progress.
func playCourse(t *testing.T, lessons []lesson.Lesson, answer func(*lesson.Task) string) lesson.Progress {
	t.Helper()
	progress := lesson.Progress{}
	for _, l := range lessons {
		s := begin(t, l, 0)
		for !s.IsOver() {
			if s.Question() != nil {
				s.Answer(answer(s.Task()))
			}
			solve(t, s)
			if !s.Next(check(t, s)) {
				t.Fatalf("%s: task %d is not done", l.ID, s.TaskIndex()+1)
			}
			progress.Record(s)
		}
	}
	return progress
}

// answerOfBeliever returns the choice of a learner who holds a misconception: the choice
// that shows it, or the right one.
func answerOfBeliever(task *lesson.Task, misconception lesson.Misconception) string {
	for _, choice := range task.Ask.Choices.Texts() {
		if misconception != lesson.NoMisconception && task.MisconceptionOfChoice(choice) == misconception {
			return choice
		}
	}
	return task.Ask.Answer
}

func TestWhoeverHoldsAMisconceptionFailsExactlyTheTasksThatAskAboutIt(t *testing.T) {
	for _, misconception := range misconceptionsOf(allLessons(t)) {
		t.Run(string(misconception), func(t *testing.T) {
			lessons := lessonsAbout(allLessons(t), misconception) // all answers in the others are right
			progress := playCourse(t, lessons, func(task *lesson.Task) string { return answerOfBeliever(task, misconception) })

			for _, l := range lessons {
				for i, task := range l.Tasks {
					isAboutIt := slices.Contains(task.DetectableMisconceptions(), misconception)
					if isRight := progress[l.ID].FirstRecords[i].Right; isRight == isAboutIt {
						t.Errorf("%s, task %d: it asks about it: %t, the answer is right: %t", l.ID, i+1, isAboutIt, isRight)
					}
				}
			}
			report := lesson.ReportClass([]lesson.Result{progress.ResultOf("ben", allLessons(t))}, allLessons(t))
			for _, belief := range report.Beliefs {
				holders, _ := belief.Holders()
				isHeld := holders == 1
				if isHeld != (belief.Misconception == misconception) {
					t.Errorf("the report says that %s is held: %t", belief.Misconception, isHeld)
				}
			}
		})
	}
}

func TestNoStrategyOfGuessingIsOftenRight(t *testing.T) {
	questions := 0
	expectedRight := 0.0 // by choosing at random
	rightBy := map[string]int{}
	for _, l := range allLessons(t) {
		for i, task := range l.Tasks {
			if task.Ask == nil {
				continue
			}
			choices := task.Ask.Choices.Texts()
			if len(choices) < 3 {
				t.Errorf("%s: task %d has %d choices", l.ID, i+1, len(choices))
			}
			questions++
			expectedRight += 1 / float64(len(choices))
			byLength := slices.SortedStableFunc(slices.Values(choices), func(a, b string) int { return len(a) - len(b) })
			for strategy, choice := range map[string]string{
				"the first":    choices[0],
				"the second":   choices[1],
				"the third":    choices[2],
				"the last":     choices[len(choices)-1],
				"the shortest": byLength[0],
				"the longest":  byLength[len(choices)-1],
			} {
				if choice == task.Ask.Answer {
					rightBy[strategy]++
				}
			}
		}
	}

	if expectedRight > 0.28*float64(questions) {
		t.Errorf("a random choice is right in %.1f of %d questions", expectedRight, questions)
	}
	for strategy, right := range rightBy {
		if right*2 > questions {
			t.Errorf("%s choice is right in %d of %d questions", strategy, right, questions)
		}
	}
}

func TestNoTaskOfTheCourseGivesItsAnswerAway(t *testing.T) {
	coincidences := []string{
		// The story has the number of items, the answer the number on a page.
		`13-queries, task 4: the story contains the answer "twelve" and no other choice`,
		// Only the word "collection" distinguishes the answer.
		`17-royalty-of-v0220, task 1: the story contains the answer "Caller is not collection creator" and no other choice`,
	}
	for _, l := range allLessons(t) {
		for _, warning := range l.Giveaways() {
			text := l.ID + ", " + warning
			if !slices.Contains(coincidences, text) {
				t.Error(text)
			}
		}
	}
}

func TestEveryWrongChoiceHasItsOwnReply(t *testing.T) {
	for _, l := range allLessons(t) {
		for i, task := range l.Tasks {
			for _, choice := range task.Ask.Choices {
				isRight := choice.Text == task.Ask.Answer
				if !isRight && choice.Why == "" {
					t.Errorf("%s: task %d has no reply to %q", l.ID, i+1, choice.Text)
				}
				if isRight && choice != (scenario.Choice{Text: choice.Text}) {
					t.Errorf("%s: task %d has a reply to the right answer", l.ID, i+1)
				}
			}
		}
	}
}
