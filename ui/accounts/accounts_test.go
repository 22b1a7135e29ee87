package accounts_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/uitest"
)

func TestStoriesOfAccounts(t *testing.T) { uitest.Stories(t, ui.New) }

func TestACollectionWithoutNamesSaysHowToAddOne(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Given(func(st *app.State) { st.Accounts = nil })
	d.To("Accounts")
	d.Sees("no names yet: n adds one")
}

func TestCountsOfApprovalsStopAtNinetyNine(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	for i := range 100 {
		id := "x" + app.Decimal(uint64(i))
		uitest.Execute1(t, d.Chain, "minter", `{"mint":{"token_id":"`+id+`","owner":"$alice"}}`)
		uitest.Execute1(t, d.Chain, "alice", `{"approve":{"token_id":"`+id+`","spender":"$erin"}}`)
	}
	d.ReadAgain()
	d.To("Accounts")
	d.UnderCursor("  erin")
	d.SeesIn(uitest.List, "99+")

	d.Press("tab", "G")
	d.Sees("only the first 100 are listed")

	d.Press("esc")
	d.Sees("▸   erin")
}
