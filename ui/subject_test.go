package ui

import "testing"

func TestEveryOtherViewIsAKeyAndAChoiceAway(t *testing.T) {
	for _, c := range []struct{ typed, sees string }{
		{"time", "END AT A HEIGHT"}, {"matrix", "T transfer  B burn"}, {"dangling", "endless operator"}, {"branch", "the chain stands here"},
	} {
		d := newDrive(t, New, 120, 36)
		d.press("v")
		d.sees("Views")
		d.types(c.typed)
		d.press("enter")
		d.sees(c.sees)
		d.press("esc")
		d.doesNotSee(c.sees)
	}
}

func TestWhyKnowsWhatWasAskedInTheHistory(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.actAs("carol")
	d.press("b", "enter", "esc") // ape-01 is not hers
	d.to("History")
	d.actAs("bob")
	d.press("w")
	d.sees("carol may not burn", "alice owns the token, not carol")
}
