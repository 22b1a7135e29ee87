package ui

import (
	"testing"

	"ephemera/ui/uitest"
)

func TestAnApprovalEndsAndTheSpenderIsRefusedUntilItIsUndone(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Sees("Interchain Apes", "ape-01", "height 1,102", "as ● alice")

	d.Press("p")
	d.Types("bob")
	d.Press("tab")
	d.Types("+2")
	d.Sees("will work", `bob gets an approval on "ape-01", until height 1,104`)
	d.Press("enter")
	d.Sees("approved bob for ape-01", "● bob", "in 2 blocks")

	d.ActAs("bob")
	d.Press(".", ".")
	d.Sees("height 1,104", "bob's approval on ape-01 expired", "○ bob", "height 1,104 ≥")

	d.Press("t")
	d.Types("bob")
	d.Sees("will be refused", "Caller is not the contract's current owner")
	d.Press("enter")
	d.Sees("Transfer ape-01") // the form stays, with what was typed
	d.Press("esc")

	d.Press("u")
	d.Sees("height 1,103", "● bob", "in 1 block")
	d.Press("t")
	d.Types("bob")
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
	d.Sees("paused")
	d.Wait()
	d.Sees("height 1,105")
	d.Press("u")
	d.Sees("height 1,102")
}

func TestTheNextEndIsReachedInOneKeyAndJustBeforeInAnother(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("E")
	d.Sees("height 1,109")
	d.Press("E")
	d.Sees("the clock is just before the next expiry already")
	d.Press("e")
	d.Sees("height 1,110", "bob's approval on ape-04 expired")
}

func TestQuittingAsksOnlyWhenSomethingWouldBeLost(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press(".", "q")
	d.Sees("only in memory", "Cancel")
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

func TestSellingThroughAContractThatRejectsLeavesTheTokenWhereItWas(t *testing.T) {
	d := uitest.New(t, New, 120, 36)
	d.Press("d")
	d.Press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
	d.Types("vault")
	d.Sees("will be refused", "rejected the token")
	d.Press("enter")
	d.Sees("Send ape-01 to a contract") // the form stays
	d.Press("esc")
	d.Sees("owned by alice")

	d.Press("d")
	d.Press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
	d.Types("market")
	d.Sees("will work")
	d.Press("enter")
	d.Sees("ape-01", "owned by market")
	d.Press("u")
	d.Sees("owned by alice")
}

func TestEscAndCtrlOReturnFromWhereEnterLed(t *testing.T) {
	for _, back := range []string{"esc", "ctrl+o"} {
		d := uitest.New(t, New, 120, 36)
		d.Press("2", "j", "enter")
		d.Sees("▸ ape-07", "Who may transfer it now?", "esc back")
		d.Press(back)
		d.Sees("all approvals", "▸ ●  ape-07")
		d.Press(back)
		d.Sees("all approvals") // there is no further back
	}
	d := uitest.New(t, New, 120, 36)
	d.Press("2", "enter", "3", "esc")
	d.Sees("all operators") // a number begins anew
}
