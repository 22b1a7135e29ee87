package ui

import (
	"fmt"
	"testing"

	"ephemera/core/chain"
	"ephemera/ui/uitest"
)

func TestUndoTakesBackWhatTheClockSaidOfAnEnd(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("e")
	d.Sees("○ bob's approval on ape-04 expired")
	d.Press("u")
	d.DoesNotSee("○ bob's approval on ape-04 expired")
	d.Sees("expires next: ape-04 → bob in 8 blocks")
}

func TestTheHeightShowsInTheNarrowestTerminal(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {100, 30}} {
		d := uitest.New(t, New, size[0], size[1])
		d.Sees("height 1,102")
		d.Press("e")
		d.Sees("height 1,110")
		d.Fits()
	}
}

func TestAPlayingClockSaysSoInEveryWidth(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}} {
		d := uitest.New(t, New, size[0], size[1])
		root(d).clock.play = 1
		d.Sees("playing 1/s")
	}
}

func TestTheFooterShowsTheKeysOfTheDialogThatTakesThem(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("p")
	d.Sees("enter send", "esc cancel")
	d.DoesNotSee("r revoke")
	d.Press("esc", "w")
	d.Sees("esc close")
	d.DoesNotSee("enter change the decision") // no single step does
	d.Press("esc")
	d.ActAs("bob")
	d.Press("w")
	d.Sees("enter change the decision", "esc close")
	d.Press("esc", "6", "enter")
	d.Sees("esc stop typing")
	d.DoesNotSee("? help")
}

func TestWhyRightAfterAnEndIsAboutWhoLostTheRight(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		d := uitest.New(t, New, size[0], size[1])
		d.Press("j", "e")
		d.Sees("○ bob's approval on ape-04 expired  w why")
		d.Press("w")
		d.Sees("bob may not transfer ape-04", "height 1,110 ≥ 1,110: expired")
		d.Press("esc", "k")
		d.DoesNotSee("expired  w")
		d.Press("w")
		d.Sees("alice may transfer ape-01")
	}
}

func TestWhyStaysWithTheAccountUnderTheCursorWhateverEnds(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("8", "j", "j")
	who := d.Model.State().Call(root(d).subject().Account)
	d.Press("e", "w")
	d.Sees(who + " may not mint")
}

func TestAnEndThatAnotherMoveFollowsIsNoLongerAnnounced(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("e")
	d.Sees("bob's approval on ape-04 expired")
	d.Press(".")
	d.DoesNotSee("bob's approval on ape-04 expired")
	d.Sees("expires next: ")
}

func TestUndoPausesTheClockInsteadOfRunningAgainstIt(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press(".", "P")
	d.Sees("playing 1/s")
	d.Press("u")
	d.Sees("paused")
	d.DoesNotSee("playing")
}

func TestAMoveOfTheClockTakesWhatWasSaidOfTheBlockBeforeAway(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press(".", "u")
	d.Sees("✓ undid the move of the clock")
	d.Press(".")
	d.DoesNotSee("undid the move")
}

func TestWhoReadsNanosecondsSeesThoseOfTheBlockWhateverEndsNextOrHasEnded(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}} {
		d := uitest.New(t, New, size[0], size[1])
		d.Press("f", "f")
		for _, key := range []string{"", "e", "e", ".", "u"} {
			if key != "" {
				d.Press(key)
			}
			d.Sees(fmt.Sprintf("height %s · %d ns", chain.Thousands(uint64(d.Model.State().Clock.Height)), d.Model.State().Clock.Time))
			d.Fits()
		}
	}
}

func TestWhatEndsNextIsNamedWhereThereIsNoRoomForWhen(t *testing.T) {
	d := uitest.New(t, New, 76, 24)
	d.Press("f", "f")
	d.Sees(" ns", "next: ape-04 → bob ")
	d.DoesNotSee("bob at height 1110")
	d = uitest.New(t, New, 40, 12)
	d.Sees("height 1,102 next: ape-04 → bob ")
}
