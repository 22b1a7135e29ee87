package inspect_test

import (
	"testing"

	"ephemera/ui"
	"ephemera/ui/uitest"
)

func TestADanglingGrantIsRevokedWithTwoKeys(t *testing.T) {
	d := uitest.New(t, ui.New, 120, 36)
	d.Keys(":", "dangling", "enter")
	d.Sees("Dangling grants", "outlives expiry", "the operator grant from bob to erin: until 2026-11-21 12:40:00 UTC, really without expiry", "takes it away, as bob")
	d.Press("enter")
	d.Sees("Change the decision as bob", "will work", "revoke_all")
	d.Press("enter")
	d.Sees("Dangling grants", "endless operator", "the operator grant from alice to dave never expires", "takes it away, as alice")
	d.Press("enter")
	d.Sees("Change the decision as alice", "will work", "revoke_all")
	d.Press("enter")
	d.Sees("nothing here would surprise anybody")
	d.Fits()
}

func TestAnApprovalWhoseGiverLostThePermissionIsDangling(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Do("dave", `{"approve":{"token_id":"ape-01","spender":"$carol"}}`)
	d.Do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.Do("bob", `{"revoke_all":{"operator":"$erin"}}`)
	d.Press("v", "down", "enter")
	d.Sees("lost giver", "the approval for carol on ape-01 lives on", "may no longer approve on behalf of alice", "brought about by #")
	d.Sees("How carol can still transfer the token", "1  now  carol: transfer ape-01 → carol", "allowed: approval without expiry")
	d.Press("w")
	d.Sees("carol may transfer")
	d.Press("esc", "W")
	d.Sees("who can transfer ape-01 as carol", "✓ carol can transfer ape-01, by 1 message")
	d.Press("esc", "B")
	d.Sees("never expires, so there is no boundary")
	d.Fits()
}

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

func TestAnEmptyListOfDanglingGrantsNamesNoKeys(t *testing.T) {
	d := uitest.New(t, ui.New, 80, 24)
	d.Press("v", "down", "enter")
	d.Sees("take it away", "B probe")
	d.Press("esc")
	d.Do("alice", `{"revoke_all":{"operator":"$dave"}}`)
	d.Do("bob", `{"revoke_all":{"operator":"$erin"}}`)
	d.Press("v", "down", "enter")
	d.Sees("nothing here would surprise anybody", "esc close")
	d.DoesNotSee("take it away", "B probe")
}
