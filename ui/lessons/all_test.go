package lessons_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
	"ephemera/ui"
	"ephemera/ui/lessons"
	"ephemera/ui/uitest"
	"ephemera/ui/widget"
)

// A learner who answers every question wrong and then does what the strongest
// hint says comes through all lessons, and at 80×24 never has to scroll a story.
func TestEveryLessonIsPlayedToItsEndOnTheScreen(t *testing.T) {
	for _, size := range uitest.AllSizes[1:] {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press(LessonsKey, "b")
		for n := 1; ; n++ {
			playLesson(d, size[0] >= 80)
			if d.Fits(); n == len(book(d).Lessons) {
				d.Sees("enter go back")
				d.DoesNotSee("next lesson")
				break
			}
			d.Sees("next lesson")
			d.Press("enter") // goes to the next lesson
		}
		for _, l := range book(d).Lessons {
			if m := book(d).Progress[l.ID]; !m.Done || m.Right != 0 || m.Asked == 0 {
				t.Errorf("lesson %s: %+v", l.ID, m)
			}
		}
	}
}

// playLesson plays the lesson in hand to what there is to remember.
func playLesson(d *uitest.Driver, whole bool) {
	d.T.Helper()
	run := book(d).CurrentRun
	for task := 0; !run.Session.IsOver(); task++ {
		if run.Session.TaskIndex() != task {
			d.T.Fatalf("%s: task %d did not come after task %d", run.Session.Lesson.ID, run.Session.TaskIndex()+1, task)
		}
		isWhole(d, whole)
		if ask := run.Session.Question(); ask != nil {
			key := "1"
			if ask.Choices[0].Text == ask.Answer {
				key = "2"
			}
			for i, choice := range ask.Choices {
				d.SeesIn(uitest.Dialog, fmt.Sprintf("%d  %s", i+1, strings.Fields(choice.Text)[0]))
			}
			d.Press(key, "enter")
			isWhole(d, whole)
			d.Sees("Not so", "It is:")
			d.Press("enter")
			if run.Session.TaskIndex() != task {
				continue // there was nothing to do but to answer
			}
		}
		d.Press("esc", "H", "H", "H", "esc")
		for _, s := range run.Session.Solution() {
			if m := s.Advance; m != nil {
				moveLesson(d, chain.ClockStep{Blocks: m.Blocks, Duration: m.Time})
			}
			if at := s.At; at != nil {
				moveLesson(d, chain.ClockStep{Height: at.Height, Time: at.Time})
			}
			switch s.Kind {
			case scenario.Query:
				run.Session.NoteQuery(s.Message)
			case scenario.Execute:
				tryInLesson(d, s.Sender, string(s.Message))
			}
		}
		d.ReadAgain()
		d.Press("N")
	}
	isWhole(d, whole)
	d.Sees("Remember", "predictions were right")
}

// isWhole fails where a dialog of the lesson hides some of what it says.
func isWhole(d *uitest.Driver, whole bool) {
	d.T.Helper()
	d.Fits()
	if !whole || len(d.Model.Dialogs()) == 0 {
		return
	}
	if t, ok := d.Model.Dialogs()[0].(*lessons.TaskDialog); ok && t.Hidden() != (widget.HiddenCounts{}) {
		d.T.Errorf("the story is longer than its dialog:\n%s", d.Screen())
	}
}

func moveLesson(d *uitest.Driver, by chain.ClockStep) {
	d.T.Helper()
	chaintest.Must(book(d).CurrentRun.Session.Chain().Advance(by))(d.T)
	d.ReadAgain()
}

// tryInLesson sends a message on the lesson's own chain, which may refuse it.
func tryInLesson(d *uitest.Driver, who, msg string) chain.Receipt {
	d.T.Helper()
	c := book(d).CurrentRun.Session.Chain()
	sender := chaintest.Must(chain.NewBook("cosmos", d.Model.State().Accounts).Resolve(who))(d.T)
	r := chaintest.Must(c.Execute(sender, []byte(msg)))(d.T)
	d.ReadAgain()
	return r
}
