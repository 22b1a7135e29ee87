package ui

import (
	"fmt"
	"testing"

	"ephemera/core/chain"
)

func TestUndoTakesBackWhatTheClockSaidOfAnEnd(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("e")
	d.sees("○ bob's approval on ape-04 is over")
	d.press("u")
	d.doesNotSee("○ bob's approval on ape-04 is over")
	d.sees("ends next: ape-04 → bob in 8 blocks")
}

func TestTheHeightShowsInTheNarrowestTerminal(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {100, 30}} {
		d := newDrive(t, New, size[0], size[1])
		d.sees("height 1,102")
		d.press("e")
		d.sees("height 1,110")
		d.fits()
	}
}

func TestAPlayingClockSaysSoInEveryWidth(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}} {
		d := newDrive(t, New, size[0], size[1])
		root(d).clock.play = 1
		d.sees("playing 1/s")
	}
}

func TestTheFooterShowsTheKeysOfTheDialogThatTakesThem(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("p")
	d.sees("enter send", "esc cancel")
	d.doesNotSee("r revoke")
	d.press("esc", "w")
	d.sees("esc close")
	d.doesNotSee("enter turn it around") // no single step does
	d.press("esc")
	d.actAs("bob")
	d.press("w")
	d.sees("enter turn it around", "esc close")
	d.press("esc", "6", "enter")
	d.sees("esc stop typing")
	d.doesNotSee("? help")
}

func TestWhyRightAfterAnEndIsAboutWhoLostTheRight(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		d := newDrive(t, New, size[0], size[1])
		d.press("j", "e")
		d.sees("○ bob's approval on ape-04 is over  w why")
		d.press("w")
		d.sees("bob may not transfer ape-04", "height 1,110 ≥ 1,110: over")
		d.press("esc", "k")
		d.doesNotSee("is over  w")
		d.press("w")
		d.sees("alice may transfer ape-01")
	}
}

func TestWhyStaysWithTheAccountUnderTheCursorWhateverEnds(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("8", "j", "j")
	who := d.model.State().Call(root(d).subject().Account)
	d.press("e", "w")
	d.sees(who + " may not mint")
}

func TestAnEndThatAnotherMoveFollowsIsNoLongerAnnounced(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("e")
	d.sees("bob's approval on ape-04 is over")
	d.press(".")
	d.doesNotSee("bob's approval on ape-04 is over")
	d.sees("ends next: ")
}

func TestUndoPausesTheClockInsteadOfRunningAgainstIt(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(".", "P")
	d.sees("playing 1/s")
	d.press("u")
	d.sees("paused")
	d.doesNotSee("playing")
}

func TestAMoveOfTheClockTakesWhatWasSaidOfTheBlockBeforeAway(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(".", "u")
	d.sees("✓ undid the move of the clock")
	d.press(".")
	d.doesNotSee("undid the move")
}

func TestWhoReadsNanosecondsSeesThoseOfTheBlockWhateverEndsNextOrHasEnded(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}} {
		d := newDrive(t, New, size[0], size[1])
		d.press("f", "f")
		for _, key := range []string{"", "e", "e", ".", "u"} {
			if key != "" {
				d.press(key)
			}
			d.sees(fmt.Sprintf("height %s · %d ns", chain.Thousands(uint64(d.model.State().Clock.Height)), d.model.State().Clock.Time))
			d.fits()
		}
	}
}

func TestWhatEndsNextIsNamedWhereThereIsNoRoomForWhen(t *testing.T) {
	d := newDrive(t, New, 76, 24)
	d.press("f", "f")
	d.sees(" ns", "next: ape-04 → bob ")
	d.doesNotSee("bob at height 1110")
	d = newDrive(t, New, 40, 12)
	d.sees("height 1,102 next: ape-04 → bob ")
}
