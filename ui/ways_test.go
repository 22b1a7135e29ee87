package ui

import "testing"

func TestAnApprovalEndsAndTheSpenderIsRefusedUntilItIsUndone(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.sees("Interchain Apes", "ape-01", "height 1,102", "as ● alice")

	d.press("p")
	d.types("bob")
	d.press("tab")
	d.types("+2")
	d.sees("will work", `bob gets an approval on "ape-01", until height 1,104`)
	d.press("enter")
	d.sees("approved bob for ape-01", "● bob", "in 2 blocks")

	d.actAs("bob")
	d.press(".", ".")
	d.sees("height 1,104", "bob's approval on ape-01 is over", "○ bob", "height 1,104 ≥")

	d.press("t")
	d.types("bob")
	d.sees("will be refused", "Caller is not the contract's current owner")
	d.press("enter")
	d.sees("Transfer ape-01") // the form stays, with what was typed
	d.press("esc")

	d.press("u")
	d.sees("height 1,103", "● bob", "in 1 block")
	d.press("t")
	d.types("bob")
	d.sees("will work")
	d.press("enter")
	d.sees("ape-01 went to bob", "owned by bob")
}

func TestTheTicksOfOnePlayAreOneStepOfUndo(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("P")
	d.sees("playing 1/s", "height 1,103")
	d.wait()
	d.wait()
	d.sees("height 1,105")
	d.press("P")
	d.sees("paused")
	d.wait()
	d.sees("height 1,105")
	d.press("u")
	d.sees("height 1,102")
}

func TestTheNextEndIsReachedInOneKeyAndJustBeforeInAnother(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("E")
	d.sees("height 1,109")
	d.press("E")
	d.sees("the clock is just before the next end already")
	d.press("e")
	d.sees("height 1,110", "bob's approval on ape-04 is over")
}

func TestQuittingAsksOnlyWhenSomethingWouldBeLost(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press(".", "q")
	d.sees("only in memory", "Cancel")
	d.press("enter")
	d.doesNotSee("only in memory")
	d.press("q", "y")
	if !d.quit {
		t.Fatal("y did not quit")
	}
	d = newDrive(t, New, 120, 36)
	d.press("q")
	if !d.quit {
		t.Fatal("q asked although nothing was done")
	}
}

func TestSellingThroughAContractThatRejectsLeavesTheTokenWhereItWas(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("d")
	d.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
	d.types("vault")
	d.sees("will be refused", "rejected the token")
	d.press("enter")
	d.sees("Deliver ape-01 to a contract") // the form stays
	d.press("esc")
	d.sees("owned by alice")

	d.press("d")
	d.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
	d.types("market")
	d.sees("will work")
	d.press("enter")
	d.sees("ape-01", "owned by market")
	d.press("u")
	d.sees("owned by alice")
}
