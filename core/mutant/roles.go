package mutant

import (
	"ephemera/core/cw721"
)

// roleMutants are wrong about roles and royalties.
var roleMutants = []Mutant{
	{
		Name:   "offer-lapses",
		Belief: "an offer of a role without an expiry lapses with the next block",
		beforeExecute: func(call *call) error {
			setOfferExpiry(call, cw721.UntilHeight(call.env.Block.Height+1))
			return nil
		},
	},
	{
		Name:   "cap-exclusive",
		Belief: "a royalty share of exactly 10 % is refused",
		beforeInstantiate: func(msg *cw721.InstantiateMsg) {
			msg.Extension = withRaisedShare(msg.Extension)
		},
		beforeExecute: onMessage(func(call *call, msg *cw721.UpdateCollectionInfo) error {
			info := msg.CollectionInfo // a copy, because the message belongs to the sender
			info.Extension = withRaisedShare(info.Extension)
			call.msg = &cw721.UpdateCollectionInfo{CollectionInfo: info}
			return nil
		}),
	},
	{
		Name:   "anyone-adds-minters",
		Belief: "anyone may add minters",
		Rules:  cw721.RulesV022,
		beforeExecute: onMessage(func(call *call, _ *cw721.AddMinter) error {
			minter, _, err := cw721.CurrentLayout.LoadRoles(call.txn)
			if err != nil {
				return err
			}
			if minter.Owner != nil { // nil: the role was given up
				call.sender = *minter.Owner
			}
			return nil
		}),
	},
}

// withRaisedShare raises the royalty share in a collection's extension above the limit if
// the share is exactly the limit. It changes a copy of the extension. It returns any other
// extension as it is. nil is an extension that is left out.
func withRaisedShare(extension *cw721.CollectionExtensionMsg) *cw721.CollectionExtensionMsg {
	if extension == nil || extension.RoyaltyInfo == nil {
		return extension
	}
	if extension.RoyaltyInfo.Share.Cmp(cw721.MaxShare) != 0 {
		return extension
	}
	royalty := *extension.RoyaltyInfo
	royalty.Share = cw721.Percent(11)
	raisedExtension := *extension
	raisedExtension.RoyaltyInfo = &royalty
	return &raisedExtension
}
