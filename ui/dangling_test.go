package ui

import "testing"

func TestDanglingRightsAreListedAndTakenAwayInTwoKeys(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(":")
	d.types("dangling")
	d.press("enter")
	d.sees("Dangling rights", "endless operator", "the operator grant from alice to dave never ends", "takes it away as alice")
	d.press("enter")
	d.sees("Turn it around as alice", "will work", "revoke_all")
	d.press("enter")
	d.sees("nothing here would surprise anybody")
	d.fits()
}

func TestAnApprovalWhoseGiverLostTheRightIsFound(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.do("dave", `{"approve":{"token_id":"ape-01","spender":"$carol"}}`)
	d.do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.press("D")
	d.sees("lost giver", "the approval for carol on ape-01 lives on", "may no longer approve on behalf of alice", "brought about by #")
	d.press("w")
	d.sees("carol may transfer")
	d.press("esc", "B")
	d.sees("never ends, so there is no boundary")
	d.fits()
}

func TestTheListOfDanglingRightsFitsAnySize(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {120, 36}} {
		d := newDrive(t, New, size[0], size[1])
		d.do("alice", `{"approve":{"token_id":"ape-01","spender":"$alice"}}`)
		d.press("D")
		for _, k := range []string{"j", "k", "G", "g", "enter", "esc"} {
			d.press(k)
			d.fits()
		}
	}
}

func TestNoKeyIsNamedForARightThatIsNotThere(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("D")
	d.sees("take it away", "probe it")
	d.press("esc")
	d.do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.press("D")
	d.sees("nothing here would surprise anybody", "esc close")
	d.doesNotSee("take it away", "probe it")
}
