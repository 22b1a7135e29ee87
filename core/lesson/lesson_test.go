package lesson_test

import (
	"bytes"
	"context"
	"errors"
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

func all(t *testing.T) []lesson.Lesson {
	t.Helper()
	return chaintest.Must(lesson.All())(t)
}

// lessonOf gives a lesson by its name without the number.
func lessonOf(t *testing.T, name string) lesson.Lesson {
	t.Helper()
	for _, l := range all(t) {
		if strings.HasSuffix(l.ID, name) {
			return l
		}
	}
	t.Fatalf("there is no lesson %q", name)
	return lesson.Lesson{}
}

// begin begins a lesson at a task.
func begin(t *testing.T, l lesson.Lesson, task int) *lesson.Session {
	t.Helper()
	s := chaintest.Must(lesson.Begin(chaintest.InMemory, l, task))(t)
	t.Cleanup(func() { s.Chain().Close() })
	return s
}

func check(t *testing.T, s *lesson.Session) lesson.Check {
	t.Helper()
	return chaintest.Must(s.Check())(t)
}

// solve does the task in hand as the lesson's own solution does.
func solve(t *testing.T, s *lesson.Session) {
	t.Helper()
	for _, step := range s.Task().Solution {
		switch c := s.Chain(); {
		case step.Advance != nil:
			advance(t, c, chain.ClockStep{Blocks: step.Advance.Blocks, Duration: step.Advance.Time})
		case step.At != nil:
			advance(t, c, chain.ClockStep{Height: step.At.Height, Time: step.At.Time})
		}
		switch c := s.Chain(); step.Kind {
		case scenario.Query:
			s.NoteQuery(step.Message)
		case scenario.Execute:
			send(t, c, step.As, string(step.Message))
		}
	}
}

func advance(t *testing.T, c *chain.Chain, step chain.ClockStep) {
	t.Helper()
	chaintest.Must(c.Advance(step))(t)
}

// send sends a message and gives what it was refused with.
func send(t *testing.T, c *chain.Chain, who, msg string) *cw721.Error {
	t.Helper()
	var sender cw721.Address
	err := c.View(func(v *chain.View) (err error) {
		sender, err = v.Resolve(who)
		return err
	})
	chaintest.OK(t, err)
	r := chaintest.Must(c.Execute(sender, []byte(msg)))(t)
	return r.Refusal
}

func TestEveryLessonPlaysGreenAsAScenario(t *testing.T) {
	names, err := filepath.Glob("lessons/*.yaml")
	if err != nil || len(names) < 13 {
		t.Fatalf("%d lessons: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			raw := chaintest.Must(os.ReadFile(name))(t)
			r := chaintest.Must(scenario.Open(name, bytes.NewReader(raw)))(t)
			res, err := scenario.Run(context.Background(), r, scenario.Options{Open: chaintest.InMemory})
			chaintest.OK(t, err)
			for _, m := range res.Mismatches {
				t.Error(m)
			}
		})
	}
}

func TestEveryLessonCanBePlayedWithRightAnswers(t *testing.T) {
	for _, l := range all(t) {
		t.Run(l.ID, func(t *testing.T) {
			s := begin(t, l, 0)
			for !s.IsOver() {
				if ask := s.Question(); ask != nil && !s.Answer(ask.Answer) {
					t.Errorf("task %d: the right answer is not right", s.TaskIndex()+1)
				}
				solve(t, s)
				c := check(t, s)
				if !c.Done {
					t.Fatalf("task %d: solved, and still missing: %q", s.TaskIndex()+1, c.Missing())
				}
				if !s.Next(c) {
					t.Fatalf("task %d: done, and there is no way on", s.TaskIndex()+1)
				}
			}
			if right, of := s.Right(); right != of {
				t.Errorf("%d of %d answers are right", right, of)
			}
		})
	}
}

func TestEveryLessonTeachesWhoeverAnswersWrongAndSaysWhatIsMissing(t *testing.T) {
	for _, l := range all(t) {
		t.Run(l.ID, func(t *testing.T) {
			s := begin(t, l, 0)
			asked := 0
			for !s.IsOver() {
				if ask := s.Question(); ask != nil {
					asked++
					if c := check(t, s); s.Next(c) {
						t.Fatalf("task %d: it goes on before the question is answered", s.TaskIndex()+1)
					}
					if s.Answer(wrongChoice(ask)) {
						t.Errorf("task %d: a wrong answer is taken for right", s.TaskIndex()+1)
					}
					if s.Answer(ask.Answer) {
						t.Errorf("task %d: the question can be answered twice", s.TaskIndex()+1)
					}
					if ask.Why == "" {
						t.Errorf("task %d: a wrong answer is not explained", s.TaskIndex()+1)
					}
				}
				if len(s.Task().Checks) > 0 {
					c := check(t, s)
					if c.Done || len(c.Missing()) == 0 {
						t.Fatalf("task %d: nothing was done, and nothing is missing", s.TaskIndex()+1)
					}
					if s.Next(c) {
						t.Fatalf("task %d: it goes on before the task is done", s.TaskIndex()+1)
					}
					for i, hint := 0, []string(nil); i < 3; i++ {
						if more := s.Hint(); len(more) <= len(hint) {
							t.Errorf("task %d: hint %d says no more than the one before", s.TaskIndex()+1, i+1)
						} else {
							hint = more
						}
						if known := len(s.Solution()) > 0; known != (i == 2) {
							t.Errorf("task %d: with hint %d, that the solution is told is %t", s.TaskIndex()+1, i+1, known)
						}
					}
				}
				solve(t, s)
				if !s.Next(check(t, s)) {
					t.Fatalf("task %d: done after a wrong answer, and there is no way on", s.TaskIndex()+1)
				}
			}
			if right, of := s.Right(); right != 0 || of != asked || asked == 0 {
				t.Errorf("%d of %d answers are right, %d were asked", right, of, asked)
			}
		})
	}
}

func wrongChoice(ask *scenario.Ask) string {
	for _, c := range ask.Choices {
		if c != ask.Answer {
			return c
		}
	}
	return ""
}

func TestAnyMeansThatWorksIsDone(t *testing.T) {
	// The lesson revokes an approval that has expired; a transfer removes it, too.
	s := answered(t, lessonOf(t, "expired-not-deleted"), 1)
	send(t, s.Chain(), "alice", `{"transfer_nft":{"recipient":"$alice","token_id":"rose"}}`)
	if c := check(t, s); !c.Done {
		t.Fatal(c.Missing())
	}
}

func TestWhatIsMissingIsSaidInWordsWithNames(t *testing.T) {
	s := answered(t, all(t)[0], 1)
	if diff := cmp.Diff([]string{"bob owns rose, with no approval on it (owner is alice now)"}, check(t, s).Missing()); diff != "" {
		t.Error(diff)
	}
	s = answered(t, lessonOf(t, "expired-not-deleted"), 0)
	advance(t, s.Chain(), chain.ClockStep{Blocks: 12})
	want := "a query for the approvals of rose shows none (the clock is at height 1,112; undo goes back)"
	if got := check(t, s).Missing(); !slices.Contains(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestBeforeThePredictionNoGoalIsSeen(t *testing.T) {
	for _, l := range all(t) {
		for task := range l.Tasks {
			if c := check(t, begin(t, l, task)); l.Tasks[task].Ask != nil && (len(c.Goals) > 0 || c.Done) {
				t.Errorf("%s: task %d shows %v", l.ID, task+1, c.Goals)
			}
		}
	}
}

func TestALessonBegunLaterStandsWhereItsSolutionLeads(t *testing.T) {
	for _, l := range all(t) {
		for task := range l.Tasks {
			s := answered(t, l, task)
			if s.TaskIndex() != task {
				t.Errorf("%s begins at task %d, want %d", l.ID, s.TaskIndex(), task)
			}
			if len(s.Task().Checks) > 0 && check(t, s).Done {
				t.Errorf("%s: task %d is done before it begins", l.ID, task+1)
			}
		}
	}
}

func TestUndoNeverEntersTheSetUp(t *testing.T) {
	s := begin(t, all(t)[0], 1)
	if _, err := s.Chain().Undo(1); err == nil {
		t.Fatal("the set-up was undone")
	}
}

func TestALessonThatIsNoneIsRefusedWithASentence(t *testing.T) {
	const head = "name: x\naccounts: {alice: }\nsteps:\n  - as: alice\n    instantiate: {name: A, symbol: A}\n"
	for name, c := range map[string]struct{ text, says string }{
		"NoTask":        {head, "it has no task"},
		"NoName":        {"steps: [{note: a}]", "a lesson needs a name"},
		"NoEnd":         {head + "  - note: do\n    hint: [a, b, c]\n  - query: {num_tokens: {}}\n    expect: ok\n", "what to remember"},
		"NoCheck":       {head + "  - note: do\n    hint: [a, b, c]\n  - advance: {blocks: 1}\n  - note: end\n", "lesson.yaml:6: the task has something to do and nothing to check"},
		"TwoHints":      {head + "  - note: do\n    hint: [a, b]\n  - query: {num_tokens: {}}\n    expect: ok\n  - note: end\n", "the task has 2 hints, expected 3"},
		"AnswerOff":     {head + "  - note: do\n    ask: {question: q, choices: [a, b], answer: c}\n  - note: end\n", `the answer "c" is not among the choices`},
		"OneChoice":     {head + "  - note: do\n    ask: {question: q, choices: [a], answer: a}\n  - note: end\n", "fewer than two choices"},
		"AskNoNote":     {head + "  - note: do\n    ask: {question: q, choices: [a, b], answer: a}\n  - ask: {question: q}\n  - note: end\n", "a question belongs to a note"},
		"SameChoices":   {head + "  - note: do\n    ask: {question: q, choices: [a, b, {text: a}], answer: a}\n  - note: end\n", "two choices of the question are the same"},
		"NoSuchBelief":  {head + "  - note: do\n    ask: {question: q, choices: [a, {text: b, believes: odd}], answer: a}\n  - note: end\n", `"odd" is no misconception, expected one of [inclusive-end`},
		"RightBelieves": {head + "  - note: do\n    ask: {question: q, choices: [{text: a, believes: seconds}, b], answer: a}\n  - note: end\n", `lesson.yaml:6: the right answer believes "seconds"`},
		"NothingToDo":   {head + "  - note: do\n  - note: do\n    ask: {question: q, choices: [a, b], answer: a}\n  - note: end\n", "nothing to do and nothing to ask"},
		"NoScenario":    {"steps: 1", "lesson.yaml"},
		"UnknownMember": {"nam: x\nsteps: []", "nam"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lesson.Read("lesson.yaml", strings.NewReader(c.text))
			if fault := (*scenario.Error)(nil); !errors.As(err, &fault) || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("got %v, want %q", err, c.says)
			}
		})
	}
}
