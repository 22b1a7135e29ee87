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
		d.Keys("t", "carol")
		d.Sees("will be refused: Caller is not")
		if size[0] == 120 {
			d.Sees("alice owns the token, not bob", "height 1,110 ≥ 1,110: expired", "ctrl+y why", "ctrl+x act as alice, who may")
		}
		d.Press("ctrl+y")
		d.SeesIn(uitest.Dialog, "Why", "bob may not transfer ape-04")
		d.Press("esc", "ctrl+x")
		d.SeesIn(uitest.Dialog, "Transfer ape-04 as alice", "will work", "carol")
		d.DoesNotSee("act as alice, who may")
		d.Press("enter", "esc")
		d.Fits()
	}
}

func TestARefusalForWhatIsInTheMessageOffersNobodyElse(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("d", "ctrl+u", "vault")
	d.Sees("will be refused", "vault refuses tokens; c on Accounts changes that")
	d.DoesNotSee("ctrl+x", "The rules")
}

func TestAFormSendsAsWhomItsLastFieldSaysWhoeverActs(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.UnderCursor("ape-04") // of alice, who acts
		d.Keys("t", "carol", "tab")
		d.Sees("Transfer ape-04 as alice", "Sender", "will work")
		d.Types("zo")
		d.Sees(`no account is named "zo": enter`)
		d.DoesNotSee("will work", "Transfer ape-04 as alice")
		d.Press("enter", "enter") // asks, and adds
		d.Sees("Transfer ape-04 as zo", "will be refused")
		d.Press("ctrl+x")
		d.Sees("Transfer ape-04 as alice", "will work")
		d.Fits()
		d.Press("esc", "b") // a form without another field
		d.Sees("Burn ape-04 as alice")
		d.Keys("tab", "erin")
		d.Sees("Burn ape-04 as erin", "will be refused")
		d.Press("enter", "esc", ",")
		d.Sees("as ● alice")
		d.DoesNotSee("Sender")
	}
}
