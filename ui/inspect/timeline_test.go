package inspect_test

import (
	"strings"
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

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
	d.Sees("renewable without the owner, W shows how", "◗──")
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
