package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/core/lesson"
)

const lessonsKey = "7"

// approve gives an approval of the token under the cursor with the keys.
func approve(d *drive, spender string) {
	d.t.Helper()
	d.press("p")
	d.types(spender)
	d.sees("will work")
	d.press("enter")
}

func TestTheFirstLessonIsPlayedThroughWithKeys(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(lessonsKey)
	d.sees("Owner, spender, operator", "4 tasks", "The royalty hole of v0.19.0")
	d.press("enter")
	d.sees("LESSON", "Flowers", "task 1 of 4", "May creator transfer rose?", "yes, the minter keeps that right")

	d.press("1") // the wrong answer teaches, too
	d.sees("Not so: yes, the minter keeps that right", "It is: no, only its owner can", "Once")
	d.press("enter")
	d.sees("✗ bob may move rose", "as ● alice")

	d.press("N")
	d.sees("not yet: bob may move rose")
	d.press("H")
	d.sees("Only its owner can give it")
	d.doesNotSee("The message is approve")
	d.press("H", "H")
	d.sees("The message is approve", "▸ alice sends", `{"approve":{"spender":"$bob"`)
	d.press("j") // rose
	approve(d, "bob")
	d.sees("✓ bob may move rose", "done", "N go on")

	d.press("N")
	d.sees("task 2 of 4", "What is left of bob's approval")
	d.press("1")
	d.sees("Right: nothing; a transfer wipes all approvals")
	d.press("enter")
	d.sees("✗ bob owns rose · owner is alice now")
	d.actAs("bob")
	d.press("t")
	d.types("bob")
	d.press("enter")
	d.sees("✓ bob owns rose")
	d.press("u")
	d.sees("✗ bob owns rose")
	d.press("U")
	d.sees("✓ bob owns rose")

	d.press("N", "2", "enter")
	d.do("alice", `{"approve_all":{"operator":"$carol"}}`) // on the learner's own chain
	d.sees("✗ carol is operator of alice")
	doInLesson(d, "alice", `{"approve_all":{"operator":"$carol"}}`)
	d.sees("✓ carol is operator of alice")
	d.press("N")
	d.sees("task 4 of 4")
	doInLesson(d, "carol", `{"transfer_nft":{"recipient":"$bob","token_id":"daisy"}}`)
	d.press("N")
	d.sees("Remember", "2 of 3 predictions were right", "next lesson")

	d.press("Q")
	d.sees("Interchain Apes", "back in your own collection", "done, 2/3", "as ● alice")
	d.doesNotSee("EPHEMERA  LESSON")
	d.fits()
}

// doInLesson sends a message on the lesson's own chain.
func doInLesson(d *drive, who, msg string) {
	d.t.Helper()
	c := book(d).run.session.Chain()
	r, err := c.Execute(address(d.model.State().Accounts, who), []byte(msg))
	if err != nil || r.Refusal != nil {
		d.t.Fatalf("%s: %v %v", msg, err, r.Refusal)
	}
	d.readAgain()
}

func TestALessonLeavesTheLearnersCollectionAsItWas(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(".", "j", "j")
	before := d.screen()
	d.press(lessonsKey, "enter", "esc", ".", ".", ".", "e")
	d.sees("height 1,103", "Flowers")
	d.press("Q", "1")
	if after := d.screen(); withoutNotice(after) != withoutNotice(before) {
		t.Fatalf("before the lesson:\n%s\nafter it:\n%s", before, after)
	}
	d.press("u")
	d.sees("height 1,102")
}

// withoutNotice leaves out the rules, on one of which notices stand.
func withoutNotice(s string) string {
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		if !strings.HasPrefix(line, "─") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func TestALessonGoesOnWhereItWasLeftAndFromTheBeginningWhenAsked(t *testing.T) {
	var kept []byte
	d := newDrive(t, New, 120, 36)
	book(d).keep = lesson.Keeper{
		Load: func() ([]byte, error) { return kept, nil },
		Save: func(b []byte) error { kept = b; return nil },
	}
	d.press(lessonsKey, "enter", "2", "enter")
	doInLesson(d, "alice", `{"approve":{"spender":"$bob","token_id":"rose"}}`)
	d.press("N", "esc", "Q")
	d.sees("task 2 of 4")

	later := newDrive(t, New, 120, 36)
	book(later).keep = book(d).keep
	later.press(lessonsKey)
	later.sees("task 2 of 4")
	later.press("enter")
	later.sees("What is left of bob's approval")
	later.press("esc", "Q", "b")
	later.sees("May creator transfer rose?")
}

func TestProgressThatCannotBeReadOrKeptIsSaidAndTheLessonsGoOn(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	book(d).keep = lesson.Keeper{
		Load: func() ([]byte, error) { return []byte("{"), nil },
		Save: func([]byte) error { return fmt.Errorf("the disk is full") },
	}
	d.press(lessonsKey)
	d.sees("the progress of the lessons cannot be read", "Owner, spender, operator")
	d.press("enter", "2", "enter")
	doInLesson(d, "alice", `{"approve":{"spender":"$bob","token_id":"rose"}}`)
	d.press("N")
	d.sees("your progress in the lessons is not kept: the disk is full", "task 2 of 4")
}

func TestALessonFitsEverySizeOnEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {100, 24}, {99, 40}, {80, 24}, {60, 20}, {60, 17}, {40, 12}, {30, 5}, {200, 60}} {
		d := newDrive(t, New, size[0], size[1])
		d.press(lessonsKey, "enter")
		d.fits()
		d.press("2")
		d.fits()
		d.press("enter")
		for range d.model.Screens() {
			d.press("]")
			d.fits()
			d.press("I")
			d.fits()
			d.press("esc", "H")
			d.fits()
			d.press("esc")
		}
	}
}

func TestASmallTerminalShowsTheQuestionWithAllItsChoices(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 20}} {
		d := newDrive(t, New, size[0], size[1])
		for i := range 14 {
			d.press(lessonsKey, "g")
			for range i {
				d.press("j")
			}
			d.press("b")
			ask := book(d).run.session.Asks()
			for n := range ask.Choices {
				d.sees(fmt.Sprintf("%d  ", n+1))
			}
			d.sees("enter predicts")
			d.press("esc", "Q")
		}
	}
}

func TestNoTwoCommandsShareAKeyWhileALessonRuns(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(lessonsKey, "enter", "esc")
	sharesNoKey(d)
}

func TestTheWelcomeOpensALessonAndLeavingItComesBack(t *testing.T) {
	c, err := chain.Open(kv.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	d := driveOn(t, New, c, 80, 24)
	d.sees("Take a lesson")
	d.press("l")
	d.types("never")
	d.press("enter")
	d.sees("LESSON", "When does bob's right end?")
	d.press("3", "enter", "Q")
	d.sees("Take a lesson", "Create a collection")
	d.fits()
}

func TestAnotherLessonCanBeBegunFromWithinOne(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(lessonsKey, "enter", "esc", lessonsKey)
	d.sees("playing")
	d.press("j", "enter")
	d.sees("The block at which it ends")
	d.press("esc", "Q")
	d.sees("Interchain Apes")
	if book(d).run != nil {
		t.Fatal("a lesson is still running")
	}
}

func TestQuittingFromALessonAsksBecauseLeavingItIsAnotherKey(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(lessonsKey, "enter", "esc", ".", "q")
	d.sees("not only the lesson")
	d.press("enter") // Cancel is the default
	d.sees("LESSON")
	d.press("q", "y")
	if !d.quit {
		t.Fatal("y did not quit")
	}
	d = newDrive(t, New, 120, 36)
	d.press(".", lessonsKey, "enter", "esc", "q")
	if d.quit {
		t.Fatal("it did not ask for what was done before the lesson")
	}
	d.sees("only in memory")
}

func TestALessonMayBeLeftWhileTheClockPlays(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(lessonsKey, "enter", "esc", "P")
	d.sees("playing 1/s")
	d.press("Q")
	d.wait()
	d.sees("height 1,102", "paused")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.fits()
}

func TestALessonLooksAsKept(t *testing.T) {
	for _, size := range sizes {
		d := newDrive(t, New, size[0], size[1])
		look := func(name string, keys ...string) {
			d.press(keys...)
			d.golden(fmt.Sprintf("lesson-%s-%dx%d", name, size[0], size[1]))
		}
		look("question", lessonsKey, "enter")
		look("answer", "1")
		look("task", "enter")
		look("hint", "H")
		d.press("esc")
		look("instructions", "I")
		d.press("esc")
		doInLesson(d, "alice", `{"approve":{"spender":"$bob","token_id":"rose"}}`)
		look("done")
		book(d).progress["01-owner-spender-operator"] = lesson.Mark{Tasks: 4, Done: true, Right: 2, Asked: 3}
		look("list", "Q")
	}
}

// book is what the explorer knows of the lessons.
func book(d *drive) *lessonBook { return d.model.(*Model).Book() }
