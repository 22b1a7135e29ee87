package ui

import (
	"strings"
	"testing"

	"ephemera/ui/uitest"
)

func TestASpenderIsRefusedAfterTheExpiryAndAllowedAfterUndo(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Sees("Interchain Apes", "ape-01", "height 1,102", "as ● alice")

	d.Keys("p", "bob", "tab", "+2")
	d.Sees("will work", `bob gets an approval on "ape-01", until height 1,104`)

	d.Press("enter")
	d.Sees("approved bob for ape-01")
	d.SeesIn(uitest.Detail, "● bob", "in 2 blocks")

	d.ActAs("bob")
	d.Press(".", ".")
	d.Sees("height 1,104", "bob's approval on ape-01 expired", "○ bob", "height 1,104 ≥")

	d.Keys("t", "bob")
	d.Sees("will be refused", "Caller is not the contract's current owner")

	d.Press("enter")
	d.Sees("Transfer ape-01") // the form stays, with what was typed

	d.Press("esc")
	d.Press("u")
	d.SeesIn(uitest.Clock, "height 1,103")
	d.SeesIn(uitest.Detail, "● bob", "in 1 block")

	d.Keys("t", "bob")
	d.Sees("will work")

	d.Press("enter")
	d.Sees("ape-01 went to bob", "owned by bob")
}

func TestTheTicksOfOnePlayAreOneStepOfUndo(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("P")
	d.Sees("playing 1/s", "height 1,103")

	d.Wait()
	d.Wait()
	d.Sees("height 1,105")

	d.Press("P")
	d.SeesIn(uitest.Clock, "paused")

	d.Wait()
	d.Sees("height 1,105")

	d.Press("u")
	d.Sees("height 1,102")
}

func TestOneKeyReachesTheNextExpiryAndAnotherTheBlockBefore(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("E")
	d.Sees("height 1,109")
	d.Press("E")
	d.Sees("the clock is just before the next expiry already")
	d.Press("e")
	d.Sees("height 1,110", "bob's approval on ape-04 expired")
}

func TestQuittingAsksOnlyIfChangesWouldBeLost(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press(".", "q")
	d.SeesIn(uitest.Dialog, "only in memory", "Cancel")

	d.Press("enter")
	d.DoesNotSee("only in memory")

	d.Press("q", "y")
	if !d.Quit {
		t.Fatal("y did not quit")
	}

	d = uitest.New(t, New, 120, 36)
	d.Press("q")
	if !d.Quit {
		t.Fatal("q asked although nothing was done")
	}
}

func TestATokenSentToARejectingContractStaysWithItsOwner(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Keys("d", "ctrl+u", "vault")
	d.Sees("will be refused", "rejected the token")

	d.Press("enter")
	d.Sees("Send ape-01 to a contract") // the form stays

	d.Press("esc")
	d.Sees("owned by alice")

	d.Keys("d", "ctrl+u", "market")
	d.Sees("will work")

	d.Press("enter")
	d.Sees("ape-01", "owned by market")

	d.Press("u")
	d.Sees("owned by alice")
}

func TestEscAndCtrlOReturnFromALink(t *testing.T) {
	for _, back := range []string{"esc", "ctrl+o"} {
		d := uitest.New(t, New, 120, 36)
		d.Press("2", "j", "enter")
		d.Sees("▸ ape-07", "Who may transfer it now?", "esc back")

		d.Press(back)
		d.Sees("2 approvals", "▸ ●  ape-07")

		d.Press(back)
		d.Sees("2 approvals") // there is no further back
	}
	d := uitest.New(t, New, 120, 36)
	d.Press("2", "enter", "3", "esc")
	d.Sees("2 operators") // a number begins anew
}

func TestSlashFiltersEveryListAndDDeletesOnEveryScreen(t *testing.T) {
	for screen, found := range map[string]struct{ text, cursor string }{
		"Tokens": {"ape-13", "▸ ape-13"}, "Approvals": {"carol", "▸ ●  ape-07"}, "Operators": {"owner:bob", "▸ ●  erin"},
		"Collection": {"withdraw", "▸ withdraw address"}, "History": {"approve_all", "dave an operator"},
		"Lessons": {"royalt", "▸ ·  14"}, "Accounts": {"erin", "▸   erin"},
	} {
		d := uitest.New(t, New, 120, 36)
		d.To(screen)
		d.Press("/")
		d.Types(found.text)
		d.Press("enter")
		d.Sees(found.cursor)
	}
	for _, way := range []struct{ keys, says string }{
		{"D", "Burn ape-01"}, {"2 D", "Revoke an approval"}, {"3 D", "Act as bob"}, {"8 D", "Forget"},
		{"5 n x enter D", "Delete"}, {"5 n x enter v D", "Delete"}, {"v d a n g enter D", "revoke"},
	} {
		d := uitest.New(t, New, 120, 36)
		d.Press(strings.Fields(way.keys)...)
		d.Sees(way.says)
	}
}

func TestDetailsLinkToAccountsGrantsAndHistory(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("j", "j", "j", "enter") // the details of ape-04: bob's approval comes first
	d.Sees("enter follow")

	d.Press("enter")
	d.Sees("/ ape-04 bob", "approve bob for ape-04", "1–1 of 1")

	d.Press("ctrl+o", "j", "j", "j", "enter") // over alice and bob to dave, the operator
	d.Sees("▸   dave", "all tokens of alice")

	d.Press("tab", "enter") // what dave was given
	d.Sees("▸ ●  dave", "never expires")

	d.Press("esc", "esc", "esc") // the accounts, their list, and the token
	d.Sees("owned by alice", "Approvals")

	d.Press("8", "g", "tab", "enter") // alice's tokens
	d.Sees("/ owner:alice", "1–8 of 8")

	d.Press("ctrl+o", "tab", "5", "esc", "g", "j", "j", "j", "tab", "enter") // who sent a message
	d.Sees("▸ ● alice")

	d.Press("ctrl+o", "j", "enter") // how its token stood
	d.Sees("▸ ape-07")
	d.Fits()
}
