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

// answered begins a lesson at a task and answers its question.
func answered(t *testing.T, l lesson.Lesson, task int) *lesson.Session {
	t.Helper()
	s := begin(t, l, task)
	if ask := s.Question(); ask != nil {
		s.Answer(ask.Answer)
	}
	return s
}

func TestAClockThatPassedTheEndToBeGivenIsToldWithTheWayBack(t *testing.T) {
	s := answered(t, lessonOf(t, "the-block-it-expires"), 0)
	advance(t, s.Chain(), chain.ClockStep{Blocks: 10})
	want := "bob's approval for rose expires at height 1,110 (the clock is past height 1,110; undo goes back)"
	if got := check(t, s).Missing(); !slices.Contains(got, want) {
		t.Fatalf("at 1,110: %q", got)
	}
	chaintest.Must(s.Chain().Undo(1))(t)
	solve(t, s)
	if c := check(t, s); !c.Done {
		t.Fatal(c.Missing())
	}
}

func TestAnEndThatWasMissedByABlockIsToldWithTheOneThatIsSet(t *testing.T) {
	s := answered(t, lessonOf(t, "the-block-it-expires"), 0)
	send(t, s.Chain(), "alice", `{"approve":{"spender":"$bob","token_id":"rose","expires":{"at_height":1109}}}`)
	if got := strings.Join(check(t, s).Missing(), ""); !strings.HasSuffix(got, "(it expires at height 1,109 now)") {
		t.Error(got)
	}
	send(t, s.Chain(), "alice", `{"approve":{"spender":"$bob","token_id":"rose"}}`)
	if got := strings.Join(check(t, s).Missing(), ""); !strings.HasSuffix(got, "(it expires at another moment now)") {
		t.Error(got)
	}
	s = answered(t, lessonOf(t, "height-or-time"), 0)
	send(t, s.Chain(), "alice", `{"approve":{"spender":"$bob","token_id":"rose","expires":{"at_time":"1795266060000000000"}}}`)
	if got := strings.Join(check(t, s).Missing(), ""); !strings.HasSuffix(got, "(it expires at 2026-11-21 13:01:00 now)") {
		t.Error(got)
	}
}

func TestATokenThatWasBurnedIsToldToBeMissing(t *testing.T) {
	s := answered(t, all(t)[0], 0)
	send(t, s.Chain(), "alice", `{"burn":{"token_id":"rose"}}`)
	want := "bob has an approval for rose (there is no rose now); alice owns rose (there is no rose now)"
	if got := strings.Join(check(t, s).Missing(), "; "); !strings.HasSuffix(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestAnAttemptCountsForItsSenderItsBlockAndItsOutcomeUntilItIsUndone(t *testing.T) {
	const goal = "in block 1,110 bob has tried to transfer rose"
	s := answered(t, lessonOf(t, "the-block-it-expires"), 0)
	missing := func() bool {
		t.Helper()
		return slices.ContainsFunc(check(t, s).Missing(), func(m string) bool { return strings.HasPrefix(m, goal) })
	}
	try := `{"transfer_nft":{"recipient":"$bob","token_id":"rose"}}`
	for _, step := range []struct {
		why string
		do  func()
	}{
		{"too early", func() { send(t, s.Chain(), "bob", try) }},
		{"too early, approved", func() {
			send(t, s.Chain(), "alice", `{"approve":{"spender":"$bob","token_id":"rose","expires":{"at_height":1110}}}`)
			advance(t, s.Chain(), chain.ClockStep{Blocks: 10})
		}},
		{"by another", func() { send(t, s.Chain(), "carol", `{"burn":{"token_id":"rose"}}`) }},
		{"carried out by the owner", func() { send(t, s.Chain(), "alice", `{"transfer_nft":{"recipient":"$alice","token_id":"rose"}}`) }},
	} {
		if step.do(); !missing() {
			t.Fatalf("%s: it counts", step.why)
		}
	}
	if send(t, s.Chain(), "bob", try); missing() {
		t.Fatal("bob has tried it in the block, and it does not count")
	}
	// Undo takes back what changed something, and the refused messages after it.
	chaintest.Must(s.Chain().Undo(1))(t)
	if !missing() {
		t.Error("what was tried and undone still counts")
	}
	if tries := s.Answered().Tries; tries != 5 {
		t.Errorf("%d messages count as tries, want the undone ones too", tries)
	}
}

// A goal is about what is so now: back where the task began, what is reached is
// what was reached there, which is never the whole task.
func TestGoingBackToWhereATaskBeganUnticksItsGoals(t *testing.T) {
	unticked := 0
	for _, l := range all(t) {
		for task := range l.Tasks {
			s := answered(t, l, task)
			before := check(t, s)
			start := chaintest.Must(chain.Read(s.Chain(), func(v *chain.View) (history.ID, error) { return v.Head, nil }))(t)
			solve(t, s)
			chaintest.Must(s.Chain().Goto(strconv.FormatUint(uint64(start), 10)))(t)

			after := check(t, s)
			for i, goal := range after.Goals {
				isAskedQuery := l.Tasks[task].Checks[i].As != "" && l.Tasks[task].Checks[i].Kind == scenario.Query
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

func TestWhatWasDoneAgainCounts(t *testing.T) {
	s := answered(t, lessonOf(t, "the-block-it-expires"), 1)
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

// The owner of a token needs no approval, and the query approval answers for her
// as if she had one.
func TestWhoeverOwnsATokenHasNoApprovalForIt(t *testing.T) {
	for _, c := range []struct {
		lesson  string
		who, to string
		goal    string
	}{
		{lesson: "owner-spender-operator", who: "alice", to: "bob", goal: "bob has an approval for rose"},
		{lesson: "what-a-spender-may", who: "dave", to: "carol", goal: "carol has an approval for rose"},
		{lesson: "outlives-the-operator", who: "bob", to: "mallory", goal: "mallory has an approval for rose without an expiry"},
	} {
		s := answered(t, lessonOf(t, c.lesson), 0)
		reached := func() bool {
			return !slices.ContainsFunc(check(t, s).Missing(), func(m string) bool { return strings.HasPrefix(m, c.goal) })
		}
		send(t, s.Chain(), c.who, `{"transfer_nft":{"recipient":"$`+c.to+`","token_id":"rose"}}`)
		if reached() {
			t.Errorf("%s: %s owns rose, and the goal %q is reached", c.lesson, c.to, c.goal)
		}
		chaintest.Must(s.Chain().Undo(1))(t)
		send(t, s.Chain(), c.who, `{"approve":{"spender":"$`+c.to+`","token_id":"rose"}}`)
		if !reached() {
			t.Errorf("%s: %s is approved, and the goal %q is not reached", c.lesson, c.to, c.goal)
		}
	}
}

func TestAQueryThatIsAskedForMustBeAsked(t *testing.T) {
	s := answered(t, lessonOf(t, "queries"), 1)
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

func TestATaskThatIsBegunAnewKeepsItsAnswerAndHints(t *testing.T) {
	l := all(t)[0]
	old := answered(t, l, 1)
	old.Hint()
	again := begin(t, l, 1)
	again.Continue(old)
	if again.Question() != nil || !again.Answered().Right || len(again.Hints()) != 1 {
		t.Fatalf("asks %v, answered %v, hints %q", again.Question(), again.Answered(), again.Hints())
	}
	for _, other := range []*lesson.Session{begin(t, l, 2), begin(t, all(t)[1], 1)} {
		other.Continue(old)
		if other.Question() == nil {
			t.Errorf("the answer to one task counts for task %d of %s", other.TaskIndex()+1, other.Lesson.ID)
		}
	}
}

func TestAnswersOfEarlierSittingsCountAtTheEnd(t *testing.T) {
	l := all(t)[0]
	p := lesson.Progress{}
	for sitting := range l.Tasks {
		s := begin(t, l, p.NextTask(l))
		s.Resume(p[l.ID])
		if ask := s.Question(); ask != nil && sitting == 0 {
			s.Answer(wrongChoice(ask))
		} else if ask != nil {
			s.Answer(ask.Answer)
		}
		solve(t, s)
		if !s.Next(check(t, s)) {
			t.Fatalf("sitting %d: %q", sitting+1, check(t, s).Missing())
		}
		p.Record(s)
	}
	if m := p[l.ID]; !m.Done || m.Right != 3 || m.Asked != 4 {
		t.Fatalf("at the end: %+v", m)
	}
	again := begin(t, l, p.NextTask(l))
	again.Resume(p[l.ID])
	if _, of := again.Right(); of != 0 {
		t.Errorf("played anew, %d answers count already", of)
	}
}
