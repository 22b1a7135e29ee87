package ui

import (
	"testing"

	"ephemera/ui/lessons"
	"ephemera/ui/uitest"
)

func TestWhatWasReadOfAChainThatWasLeftIsDropped(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	root(d).stale = true
	late := root(d).read()().(readMsg)
	late.facts.Revision = 1 << 40
	d.Press("7", "enter", "esc")
	d.Send(late)
	d.Sees("Flowers", "height 1,100")
	d.Press(".")
	d.Sees("height 1,101")

	check := root(d).lookAtLesson()().(lessons.CheckMsg)
	check.Check.Done = true
	d.Press("Q", "7", "j", "enter", "esc")
	d.Send(check)
	d.Press("N", "esc", "N")
	d.Sees("task 1 of 4")
}
