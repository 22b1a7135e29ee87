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

func TestTheClockLineShowsThatTheClockPlaysInEverySize(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}} {
		d := uitest.New(t, New, size[0], size[1])
		root(d).clock.runningPlay = 1
		d.Sees("playing 1/s")
	}
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
