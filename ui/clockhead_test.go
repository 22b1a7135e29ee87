package ui

import "testing"

func TestUndoTakesBackWhatTheClockSaidOfAnEnd(t *testing.T) {
	d := newDrive(t, 120, 36)
	d.press("e")
	d.sees("○ bob's approval on ape-04 is over")
	d.press("u")
	d.doesNotSee("○ bob's approval on ape-04 is over")
	d.sees("next: ape-04 → bob in 8 blocks")
}

func TestTheHeightShowsInTheNarrowestTerminal(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {100, 30}} {
		d := newDrive(t, size[0], size[1])
		d.sees("height 1,102")
		d.press("e")
		d.sees("height 1,110")
		d.fits()
	}
}

func TestAPlayingClockSaysSoInEveryWidth(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}} {
		d := newDrive(t, size[0], size[1])
		d.model.clock.play = 1
		d.sees("playing 1/s")
	}
}

func TestTheFooterShowsTheKeysOfTheDialogThatTakesThem(t *testing.T) {
	d := newDrive(t, 120, 36)
	d.press("p")
	d.sees("enter send", "esc cancel")
	d.doesNotSee("r revoke")
	d.press("esc", "w")
	d.sees("enter turn it around", "esc close")
	d.press("esc", "6", "enter")
	d.sees("esc stop typing")
	d.doesNotSee("? help")
}
