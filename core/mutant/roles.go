package mutant

import (
	"ephemera/core/cw721"
)

// roleMutants are wrong about roles and royalties.
var roleMutants = []Mutant{
	{
		Name:          "offer-lapses",
		Belief:        "an offer of a role without an expiry lapses with the next block",
		beforeExecute: expireOfferInNextBlock,
	},
	{
		Name:              "cap-exclusive",
		Belief:            "a royalty share of exactly 10 % is refused",
		beforeInstantiate: raiseHighestShareAtStart,
		beforeExecute:     onMessage(raiseHighestShare),
	},
	{
		Name:          "anyone-adds-minters",
		Belief:        "anyone may add minters",
		Rules:         cw721.RulesV022,
		beforeExecute: onMessage(letAnybodyAddMinters),
	},
}

// expireOfferInNextBlock lets offers without an expiry lapse at once. It runs before a
// message that offers the role of minter or creator. If the message has no expiry, it sets
// the next height, so that nobody can accept the offer in a later block.
func expireOfferInNextBlock(call *call) error {
	setOfferExpiry(call, cw721.UntilHeight(call.env.Block.Height+1))
	return nil
}

// aboveHighestShare is a royalty share (of the price of a sale) that the true contract
// refuses. The highest that it accepts is 10 %.
var aboveHighestShare = cw721.Percent(11)

// raiseHighestShareAtStart raises a royalty share of exactly 10 % in an instantiate
// message above the limit, so that the true contract refuses it.
func raiseHighestShareAtStart(msg *cw721.InstantiateMsg) {
	msg.Extension = withRaisedShare(msg.Extension)
}

// raiseHighestShare raises a royalty share of exactly 10 % in an update_collection_info
// message above the limit, so that the true contract refuses it. It replaces call.msg and
// leaves the sender's message as it is.
func raiseHighestShare(call *call, msg *cw721.UpdateCollectionInfo) error {
	info := msg.CollectionInfo
	info.Extension = withRaisedShare(info.Extension)
	call.msg = &cw721.UpdateCollectionInfo{CollectionInfo: info}
	return nil
}

// withRaisedShare raises the royalty share in a collection's extension above the limit if
// the share is exactly the limit. It changes a copy of the extension. It returns any other
// extension as it is. nil is an extension that is left out.
func withRaisedShare(extension *cw721.CollectionExtensionMsg) *cw721.CollectionExtensionMsg {
	hasRoyalty := extension != nil && extension.RoyaltyInfo != nil
	if !hasRoyalty || extension.RoyaltyInfo.Share.Cmp(cw721.MaxShare) != 0 {
		return extension
	}
	royalty := *extension.RoyaltyInfo
	royalty.Share = aboveHighestShare
	raisedExtension := *extension
	raisedExtension.RoyaltyInfo = &royalty
	return &raisedExtension
}

// letAnybodyAddMinters lets anybody add minters. In the true contract only the minter may
// do that. It runs before an add_minter message, and replaces the sender by the minter.
func letAnybodyAddMinters(call *call, _ *cw721.AddMinter) error {
	minter, _, err := cw721.CurrentLayout.LoadRoles(call.txn)
	if err != nil {
		return err
	}
	if minter.Owner != nil { // nil: the role was given up
		call.sender = *minter.Owner
	}
	return nil
}
