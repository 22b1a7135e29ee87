package lessons_test

import (
	"io"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/lesson"
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

// writeResult runs "Write my result" and types the name of a file.
func writeResult(d *uitest.Driver, file string) {
	d.Press(":")
	d.Types("my result")
	d.Press("enter")
	d.Keys(file, "enter")
}

func TestEachLearnerHasOwnProgressAndHandsInAResult(t *testing.T) {
	storages := map[string]lesson.Storage{"": keeper(), "ana": keeper()}
	files := map[string]string{}
	d := uitest.New(t, func(o app.Options) *ui.Model {
		o.Progress = func(learner string) lesson.Storage { return storages[learner] }
		o.Save = func(path string, _ bool, write func(io.Writer) error) error {
			var b strings.Builder
			err := write(&b)
			files[path] = b.String()
			return err
		}
		return ui.New(o)
	}, 100, 30)

	d.Press(LessonsKey, "o")
	d.Keys("../x", "enter")
	d.Sees("name: expected 1 to 32 letters")
	d.Keys("ctrl+u", "ana", "enter")
	writeResult(d, "ana.json")
	d.Sees("there is nothing to hand in, because no task was begun")
	if len(files) > 0 {
		t.Fatalf("empty results were written: %v", files)
	}

	d.Press("esc", "enter", "1", "enter", "enter", "Q")
	d.Sees("task 1 of 4")
	writeResult(d, "ana.json")
	result := chaintest.Must(lesson.DecodeResult([]byte(files["ana.json"])))(t)
	if result.Learner != "ana" || result.Lessons[0].Tasks[0].Given == "" {
		t.Errorf("handed in: %+v", result)
	}
	d.Press("o")
	d.Keys("ctrl+u", "enter")
	d.DoesNotSee("task 1 of 4")
}

func TestAChallengeIsSolvedInTheExplorerAndShowsTheShortestWay(t *testing.T) {
	keep := keeper()
	d := uitest.New(t, func(o app.Options) *ui.Model {
		o.Lessons = lesson.Challenges
		return ui.New(o)
	}, 120, 36)
	book(d).Storage = keep
	d.Press(LessonsKey, "v", "j", "j", "j", "j", "j", "j", "enter")
	d.Sees("bob sent nothing", "at most 4 messages")

	tryInLesson(d, "thief", `{"approve_all":{"operator":"$bob"}}`)
	tryInLesson(d, "mallory", `{"transfer_nft":{"recipient":"$mallory","token_id":"rose"}}`)
	d.Sees("at most 4 messages, 2 so far")
	d.Press("N")

	d.Sees("You needed 2 messages; the shortest way has 1.", "Your way:", "operator until height 1,200")
	if got := first(t, keep, "c7-past", 0); got.Messages != 2 || got.Par != 1 {
		t.Errorf("kept: %+v", got)
	}
}
