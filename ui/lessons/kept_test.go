package lessons_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

// keeper keeps progress in memory; what it keeps is as it would be on a disk.
func keeper() lesson.Storage {
	var kept []byte
	return lesson.Storage{
		Load: func() ([]byte, error) { return kept, nil },
		Save: func(b []byte) error { kept = b; return nil },
	}
}

// first gives what is kept of a task that was played first.
func first(t *testing.T, k lesson.Storage, id string, task int) lesson.TaskRecord {
	t.Helper()
	p := chaintest.Must(k.Read())(t)
	if len(p[id].FirstRecords) <= task {
		t.Fatalf("nothing is kept of task %d: %+v", task+1, p[id])
	}
	return p[id].FirstRecords[task]
}

const firstLesson = "01-owner-spender-operator"

func TestAWrongFirstAnswerIsStoredAtOnceAndStaysWrongAfterQuitting(t *testing.T) {
	keep := keeper()
	d := uitest.New(t, ui.New, 100, 30)
	book(d).Storage = keep
	d.Press(LessonsKey, "enter", "1", "enter") // and the terminal is closed
	if got := first(t, keep, firstLesson, 0); got.Right || !strings.HasPrefix(got.Given, "yes, whoever minted") {
		t.Fatalf("kept: %+v", got)
	}

	d = uitest.New(t, ui.New, 80, 24)
	book(d).Storage = keep
	d.Press(LessonsKey, "enter")
	d.DoesNotSee("enter predict")
	d.Press("Z", "y", "N")
	d.DoesNotSee("enter predict")
	d.Press("Q")
	d.Sees("task 1 of 4")
	d.Press("b")
	d.DoesNotSee("enter predict")
	if got := first(t, keep, firstLesson, 0); got.Right {
		t.Fatal("a wrong first answer became right")
	}
}

func TestHintsMessagesAndTimeAreStoredBeforeTheTaskIsDone(t *testing.T) {
	keep := keeper()
	d := uitest.New(t, ui.New, 80, 24)
	book(d).Storage = keep
	d.Press(LessonsKey, "enter", "esc", "H", "H") // the second in the dialog of the first
	if got := first(t, keep, firstLesson, 0); got.Hints != 2 {
		t.Fatalf("hints before the prediction: %+v", got)
	}
	d.Press("esc", "N", "2", "enter", "enter")
	tryInLesson(d, "creator", `{"transfer_nft":{"recipient":"$creator","token_id":"rose"}}`)
	run := book(d).CurrentRun
	run.CountedUntil = run.CountedUntil.Add(-3 * time.Minute)
	d.Press("Q")
	if got := first(t, keep, firstLesson, 0); got.Tries != 1 || got.Seconds != 180 || got.Done {
		t.Fatalf("kept: %+v", got)
	}
}

func TestTheTimeCountsForTheTaskThatItWasSpentOn(t *testing.T) {
	d := uitest.New(t, ui.New, 100, 30)
	doFirstTask(d)
	run := book(d).CurrentRun
	run.CountedUntil = run.CountedUntil.Add(-time.Minute)
	d.Press("N")
	if got := book(d).Progress[firstLesson].FirstRecords; len(got) != 1 || got[0].Seconds != 60 || !got[0].Done {
		t.Fatalf("noted: %+v", got)
	}
}

func TestStartingAnotherLessonStoresTheProgressOfTheFirst(t *testing.T) {
	keep := keeper()
	d := uitest.New(t, ui.New, 120, 36)
	book(d).Storage = keep
	d.Press(LessonsKey, "enter", "2", "enter", "enter")
	tryInLesson(d, "creator", `{"transfer_nft":{"recipient":"$creator","token_id":"rose"}}`)
	d.Press(LessonsKey)
	d.SeesIn(uitest.List, "playing")
	d.Press("j", "enter")
	d.Sees("What a spender may, and may not")
	if got := first(t, keep, firstLesson, 0); got.Tries != 1 {
		t.Fatalf("kept: %+v", got)
	}
	d.Press("esc", "Q")
	d.Sees("Interchain Apes")
	if book(d).CurrentRun != nil {
		t.Fatal("a lesson is still running")
	}
}

func TestAWrongAnswerShowsBothWorlds(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {100, 30}, {80, 24}, {60, 20}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press(LessonsKey, "j", "j", "j", "enter") // the block at which it expires
		ask := book(d).CurrentRun.Session.Question()
		d.Press(fmt.Sprint(1+slices.IndexFunc(ask.Choices, func(c scenario.Choice) bool { return c.Misconception != "" })), "enter")
		d.Sees("w the world you believe in")
		d.Press("w")
		d.Fits()
		d.Sees("Suppose that an approval still works", "as supposed", "in fact")
		d.Press("G")
		d.SeesIn(uitest.Dialog, "bob: transfer rose → bob", "done", "refused:")
		if size[1] > 20 {
			d.Sees("What the contract decides")
		}
		d.Fits()
		d.Press("esc")
		d.Sees("Not so", "enter go on")
	}
}

func TestTheWorldsOfAnAnswerCanBeOpenedAgain(t *testing.T) {
	d := uitest.New(t, ui.New, 100, 30)
	d.Press(LessonsKey, "j", "j", "j", "enter")
	d.Press("2", "enter", "enter") // 1,110
	d.Press("I")
	d.Sees("w the world you believe in")
	d.Press("w")
	d.SeesIn(uitest.Dialog, "Suppose that an approval still works", "as supposed")
}

func TestWhatWasWrongIsPlayedAgainAndChangesNoRecord(t *testing.T) {
	d := uitest.New(t, ui.New, 100, 30)
	d.Press(LessonsKey, "b")
	playLesson(d, true) // with wrong answers
	before := chaintest.Must(book(d).Progress.Encode())(t)
	d.Sees("R what was wrong again")
	d.Press("R")
	for task := range 4 {
		d.Sees(fmt.Sprintf("task %d of 4", task+1))
		session := book(d).CurrentRun.Session
		d.Press(fmt.Sprint(1+slices.Index(session.Choices(), session.Question().Answer)), "enter", "enter")
		d.Press("esc")
		for _, s := range session.Lesson.Tasks[task].Solution {
			tryInLesson(d, s.Sender, string(s.Message))
		}
		d.Press("N")
	}
	d.Sees("4 of 4 predictions were right", "enter go back")
	if after := chaintest.Must(book(d).Progress.Encode())(t); string(after) != string(before) {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	d.Press("enter")
	d.Sees("Interchain Apes")
	d.Press(LessonsKey, "R")
	d.Sees("Lesson 1 · task 1 of 4")
	d.Press("esc", "Q", "j", "R")
	d.Sees("no prediction was wrong here")
}

func TestARightAnswerShowsNoWorlds(t *testing.T) {
	d := uitest.New(t, ui.New, 100, 30)
	d.Press(LessonsKey, "j", "j", "j", "enter")
	ask := book(d).CurrentRun.Session.Question()
	d.Press(fmt.Sprint(1+slices.Index(ask.Choices.Texts(), ask.Answer)), "enter")
	d.Sees("Right:", "enter go on")
	d.DoesNotSee("world you believe in")
	d.Press("w")
	d.DoesNotSee("as supposed")
}

func TestWorldsThatArriveAfterTheLessonWasLeftAreDropped(t *testing.T) {
	d := uitest.New(t, ui.New, 100, 30)
	d.Press(LessonsKey, "j", "j", "j", "enter", "esc")
	late := book(d).CompareContracts("inclusive-end")()
	d.Press("Q")
	d.Send(late)
	d.DoesNotSee("as supposed")
}

func TestTeachersLessonsFollowTheBuiltInOnes(t *testing.T) {
	own := chaintest.Must(lesson.Read("mine.yaml", strings.NewReader(lesson.Skeleton())))(t)
	d := uitest.New(t, ui.New, 100, 30)
	book(d).ReadLessons = func() ([]lesson.Lesson, error) {
		all, err := lesson.All()
		return append(all, own), errors.Join(err, errors.New("other.yaml: it has no task"), errors.New("third.yaml: it has no task"))
	}
	d.Press(LessonsKey)
	d.Sees("other.yaml: it has no task; third.yaml")
	d.Press("G")
	d.SeesIn(uitest.List, "19", "A lesson of my own", "1 task ")
	d.Press("enter", "2", "enter", "enter")
	d.Sees("Lesson 19", "in block 1,110 bob has tried to")
	d.Fits()
}

func TestTheEndOfALessonSaysWellDoneAndEnterStartsTheNext(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Press(LessonsKey, "b")
	playLesson(d, true)
	d.Sees("Well done: 0 of 4 predictions were right", "1 of 18 lessons", "✗ Task 1: \"creator minted the tokens.", "next lesson")
	d.Press("enter")
	d.Sees("Lesson 2 · task 1")
}
