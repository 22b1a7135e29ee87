package inspect_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestALapsedOfferOrAGrantToOneselfGivesNoWayToTransfer(t *testing.T) {
	for danger, given := range map[string][2]string{
		"lapsed offer": {"minter", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$carol","expiry":{"at_height":1103}}}}`},
		"to oneself":   {"alice", `{"approve":{"token_id":"ape-01","spender":"$alice"}}`},
	} {
		d := uitest.New(t, ui.New, 80, 24)
		d.Do("alice", `{"revoke_all":{"operator":"$dave"}}`)
		d.Do("bob", `{"revoke_all":{"operator":"$erin"}}`)
		d.Do(given[0], given[1])
		d.Press(".", "v", "down", "enter")
		d.Sees(danger, "1–1 of 1")
		d.DoesNotSee("can still transfer")
	}
}
