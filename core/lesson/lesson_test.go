package lesson_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
)

func allLessons(t *testing.T) []lesson.Lesson {
	t.Helper()
	return chaintest.Must(lesson.All())(t)
}

// lessonNamed returns the lesson whose ID ends with a name.
func lessonNamed(t *testing.T, name string) lesson.Lesson {
	t.Helper()
	for _, l := range allLessons(t) {
		if strings.HasSuffix(l.ID, name) {
			return l
		}
	}
	t.Fatalf("there is no lesson %q", name)
	return lesson.Lesson{}
}

// begin starts a lesson at a task, counted from 0.
func begin(t *testing.T, l lesson.Lesson, task int) *lesson.Session {
	t.Helper()
	s := chaintest.Must(lesson.Begin(chaintest.InMemory, l, task))(t)
	t.Cleanup(func() { s.Chain().Close() })
	return s
}

// check evaluates the goals of the current task.
func check(t *testing.T, s *lesson.Session) lesson.Check {
	t.Helper()
	return chaintest.Must(s.Check())(t)
}

// solve plays the solution of the current task as a learner would.
func solve(t *testing.T, s *lesson.Session) {
	t.Helper()
	for _, step := range s.Task().Solution {
		if step.Advance != nil {
			advance(t, s, chain.ClockStep{Blocks: step.Advance.Blocks, Duration: step.Advance.Time})
		}
		if step.At != nil {
			advance(t, s, chain.ClockStep{Height: step.At.Height, Time: step.At.Time})
		}
		switch step.Kind {
		case scenario.Query:
			s.NoteQuery(step.Message)
		case scenario.Execute:
			send(t, s, step.Sender, string(step.Message))
		}
	}
}

// finishTask solves the current task and starts the next one.
func finishTask(t *testing.T, s *lesson.Session) {
	t.Helper()
	solve(t, s)
	c := check(t, s)
	if !s.Next(c) {
		t.Fatalf("%s, task %d is solved, and the next one does not start; missing: %q", s.Lesson.ID, s.TaskIndex()+1, c.Missing())
	}
	if s.Question() != nil && s.Next(c) {
		t.Fatalf("%s, task %d is skipped with the check of the task before", s.Lesson.ID, s.TaskIndex())
	}
}

func advance(t *testing.T, s *lesson.Session, step chain.ClockStep) {
	t.Helper()
	chaintest.Must(s.Chain().Advance(step))(t)
}

// send sends a message, which may be refused.
func send(t *testing.T, s *lesson.Session, sender, msg string) {
	t.Helper()
	address := chaintest.Must(chain.Read(s.Chain(), func(v *chain.View) (cw721.Address, error) { return v.Resolve(sender) }))(t)
	chaintest.Must(s.Chain().Execute(address, []byte(msg)))(t)
}

func TestEveryLessonPlaysAsAScenarioWithoutAMismatch(t *testing.T) {
	names := chaintest.Must(filepath.Glob("lessons/*.yaml"))(t)
	if len(names) < 13 {
		t.Fatalf("there are %d lessons", len(names))
	}
	for _, name := range names {
		text := chaintest.Must(os.ReadFile(name))(t)
		reader := chaintest.Must(scenario.Open(name, bytes.NewReader(text)))(t)

		result := chaintest.Must(scenario.Run(context.Background(), reader, scenario.Options{Open: chaintest.InMemory}))(t)

		for _, mismatch := range result.Mismatches {
			t.Error(mismatch)
		}
	}
}

func TestEveryLessonContinuesAfterWrongAnswersOnceItsTasksAreDone(t *testing.T) {
	for _, l := range allLessons(t) {
		t.Run(l.ID, func(t *testing.T) {
			s := begin(t, l, 0)
			questions := 0
			for !s.IsOver() {
				if ask := s.Question(); ask != nil {
					questions++
					requireOneWrongAnswer(t, s, ask)
				}
				if len(s.Task().Checks) > 0 {
					requireOpenTask(t, s)
					requireStrongerHints(t, s)
				}
				finishTask(t, s)
			}
			right, answered := s.AnswerCounts()
			if right != 0 || answered != questions || questions == 0 {
				t.Errorf("%d of %d answers are right, of %d questions", right, answered, questions)
			}
		})
	}
}

// requireOneWrongAnswer answers the question of the current task wrongly. The task must
// not be done before, and the question must not be answered again.
func requireOneWrongAnswer(t *testing.T, s *lesson.Session, ask *scenario.Ask) {
	t.Helper()
	place := fmt.Sprintf("%s, task %d", s.Lesson.ID, s.TaskIndex()+1)
	c := check(t, s)
	if len(c.Goals) > 0 || c.Done || s.Next(c) {
		t.Fatalf("%s: before the answer it shows the goals %v, or continues", place, c.Goals)
	}
	if s.Answer(wrongChoice(ask)) {
		t.Errorf("%s: the wrong answer counts as right", place)
	}
	if s.Answer(ask.Answer) {
		t.Errorf("%s: the question was answered twice", place)
	}
	if ask.Why == "" {
		t.Errorf("%s: the answer is not explained", place)
	}
}

// requireOpenTask fails if the current task is done before anything was sent.
func requireOpenTask(t *testing.T, s *lesson.Session) {
	t.Helper()
	c := check(t, s)
	if c.Done || len(c.Missing()) == 0 || s.Next(c) {
		t.Fatalf("%s, task %d is done before it was solved", s.Lesson.ID, s.TaskIndex()+1)
	}
}

// requireStrongerHints shows the three hints of the current task. Only with the last one
// the solution is shown.
func requireStrongerHints(t *testing.T, s *lesson.Session) {
	t.Helper()
	for count := 1; count <= 3; count++ {
		if hints := s.ShowNextHint(); len(hints) != count {
			t.Errorf("%s, task %d: got the hints %q, want %d", s.Lesson.ID, s.TaskIndex()+1, hints, count)
		}
		showsSolution := len(s.Solution()) > 0
		if showsSolution != (count == 3) {
			t.Errorf("%s, task %d: with hint %d the solution is shown: %t", s.Lesson.ID, s.TaskIndex()+1, count, showsSolution)
		}
	}
}

func wrongChoice(ask *scenario.Ask) string {
	i := slices.IndexFunc(ask.Choices, func(choice scenario.Choice) bool { return choice.Text != ask.Answer })
	return ask.Choices[i].Text
}

func TestATaskIsDoneByAnyMessagesThatReachItsGoals(t *testing.T) {
	// The solution revokes an expired approval. A transfer removes it too.
	s := beginAnswered(t, lessonNamed(t, "expired-not-deleted"), 1)

	send(t, s, "alice", `{"transfer_nft":{"recipient":"$alice","token_id":"rose"}}`)

	if c := check(t, s); !c.Done {
		t.Errorf("missing: %q", c.Missing())
	}
}

func TestMissingGoalsAreNamedWithWhatIsThereInstead(t *testing.T) {
	owner := beginAnswered(t, allLessons(t)[0], 1)
	want := []string{"bob owns rose, with no approval on it (owner is alice now)"}
	if diff := cmp.Diff(want, check(t, owner).Missing()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	expired := beginAnswered(t, lessonNamed(t, "expired-not-deleted"), 0)
	advance(t, expired, chain.ClockStep{Blocks: 12})
	wantClock := "a query for the approvals of rose shows none (the clock is at height 1,112; undo goes back)"
	if missing := check(t, expired).Missing(); !slices.Contains(missing, wantClock) {
		t.Errorf("missing: %q", missing)
	}
}

func TestUndoDoesNotGoBackBehindTheSetUp(t *testing.T) {
	s := begin(t, allLessons(t)[0], 1)

	if _, err := s.Chain().Undo(1); err == nil {
		t.Error("the set-up was undone")
	}
}

func TestAnInvalidLessonIsRefusedWithItsProblem(t *testing.T) {
	const head = "name: x\naccounts: {alice: }\nsteps:\n  - as: alice\n    instantiate: {name: A, symbol: A}\n"
	for name, c := range map[string]struct{ text, problem string }{
		"no task":                             {head, "it has no task"},
		"no name":                             {"steps: [{note: a}]", "a lesson needs a name"},
		"nothing to remember":                 {head + "  - note: do\n    hint: [a, b, c]\n  - query: {num_tokens: {}}\n    expect: ok\n", "what to remember"},
		"no goal":                             {head + "  - note: do\n    hint: [a, b, c]\n  - advance: {blocks: 1}\n  - note: end\n", "lesson.yaml:6: the task has something to do and nothing to check"},
		"two hints":                           {head + "  - note: do\n    hint: [a, b]\n  - query: {num_tokens: {}}\n    expect: ok\n  - note: end\n", "the task has 2 hints, expected 3"},
		"an answer that is no choice":         {head + "  - note: do\n    ask: {question: q, choices: [a, b], answer: c}\n  - note: end\n", `the answer "c" is not among the choices`},
		"one choice":                          {head + "  - note: do\n    ask: {question: q, choices: [a], answer: a}\n  - note: end\n", "fewer than two choices"},
		"a question without a note":           {head + "  - note: do\n    ask: {question: q, choices: [a, b], answer: a}\n  - ask: {question: q}\n  - note: end\n", "a question belongs to a note"},
		"two equal choices":                   {head + "  - note: do\n    ask: {question: q, choices: [a, b, {text: a}], answer: a}\n  - note: end\n", "two choices of the question are the same"},
		"an unknown misconception":            {head + "  - note: do\n    ask: {question: q, choices: [a, {text: b, believes: odd}], answer: a}\n  - note: end\n", `"odd" is no misconception, expected one of [inclusive-end`},
		"a misconception in the right answer": {head + "  - note: do\n    ask: {question: q, choices: [{text: a, believes: seconds}, b], answer: a}\n  - note: end\n", `lesson.yaml:6: the right answer believes "seconds"`},
		"a task without a step or question":   {head + "  - note: do\n  - note: do\n    ask: {question: q, choices: [a, b], answer: a}\n  - note: end\n", "nothing to do and nothing to ask"},
		"not a scenario":                      {"steps: 1", "lesson.yaml"},
		"an unknown member":                   {"nam: x\nsteps: []", "nam"},
	} {
		_, err := lesson.Read("lesson.yaml", strings.NewReader(c.text))

		var invalid *scenario.Error
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: got %v, want %q", name, err, c.problem)
		}
	}
}
