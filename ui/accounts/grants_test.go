package accounts_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestAGrantOfAnAccountIsRevokedAndExtendedFromItsLine(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("8")
	d.SeesIn(uitest.Footer, "enter act as")
	d.Press("r")
	d.Sees("tab goes to the grants")

	// The first line with a link has alice's tokens, which are no grant.
	d.Press("tab")
	d.SeesIn(uitest.Footer, "enter follow")
	d.DoesNotSee("enter act as")
	d.Press("r")
	d.Sees("tab goes to the grants")
	d.Press("j", "p")
	d.Sees("Change an approval of ape-04 as alice")
	d.Press("esc", "r")
	d.Sees("Revoke an approval", "ape-04 → bob")
	d.Press("esc", "j", "j", "r") // the operator
	d.Sees("Revoke an operator as alice", "Operator  dave")
	d.Press("enter")
	d.DoesNotSee("all its tokens → dave")
	d.Press("esc")
	d.SeesIn(uitest.Footer, "enter act as")
}

func TestAnOperatorsGrantIsRevokedFromTheLineOfItsSpenderAsItsOwner(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("8", "j", "j", "j", "j", "j") // erin, the operator of bob
	d.Sees("all tokens of bob")
	d.Press("tab", "r")
	d.Sees("Act as bob")
	d.Press("enter", "enter")
	d.DoesNotSee("all tokens of bob")
}

func TestOperatorsAreNamedAndWithdrawnFromTokensAndAccounts(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Press("o")
	d.Sees("Grant an operator as alice", "alice owns 8 tokens now")
	d.Press("esc", "O")
	d.Sees("Revoke an operator as alice", "Operator  dave", "revoke_all")
	d.Press("esc", "8", "j", "o")
	d.Sees("Grant an operator as alice", "Operator  bob")
	for screen, says := range map[string]string{"1": "Revoke an operator", "8": "Revoke an operator", "3": "Only bob can change"} {
		d := uitest.New(t, ui.New, 120, 36)
		d.Keys(screen, ":", "revoke_all", "enter")
		d.Sees(says)
		d.Keys("esc", ":", "approve_all", "enter")
		d.Sees("Grant an operator as alice")
	}
}
