package ui

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTheMatrixShowsWhoMayDoWhatNowAndAtAnotherBlock(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("M")
	d.sees("Access matrix", "height 1,102 now", "ape-04", "TBA =", "TB· a", "TBA o")
	d.press("L")
	d.sees("height 1,112 in 10 blocks")
	if strings.Contains(row(d, "ape-04"), "TB· a") {
		t.Fatalf("the approval of bob is over:\n%s", d.screen())
	}
	d.press("c")
	d.sees("A  height 1,102 now", "B  height 1,112 in 10 blocks", "earlier → later", "TB·→···")
	d.press("0")
	d.doesNotSee("TB·→···")
	d.fits()
}

func TestAnyTwoMomentsAreComparedWhicheverWasChosenFirst(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.do("alice", `{"approve":{"token_id":"ape-01","spender":"$carol","expires":{"at_height":1130}}}`)
	d.do("alice", `{"transfer_nft":{"token_id":"ape-01","recipient":"$bob"}}`)
	d.press("M", "m")
	d.sees("Moment", "now", "the next end", "after #32 transfer ape-01 → bob")
	d.types("transfer ape-01")
	d.press("enter")
	d.sees("after #32, height 1,102")
	d.press("tab", "m")
	d.types("approve carol for ape-01")
	d.press("enter")
	d.sees("A  after #31", "→   B  after #32", "TBA→···", "···→TBA", "TB·→···")
	d.press("m")
	d.types("1120")
	d.press("enter")
	d.sees("B  after #32, height 1,102 now  →   A  height 1,120 in 18 blocks")
	if row := row(d, "ape-01"); strings.Contains(row, "→") {
		t.Fatalf("nothing of ape-01 differs any more: %s", row)
	}
	d.press("E")
	d.sees("A  height 1,109 in 7 blocks")
	d.fits()
}

func TestATextThatIsNoMomentKeepsTheListOpenAndSaysWhy(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("M", "m")
	d.types("+12 cows")
	d.press("enter")
	d.sees(`"+12 cows" is no moment`, "Moment")
	for range len("12 cows") {
		d.press("backspace")
	}
	d.types("90m")
	d.press("enter")
	d.sees("height 2,182 in 1,080 blocks")
	d.doesNotSee("Moment")
	d.fits()
}

func TestATokenOfOneMomentOnlyIsComparedToo(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(".")
	d.do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.do("minter", `{"mint":{"token_id":"ape-00","owner":"$bob"}}`)
	d.press("M", "left", "c")
	d.sees("ape-00", "ape-01", "   →TBA", "TBA→")
	d.fits()
}

func TestTheMatrixShowsThePastAndWhatWasTakenAway(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(".")
	d.do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.press("M")
	if strings.Contains(row(d, "ape-10"), "TBA o") {
		t.Fatalf("dave may still act for alice:\n%s", d.screen())
	}
	d.press("left", "c")
	d.sees("B  height 1,102 1 block ago  →   A  height 1,103 now", "TBA→···")
	d.fits()
}

func TestTheMatrixFitsAnySizeAndPagesOverAccountsAndTokens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDrive(t, New, rapid.IntRange(40, 160).Draw(rt, "w"), rapid.IntRange(12, 50).Draw(rt, "h"))
		d.press("M")
		for range 8 {
			d.press(rapid.SampledFrom([]string{"j", "G", "g", "left", "L", "H", "c", "<", ">", "{", "}", "0", "tab", "e", "E", "m", "enter", "w", "esc", "M"}).Draw(rt, "key"))
			if why := misfit(d.model.View(), d.size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.screen())
			}
		}
	})
}

// row is the first line of a table in a dialog that is about something.
func row(d *drive, about string) string {
	d.t.Helper()
	for line := range strings.SplitSeq(d.screen(), "\n") {
		if i := strings.Index(line, about+"  "); i >= 0 {
			return line[i:]
		}
	}
	d.t.Fatalf("no line is about %s:\n%s", about, d.screen())
	return ""
}

func TestTheCellUnderTheCursorSaysWhyAndAsksWhyAboutItsAccount(t *testing.T) {
	for _, size := range sizes {
		d := newDrive(t, New, size[0], size[1])
		d.press("M")
		d.sees("▸TBA =", "alice: owner") // who is acting
		d.press(">", "j", "j", "j")
		d.sees("▸TB· a", "bob: approval until height 1,110")
		d.press("L")
		d.sees("bob: approval ended at height 1,110")
		d.press("c")
		d.sees("A bob: approval until height 1,110", "B bob: approval ended at height 1,110")
		d.press("c", "0", "w")
		d.sees("bob may transfer ape-04", "✓ approval")
		d.press("esc", ">")
		d.sees("carol: no right")
		d.press(">", ">") // as far as the view is narrow, it goes along
		d.sees("▸TBA o", "dave: operator without end")
		d.fits()
	}
}

func TestAccountsOutOfViewComeIntoItWithTheCursorAndByTheScreen(t *testing.T) {
	d := newDrive(t, New, 60, 20)
	d.press("M")
	d.sees("accounts 1–4 of 9")
	d.press("}")
	d.sees("accounts 5–8 of 9", "dave: operator without end")
	d.press("}", "}")
	d.sees("accounts 6–9 of 9", "vault: no right")
	d.press("<", "<", "<", "<")
	d.sees("accounts 5–8 of 9", "dave: operator without end")
	d.press("{", "{")
	d.sees("accounts 1–4 of 9", "alice: owner")
	d.fits()
}

func TestAClickOnACellOfTheMatrixTellsWhy(t *testing.T) {
	for _, size := range sizes {
		d := newDrive(t, New, size[0], size[1])
		d.press("M")
		d.click("TB· a", 0)
		d.sees("▸TB· a", "bob: approval until height 1,110")
		d.click("ape-01", 3) // beside the accounts only the row is chosen
		d.sees("▸ ape-01", "bob: no right")
	}
}

func TestTheReasonIsThatOfTheTokenThatIsNotThereYet(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(".")
	d.do("minter", `{"mint":{"token_id":"ape-00","owner":"$alice"}}`)
	d.press("M", "left", "c", "g")
	d.sees("B alice: no such token", "A alice: owner")
}

func TestALowMatrixShowsItsLegendWholeAndWhichAccountsThereAre(t *testing.T) {
	d := newDrive(t, New, 40, 12)
	d.press("M")
	d.sees("B burn  A approve", "a approved  o operator", "accounts 1–2", "ape-01", "ape-04")
	d.press("c", "l")
	d.sees("A  1,102", "B  1,103", "a right lost")
	d.fits()
}
