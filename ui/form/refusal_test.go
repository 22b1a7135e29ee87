package form_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestARefusedFormTellsTheRuleThatFailedAndLeadsToWhyAndToWhoMay(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 36}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press("e") // bob's approval on ape-04 expires
		d.ActAs("bob")
		d.UnderCursor("ape-04")
		d.Press("t")
		d.Types("carol")
		d.Sees("will be refused: Caller is not")
		if size[0] == 120 {
			d.Sees("alice owns the token, not bob", "height 1,110 ≥ 1,110: expired", "ctrl+y why", "ctrl+x act as alice, who may")
		}
		d.Press("ctrl+y")
		d.Sees("Why", "bob may not transfer ape-04")
		d.Press("esc", "ctrl+x")
		d.Sees("Transfer ape-04 as alice", "will work", "carol")
		d.DoesNotSee("act as alice, who may")
		d.Press("enter", "esc")
		d.Fits()
	}
}

func TestARefusalForWhatIsInTheMessageOffersNobodyElse(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("d")
	d.Press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
	d.Types("vault")
	d.Sees("will be refused", "rejected the token")
	d.DoesNotSee("ctrl+x", "The rules")
}
