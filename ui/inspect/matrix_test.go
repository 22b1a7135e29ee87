package inspect_test

import (
	"strings"
	"testing"

	"ephemera/core/cw721"
	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestTheMatrixShowsWhoMayDoWhatNowAndAtAnotherBlock(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("M")
	d.Sees("Access matrix", "height 1,102 now", "ape-04", "TBA =", "TB· a", "TBA o")
	d.Press("L")
	d.Sees("height 1,112 in 10 blocks")
	if strings.Contains(row(d, "ape-04"), "TB· a") {
		t.Fatalf("the approval of bob is over:\n%s", d.Screen())
	}
	d.Press("c")
	d.Sees("A  height 1,102 now", "B  height 1,112 in 10 blocks", "earlier → later", "TB·→···")
	d.Press("0")
	d.DoesNotSee("TB·→···")
	d.Fits()
}

func TestAnyTwoMomentsAreComparedWhicheverWasChosenFirst(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"approve":{"token_id":"ape-01","spender":"$carol","expires":{"at_height":1130}}}`)
	d.Do("alice", `{"transfer_nft":{"token_id":"ape-01","recipient":"$bob"}}`)
	d.Press("M", "m")
	d.SeesIn(uitest.Dialog, "Moment", "now", "the next expiry", "after #32 transfer ape-01 → bob")
	d.Keys("transfer ape-01", "enter")
	d.Sees("after #32, height 1,102")
	d.Press("tab", "m")
	d.SeesIn(uitest.Dialog, "Moment A")
	d.Keys("approve carol for ape-01", "enter")
	d.Sees("A  after #31", "→   B  after #32", "TBA→···", "···→TBA", "TB·→···")
	d.Keys("m", "1120", "enter")
	d.Sees("B  after #32, height 1,102 now  →   A  height 1,120 in 18 blocks")
	if row := row(d, "ape-01"); strings.Contains(row, "→") {
		t.Fatalf("nothing of ape-01 differs any more: %s", row)
	}
	d.Press("E")
	d.Sees("A  height 1,109 in 7 blocks")
	d.Fits()
}

func TestATextThatIsNoMomentKeepsTheListOpenAndSaysWhy(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys("M", "m", "+12 cows", "enter")
	d.Sees(`"+12 cows" is no length of time`, "Moment")
	d.Keys("ctrl+u", "+90m", "enter")
	d.Sees("height 2,182 in 1,080 blocks")
	d.DoesNotSee("Moment")
	d.Fits()
}

func TestATokenOfOneMomentOnlyIsComparedToo(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(".")
	d.Do("alice", `{"burn":{"token_id":"ape-01"}}`)
	d.Do("minter", `{"mint":{"token_id":"ape-00","owner":"$bob"}}`)
	d.Press("M", "left", "c")
	d.Sees("ape-00", "ape-01", "   →TBA", "TBA→")
	d.Fits()
}

func TestTheMatrixShowsThePastAndWhatWasTakenAway(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(".")
	d.Do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.Press("M")
	if strings.Contains(row(d, "ape-10"), "TBA o") {
		t.Fatalf("dave may still act for alice:\n%s", d.Screen())
	}
	d.Press("left", "c")
	d.Sees("B  height 1,102 1 block ago  →   A  height 1,103 now", "TBA→···")
	d.Fits()
}

// row is the first line of a table in a dialog that is about something.
func row(d *uitest.Driver, about string) string {
	d.T.Helper()
	for line := range strings.SplitSeq(d.Screen(), "\n") {
		if i := strings.Index(line, about+"  "); i >= 0 {
			return line[i:]
		}
	}
	d.T.Fatalf("no line is about %s:\n%s", about, d.Screen())
	return ""
}

func TestTheCellUnderTheCursorSaysWhyAndAsksWhyAboutItsAccount(t *testing.T) {
	for _, size := range uitest.AllSizes[1:] {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press("M")
		d.Sees("▸TBA =", "alice: owner") // who is acting
		d.Press(">", "j", "j", "j")
		d.Sees("▸TB· a", "bob: approval until height 1,110")
		d.Press("L")
		d.Sees("bob: approval expired at height 1,110")
		d.Press("c")
		d.Sees("A bob: approval until height 1,110", "B bob: approval expired at height 1,110")
		d.Press("c", "0", "w")
		d.Sees("bob may transfer ape-04", "✓ approval")
		d.Press("esc", ">")
		d.Sees("carol: no permission")
		d.Press(">", ">") // as far as the view is narrow, it goes along
		d.Sees("▸TBA o", "dave: operator without expiry")
		d.Fits()
	}
}

func TestAccountsOutOfViewComeIntoItWithTheCursorAndByTheScreen(t *testing.T) {
	d := uitest.New(t, ui.New, 60, 20)
	d.Press("M")
	d.Sees("accounts 1–4 of 9")
	d.Press("}")
	d.Sees("accounts 5–8 of 9", "dave: operator without expiry")
	d.Press("}", "}")
	d.Sees("accounts 6–9 of 9", "vault: no permission")
	d.Press("<", "<", "<", "<")
	d.Sees("accounts 5–8 of 9", "dave: operator without expiry")
	d.Press("{", "{")
	d.Sees("accounts 1–4 of 9", "alice: owner")
	d.Fits()
}

func TestAClickOnACellOfTheMatrixTellsWhy(t *testing.T) {
	for _, size := range uitest.AllSizes[1:] {
		d := uitest.New(t, ui.New, size[0], size[1])
		d.Press("M")
		d.Click("TB· a", 0)
		d.Sees("▸TB· a", "bob: approval until height 1,110")
		d.Click("ape-01", 3) // beside the accounts only the row is chosen
		d.Sees("▸ ape-01", "bob: no permission")
	}
}

func TestTheReasonIsThatOfTheTokenThatIsNotThereYet(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press(".")
	d.Do("minter", `{"mint":{"token_id":"ape-00","owner":"$alice"}}`)
	d.Press("M", "left", "c", "g")
	d.Sees("B alice: no such token", "A alice: owner")
}

func TestALowMatrixShowsItsLegendWholeAndWhichAccountsThereAre(t *testing.T) {
	d := uitest.New(t, ui.New, 40, 12)
	d.Press("M")
	d.Sees("B burn  A approve", "a approved  o operator", "accounts 1–2", "ape-01", "ape-04")
	d.Press("c", "l")
	d.Sees("A  1,102", "B  1,103", " gained", " lost")
	d.Fits()
}

func TestTheMatrixShowsWhoMayMintWhereOthersThanTheMinterMay(t *testing.T) {
	for _, size := range uitest.Sizes {
		d := uitest.On(t, ui.New, uitest.WithRules(t, cw721.RulesV022), size[0], size[1])
		d.Do("creator", `{"mint":{"token_id":"1","owner":"$creator"}}`)
		d.Press(".")
		d.Do("creator", `{"add_minter":{"minter":"$alice"}}`)
		d.Press("M")
		d.Sees("M mint", "m minter", "···M m", "TBAM =", "alice: additional minter")
		d.Press("left", "c")
		d.Sees("····→···M")
		d.Fits()
	}
}
