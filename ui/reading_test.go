package ui

import "testing"

func TestWhatWasReadOfAChainThatWasLeftIsDropped(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	root(d).stale = true
	late := root(d).read()().(readMsg)
	late.facts.Revision = 1 << 40
	d.press("7", "enter", "esc")
	d.send(late)
	d.sees("Flowers", "height 1,100")
	d.press(".")
	d.sees("height 1,101")

	check := root(d).lookAtLesson()().(lessonCheckMsg)
	check.check.Done = true
	d.press("Q", "7", "j", "enter", "esc")
	d.send(check)
	d.press("N", "esc", "N")
	d.sees("task 1 of 4")
}
