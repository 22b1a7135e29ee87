package grants_test

import (
	"strings"
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestOperatorsAreListedWithTheirEndsAndTheTokensTheyReach(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("carol", `{"approve_all":{"operator":"$bob","expires":{"at_height":1103}}}`)
	d.Press("3")
	if got := strings.Join(column(d, "OPERATOR"), " "); got != "bob erin dave" {
		t.Fatalf("by end: %s\n%s", got, d.Screen())
	}
	d.Sees("in 1 block", "in 39m 55s", "never expires", "1–3 of 3")

	d.Press(".")
	if got := strings.Join(column(d, "OPERATOR"), " "); got != "erin dave bob" {
		t.Fatalf("after one ended: %s\n%s", got, d.Screen())
	}
	d.Sees("○  bob", "expired in this block")

	d.Press("s")
	d.Sees("by risk")

	d.Press("s")
	d.Sees("by owner", "ACTS FOR ▴")

	d.Press("s")
	d.Sees("by operator", "OPERATOR ▴")

	d.Keys("/", "owner:alice", "enter")
	d.SeesIn(uitest.List, "/ owner:alice", "dave", "1–1 of 1")
	d.DoesNotSee("●  erin")
}

func TestAnOperatorIsGrantedActsAndIsRevoked(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("3", "o")
	d.Sees("Grant an operator as alice", "For all that the sender owns; alice owns 8 tokens now")

	d.Keys("carol", "tab", "+5")
	d.Sees("will work", "carol becomes an operator of alice, until height 1,107")

	d.Press("enter")
	d.Sees("carol is an operator of alice now", "in 5 blocks", "1–3 of 3")

	d.ActAs("carol")
	d.Keys("1", "g", "t", "carol")
	d.Sees("will work")

	d.Press("enter")
	d.Sees("ape-01 went to carol")

	d.ActAs("alice")
	d.Press("3", "g")
	d.Sees("▸ ●  carol")

	d.Press("D")
	d.Sees("Revoke an operator as alice", "the operator grant from alice to carol is gone")

	d.Press("enter")
	d.Sees("carol is no longer an operator of alice", "1–2 of 2")

	d.ActAs("carol")
	d.Press("1")
	d.Filter("owner:alice")
	d.Keys("t", "carol")
	d.Sees("will be refused", "Caller is not the contract's current owner")
}

func TestSomebodyElsesOperatorIsChangedOnlyAsItsOwner(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Do("bob", `{"burn":{"token_id":"ape-02"}}`)
	d.Press("3", "g")
	d.Sees("▸ ●  erin") // whom bob appointed

	d.Press("p")
	d.Sees("The operators of bob are theirs alone to change", "act as alice.", "Act as bob")

	d.Press("esc")
	d.Sees("as ● alice")

	d.Press("p", "enter")
	d.Sees("as ● bob", "Change an operator as bob", "For all that the sender owns; bob owns 7 tokens now", "erin", "2026-11-21T12:40:00Z")

	d.Types("never")
	d.Sees("the operator grant from bob to erin holds without expiry now")

	d.Press("enter")
	d.Sees("never expires", "erin is an operator of bob now")
	d.DoesNotSee("39m")
}

func TestTheSameKeysMeanTheSameOnApprovalsAndOperators(t *testing.T) {
	for screen, owner := range map[string]string{"2": "alice", "3": "bob"} {
		d := uitest.New(t, ui.New, 120, 36)
		d.ActAs(owner)
		d.Press(screen, "g", "p")
		d.Sees("Change an")

		d.Press("esc", "D")
		d.Sees("Revoke an")

		d.Press("esc", "esc", "v")
		d.SeesIn(uitest.Dialog, "Views")

		d.Press("esc", "enter")
		d.Sees("TOKEN ▴", "owned by")
	}
}

func TestAClickOnTheHeadOfAColumnSortsByIt(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("3")
	d.Click("ACTS FOR", 0)
	d.Sees("ACTS FOR ▴", "by owner")

	d.Press("2")
	d.Click("TOKEN", 3)
	d.Sees("by token", "TOKEN ▴")

	d.Press("1")
	d.Click("GRANTS", 0)
	d.SeesIn(uitest.List, "ape-04")
	d.DoesNotSee("ape-01")

	d.Click("TOKEN", 4)
	d.SeesIn(uitest.List, "TOKEN ▴", "ape-01")
}

func TestAGrantThatOutlivesItsExpiryIsMarkedAndTheQuestionIsOneKeyAway(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("2")
	d.DoesNotSee("renewable without the owner")

	d.Press("3")
	d.Sees("in 39m 55s →", "→ renewable without the owner: W shows how")
	d.DoesNotSee("never expires →")

	d.Press("W")
	d.Sees("as erin after 2026-11-21T12:40:00Z unmoved", "erin: approve erin for ape-02")

	d.Press("esc", "2")
	d.Do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":1105}}}`)
	d.Sees("in 8 blocks →") // as an operator bob can approve himself for longer
}
