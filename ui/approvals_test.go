package ui

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	tea "github.com/charmbracelet/bubbletea"
)

// many gives bob and carol approvals on fourteen tokens of three owners, ends
// between the next block and a day away, one of them over already.
func many(t *testing.T, d *drive) {
	t.Helper()
	owners := []string{"alice", "bob", "carol"}
	for i := range 12 {
		d.do(owners[i%3], fmt.Sprintf(`{"approve":{"token_id":"ape-%02d","spender":"$dave","expires":{"at_height":%d}}}`, i+1, 1104+7*i))
	}
	d.do("carol", `{"approve":{"token_id":"ape-15","spender":"$dave"}}`)
	d.do("carol", `{"approve":{"token_id":"ape-18","spender":"$dave","expires":{"at_height":1103}}}`)
	d.press(".")
}

// column gives what stands at the place of a title in each row.
func column(d *drive, title string) (all []string) {
	d.t.Helper()
	at := -1
	for line := range strings.SplitSeq(d.screen(), "\n") {
		runes := []rune(line)
		switch {
		case at < 0:
			if i := strings.Index(line, title); i >= 0 {
				at = len([]rune(line[:i]))
			}
		case strings.HasPrefix(line, "─"):
			return all
		case strings.ContainsAny(line, "●○"):
			words := strings.Fields(string(runes[at:]))
			all = append(all, words[0])
		}
	}
	return all
}

func TestApprovalsAreListedSoonestEndFirstThenEndlessThenEnded(t *testing.T) {
	d := newDrive(t, New, 120, 40)
	many(t, d)
	d.press("2")
	want := "ape-01 ape-04 ape-02 ape-03 ape-04 ape-05 ape-06 ape-07 ape-08 ape-09 ape-10 ape-11 ape-12 ape-07 ape-15 ape-18"
	if got := strings.Join(column(d, "TOKEN"), " "); got != want {
		t.Fatalf("got  %s\nwant %s\n%s", got, want, d.screen())
	}
	d.sees("1–16 of 16", "over in this block", "never ends", "soonest end first")
	d.press("x")
	d.sees("ended ones hidden", "1–15 of 15")
	d.doesNotSee("○  ape-18")
	d.press("x", "s")
	want = "ape-01 ape-02 ape-03 ape-04 ape-04 ape-05 ape-06 ape-07 ape-07 ape-08 ape-09 ape-10 ape-11 ape-12 ape-15 ape-18"
	if got := strings.Join(column(d, "TOKEN"), " "); got != want {
		t.Fatalf("by token: %s\n%s", got, d.screen())
	}
}

func TestApprovalsOfOneAccountAreChosenByName(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	many(t, d)
	d.press("2", "v")
	d.types("to carol")
	d.press("enter")
	d.sees("given to carol", "ape-07", "1–1 of 1")
	d.press("v")
	d.types("by bob")
	d.press("enter")
	d.sees("given by bob", "ape-02", "ape-11", "1–4 of 4")
	d.press("esc")
	d.sees("soonest end first", "of 16")
}

func TestTheCursorStaysOnItsApprovalWhenItEndsAndWhenOthersGo(t *testing.T) {
	d := newDrive(t, New, 120, 40)
	many(t, d)
	d.press("2", "j", "j")
	d.sees("▸ ●  ape-02")
	d.press(">") // height 1,113: three have ended, ape-02 with them
	d.sees("▸ ○  ape-02", "ended 2 blocks ago")
	d.press("u")
	d.sees("▸ ●  ape-02")
	d.press("enter")
	d.sees("owned by bob", "ape-02", "Who may transfer it now?")
}

func TestTwelveApprovalsAreRevokedAtOnceAndEachIsTold(t *testing.T) {
	d := newDrive(t, New, 120, 40)
	many(t, d)
	d.press("2")
	for range 12 {
		d.press("space")
	}
	d.sees("12 selected")
	d.press("r")
	// alice owns four of the twelve, and one of hers has two approvals.
	d.sees("Revoke 12 approvals as alice", "5 will work", "7 will be refused", "ape-02 → dave", "Caller is not the contract's current owner")
	d.press("esc")
	d.sees("12 selected", "1–16 of 16")

	d.press("R", "o")
	d.sees("as their owners", "all 12 will work", "enter sends 12")
	d.fits()
	d.press("enter")
	d.sees("Revoke 12 approvals: 12 done", "enter closes")
	d.press("enter")
	d.sees("1–4 of 4", "✓ Revoke 12 approvals: 12 done")
	d.doesNotSee("selected")
	d.press("u")
	d.sees("1–5 of 5") // each of them is a step of its own
}

func TestWhatIsRefusedInABatchIsLeftOutAndToldAtTheEnd(t *testing.T) {
	d := newDrive(t, New, 120, 40)
	many(t, d)
	d.press("2", "space", "space", "space", "r")
	d.sees("2 will work", "1 will be refused", "enter sends 2")
	d.press("enter")
	d.sees("Revoke 3 approvals: 2 done, 1 refused")
	d.press("enter")
	d.sees("1–14 of 14", "▲ Revoke 3 approvals: 2 done, 1 refused")
}

func TestAnApprovalIsExtendedFromTheList(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("2", "p")
	d.sees("Change an approval of ape-04", "h1110", "bob")
	d.types("+50")
	d.sees(`the approval for bob on "ape-04" holds until height 1,152 now`)
	d.press("enter")
	d.sees("in 50 blocks")
}

func TestScreensOfGrantsFillTheirBoxUnderAnyKeysAndSizes(t *testing.T) {
	keys := []string{"j", "k", "g", "G", "space", "r", "o", "O", "p", "s", "v", "x", "f", "/", "enter", "esc", "tab", ".", ">", "e", "u", "U", "a", "b", "i", "t", "m", "1", "2", "3", "c", "ctrl+d", "down"}
	rapid.Check(t, func(rt *rapid.T) {
		d := newDrive(t, New, 80, 24)
		many(t, d)
		d.do("minter", `{"mint":{"token_id":"","owner":"$alice","token_uri":"ipfs://x"}}`)
		d.do("minter", `{"mint":{"token_id":"\u001b[2J日本👩‍👩‍👧\u202e","owner":"$alice"}}`)
		d.do("alice", `{"approve":{"token_id":"\u001b[2J日本👩‍👩‍👧\u202e","spender":"$bob","expires":{"at_time":"1795262416000000000"}}}`)
		for range rapid.IntRange(5, 40).Draw(rt, "keys") {
			if rapid.IntRange(0, 5).Draw(rt, "resize") == 0 {
				d.send(tea.WindowSizeMsg{Width: rapid.IntRange(1, 140).Draw(rt, "w"), Height: rapid.IntRange(1, 45).Draw(rt, "h")})
			}
			d.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			if why := misfit(d.model.View(), d.size); why != "" {
				rt.Fatalf("%s:\n%s", why, d.screen())
			}
		}
	})
}

func TestAnEndIsWrittenBothWaysWhereThereIsRoom(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("2")
	d.sees("WHICH IS", "in 8 blocks            height 1,110")
	d.press("f")
	d.sees("height 1,110               in 8 blocks")
	d.press("3")
	d.sees("WHICH IS")
	d.fits()
}

func TestNoDigitOfAnEndIsCutInAnyFormOfTimes(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}} {
		d := newDrive(t, New, size[0], size[1])
		d.press("2", "f")
		d.sees("2026-11-21 12:40:00 UTC")
		d.press("f")
		d.sees("1795264800000000000 ns")
		d.fits()
	}
}

func TestRevokingOneApprovalEndsWithItsOwnWordsAndNoFurtherKey(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("2", "r")
	d.sees("it will work")
	d.press("enter")
	d.sees("✓ revoked the approval for bob on ape-04", "1–1 of 1")
	d.doesNotSee("enter closes", "Revoke an approval")
}
