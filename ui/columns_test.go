package ui_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestAColumnOfAListIsHiddenAndShownAgain(t *testing.T) {
	for key, column := range map[string]string{"1": "GRANTS", "2": "SPENDER", "3": "ACTS FOR", "8": "KIND"} {
		d := uitest.New(t, ui.New, 120, 36)
		choose := func() {
			d.Keys(":", "hide one", "enter")
			d.Types(column)
			d.Press("enter")
		}
		d.Press(key)
		d.Sees(column)
		choose()
		d.DoesNotSee(column)
		d.Fits()
		choose()
		d.Sees(column)
	}
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("6", ":", "hide one")
	d.Sees("this screen is no list")
}
