package inspect_test

import (
	"strings"
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestTheTimelineShowsThatAGrantHasExpiredInTheBlockOfItsExpiry(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("L")
	d.Sees("Timeline", "EXPIRE AT A HEIGHT", "ape-04 → bob", "EXPIRE AT A TIME", "NEVER EXPIRE", "height 1,102 now",
		"✓ bob transfer", "height 1,102 < 1,110: live")
	d.Press("e")
	d.Sees("height 1,110 in 8 blocks", "○ ape-04 → bob", "✗ bob transfer", "height 1,110 ≥ 1,110: expired")
	d.Press("E")
	d.Sees("height 1,109 in 7 blocks", "● ape-04 → bob", "✓ bob transfer", "height 1,109 < 1,110: live")
	d.Fits()
	d.Press("enter")
	d.Sees("height 1,109 now")
	d.Press("esc")
	d.Sees("CLOCK  height 1,109")
	d.DoesNotSee("Timeline ─")
}

func TestTheTimelineShowsThePastAndGoesThere(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(">")
	d.Do("alice", `{"revoke":{"token_id":"ape-04","spender":"$bob"}}`)
	d.Press("L")
	d.DoesNotSee("ape-04 → bob")
	d.Press("left", "left", "left")
	d.Sees("height 1,109", "3 blocks ago", "● ape-04 → bob")
	d.Press("right")
	d.Sees("○ ape-04 → bob")
	d.Press("0")
	for range 10 {
		d.Press("left")
	}
	d.Sees("height 1,102", "10 blocks ago") // there is nothing before the beginning
	d.Press("enter")
	d.Sees("went to #")
	d.Press("esc")
	d.Sees("height 1,102", "bob in 8 blocks")
}

func TestTheTimelineZoomsAroundItsCursorAndTakesEveryGrant(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Press("L")
	for range 14 {
		d.Press("-")
		d.Fits()
	}
	d.Sees("100,000 blocks a cell")
	for range 14 {
		d.Press("+", "j")
		d.Fits()
	}
	d.Sees("1 block a cell")
	d.Press("G", "0", "w")
	d.SeesIn(uitest.Dialog, "Why")
	d.Fits()
}

func TestALowTimelineSaysWhatAGrantPermits(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.Press("L")
	d.Sees("grant 1 of 5", "ape-04 → bob", "in 8 blocks", "✓ bob transfer, send, burn")
	d.Press("e")
	d.Sees("✗ bob transfer, send, burn")
	d.Fits()
}

func TestTheRulersShowWholeNumbers(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {97, 30}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press("L")
		for _, key := range []string{"0", "right", "-", "-", "-", "+", "left", "H"} {
			d.Press(key)
			for _, line := range strings.Split(d.Screen(), "\n") {
				if (strings.Contains(line, "a cell") || strings.Contains(line, " UTC   ") || strings.Contains(line, "zoom")) && strings.Contains(line, "…") {
					t.Errorf("%v: cut: %s", size, line)
				}
			}
			d.SeesIn(uitest.Footer, "enter ", "← block")
		}
		d.Do("minter", `{"mint":{"token_id":"x","owner":"$alice"}}`)
	}
}

func TestTheTimelineDrawsTheRealExpiryOfAGrant(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("L", "-", "-", "-", "-")
	d.DoesNotSee("outlived")
	for range 5 {
		d.Press("j")
		if strings.Contains(d.Screen(), "bob → erin (operator)  given") {
			break
		}
	}
	d.Sees("outlived, W shows how", "◗──")
	d.Press("W")
	d.Sees("who can transfer ape-02 as erin")
}

func TestTheTimelineLabelsPastBlocksWithTheirRecordedTimes(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("T")
	d.Types("h1200")
	d.Press("tab", "tab", "space", "enter") // the time stays

	d.Press("L")
	times := ""
	for _, line := range strings.Split(d.Screen(), "\n") {
		if strings.Contains(line, " UTC    ") {
			times = line
		}
	}
	if !strings.Contains(times, "│12:00:05") || strings.Contains(times, "│11:") {
		t.Errorf("the ruler of times is %q", times)
	}
	d.Sees("height 1,200 now · 2026-11-21 12:00:05 UTC")
}

func TestTheTimelineOpensOnAGrantOfTheTokenUnderTheCursor(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	for range 6 {
		d.Press("j")
	}
	d.UnderCursor("ape-07")
	d.Press("L")
	d.Sees("▸ ● ape-07 → carol")
}

func TestTheTimelineOpensOnALiveGrantIfTheTokenHasNone(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("e", "L")
	d.Sees("○ ape-04 → bob", "▸ ● minter offer → carol")
}
