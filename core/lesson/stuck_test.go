package lesson_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
)

// beginAnswered starts a lesson at a task and answers its question rightly.
func beginAnswered(t *testing.T, l lesson.Lesson, task int) *lesson.Session {
	t.Helper()
	s := begin(t, l, task)
	if ask := s.Question(); ask != nil {
		s.Answer(ask.Answer)
	}
	return s
}

func TestAGoalWhoseExpiryHasPassedAdvisesUndo(t *testing.T) {
	s := beginAnswered(t, lessonNamed(t, "the-block-it-expires"), 0)
	advance(t, s, chain.ClockStep{Blocks: 10})
	want := `bob's approval for rose expires at height 1,110 ("clock +10 blocks to 1,110" is in the way; undo takes it back)`
	if got := check(t, s).Missing(); !slices.Contains(got, want) {
		t.Fatalf("at 1,110: %q", got)
	}
	chaintest.Must(s.Chain().Undo(1))(t)
	solve(t, s)
	if c := check(t, s); !c.Done {
		t.Fatal(c.Missing())
	}
}

func TestAGoalWithAnotherExpiryNamesTheOneThatIsSet(t *testing.T) {
	for _, c := range []struct{ lesson, expires, want string }{
		{"the-block-it-expires", `{"at_height":1109}`, "(it expires at height 1,109 now)"},
		{"the-block-it-expires", `{"never":{}}`, "(it expires at another moment now)"},
		{"height-or-time", `{"at_time":"1795266060000000000"}`, "(it expires at 2026-11-21 13:01:00 now)"},
	} {
		s := beginAnswered(t, lessonNamed(t, c.lesson), 0)
		send(t, s, "alice", `{"approve":{"spender":"$bob","token_id":"rose","expires":`+c.expires+`}}`)
		if got := strings.Join(check(t, s).Missing(), ""); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: got %q, want %s", c.expires, got, c.want)
		}
	}
}

func TestAGoalAboutABurnedTokenSaysThatTheTokenIsMissing(t *testing.T) {
	s := beginAnswered(t, allLessons(t)[0], 0)
	send(t, s, "alice", `{"burn":{"token_id":"rose"}}`)
	const why = `(there is no rose now; "burn rose" by alice is in the way; undo takes it back)`
	want := "bob has an approval for rose " + why + "; alice owns rose " + why
	if got := strings.Join(check(t, s).Missing(), "; "); !strings.HasSuffix(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestAnAttemptCountsIfSenderBlockAndOutcomeAreRightAndItIsNotUndone(t *testing.T) {
	const goal = "in block 1,110 bob has tried to transfer rose"
	const attempt = `{"transfer_nft":{"recipient":"$bob","token_id":"rose"}}`
	s := beginAnswered(t, lessonNamed(t, "the-block-it-expires"), 0)
	requireReached := func(want bool, situation string) {
		t.Helper()
		isMissing := slices.ContainsFunc(check(t, s).Missing(), func(text string) bool { return strings.HasPrefix(text, goal) })
		if isMissing == want {
			t.Fatalf("%s: the goal is reached: %t", situation, !isMissing)
		}
	}

	send(t, s, "bob", attempt)
	requireReached(false, "tried in an earlier block")
	send(t, s, "alice", `{"approve":{"spender":"$bob","token_id":"rose","expires":{"at_height":1110}}}`)
	advance(t, s, chain.ClockStep{Blocks: 10})
	requireReached(false, "in the block, before an attempt")
	send(t, s, "carol", `{"burn":{"token_id":"rose"}}`)
	requireReached(false, "another sender and message")
	send(t, s, "alice", `{"transfer_nft":{"recipient":"$alice","token_id":"rose"}}`)
	requireReached(false, "accepted from the owner")

	send(t, s, "bob", attempt)
	requireReached(true, "refused to bob in the block")

	// Undo goes back before the last message that changed something, and takes the
	// refused messages after it along.
	chaintest.Must(s.Chain().Undo(1))(t)
	requireReached(false, "undone")
	if tries := s.Answered().Tries; tries != 5 {
		t.Errorf("%d messages count as tries, want 5 with the undone ones", tries)
	}
}

// Goals are about the present state. A query that was asked stays asked.
func TestGoingBackToTheStartOfATaskReopensItsGoals(t *testing.T) {
	unticked := 0
	for _, l := range allLessons(t) {
		for task := range l.Tasks {
			s := beginAnswered(t, l, task)
			before := check(t, s)
			start := chaintest.Must(chain.Read(s.Chain(), func(v *chain.View) (history.ID, error) { return v.Head, nil }))(t)
			solve(t, s)
			chaintest.Must(s.Chain().Goto(strconv.FormatUint(uint64(start), 10)))(t)

			after := check(t, s)
			for i, goal := range after.Goals {
				isAskedQuery := l.Tasks[task].Checks[i].Sender != "" && l.Tasks[task].Checks[i].Kind == scenario.Query
				if !isAskedQuery && !goal.Reached {
					unticked++
				}
				if !isAskedQuery && goal.Reached != before.Goals[i].Reached {
					t.Errorf("%s: task %d: all is undone, and %q is %t", l.ID, task+1, goal.Text, goal.Reached)
				}
			}
		}
	}
	if unticked < 100 {
		t.Errorf("only %d goals were not reached where their task began", unticked)
	}
}

func TestARedoneAttemptCounts(t *testing.T) {
	s := beginAnswered(t, lessonNamed(t, "the-block-it-expires"), 1)
	solve(t, s)
	chaintest.Must(s.Chain().Undo(3))(t)
	if c := check(t, s); c.Done || len(c.Missing()) != 3 {
		t.Fatalf("undone, missing %q", c.Missing())
	}
	chaintest.Must(s.Chain().Redo(3))(t)
	if c := check(t, s); !c.Done {
		t.Errorf("done again, missing %q", c.Missing())
	}
}

func TestAGoalToQueryIsReachedOnlyByThatQuery(t *testing.T) {
	s := beginAnswered(t, lessonNamed(t, "queries"), 1)
	s.NoteQuery([]byte(`{"all_tokens":{"start_after":"05"}}`))
	if c := check(t, s); c.Done || len(c.Missing()) != 1 {
		t.Fatalf("missing %q", c.Missing())
	}
	s.NoteQuery([]byte(` {"all_tokens": {"limit": 5, "start_after": "02"}} `))
	if c := check(t, s); !c.Done || !s.Next(c) {
		t.Fatalf("missing %q", c.Missing())
	}
	if s.Answer(s.Question().Answer); check(t, s).Done {
		t.Error("a query that was asked in one task counts for the next")
	}
}

func TestARestartedTaskKeepsItsAnswerAndHintsAndNoOtherTaskGetsThem(t *testing.T) {
	l := allLessons(t)[0]
	old := beginAnswered(t, l, 1)
	old.ShowNextHint()

	restarted := begin(t, l, 1)
	restarted.Continue(old)

	if restarted.Question() != nil || !restarted.Answered().Right || len(restarted.Hints()) != 1 {
		t.Errorf("it asks %v, the answer is %+v, the hints are %q", restarted.Question(), restarted.Answered(), restarted.Hints())
	}
	for _, other := range []*lesson.Session{begin(t, l, 2), begin(t, allLessons(t)[1], 1)} {
		other.Continue(old)
		if other.Question() == nil {
			t.Errorf("task %d of %s has the answer of another task", other.TaskIndex()+1, other.Lesson.ID)
		}
	}
}

func TestAnswersOfEarlierSessionsCountAtTheEndOfALesson(t *testing.T) {
	l := allLessons(t)[0]
	progress := lesson.Progress{}
	for task := range l.Tasks { // in a session each
		s := begin(t, l, progress.NextTask(l))
		s.Resume(progress[l.ID])
		ask := s.Question()
		choice := ask.Answer
		if task == 0 {
			choice = wrongChoice(ask)
		}
		s.Answer(choice)
		finishTask(t, s)
		progress.Record(s)
	}

	if record := progress[l.ID]; !record.Done || record.Right != 3 || record.Asked != 4 {
		t.Errorf("at the end the record is %+v", record)
	}
	secondRun := begin(t, l, progress.NextTask(l))
	secondRun.Resume(progress[l.ID])
	if _, answered := secondRun.AnswerCounts(); answered != 0 {
		t.Errorf("a second run begins with %d answers", answered)
	}
}
