package ui

import (
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

func TestTheTimelineShowsThatAGrantIsOverAtTheBlockOfItsEnd(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("L")
	d.sees("Timeline", "END AT A HEIGHT", "ape-04 → bob", "END AT A TIME", "NEVER END", "height 1,102 now",
		"✓ bob transfer", "height 1,102 < 1,110: live")
	d.press("e")
	d.sees("height 1,110 in 8 blocks", "○ ape-04 → bob", "✗ bob transfer", "height 1,110 ≥ 1,110: over")
	d.press("E")
	d.sees("height 1,109 in 7 blocks", "● ape-04 → bob", "✓ bob transfer", "height 1,109 < 1,110: live")
	d.fits()
	d.press("enter")
	d.sees("height 1,109 now")
	d.press("esc")
	d.sees("CLOCK  height 1,109")
	d.doesNotSee("Timeline ─")
}

func TestScrubbingIntoThePastShowsTheStateThenAndGoesThere(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(">")
	d.do("alice", `{"revoke":{"token_id":"ape-04","spender":"$bob"}}`)
	d.press("L")
	d.doesNotSee("ape-04 → bob")
	d.press("left", "left", "left")
	d.sees("height 1,109", "3 blocks ago", "● ape-04 → bob")
	d.press("right")
	d.sees("○ ape-04 → bob")
	d.press("0", "H")
	d.sees("height 1,102 10 blocks ago") // there is nothing before the beginning
	d.press("enter")
	d.sees("went to #")
	d.press("esc")
	d.sees("height 1,102", "bob in 8 blocks")
}

func TestTheTimelineZoomsAroundItsCursorAndTakesEveryGrant(t *testing.T) {
	d := newDrive(t, New, 80, 24)
	d.press("L")
	for range 14 {
		d.press("-")
		d.fits()
	}
	d.sees("100,000 blocks a cell")
	for range 14 {
		d.press("+", "j")
		d.fits()
	}
	d.sees("1 block a cell")
	d.press("G", "0", "w")
	d.sees("Why")
	d.fits()
}

func TestTheTimelineFitsAnySize(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}, {220, 70}} {
		d := newDrive(t, New, size[0], size[1])
		d.press("L")
		d.fits()
		for _, k := range []string{"h", "H", "j", "k", "e", "L", "l", "-", "h", "0", "E"} {
			d.press(k)
			d.fits()
		}
	}
}

func TestAMomentOfThePastIsFoundWithinAMoveOfTheClock(t *testing.T) {
	c := fixture(t)
	must := func(_ chain.Move, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.Advance(chain.Step{Blocks: 10}))
	execute1(t, c, "alice", `{"burn":{"token_id":"ape-01"}}`)
	must(c.Advance(chain.Step{Blocks: 10}))
	for _, x := range []struct {
		height cw721.Height
		tokens uint64
		past   bool
	}{{1102, 24, true}, {1105, 24, true}, {1111, 24, true}, {1112, 23, true}, {1115, 23, true}, {1122, 23, false}, {1130, 23, false}} {
		err := lookAt(c, x.height, func(v *chain.View, node history.ID) error {
			all, err := v.Collection()
			if v.Clock.Height != x.height || all.Tokens != x.tokens || (node != 0) != x.past {
				t.Errorf("at %d: height %d, %d tokens, node %d", x.height, v.Clock.Height, all.Tokens, node)
			}
			if want := cw721.Time(1_795_262_405_000_000_000) + cw721.Time(x.height-1102)*5_000_000_000; v.Clock.Time != want {
				t.Errorf("at %d: time %d, expected %d", x.height, v.Clock.Time, want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	err := lookAt(c, 1<<64-1, func(*chain.View, history.ID) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "last") {
		t.Errorf("beyond all times: %v", err)
	}
}

func TestALowTimelineSaysAllThatAGrantAllows(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.press("L")
	d.sees("grant 1 of 5", "ape-04 → bob", "in 8 blocks", "✓ bob transfer, send, burn")
	d.press("e")
	d.sees("✗ bob transfer, send, burn")
	d.fits()
}

func TestNoNumberOfTheRulersIsCutAndNoKeyOfTheHint(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {97, 30}} {
		d := newDrive(t, New, size[0], size[1])
		d.press("L")
		for _, key := range []string{"0", "right", "-", "-", "-", "+", "left", "H"} {
			d.press(key)
			for _, line := range strings.Split(d.screen(), "\n") {
				if (strings.Contains(line, "a cell") || strings.Contains(line, " UTC   ") || strings.Contains(line, "zoom")) && strings.Contains(line, "…") {
					t.Errorf("%v: cut: %s", size, line)
				}
			}
			d.sees("← → block", "zoom", "enter ")
		}
		d.do("minter", `{"mint":{"token_id":"x","owner":"$alice"}}`)
	}
}
