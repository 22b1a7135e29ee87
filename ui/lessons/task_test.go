package lessons_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestAClickSelectsAnAnswerAndEnterGivesIt(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 20}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press(LessonsKey, "enter")
		d.Click("May creator transfer", 0) // the question is no choice
		d.Sees("enter predict")
		d.Click("no, minting gives no permission", 0)
		d.DoesNotSee("Right")
		d.Press("enter")
		d.Sees("Right: no, minting gives no permission", "enter go on")
		d.Press("enter")
		d.Sees("creator has tried to transfer rose")
		d.DoesNotSee("enter go on")
	}
}

func TestAClickOnTheSecondLineOfAChoiceSelectsIt(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 24)
	d.Press(LessonsKey, "enter")
	d.Click("may transfer it", 0)
	d.Press("enter")
	d.Sees("Not so: yes, whoever minted")
}

func TestOneKeyShowsEachNextHintInTheDialog(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Press(LessonsKey, "enter", "2", "enter", "enter", "H")
	d.Sees("H hint (2)")
	d.Press("H", "H")
	d.Sees("Two people act", "alice sends")
	d.Press("H")
	d.Fits()
	d.Press("esc")
	d.DoesNotSee("alice sends")
}

func TestATaskCanBeRestartedAfterAnyMessages(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(LessonsKey, "j", "j", "j", "enter", "1", "enter", "enter")
	doInLesson(d, "alice", `{"burn":{"token_id":"rose"}}`)
	d.Keys("T", "+20", "enter")
	d.Sees("height 1,120", "· bob's approval for rose expires", "is in the way", "takes it back")
	d.Press("Z")
	d.Sees("Begin this task again?")
	d.Press("enter") // Cancel is the default
	d.Sees("height 1,120")
	d.Press("Z", "y")
	d.Sees("height 1,100", "this task begins again", "task 1 of 3", "Right: 1,109") // what was answered stays
	doInLesson(d, "alice", `{"approve":{"spender":"$bob","token_id":"rose","expires":{"at_height":1110}}}`)
	d.Sees("✓ bob's approval for rose expires")
	d.Press("Q")
	d.Sees("Interchain Apes")
}

func TestARestartThatArrivesAfterTheLessonWasLeftIsDropped(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(LessonsKey, "enter", "2", "enter", "enter")
	late := book(d).RestartTask()()
	d.Press("Q")
	d.Send(late)
	d.Sees("Interchain Apes")
	if book(d).CurrentRun != nil {
		t.Fatal("a lesson that was left is played again")
	}
}

func TestAQueryInTheConsoleReachesTheGoalThatAsksForIt(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(LessonsKey, "G", "k", "k", "k", "k", "k", "enter", "1", "enter", "enter") // lists in pages
	d.Sees("· the query all_tokens was asked")
	d.Keys("6", "i", `{"all_tokens":{}}`)
	d.Sees("✓ the query all_tokens was asked")
}
