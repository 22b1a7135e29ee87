package ui

import "testing"

func TestAQuestionIsAnsweredWithAClickAndAClickGoesOn(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 20}} {
		d := newDrive(t, New, size[0], size[1])
		d.press(lessonsKey, "enter")
		d.click("May creator transfer", 0) // the question is no choice
		d.sees("enter predicts")
		d.click("no, only its owner can", 0)
		d.sees("Right: no, only its owner can")
		d.click("enter goes on", 0)
		d.sees("bob may move rose")
		d.doesNotSee("enter goes on")
	}
}

func TestTheSecondLineOfALongChoiceIsTheChoice(t *testing.T) {
	d := newDrive(t, New, 40, 24)
	d.press(lessonsKey, "enter")
	d.click("right", 16)
	d.sees("Not so: yes, the minter keeps")
}

func TestHintsFollowEachOtherWithOneKeyWhereTheyAreADialog(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press(lessonsKey, "enter", "2", "enter", "H")
	d.sees("Hint, 2 more to come")
	d.press("H", "H")
	d.sees("The strongest hint", "Only its owner can give it", "alice sends")
	d.press("H")
	d.fits()
	d.press("esc")
	d.sees("Z anew")
}

func TestATaskIsBegunAnewWhateverWasDoneInIt(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(lessonsKey, "j", "enter", "1", "enter")
	doInLesson(d, "alice", `{"burn":{"token_id":"rose"}}`)
	d.press("T")
	d.types("+20")
	d.press("enter")
	d.sees("height 1,120", "✗ bob's approval of rose ends", "the clock is past")
	d.press("Z")
	d.sees("Begin this task anew?")
	d.press("enter") // Cancel is the default
	d.sees("height 1,120")
	d.press("Z", "y")
	d.sees("height 1,100", "this task begins anew", "task 1 of 4", "✓ 1,109") // what was answered stays
	doInLesson(d, "alice", `{"approve":{"spender":"$bob","token_id":"rose","expires":{"at_height":1110}}}`)
	d.sees("✓ bob's approval of rose ends")
	d.press("Q")
	d.sees("Interchain Apes")
}

func TestATaskThatBeginsAnewAfterTheLessonWasLeftIsDropped(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(lessonsKey, "enter", "2", "enter")
	late := book(d).anew()()
	d.press("Q")
	d.send(late)
	d.sees("Interchain Apes")
	if book(d).run != nil {
		t.Fatal("a lesson that was left is played again")
	}
}
