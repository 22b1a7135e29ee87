package mutant

import "ephemera/core/cw721"

// aboveHighestShare is a royalty share (of the price of a sale) that the true contract
// refuses. The highest that it accepts is 10 %.
var aboveHighestShare = cw721.Percent(11)

// raiseHighestShareAtStart raises a royalty share of exactly 10 % in an instantiate
// message above the limit, so that the true contract refuses it.
func raiseHighestShareAtStart(msg *cw721.InstantiateMsg) {
	msg.Extension = withRaisedShare(msg.Extension)
}

// raiseHighestShare raises a royalty share of exactly 10 % in an update_collection_info
// message above the limit, so that the true contract refuses it. It replaces x.msg and
// leaves the sender's message as it is.
func raiseHighestShare(x *call, msg *cw721.UpdateCollectionInfo) error {
	info := msg.CollectionInfo
	info.Extension = withRaisedShare(info.Extension)
	x.msg = &cw721.UpdateCollectionInfo{CollectionInfo: info}
	return nil
}

// withRaisedShare returns a copy of an extension (the collection's description and royalty)
// whose royalty share is above the limit, if the share is exactly the limit. It returns any
// other extension as it is.
func withRaisedShare(extension *cw721.CollectionExtensionMsg) *cw721.CollectionExtensionMsg {
	hasRoyalty := extension != nil && extension.RoyaltyInfo != nil
	if !hasRoyalty || extension.RoyaltyInfo.Share.Cmp(cw721.MaxShare) != 0 {
		return extension
	}
	royalty := *extension.RoyaltyInfo
	royalty.Share = aboveHighestShare
	raised := *extension
	raised.RoyaltyInfo = &royalty
	return &raised
}

// addMinterAsMinter lets anybody add minters: it sends an add_minter message in the name of
// the minter, who alone may do so in the true contract.
func addMinterAsMinter(x *call, _ *cw721.AddMinter) error {
	minter, _, err := cw721.CurrentLayout.LoadRoles(x.txn)
	if err == nil && minter.Owner != nil { // nil: the role was given up
		x.sender = *minter.Owner
	}
	return err
}
