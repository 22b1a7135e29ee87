package ui

import "testing"

func TestWhyReadsTheRulesInOrderAndItsFlipIsOneKeyAway(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.actAs("erin")
	d.press("w")
	d.sees("erin may not transfer ape-01: “Caller is not the contract's current owner”",
		"1 ✗ owner", "alice owns the token, not erin", "2 ✗ approval", "erin has no approval on the token",
		"3 ✗ operator", "erin is not an operator of alice", "alice approves erin for this token")
	d.press("enter")
	d.sees("Turn it around as alice", "Expires", "will work", `"spender":"`+string(addressOf(t, "erin")))
	d.types("+5")
	d.press("enter")
	d.sees("erin may transfer", "2 ✓ approval", "height 1,102 < 1,107: live", "the approval is over at height 1,107 (in 5 blocks)")
	d.press("enter") // the flip is the clock now
	d.sees("height 1,107", "erin may not transfer", "height 1,107 ≥ 1,107: over")
	d.press("esc")
	d.sees("as ● erin") // the person acts as before
	d.fits()
}

func TestWhyAsksAboutAnyActionAndAnyAccount(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("w", "right", "right", "right")
	d.sees("alice may approve", "alice owns the token")
	d.press("shift+tab")
	for range 5 {
		d.press("backspace")
	}
	d.types("dave")
	d.sees("dave may approve", "dave is an operator of alice; it never ends", "alice revokes dave as operator")
	d.types("zzz")
	d.sees("✗", "davezzz")
	d.fits()
}

func TestWhyNamesTheTokenThatIsNotThere(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("w", "tab")
	d.types("-no")
	d.sees("not found")
	d.fits()
}
