package explain_test

import (
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/explain"
)

func TestAMessageIsDescribedByWhatItAsksForAndWhatItDid(t *testing.T) {
	soon := cw721.UntilHeight(1110)
	noon := cw721.UntilTime(1_795_262_400_000_000_005)
	royalty := &cw721.CollectionExtensionMsg{RoyaltyInfo: &cw721.RoyaltyInfo{PaymentAddress: "bob"}}
	for _, c := range []struct {
		msg              cw721.ExecuteMsg
		request, outcome string
	}{
		{&cw721.TransferNft{Recipient: "bob", TokenID: "rose"}, "transfer rose → bob", "rose went to bob"},
		{&cw721.SendNft{Contract: "market", TokenID: ""}, `send "" → market`, `"" went to market`},
		{&cw721.Approve{Spender: "bob", TokenID: "rose", Expires: &soon}, "approve bob for rose until height 1,110", "approved bob for rose"},
		{&cw721.Approve{Spender: "bob", TokenID: "rose"}, "approve bob for rose", "approved bob for rose"},
		{&cw721.Revoke{Spender: "bob", TokenID: "rose"}, "revoke bob for rose", "revoked the approval for bob on rose"},
		{&cw721.ApproveAll{Operator: "bob", Expires: &noon}, "make bob an operator until 2026-11-21 12:00:00", "bob is an operator of alice now"},
		{&cw721.RevokeAll{Operator: "bob"}, "revoke bob as operator", "bob is no longer an operator of alice"},
		{&cw721.Mint{TokenID: "rose", Owner: "bob"}, "mint rose for bob", "minted rose for bob"},
		{&cw721.Burn{TokenID: "rose"}, "burn rose", "burned rose"},
		{&cw721.UpdateNftInfo{TokenID: "rose"}, "update rose", "done: update rose"},
		{&cw721.UpdateMinterOwnership{OwnershipAction: cw721.Offer("bob", &soon)}, "offer the minter role to bob until height 1,110", "done: offer the minter role to bob until height 1,110"},
		{&cw721.UpdateOwnership{UpdateMinterOwnership: cw721.UpdateMinterOwnership{OwnershipAction: cw721.Renounce}}, "renounce the minter role", "done: renounce the minter role"},
		{&cw721.UpdateCreatorOwnership{OwnershipAction: cw721.Accept}, "accept the creator role", "done: accept the creator role"},
		{&cw721.AddMinter{Minter: "bob"}, "make bob an additional minter", "done: make bob an additional minter"},
		{&cw721.RemoveMinter{Minter: "bob"}, "remove bob as additional minter", "done: remove bob as additional minter"},
		{&cw721.SetWithdrawAddress{Address: "bob"}, "withdraw to bob", "done: withdraw to bob"},
		{&cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Extension: royalty}}, "royalty 0 % to bob", "done: royalty 0 % to bob"},
		{&cw721.UpdateCollectionInfo{}, "update collection info", "done: update collection info"},
	} {
		got := explain.DescribeMessage(c.msg, "alice", func(a cw721.Address) string { return string(a) })
		if want := (cw721.MessageWords{Request: c.request, Outcome: c.outcome}); got != want {
			t.Errorf("%T: got %+v, want %+v", c.msg, got, want)
		}
	}
}
