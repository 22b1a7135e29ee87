package grants_test

import (
	"fmt"
	"strings"
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

// many gives bob and carol approvals on fourteen tokens of three owners, ends
// between the next block and a day away, one of them over already.
func many(t *testing.T, d *uitest.Driver) {
	t.Helper()
	owners := []string{"alice", "bob", "carol"}
	for i := range 12 {
		d.Do(owners[i%3], fmt.Sprintf(`{"approve":{"token_id":"ape-%02d","spender":"$dave","expires":{"at_height":%d}}}`, i+1, 1104+7*i))
	}
	d.Do("carol", `{"approve":{"token_id":"ape-15","spender":"$dave"}}`)
	d.Do("carol", `{"approve":{"token_id":"ape-18","spender":"$dave","expires":{"at_height":1103}}}`)
	d.Press(".")
}

// column gives what stands at the place of a title in each row.
func column(d *uitest.Driver, title string) (all []string) {
	d.T.Helper()
	at := -1
	for line := range strings.SplitSeq(d.Screen(), "\n") {
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
	d := uitest.New(t, ui.New, 120, 40)
	many(t, d)
	d.Press("2")
	want := "ape-01 ape-04 ape-02 ape-03 ape-04 ape-05 ape-06 ape-07 ape-08 ape-09 ape-10 ape-11 ape-12 ape-07 ape-15 ape-18"
	if got := strings.Join(column(d, "TOKEN"), " "); got != want {
		t.Fatalf("got  %s\nwant %s\n%s", got, want, d.Screen())
	}
	d.Sees("1–16 of 16", "expired in this block", "never expires", "soonest to expire first")

	d.Press("x")
	d.Sees("expired ones hidden", "1–15 of 15")
	d.DoesNotSee("○  ape-18")

	d.Press("x", "s")
	want = "ape-15 ape-07 ape-12 ape-11 ape-10 ape-09 ape-08 ape-07 ape-06 ape-05 ape-04 ape-03 ape-02 ape-04 ape-01 ape-18"
	if got := strings.Join(column(d, "TOKEN"), " "); got != want {
		t.Fatalf("by risk: %s\n%s", got, d.Screen())
	}
	// Those of alice's approvals that dave has, as her operator he can renew.
	d.Sees("16 approvals · 1 never · → 4 renewable without the owner", " · by risk")

	d.Press("s")
	want = "ape-01 ape-02 ape-03 ape-04 ape-04 ape-05 ape-06 ape-07 ape-07 ape-08 ape-09 ape-10 ape-11 ape-12 ape-15 ape-18"
	if got := strings.Join(column(d, "TOKEN"), " "); got != want {
		t.Fatalf("by token: %s\n%s", got, d.Screen())
	}
}

func TestApprovalsOfOneAccountAreChosenByName(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	many(t, d)
	d.Keys("2", "/", "spender:carol", "enter")
	d.SeesIn(uitest.List, "/ spender:carol", "ape-07", "1–1 of 1")

	d.Press("esc")
	d.Keys("/", "owner:bob", "enter")
	d.SeesIn(uitest.List, "/ owner:bob", "ape-02", "ape-11", "1–4 of 4")

	d.Press("esc")
	d.Sees("soonest to expire first", "of 16")
}

func TestAFilterOfGrantsSearchesTokensAndAccountsAndLimitsTheExpiry(t *testing.T) {
	for filter, want := range map[string]string{
		"dave ape-1":                 "ape-10 ape-11 ape-12 ape-15 ape-18",
		"carol spender:dave":         "ape-03 ape-06 ape-09 ape-12 ape-15 ape-18",
		"expires<10 owner:alice":     "ape-01 ape-04",
		"owner:alice spender:carol":  "ape-07",
		"owner:alice spender:dave 0": "ape-01 ape-04 ape-07 ape-10",
	} {
		d := uitest.New(t, ui.New, 120, 40)
		many(t, d)
		d.Keys("2", "/", filter, "enter")
		if got := strings.Join(column(d, "TOKEN"), " "); got != want {
			t.Errorf("/ %s: the list is %q, want %q\n%s", filter, got, want, d.Screen())
		}
	}
}

func TestAStarSelectsWhatTheFilterShowsAndOneUndoBringsItBack(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24) // lower than the list
	many(t, d)
	d.Keys("2", "/", "owner:carol", "enter", "*")
	d.Sees("6 selected")

	d.Press("r", "o", "enter", "esc")
	d.Sees("1–10 of 10")

	d.Press("u")
	d.Sees("of 16")
}

func TestTheCursorStaysOnItsApprovalWhenItEndsAndWhenOthersGo(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 40)
	many(t, d)
	d.Press("2", "j", "j")
	d.Sees("▸ ●  ape-02")

	d.Press(">") // height 1,113: three have ended, ape-02 with them
	d.Sees("▸ ○  ape-02", "expired 2 blocks ago")

	d.Press("u")
	d.Sees("▸ ●  ape-02")

	d.Press("enter")
	d.Sees("owned by bob", "ape-02", "Who may transfer it now?")
}

func TestTwelveApprovalsAreRevokedAtOnceAndEachIsTold(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 40)
	many(t, d)
	d.Press("2")
	for range 12 {
		d.Press("space")
	}
	d.Sees("12 selected")

	d.Press("r")
	// alice owns four of the twelve, and one of hers has two approvals.
	d.Sees("Revoke 12 approvals as alice", "5 will work", "7 will be refused", "ape-02 → dave", "Caller is not the contract's current owner")

	d.Press("esc")
	d.Sees("12 selected", "1–16 of 16")

	d.Press("R", "o")
	d.Sees("as their owners", "all 12 will work", "enter send 12")
	d.Fits()

	d.Press("enter")
	d.Sees("1–4 of 4", "✓ Revoke 12 approvals: 12 done")
	d.DoesNotSee("selected", "enter close")
}

func TestABatchIsUndoneAndDoneAgainWithOneKey(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 40)
	many(t, d)
	d.Press("2", "space", "space", "space", "r", "o", "enter")
	d.Sees("1–13 of 13")

	d.Press("u")
	d.Sees("1–16 of 16", "undid a batch of 3 messages")

	d.Press("U")
	d.Sees("1–13 of 13", "a batch of 3 messages")
}

func TestWhatIsRefusedInABatchIsLeftOutAndToldAtTheEnd(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 40)
	many(t, d)
	d.Press("2", "space", "space", "space", "r")
	d.Sees("2 will work", "1 will be refused", "enter send 2")

	d.Press("enter")
	d.Sees("Revoke 3 approvals: 2 done, 1 refused")
	d.DoesNotSee("▲ Revoke 3 approvals") // no notice repeats what the dialog says

	d.Press("enter")
	d.Sees("1–14 of 14", "▲ Revoke 3 approvals: 2 done, 1 refused")
}

func TestAnEndIsWrittenBothWaysWhereThereIsRoom(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	row := func() string { return strings.Join(strings.Fields(d.Line(5)), " ") }
	d.Press("2")
	d.Sees("IN OTHER WORDS")
	if !strings.Contains(row(), "in 8 blocks height 1,110") {
		t.Error(row())
	}

	d.Press("f")
	if !strings.Contains(row(), "height 1,110 in 8 blocks") {
		t.Error(row())
	}

	d.Press("3")
	d.Sees("IN OTHER WORDS")
	d.Fits()
}

func TestTheTitleCountsWhatCanBeRenewedOfTheFirstFifty(t *testing.T) {
	for rows, size := range map[int][2]int{20: {120, 36}, 21: {60, 20}, 200: {120, 36}, 201: {80, 24}} {
		d := uitest.New(t, ui.New, size[0], size[1])
		for i := range rows {
			uitest.Execute1(t, d.Chain, "minter", fmt.Sprintf(`{"mint":{"token_id":"new-%03d","owner":"$alice"}}`, i))
			// dave, the operator of alice, can renew his own approvals; bob cannot.
			spender := []string{"dave", "bob"}[i%2]
			uitest.Execute1(t, d.Chain, "alice", fmt.Sprintf(`{"approve":{"token_id":"new-%03d","spender":"$%s","expires":{"at_height":%d}}}`, i, spender, 1200+i))
		}
		d.ReadAgain()
		d.Press("2")
		switch rows {
		case 20:
			d.Sees("22 approvals · → 10 renewable without the owner")
		case 21: // in a small window, too, though most of the rows were never on the screen
			d.Sees("23 approvals · → 11 renewable")
		case 200, 201:
			d.Sees(fmt.Sprintf("%d approvals · → 25 of the first 50 renewable", rows+2))
		}
	}
}

func TestTabShowsWhatTheOtherListHoldsForTheSameAccount(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	d.Press("2")
	d.SeesIn(uitest.Footer, "tab operators")
	d.Press("tab")
	d.SeesIn(uitest.List, "/ spender:bob", "1–1 of 1", "bob", "alice")
	d.SeesIn(uitest.Footer, "tab approvals")
	d.Press("tab")
	d.SeesIn(uitest.List, "/ spender:bob", "1–1 of 1", "ape-04")

	d.Press("esc")
	d.Keys("/", "owner:alice", "enter")
	d.Press("tab")
	d.SeesIn(uitest.List, "/ owner:alice", "1–2 of 2", "dave", "bob")
}
