package ui

import (
	"testing"

	"ephemera/ui/uitest"
)

func TestTheChooserOfViewsOpensEachView(t *testing.T) {
	for _, c := range []struct{ typed, sees string }{
		{"time", "EXPIRE AT A HEIGHT"}, {"dangling", "endless operator"}, {"branch", "the chain stands here"},
	} {
		d := uitest.New(t, New, 120, 36)
		d.Press("v")
		d.SeesIn(uitest.Dialog, "Views")

		d.Types(c.typed)
		d.Press("enter")
		d.Sees(c.sees)

		d.Press("esc")
		d.DoesNotSee(c.sees)
	}
}

func TestWhyInTheHistoryIsAboutTheRefusedAction(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.ActAs("carol")
	d.Press("b", "enter", "esc") // ape-01 is not hers
	d.To("History")
	d.ActAs("bob")
	d.Press("w")
	d.Sees("carol may not burn", "alice owns the token, not carol")
}
