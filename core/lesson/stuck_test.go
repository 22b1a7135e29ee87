package lesson_test

import (
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/lesson"
)

// answered begins a lesson at a task and answers its question.
func answered(t *testing.T, l lesson.Lesson, task int) *lesson.Session {
	t.Helper()
	s := begin(t, l, task)
	if ask := s.Asks(); ask != nil {
		s.Answer(ask.Answer)
	}
	return s
}

func TestAClockThatPassedTheEndToBeGivenIsToldWithTheWayBack(t *testing.T) {
	s := answered(t, all(t)[1], 0)
	advance(t, s.Chain(), chain.Step{Blocks: 10})
	want := "bob's approval of rose ends at height 1,110 (the clock is past height 1,110; undo goes back)"
	if got := check(t, s).Missing(); len(got) != 1 || got[0] != want {
		t.Fatalf("at 1,110: %q", got)
	}
	if _, err := s.Chain().Undo(1); err != nil {
		t.Fatal(err)
	}
	solve(t, s)
	if c := check(t, s); !c.Done {
		t.Fatal(c.Missing())
	}
}

func TestAnEndThatWasMissedByABlockIsToldWithTheOneThatIsSet(t *testing.T) {
	s := answered(t, all(t)[1], 0)
	send(t, s.Chain(), "alice", `{"approve":{"spender":"$bob","token_id":"rose","expires":{"at_height":1109}}}`)
	if got := strings.Join(check(t, s).Missing(), ""); !strings.HasSuffix(got, "(it ends at height 1,109 now)") {
		t.Error(got)
	}
	send(t, s.Chain(), "alice", `{"approve":{"spender":"$bob","token_id":"rose"}}`)
	if got := strings.Join(check(t, s).Missing(), ""); !strings.HasSuffix(got, "(it has another end now)") {
		t.Error(got)
	}
}

func TestATokenThatWasBurnedIsToldToBeMissing(t *testing.T) {
	s := answered(t, all(t)[0], 0)
	send(t, s.Chain(), "alice", `{"burn":{"token_id":"rose"}}`)
	want := "bob may move rose (there is no rose now); rose is still alice's (there is no rose now)"
	if got := strings.Join(check(t, s).Missing(), "; "); got != want {
		t.Errorf("got %q", got)
	}
}

func TestATaskThatIsBegunAnewKeepsItsAnswerAndHints(t *testing.T) {
	l := all(t)[0]
	old := answered(t, l, 1)
	old.Hint()
	again := begin(t, l, 1)
	again.Continue(old)
	if again.Asks() != nil || !again.Answered().Right || len(again.Hints()) != 1 {
		t.Fatalf("asks %v, answered %v, hints %q", again.Asks(), again.Answered(), again.Hints())
	}
	other := begin(t, l, 2)
	other.Continue(old)
	if other.Asks() == nil {
		t.Error("the answer to one task counts for another")
	}
}

func TestAnswersOfEarlierSittingsCountAtTheEnd(t *testing.T) {
	l := all(t)[0] // three questions, and a last task without one
	p := lesson.Progress{}
	for sitting := range l.Tasks {
		s := begin(t, l, p.From(l))
		s.Resume(p[l.ID])
		if ask := s.Asks(); ask != nil && sitting == 0 {
			s.Answer(wrongChoice(ask))
		} else if ask != nil {
			s.Answer(ask.Answer)
		}
		solve(t, s)
		if !s.Next(check(t, s)) {
			t.Fatalf("sitting %d: %q", sitting+1, check(t, s).Missing())
		}
		p.Note(s)
	}
	if m := p[l.ID]; !m.Done || m.Right != 2 || m.Asked != 3 {
		t.Fatalf("at the end: %+v", m)
	}
	again := begin(t, l, p.From(l))
	again.Resume(p[l.ID])
	if _, of := again.Right(); of != 0 {
		t.Errorf("played anew, %d answers count already", of)
	}
}
