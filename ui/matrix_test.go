package ui

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTheMatrixShowsWhoMayDoWhatNowAndAtAnotherBlock(t *testing.T) {
	d := newDrive(t, 120, 36)
	d.press("M")
	d.sees("Access matrix", "height 1,102 now", "ape-04", "TBA =", "TB· a", "TBA o")
	d.press("L")
	d.sees("height 1,112 in 10 blocks")
	if strings.Contains(d.row("ape-04"), "TB· a") {
		t.Fatalf("the approval of bob is over:\n%s", d.screen())
	}
	d.press("c")
	d.sees("compared with now", "now → then", "TB·→···")
	d.press("0")
	d.doesNotSee("TB·→···")
	d.fits()
}

func TestTheMatrixShowsThePastAndWhatWasTakenAway(t *testing.T) {
	d := newDrive(t, 120, 36)
	d.press(".")
	d.do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.press("M")
	if strings.Contains(d.row("ape-10"), "TBA o") {
		t.Fatalf("dave may still act for alice:\n%s", d.screen())
	}
	d.press("left", "c")
	d.sees("1 block ago", "then → now", "TBA→···")
	d.fits()
}

func TestTheMatrixFitsAnySizeAndPagesOverAccountsAndTokens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDrive(t, rapid.IntRange(40, 160).Draw(rt, "w"), rapid.IntRange(12, 50).Draw(rt, "h"))
		d.press("M")
		for range 8 {
			d.press(rapid.SampledFrom([]string{"j", "G", "g", "left", "L", "H", "c", "<", ">", "0", "w", "esc", "M"}).Draw(rt, "key"))
			if why := misfit(d.model.View(), d.model.size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.screen())
			}
		}
	})
}

// row is the first line of a table in a dialog that is about something.
func (d *drive) row(about string) string {
	d.t.Helper()
	for line := range strings.SplitSeq(d.screen(), "\n") {
		if i := strings.Index(line, about+"  "); i >= 0 {
			return line[i:]
		}
	}
	d.t.Fatalf("no line is about %s:\n%s", about, d.screen())
	return ""
}
