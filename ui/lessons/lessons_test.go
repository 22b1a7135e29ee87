package lessons_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/core/lesson"
	"ephemera/ui"
	"ephemera/ui/lessons"
	"ephemera/ui/uitest"
)

const LessonsKey = "7"

// approve gives an approval of the token under the cursor with the keys.
func approve(d *uitest.Driver, spender string) {
	d.T.Helper()
	d.Press("p")
	d.Keys(spender, "tab", "never")
	d.Sees("will work")
	d.Press("enter")
}

func TestTheFirstLessonIsPlayedThroughWithKeys(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(LessonsKey)
	d.Sees("Owner, spender, operator", "4 tasks", "A royalty under v0.19.0")
	d.Press("enter")
	d.Sees("LESSON", "Flowers", "task 1 of 4", "May creator transfer rose?", "yes, whoever minted a token may transfer it")

	d.Press("1", "enter") // the wrong answer teaches, too
	d.Sees("Not so: yes, whoever minted a token may transfer it", "It is: no, minting gives no permission over a token", "A minted token obeys")
	d.Press("enter")
	d.Sees("· bob has an approval for rose", "as ● alice")

	d.Press(LessonsKey)
	d.SeesIn(uitest.List, "▸ ▸   1  Owner, spender, operator", "playing", "·   2  What a spender may")
	d.Press("1", "N")
	d.Sees("not yet: creator has tried to transfer rose")
	d.Press("H")
	d.Sees("Two people act")
	d.DoesNotSee("without an expiry it")
	d.Press("H", "H")
	d.Sees("without an expiry it")
	d.Press("I")
	d.Sees("expiry it never expires", "▸ creator sends")
	d.Press("enter")
	d.Press("j") // rose
	approve(d, "bob")
	d.Sees("✓ bob has an approval for rose")
	tryInLesson(d, "creator", `{"transfer_nft":{"recipient":"$creator","token_id":"rose"}}`)
	d.Sees("✓ creator has tried to transfer rose", "done", "N next task")

	d.Press("N")
	d.Sees("task 2 of 4", "What is left of bob's approval")
	d.Press("2", "enter")
	d.Sees("Right: nothing, rose has no approvals any more")
	d.Press("enter")
	d.Sees("· bob owns rose", "owner is alice now")
	d.ActAs("bob")
	d.Keys("t", "bob", "enter")
	d.Sees("✓ bob owns rose")
	d.Press("u")
	d.Sees("· bob owns rose")
	d.Press("U")
	d.Sees("✓ bob owns rose")

	d.Press("N", "4", "enter", "enter")
	d.Do("alice", `{"approve_all":{"operator":"$carol"}}`) // on the learner's own chain
	d.Sees("· carol is operator of alice")
	doInLesson(d, "alice", `{"approve_all":{"operator":"$carol"}}`)
	d.Sees("✓ carol is operator of alice")
	doInLesson(d, "creator", `{"mint":{"token_id":"lily","owner":"$alice"}}`)
	doInLesson(d, "carol", `{"transfer_nft":{"recipient":"$bob","token_id":"lily"}}`)
	d.Press("N", "2", "enter", "enter")
	d.Sees("task 4 of 4")
	tryInLesson(d, "carol", `{"transfer_nft":{"recipient":"$carol","token_id":"rose"}}`)
	doInLesson(d, "carol", `{"transfer_nft":{"recipient":"$bob","token_id":"tulip"}}`)
	d.Press("N")
	d.Sees("Remember", "3 of 4 predictions were right", "next lesson")

	d.Press("Q")
	d.Sees("Interchain Apes", "back in your own collection", "done, 3/4", "as ● alice")
	d.DoesNotSee("EPHEMERA  LESSON")
	d.Fits()
}

// doInLesson sends a message on the lesson's own chain.
func doInLesson(d *uitest.Driver, who, msg string) {
	d.T.Helper()
	chaintest.OK(d.T, tryInLesson(d, who, msg).Err())
}

// doFirstTask answers the first question of the first lesson, and does its task.
func doFirstTask(d *uitest.Driver) {
	d.T.Helper()
	d.Press(LessonsKey, "enter", "2", "enter", "enter")
	tryInLesson(d, "creator", `{"transfer_nft":{"recipient":"$creator","token_id":"rose"}}`)
	doInLesson(d, "alice", `{"approve":{"spender":"$bob","token_id":"rose"}}`)
}

func TestALessonLeavesTheLearnersCollectionAsItWas(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(".", "j", "j")
	before := d.Screen()
	d.Press(LessonsKey, "enter", "1", "enter", "enter", ".", ".", ".", "e")
	d.Sees("height 1,103", "Flowers")
	d.Press("Q", "1")
	if after := d.Screen(); withoutNotice(after) != withoutNotice(before) {
		t.Fatalf("before the lesson:\n%s\nafter it:\n%s", before, after)
	}
	d.Press("u")
	d.Sees("height 1,102")
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

func TestALessonContinuesWhereItWasLeftOrRestarts(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	book(d).Storage = keeper()
	doFirstTask(d)
	d.Press("N", "esc", "Q")
	d.Sees("task 2 of 4")

	later := uitest.New(t, ui.New, 120, 36)
	book(later).Storage = book(d).Storage
	later.Press(LessonsKey)
	later.Sees("task 2 of 4")
	later.Press("enter")
	later.Sees("What is left of bob's approval")
	later.Press("esc", "Q", "b")
	later.Sees("May creator transfer rose?")
}

func TestALessonGoesOnThoughItsProgressCannotBeReadOrStored(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	book(d).Storage = lesson.Storage{
		Load:      func() ([]byte, error) { return []byte("{"), nil },
		Save:      func([]byte) error { return fmt.Errorf("the disk is full") },
		MoveAside: func() (string, error) { return "lessons.json.damaged", nil },
	}
	d.Press(LessonsKey)
	d.Sees("your progress begins again; the old file is lessons.json.damaged")
	d.Sees("the progress of the lessons cannot be read", "Owner, spender, operator")
	doFirstTask(d)
	d.Press("N")
	d.Sees("your progress in the lessons is not kept: the disk is full", "task 2 of 4")
}

func TestALessonFitsEverySizeOnEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {100, 24}, {99, 40}, {80, 24}, {60, 20}, {60, 17}, {40, 12}, {30, 5}, {200, 60}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press(LessonsKey, "enter")
		d.Fits()
		d.Press("2", "enter")
		d.Fits()
		d.Press("enter")
		for range 8 {
			d.Press("]")
			d.Fits()
			d.Press("I")
			d.Fits()
			d.Press("esc", "H")
			d.Fits()
			d.Press("esc")
		}
	}
}

// A digit selects and enter answers. Before the answer nothing can be sent or moved, and who
// leaves the question to look around is recorded.
func TestAPredictionIsMadeBeforeAnythingElse(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(LessonsKey, "enter", "3")
	d.Sees("▸ 3  no, minting gives")
	d.DoesNotSee("Right:")
	d.Press("esc")
	for _, key := range []string{".", "e", "P"} {
		d.Press(key)
		d.Sees("predict first: N shows the question", "height 1,100")
	}
	for _, key := range []string{"w", "W", "B", "v"} {
		d.Press("1", key)
		d.Sees("predict first: N shows the question")
	}
	d.Press("1", "j")
	d.Keys("t", "bob")
	d.Sees("predict first") // in place of the preview
	d.Press("enter")
	d.Sees("predict first")
	d.Press("esc", "esc", "6", "i")
	d.Types(`{"burn":{"token_id":"rose"}}`)
	d.Sees("▲ predict first: N shows the question")
	d.DoesNotSee("will work")
	d.Press("ctrl+u")
	d.Types(`{"owner_of":{"token_id":"rose"}}`)
	d.Press("ctrl+s")
	d.Sees("▲ predict first: N shows the question")
	d.DoesNotSee("approvals")
	d.Press("esc", "1", "N", "3", "enter")
	d.Sees("Right: no, minting gives")
	if looked := book(d).CurrentRun.Session.Answered().LookCount; looked != 1 {
		t.Errorf("looked %d times", looked)
	}
	d.Press("enter", ".")
	d.Sees("height 1,101")
}

func TestANamedLearnerSeesTheChoicesInAnOrderOfHerOwn(t *testing.T) {
	d := uitest.New(t, ui.New, 100, 30)
	book(d).SetLearner("ben")
	d.Press(LessonsKey, "enter")
	session := book(d).CurrentRun.Session
	if slices.Equal(session.Choices(), session.Question().Choices.Texts()) {
		t.Fatal("ben sees the order of the file, choose another name for this test")
	}
	right := slices.Index(session.Choices(), session.Question().Answer)
	d.Press(fmt.Sprint(right+1), "enter")
	d.Sees("Right:")
}

func TestTheWelcomeOpensALessonAndLeavingItComesBack(t *testing.T) {
	c := chaintest.Must(chain.Open(kv.NewMemory()))(t)
	d := uitest.On(t, ui.New, c, 80, 24)
	d.Sees("Take a lesson")
	d.Keys("l", "left out", "enter")
	d.Sees("LESSON", "When do the two expire?")
	d.Press("3", "enter", "enter", "Q")
	d.Sees("Take a lesson", "Create a collection")
	d.Fits()
}

func TestQuittingFromALessonAsksBecauseLeavingItIsAnotherKey(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(LessonsKey, "enter", "1", "enter", "enter", ".", "q")
	d.Sees("not only the lesson")
	d.Press("enter") // Cancel is the default
	d.SeesIn(uitest.Header, "LESSON")
	d.Press("q", "y")
	if !d.Quit {
		t.Fatal("y did not quit")
	}
	d = uitest.New(t, ui.New, 120, 36)
	d.Press(".", LessonsKey, "enter", "esc", "q")
	if d.Quit {
		t.Fatal("it did not ask for what was done before the lesson")
	}
	d.Sees("only in memory")
}

func TestALessonCanBeLeftWhileTheClockPlays(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(LessonsKey, "enter", "1", "enter", "enter", "P")
	d.Sees("playing 1/s")
	d.Press("Q")
	d.Wait()
	d.SeesIn(uitest.Clock, "height 1,102", "paused")
	d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.Fits()
}

func TestALessonMatchesItsGoldenViews(t *testing.T) {
	for _, size := range uitest.Sizes {
		d := uitest.New(t, ui.New, size[0], size[1])
		look := func(name string, keys ...string) {
			d.Press(keys...)
			d.Golden(fmt.Sprintf("lesson-%s-%dx%d", name, size[0], size[1]))
		}
		look("question", LessonsKey, "enter")
		look("answer", "1", "enter")
		look("task", "enter")
		look("hint", "H")
		d.Press("esc")
		look("instructions", "I")
		d.Press("esc")
		tryInLesson(d, "creator", `{"transfer_nft":{"recipient":"$creator","token_id":"rose"}}`)
		doInLesson(d, "alice", `{"approve":{"spender":"$bob","token_id":"rose"}}`)
		look("done")
		book(d).Progress["01-owner-spender-operator"] = lesson.LessonRecord{DoneTasks: 4, Done: true, Right: 2, Asked: 3}
		look("list", "Q")
	}
}

// book is what the explorer knows of the lessons.
func book(d *uitest.Driver) *lessons.Book { return d.Model.(*ui.Model).Book() }
