package ui

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestUndoRemovesTheNewsOfAnExpiry(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("e")
	d.Sees("▲ bob's approval on ape-04 expired · ! why")

	d.Press("u")
	d.DoesNotSee("bob's approval on ape-04 expired")
	d.Sees("next, in 8 blocks: ape-04 → bob")
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

func TestTheKeyOfTheNewsExplainsTheExpiredApprovalAndWhyTheCursor(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		d := uitest.New(t, New, size[0], size[1])
		d.Press("j", "e")
		d.SeesIn(uitest.News, "bob's approval on ape-04 expired · ! why")

		d.Press("!")
		d.Sees("bob may not transfer ape-04", "height 1,110 ≥ 1,110: expired")

		d.Press("esc", "w")
		d.Sees("alice may not transfer ape-02")

		d.Press("esc", ".", "!")
		d.Sees("no approval expired in the last move of the clock")
	}
}

func TestGrantsThatExpireInOneBlockAreCountedBeforeAndNamedAfterwards(t *testing.T) {
	c := uitest.Fixture(t)
	for _, token := range []string{"ape-01", "ape-07", "ape-10"} {
		uitest.Execute1(t, c, "alice", `{"approve":{"token_id":"`+token+`","spender":"$erin","expires":{"at_height":1110}}}`)
	}
	d := uitest.On(t, New, c, 120, 36)
	d.SeesIn(uitest.Clock, "next, in 8 blocks: ape-01 → erin, 3 more")

	d.Press("e")
	d.SeesIn(uitest.News, "▲ 4 grants expired: ape-01 → erin, ape-04 → bob, 2 more · ! why")
	d.SeesIn(uitest.Clock, "next, in 40 blocks: minter offer → carol ")

	d.Press("!")
	d.Sees("erin may not transfer ape-01")
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

// markColumns returns the columns of the screen in which a lane, the one of heights or
// the one of times, has a mark. The two columns behind the lane, "later" and "never",
// do not count.
func markColumns(d *uitest.Driver, title string) (columns []int) {
	line := ""
	for _, l := range strings.Split(d.Screen(), "\n") {
		if strings.HasPrefix(l, " "+title+" ") {
			line = l
		}
	}
	cells := []rune(line)
	for i := laneTitleWidth; i < len(cells)-laneEndWidth; i++ {
		if cells[i] != ' ' {
			columns = append(columns, i)
		}
	}
	return columns
}

func TestGrantsThatExpireTogetherHaveTheSameColumnInBothLanes(t *testing.T) {
	for _, width := range []int{80, 120, 160} {
		c := uitest.Fixture(t)
		uitest.Execute1(t, c, "alice", `{"revoke":{"token_id":"ape-04","spender":"$bob"}}`)
		uitest.Execute1(t, c, "carol", `{"approve":{"token_id":"ape-03","spender":"$bob","expires":{"at_height":1112}}}`)
		uitest.Execute1(t, c, "carol", `{"approve":{"token_id":"ape-03","spender":"$dave","expires":{"at_time":"1795262455000000000"}}}`)
		d := uitest.On(t, New, c, width, 36)

		for range 2 {
			height, at := markColumns(d, "height"), markColumns(d, "time")
			if len(height) == 0 || len(at) == 0 || height[0] != at[0] {
				t.Errorf("what expires in 10 blocks stands in columns %v, in 50 s in %v", height, at)
			}
			d.Press(".", ".")
		}
	}
}

func TestAChangeOfThePaceMovesTheMarksOfHeights(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	before := markColumns(d, "height")

	d.Press("T")
	d.Keys("tab", "backspace", "50", "enter")

	after := markColumns(d, "height")
	if before[0] >= after[0] {
		t.Errorf("8 blocks stand in column %d at 5 s a block and in column %d at 50 s", before[0], after[0])
	}
}

func TestTheFormOfTheClockSaysWhatExpiresOnTheWayAndMovesBothAxes(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("T")
	d.Types("h1109")
	d.SeesIn(uitest.Dialog, "to height 1,109, 2026-11-21 12:00:40 UTC", "no grant expires on the way")

	d.Press("ctrl+u")
	d.Types("h1110")
	d.SeesIn(uitest.Dialog, "1 grant expires on the way: ape-04 → bob")

	d.Press("ctrl+u")
	d.Types("2026-11-21 12:40")
	d.SeesIn(uitest.Dialog, "to height 1,581, 2026-11-21 12:40:00 UTC", "4 grants expire on the way: ape-04 → bob, minter offer → carol, 2 more")

	d.Press("enter")
	d.SeesIn(uitest.Clock, "height 1,581 · 2026-11-21 12:40:00 UTC")
	d.SeesIn(uitest.News, "4 grants expired: ape-04 → bob, minter offer → carol, 2 more")
}

func TestTheFormOfTheClockSaysThatTheAxesPartIfOnlyOneMoves(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("T")
	d.Types("h1200")
	d.Press("tab", "tab", "space")
	d.SeesIn(uitest.Dialog, "to height 1,200; the time stays 2026-11-21 12:00:05 UTC, so the two axes part",
		"2 grants expire on the way: ape-04 → bob, minter offer → carol")

	d.Press("enter")
	d.SeesIn(uitest.Clock, "height 1,200 · 2026-11-21 12:00:05 UTC")
}

func TestTheFormOfTheClockMovesByThePaceThatIsTypedIntoIt(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("T")
	d.Types("+10")
	d.Keys("tab", "backspace", "60")
	d.SeesIn(uitest.Dialog, "to height 1,112, 2026-11-21 12:10:05 UTC")

	d.Press("enter")
	d.SeesIn(uitest.Clock, "height 1,112 · 2026-11-21 12:10:05 UTC · 60 s a block")
}

func TestAnExpiryDuringPlayFlashesOnceAndTheClockLineStaysAsItIs(t *testing.T) {
	for _, still := range []bool{false, true} {
		d := uitest.New(t, New, 120, 36)
		d.Given(func(st *app.State) { st.NoMotion = still })
		flash := func() bool {
			th := d.Model.State().Theme
			return strings.Contains(d.Model.View(), strings.Split(th.Render(themes.Flash, "|"), "|")[0]+"  ape-04")
		}
		d.Press("E", "P") // one block before, and over it
		d.Sees("2026-11-21 12:00:45 UTC · 5 s a block · playing 1/s", "next, in 40 blocks: minter offer → carol")
		if flash() == still {
			t.Errorf("with motion %t, the row of what expired flashes: %t", !still, flash())
		}

		d.Press("P")
		d.Wait()
		d.Sees("2026-11-21 12:00:45 UTC · 5 s a block · paused")
		if flash() {
			t.Error("the row flashes for good")
		}
	}
	d := uitest.New(t, New, 80, 24)
	d.Press("P", "P", "e")
	d.Sees("height 1,110 · 12:00:45 UTC", "bob's approval on ape-04 expired")
	d.Fits()
}
