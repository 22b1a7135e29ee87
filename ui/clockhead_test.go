package ui

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
	"ephemera/ui/widget"
)

func TestUndoRemovesTheExpiryFromTheClockLine(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("e")
	d.Sees("○ bob's approval on ape-04 expired")
	d.Press("u")
	d.DoesNotSee("○ bob's approval on ape-04 expired")
	d.Sees("expires next: ape-04 → bob in 8 blocks")
}

func TestTheClockLineShowsThatTheClockPlaysInEverySize(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}} {
		d := uitest.New(t, New, size[0], size[1])
		root(d).clock.runningPlay = 1
		d.Sees("playing 1/s")
	}
}

func TestTheFooterShowsTheKeysOfTheTopDialog(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("p")
	d.Sees("enter send", "esc cancel")
	d.DoesNotSee("r revoke")

	d.Press("esc", "w")
	d.Sees("esc close")
	d.Sees("enter change the decision", "enter opens the transfer")

	d.Press("esc")
	d.ActAs("bob")
	d.Press("w")
	d.Sees("enter change the decision", "esc close")

	d.Press("esc", "6", "enter")
	d.Sees("esc stop typing")
	d.DoesNotSee("? help")
}

func TestWhyAfterAnExpiryIsAboutTheExpiredApproval(t *testing.T) {
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

func TestWhyIsAboutTheAccountUnderTheCursorEvenAfterAnExpiry(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("8", "j", "j")
	who := d.Model.State().DisplayName(root(d).subject().Account)
	d.Press("e", "w")
	d.Sees(who + " may not mint")
}

func TestTheNextMoveOfTheClockRemovesTheExpiryOfTheLastOne(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("e")
	d.Sees("bob's approval on ape-04 expired")
	d.Press(".")
	d.DoesNotSee("bob's approval on ape-04 expired")
	d.Sees("expires next: ")
}

func TestUndoPausesAPlayingClock(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press(".", "P")
	d.Sees("playing 1/s")
	d.Press("u")
	d.SeesIn(uitest.Clock, "paused")
	d.DoesNotSee("playing")
}

func TestAMoveOfTheClockRemovesTheNoticeAboutTheBlockBefore(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press(".", "u")
	d.Sees("✓ undid the move of the clock")
	d.Press(".")
	d.DoesNotSee("undid the move")
}

func TestTheClockLineShowsNanosecondsOfTheBlockBesideEveryExpiry(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}} {
		d := uitest.New(t, New, size[0], size[1])
		d.Press("f", "f")
		for _, key := range []string{"", "e", "e", ".", "u"} {
			if key != "" {
				d.Press(key)
			}
			d.Sees(fmt.Sprintf("height %s · %d ns", human.Thousands(uint64(d.Model.State().Clock.Height)), d.Model.State().Clock.Time))
			d.Fits()
		}
	}
}

func TestANarrowClockLineNamesTheNextGrantWithoutItsExpiry(t *testing.T) {
	d := uitest.New(t, New, 76, 24)
	d.Press("f", "f")
	d.SeesIn(uitest.Clock, " ns", "next: ape-04 → bob ")
	d.DoesNotSee("bob at height 1110")
	d = uitest.New(t, New, 40, 12)
	d.Sees("height 1,102 next: ape-04 → bob ")
}

func TestGrantsThatExpireTogetherHaveTheSameColumnInBothLanes(t *testing.T) {
	c := uitest.Fixture(t)
	uitest.Execute1(t, c, "carol", `{"approve":{"token_id":"ape-03","spender":"$bob","expires":{"at_height":1112}}}`)
	uitest.Execute1(t, c, "carol", `{"approve":{"token_id":"ape-03","spender":"$dave","expires":{"at_time":"1795262455000000000"}}}`)
	d := uitest.On(t, New, c, 160, 36)
	column := func(text string) int {
		lines := strings.Split(d.Screen(), "\n")
		for _, l := range lines[len(lines)-4:] {
			if before, _, ok := strings.Cut(l, text); ok {
				return widget.Width(before)
			}
		}
		t.Fatalf("no lane shows %q:\n%s", text, d.Screen())
		return 0
	}
	height, at := column("◗ape-03 → bob"), column("◗ape-03 → dave")
	if height != at {
		t.Errorf("+10 blocks stand in column %d, +50s in column %d", height, at)
	}
	if tick := column("·+1 "); tick != column("·5s ") {
		t.Errorf("a tick of one block stands in column %d, that of 5 s in column %d", tick, column("·5s "))
	}

	d.Press("E")
	d.SeesIn(uitest.Clock, "▏now", "1,109")
	if height, at := column("◗ape-03 → bob"), column("◗ape-03 → dave"); height != at {
		t.Errorf("later they stand in columns %d and %d", height, at)
	}
}

func TestAChangeOfThePaceMovesTheMarksOfHeights(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	before := d.Screen()
	d.Given(func(st *app.State) { st.Clock.SecondsPerBlock, st.Revision = 50, st.Revision+1 })
	lane := func(screen string) int { _, l, _ := strings.Cut(screen, "\n height"); return strings.Index(l, "◗") }
	if a, b := lane(before), lane(d.Screen()); a >= b {
		t.Errorf("8 blocks stand in column %d at 5 s a block and in column %d at 50 s", a, b)
	}
}

func TestAnExpiryDuringPlayFlashesOnceAndKeepsTheDateOnTheClockLine(t *testing.T) {
	for _, still := range []bool{false, true} {
		d := uitest.New(t, New, 120, 36)
		d.Given(func(st *app.State) { st.NoMotion = still })
		flash := func() bool {
			th := d.Model.State().Theme
			return strings.Contains(d.Model.View(), strings.Split(th.Render(themes.Flash, "|"), "|")[0]+"  ape-04")
		}
		d.Press("E", "P") // one block before, and over it
		d.Sees("2026-11-21 12:00:45 UTC · playing 1/s", "○ bob's approval on ape-04 expired")
		if flash() == still {
			t.Errorf("with motion %t, the row of what expired flashes: %t", !still, flash())
		}

		d.Press("P")
		d.Wait()
		d.Sees("2026-11-21 12:00:45 UTC · 5 s a block", "○ bob's approval on ape-04 expired  w why")
		if flash() {
			t.Error("the row flashes for good")
		}
	}
	d := uitest.New(t, New, 80, 24)
	d.Press("P", "P", "e")
	d.Sees("height 1,110 · 12:00:45 UTC", "bob's approval on ape-04 expired")
	d.Fits()
}
