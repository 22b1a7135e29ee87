package ui

import (
	"slices"
	"strings"
	"testing"
)

func TestTheProbeShowsThatAnApprovalIsOverAtItsVeryEnd(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("j", "j", "j", "B") // ape-04, bob's until height 1,110
	d.sees("ape-04 → bob", "alice → dave (operator)", "as bob", " transfer ",
		"end − 1  height 1,109", "✓ ape-04 went to bob",
		"end      height 1,110", "✗ Caller is not the contract's current owner",
		"end + 1  height 1,111")
	d.press("right")
	d.sees("✓ ape-04 went to market")
	d.press("right")
	d.sees("✓ burned ape-04")
	d.press("j")
	d.sees("as dave", "this right never ends, so there is no boundary to probe")
	d.fits()
	d.press("k", "enter")
	d.sees("height 1,109")
	d.press("esc")
	d.sees("ape-04") // it was not burned
}

func TestARightThatEndsIsProbedBeforeThoseThatEndedOrNeverEnd(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.do("alice", `{"approve":{"token_id":"ape-04","spender":"$dave","expires":{"at_height":1103}}}`)
	d.press(".")
	d.press("j", "j", "j", "B")
	d.sees("as bob", "end      height 1,110")
	d.press("j")
	d.sees("▸ ○ ape-04 → dave", "as dave", "end      height 1,103", "dave is an operator of alice; it never ends",
		"The answer is the same on both sides: another right carries on")
	d.press("j")
	d.sees("▸ ● alice → dave (operator)", "this right never ends")
	d.fits()
}

func TestTheProbeOfAMomentIsANanosecondWide(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	for range 6 {
		d.press("j") // ape-07, carol's until 12:40
	}
	d.press("B")
	d.sees("12:39:59.999999999 UTC", "✓ ape-07 went to carol", "12:40:00.000000001 UTC")
	d.fits()
}

func TestNothingToProbeIsSaid(t *testing.T) {
	d := newDrive(t, New, 60, 20)
	d.press("G", "B") // of carol, who has no operators, without approvals
	d.sees("nobody was given a right here that could end")
	d.fits()
}

func TestALowProbeScrollsToItsEnd(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.press("j", "j", "j", "B")
	d.sees("ape-04 → bob", "end − 1  height 1,109", "✓ ape-04 went to bob", "more lines")
	d.doesNotSee("kept")
	d.press("pgdown", "pgdown", "pgdown", "pgdown")
	d.sees("Nothing of this was", "▴")
	d.press("l")
	d.sees("end − 1  height 1,109", "✓ ape-04 went to market") // from the top again
	d.fits()
}

func TestTheAnswersOfAProbeStandBelowEachOtherAndHangBehindTheirSigns(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {72, 40}, {80, 24}, {100, 40}, {120, 36}} {
		for _, down := range []int{3, 6} { // an end at a height, and one at a time
			for form := range 3 {
				d := newDrive(t, New, size[0], size[1])
				for range form {
					d.press("f")
				}
				for range down {
					d.press("j")
				}
				d.press("B")
				var signs, texts []int
				for line := range strings.SplitSeq(d.reads(), "\n") {
					cells := []rune(line)
					from, to := slices.Index(cells, '│'), len(cells)-1
					for to > from && cells[to] != '│' {
						to--
					}
					if from < 0 || from == to || strings.Contains(line, "▸") || strings.Contains(line, "kept") {
						continue
					}
					in := string(cells[from+1 : to])
					switch at := strings.IndexAny(in, "✓✗"); {
					case at >= 0:
						signs = append(signs, len([]rune(in[:at])))
					case strings.Contains(in, "has an approval") || strings.TrimSpace(in) == "current owner" || strings.Contains(in, ": live"):
						texts = append(texts, len(in)-len(strings.TrimLeft(in, " ")))
					}
				}
				slices.Sort(signs)
				slices.Sort(texts)
				if len(signs) == 0 || len(slices.Compact(signs)) != 1 || len(texts) == 0 || len(slices.Compact(texts)) != 1 || texts[0] != signs[0]+2 {
					t.Errorf("%d×%d, form %d, right %d: signs begin at %v, texts at %v:\n%s", size[0], size[1], form, down, signs, texts, d.screen())
				}
				d.fits()
			}
		}
	}
}
