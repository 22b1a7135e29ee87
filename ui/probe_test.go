package ui

import "testing"

func TestTheProbeShowsThatAnApprovalIsOverAtItsVeryEnd(t *testing.T) {
	d := newDrive(t, 120, 36)
	d.press("j", "j", "j", "B") // ape-04, bob's until height 1,110
	d.sees("ape-04 → bob", "alice → dave (operator)", "as bob", " transfer ",
		"end − 1  height 1,109", "✓ ape-04 went to bob",
		"end      height 1,110", "✗ Caller is not the contract's current owner",
		"end + 1  height 1,111")
	d.press("right")
	d.sees("✓ ape-04 went to market")
	d.press("right")
	d.sees("✓ burned ape-04")
	d.press("j")
	d.sees("as dave", "this right never ends, so there is no boundary to probe")
	d.fits()
	d.press("k", "enter")
	d.sees("height 1,109")
	d.press("esc")
	d.sees("ape-04") // it was not burned
}

func TestARightThatEndsIsProbedBeforeThoseThatEndedOrNeverEnd(t *testing.T) {
	d := newDrive(t, 120, 36)
	d.do("alice", `{"approve":{"token_id":"ape-04","spender":"$dave","expires":{"at_height":1103}}}`)
	d.press(".")
	d.press("j", "j", "j", "B")
	d.sees("as bob", "end      height 1,110")
	d.press("j")
	d.sees("▸ ○ ape-04 → dave", "as dave", "end      height 1,103", "dave is an operator of alice; it never ends",
		"The answer is the same on both sides: another right carries on")
	d.press("j")
	d.sees("▸ ● alice → dave (operator)", "this right never ends")
	d.fits()
}

func TestTheProbeOfAMomentIsANanosecondWide(t *testing.T) {
	d := newDrive(t, 120, 36)
	for range 6 {
		d.press("j") // ape-07, carol's until 12:40
	}
	d.press("B")
	d.sees("12:39:59.999999999 UTC", "✓ ape-07 went to carol", "12:40:00.000000001 UTC")
	d.fits()
}

func TestNothingToProbeIsSaid(t *testing.T) {
	d := newDrive(t, 60, 20)
	d.press("G", "B") // of carol, who has no operators, without approvals
	d.sees("nobody was given a right here that could end")
	d.fits()
}

func TestALowProbeScrollsToItsEnd(t *testing.T) {
	d := newDrive(t, 40, 12)
	d.press("j", "j", "j", "B")
	d.sees("ape-04 → bob", "end − 1  height 1,109", "✓ ape-04 went to bob", "more lines")
	d.doesNotSee("kept")
	d.press("pgdown", "pgdown", "pgdown", "pgdown")
	d.sees("Nothing of this was", "▴")
	d.press("l")
	d.sees("end − 1  height 1,109", "✓ ape-04 went to market") // from the top again
	d.fits()
}
