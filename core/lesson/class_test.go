package lesson_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
)

func TestTheReportOfAClassSaysWhoBelievesWhat(t *testing.T) {
	believer := func(lie lesson.Misconception) lesson.Progress {
		return play(t, func(task *lesson.Task) string {
			for _, c := range task.Ask.Choices {
				if task.Believes(c) == lie && lie != lesson.NoMisconception {
					return c
				}
			}
			return task.Ask.Answer
		})
	}
	var class []lesson.Result
	for learner, lie := range map[string]lesson.Misconception{"ana": "revoke-all-recalls", "ben": lesson.NoMisconception} {
		raw := chaintest.Must(believer(lie).Result(learner, all(t)).Encode())(t)
		r := chaintest.Must(lesson.DecodeResult(raw))(t)
		class = append(class, r)
	}
	c := lesson.ReportClass(class)
	if len(c.Beliefs) != len(lesson.Misconceptions()) {
		t.Fatalf("%d misconceptions were asked about", len(c.Beliefs))
	}
	for _, b := range c.Beliefs {
		want := lesson.Belief{Misconception: b.Misconception, Asked: 2}
		if b.Misconception == "revoke-all-recalls" {
			want.Holders = []string{"ana"}
		}
		if diff := cmp.Diff(want, b); diff != "" {
			t.Error(diff)
		}
	}
	for _, task := range c.Tasks {
		want := 2
		if task.Lesson == "09-outlives-the-operator" && task.Task == 1 {
			want = 1
		}
		if task.Answered != 2 || task.Right != want {
			t.Errorf("%s, task %d: %d of %d right", task.Lesson, task.Task+1, task.Right, task.Answered)
		}
	}
}

// A misconception that a learner has overcome is not held against her.
func TestALearnerBelievesWhatHerLastAnswerShows(t *testing.T) {
	const lie = "inclusive-end"
	for name, c := range map[string]struct {
		wrong []int // of the questions that can find it, which she answers so
		held  bool
	}{"First": {[]int{0}, false}, "Last": {[]int{-1}, true}, "Never": {nil, false}} {
		t.Run(name, func(t *testing.T) {
			r := play(t, func(task *lesson.Task) string { return task.Ask.Answer }).Result("ana", all(t))
			var about []*lesson.TaskResult
			for i := range r.Lessons {
				for j, task := range r.Lessons[i].Tasks {
					if slices.Contains(task.About, lie) {
						about = append(about, &r.Lessons[i].Tasks[j])
					}
				}
			}
			for _, n := range c.wrong {
				about[(n+len(about))%len(about)].Believes = lie
			}
			for _, b := range lesson.ReportClass([]lesson.Result{r}).Beliefs {
				if held := len(b.Holders) > 0; held != (c.held && b.Misconception == lie) {
					t.Errorf("that she believes %s, the report says is %t", b.Misconception, held)
				}
			}
		})
	}
}

func TestWhatIsNoResultIsRefused(t *testing.T) {
	for _, bad := range []string{"", "{}", `{"version":2,"lessons":[]}`} {
		if _, err := lesson.DecodeResult([]byte(bad)); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
