package lessons_test

import (
	"testing"
	"time"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestAMistakeIsFoundAndNamedWithKeys(t *testing.T) {
	keep := keeper()
	d := uitest.New(t, ui.New, 120, 36)
	book(d).Storage = keep
	d.Press(LessonsKey, "v", "v")
	d.SeesIn(uitest.List, "Find the mistake 1")
	d.Press("enter")
	d.Sees("wrong in one rule", "· the mistake is named", "N name the mistake")

	d.Press("N")
	d.Types("revoke himself")
	d.Press("enter")
	d.Sees("send a message or a query first")

	// The form says what should happen, and the contract does otherwise.
	d.ActAs("alice")
	d.Press("j", "j") // rose
	d.Sees("Who may transfer it now?", "by the rule book")
	approve(d, "bob")
	d.ActAs("bob")
	d.Press("w")
	d.Sees("Why · by the rule book")
	d.Press("esc", "b")
	d.Sees("will work · by the rule book")
	d.Press("enter")
	d.Sees("refused")
	d.Press("esc")

	d.Press("N")
	d.Types("revoke himself")
	d.Press("enter")
	d.Sees("not so, and it counts as 3 messages", "· the mistake is named")
	d.Press("N")
	d.Types("a spender may transfer")
	d.Press("enter")
	d.Sees("✓ the mistake is named", "N next task")
	d.Press("N")
	d.Sees("The mistake is found", "You needed 5 messages, 3 of them for 1 wrong name; the shortest way has 2.",
		"Here: refused: Caller is not", "By the rule book: done", "a spender may transfer a token but not burn it")

	d.Press("enter")
	d.Sees("Find the mistake 2", "· the mistake is named")
	d.Press("Q", LessonsKey)
	d.SeesIn(uitest.List, "Find the mistake 1", "5, par 2", "Find the mistake 2")
	record := first(t, keep, "find-1", 0)
	if record.Messages != 5 || record.Par != 2 || record.WrongNames != 1 {
		t.Errorf("kept: %+v", record)
	}
	result := chaintest.Must(book(d).ReadResult(time.Time{}))(t)
	if got := chaintest.Must(lesson.DecodeResult(result))(t); len(got.Lessons) != 1 || got.Lessons[0].Title != "Find the mistake 1" {
		t.Errorf("the result is %s", result)
	}
}

func TestAQueryToAWrongContractIsAnsweredOnlyWhenSentAndCounts(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(LessonsKey, "v", "v", "enter")
	d.Press("6", "enter")
	d.Types(`{"num_tokens":{}}`)
	d.Sees("ctrl+s asks; a query counts as a message")
	d.DoesNotSee("answered at height")
	d.Press("ctrl+s")
	d.Sees("answered at height", `"count": 3`)
	session := book(d).CurrentRun.Session
	chaintest.Must(session.Check())(t)
	if tries := session.Answered().Tries; tries != 1 {
		t.Errorf("%d messages are counted, want 1", tries)
	}
}

func TestTheTabsOfTheLessonsShowTheChallengesAndTheGames(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	challenges := chaintest.Must(lesson.Challenges())(t)
	readLessons := book(d).ReadLessons
	book(d).ReadLessons = func() ([]lesson.Lesson, error) {
		all, err := readLessons()
		return append(all, challenges...), err
	}
	d.Press(LessonsKey)
	d.SeesIn(uitest.List, "Owner, spender, operator")
	d.DoesNotSee("The listing that outlives its sale")
	d.Press("v")
	d.SeesIn(uitest.List, "The listing that outlives its sale")
	d.DoesNotSee("Owner, spender, operator")
	d.Press("v")
	d.SeesIn(uitest.List, "Find the mistake 1")
	d.Press("/")
	d.Types("chain of hands")
	d.Press("enter")
	d.SeesIn(uitest.List, "A chain of hands")
	d.Press("v", "v")
	d.SeesIn(uitest.List, "Owner, spender, operator")
}
