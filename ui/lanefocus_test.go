package ui

import (
	"testing"

	"ephemera/ui/uitest"
)

func TestTheLanesNameTheGrantsOfTheMarkUnderTheCursor(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 20}} {
		d := uitest.New(t, New, size[0], size[1])

		d.Press("l")
		d.Sees("LANES  ape-04 → bob, in 8 blocks", "mark 1 of 4")
		d.Fits()

		d.Press("right")
		d.Sees("LANES  minter offer → carol, in 48 blocks", "mark 2 of 4")

		d.Press("right", "right", "right")
		d.Sees("LANES  alice → dave (operator), never expires", "mark 4 of 4")

		d.Press("left")
		d.Sees("LANES  2 grants, the first in 39m 55s", "mark 3 of 4")

		d.Press("esc")
		d.DoesNotSee("LANES")
		d.Sees("CLOCK  height 1,102")
	}
}

func TestEnterListsTheGrantsOfAMarkInOrderWithTheirVerdicts(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("l", "right", "right", "enter")
	d.Sees("Grants that expire at a time · 1–2 of 2", "▸ ●  bob → erin (operator)", "●  ape-07 → carol", "✓ erin transfer")

	d.Press("j", "w")
	d.Sees("carol may transfer ape-07")
}

func TestTheListOfAMarkMovesTheClockToJustBeforeAnExpiryAndToIt(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("l", "enter")
	d.Sees("▸ ●  ape-04 → bob", "✓ bob transfer")

	d.Press("E")
	d.Sees("▸ ●  ape-04 → bob", "in 1 block", "✓ bob transfer")
	d.Press("E")
	d.Sees("the clock is just before this expiry already")

	d.Press("e")
	d.Sees("▸ ○  ape-04 → bob", "✗ bob transfer")
	d.Press("e")
	d.Sees("this grant has expired; the clock only moves forward, and u goes back")

	d.Press("esc")
	d.SeesIn(uitest.Clock, "height 1,110 · 2026-11-21 12:00:45 UTC")
}

func TestTheLanesCannotBeFocusedWithoutAMark(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.Do("bob", `{"revoke_all":{"operator":"$erin"}}`)
	d.Do("alice", `{"revoke":{"token_id":"ape-04","spender":"$bob"}}`)
	d.Do("alice", `{"revoke":{"token_id":"ape-07","spender":"$carol"}}`)
	d.Press("e", "l")
	d.Sees("no grant is in force")
}
