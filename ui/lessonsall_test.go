package ui

import (
	"testing"

	"ephemera/core/chain"
	"ephemera/ui/widget"
)

// A learner who answers every question wrong and then does what the strongest
// hint says comes through all lessons, and at 80×24 never has to scroll a story.
func TestEveryLessonIsPlayedToItsEndOnTheScreen(t *testing.T) {
	for _, size := range sizes {
		d := newDrive(t, New, size[0], size[1])
		d.press(lessonsKey, "b")
		for n := 1; ; n++ {
			playLesson(d, size[0] >= 80)
			if d.fits(); n == len(book(d).all) {
				d.sees("this was the last lesson")
				d.doesNotSee("next lesson")
				break
			}
			d.sees("next lesson")
			d.press("enter") // goes to the next lesson
		}
		for _, l := range book(d).all {
			if m := book(d).progress[l.ID]; !m.Done || m.Right != 0 || m.Asked == 0 {
				t.Errorf("lesson %s: %+v", l.ID, m)
			}
		}
	}
}

// playLesson plays the lesson in hand to what there is to remember.
func playLesson(d *drive, whole bool) {
	d.t.Helper()
	run := book(d).run
	for task := 0; !run.session.Over(); task++ {
		if run.session.At() != task {
			d.t.Fatalf("%s: task %d did not come after task %d", run.session.Lesson.ID, run.session.At()+1, task)
		}
		isWhole(d, whole)
		if ask := run.session.Asks(); ask != nil {
			key := "1"
			if ask.Choices[0] == ask.Answer {
				key = "2"
			}
			d.press(key)
			isWhole(d, whole)
			d.sees("Not so", "It is:")
			d.press("enter")
			if run.session.At() != task {
				continue // there was nothing to do but to answer
			}
		}
		d.press("esc", "H", "H", "H", "esc")
		for _, s := range run.session.Solution() {
			if m := s.Advance; m != nil {
				moveLesson(d, chain.Step{Blocks: m.Blocks, Duration: m.Time})
			}
			if at := s.At; at != nil {
				moveLesson(d, chain.Step{Height: at.Height, Time: at.Time})
			}
			if s.As != "" {
				doInLesson(d, s.As, string(s.Message))
			}
		}
		d.press("N")
	}
	isWhole(d, whole)
	d.sees("Remember", "predictions were right")
}

// isWhole fails where a dialog of the lesson hides some of what it says.
func isWhole(d *drive, whole bool) {
	d.t.Helper()
	d.fits()
	if !whole || len(d.model.Dialogs()) == 0 {
		return
	}
	if t, ok := d.model.Dialogs()[0].(*taskDialog); ok && t.scroll.Hidden() != (widget.Hidden{}) {
		d.t.Errorf("the story is longer than its dialog:\n%s", d.screen())
	}
}

func moveLesson(d *drive, by chain.Step) {
	d.t.Helper()
	if _, err := book(d).run.session.Chain().Advance(by); err != nil {
		d.t.Fatal(err)
	}
	d.readAgain()
}
