package ui

import (
	"strings"
	"testing"
)

func TestOperatorsAreListedWithTheirEndsAndTheTokensTheyReach(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.do("carol", `{"approve_all":{"operator":"$bob","expires":{"at_height":1103}}}`)
	d.press("3")
	if got := strings.Join(column(d, "OPERATOR"), " "); got != "bob erin dave" {
		t.Fatalf("by end: %s\n%s", got, d.screen())
	}
	d.sees("in 1 block", "in 39m 55s", "never ends", "1–3 of 3")
	d.press(".")
	if got := strings.Join(column(d, "OPERATOR"), " "); got != "erin dave bob" {
		t.Fatalf("after one ended: %s\n%s", got, d.screen())
	}
	d.sees("○  bob", "over in this block")
	d.press("s")
	d.sees("by owner", "ACTS FOR ▴")
	d.press("s")
	d.sees("by operator", "OPERATOR ▴")
	d.press("v")
	d.types("by alice")
	d.press("enter")
	d.sees("given by alice", "dave", "1–1 of 1")
	d.doesNotSee("●  erin")
}

func TestAnOperatorIsGrantedActsAndIsRevoked(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.press("3", "o")
	d.sees("Grant an operator as alice", "For all that alice owns: 8 tokens now")
	d.types("carol")
	d.press("tab")
	d.types("+5")
	d.sees("will work", "carol becomes an operator of alice, until height 1,107")
	d.press("enter")
	d.sees("carol is an operator of alice now", "in 5 blocks", "1–3 of 3")

	d.actAs("carol")
	d.press("1", "g", "t")
	d.types("carol")
	d.sees("will work")
	d.press("enter")
	d.sees("ape-01 went to carol")

	d.actAs("alice")
	d.press("3", "g")
	d.sees("▸ ●  carol")
	d.press("O")
	d.sees("Revoke an operator as alice", "the operator grant from alice to carol is gone")
	d.press("enter")
	d.sees("carol is no longer an operator of alice", "1–2 of 2")

	d.actAs("carol")
	d.press("1")
	d.filter("owner:alice")
	d.press("t")
	d.types("carol")
	d.sees("will be refused", "Caller is not the contract's current owner")
}

func TestSomebodyElsesOperatorIsChangedOnlyAsItsOwner(t *testing.T) {
	d := newDrive(t, New, 120, 36)
	d.do("bob", `{"burn":{"token_id":"ape-02"}}`)
	d.press("3", "g")
	d.sees("▸ ●  erin") // whom bob appointed
	d.press("enter")
	d.sees("The operators of bob are theirs alone to change", "act as alice.", "Act as bob")
	d.press("esc")
	d.sees("as ● alice")
	d.press("enter", "enter")
	d.sees("as ● bob", "Change an operator as bob", "For all that bob owns: 7 tokens now", "erin", "2026-11-21T12:40:00Z")
	d.types("never")
	d.sees("the operator grant from bob to erin holds without end now")
	d.press("enter")
	d.sees("never ends", "erin is an operator of bob now")
	d.doesNotSee("39m")
}
