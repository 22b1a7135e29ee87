package mutant

import "ephemera/core/cw721"

// aboveHighestShare is a share that the true contract refuses as too high.
var aboveHighestShare = cw721.Percent(11)

// raiseHighestShareAtStart raises a royalty share of exactly 10 % in an instantiate
// message above the limit, so that the true contract refuses it.
func raiseHighestShareAtStart(msg *cw721.InstantiateMsg) {
	msg.Extension = withRaisedShare(msg.Extension)
}

// raiseHighestShare does the same in an update_collection_info message.
func raiseHighestShare(x *call) error {
	if msg, ok := x.msg.(*cw721.UpdateCollectionInfo); ok {
		info := msg.CollectionInfo
		info.Extension = withRaisedShare(info.Extension)
		x.msg = &cw721.UpdateCollectionInfo{CollectionInfo: info}
	}
	return nil
}

// withRaisedShare returns an extension with the highest allowed royalty share raised
// above the limit, and any other extension as it is.
func withRaisedShare(extension *cw721.CollectionExtensionMsg) *cw721.CollectionExtensionMsg {
	if extension == nil || extension.RoyaltyInfo == nil || extension.RoyaltyInfo.Share.Cmp(cw721.MaxShare) != 0 {
		return extension
	}
	royalty := *extension.RoyaltyInfo
	royalty.Share = aboveHighestShare
	raised := *extension
	raised.RoyaltyInfo = &royalty
	return &raised
}

// addMinterAsMinter sends an add_minter message in the minter's name.
func addMinterAsMinter(x *call) error {
	if _, ok := x.msg.(*cw721.AddMinter); !ok {
		return nil
	}
	minter, _, err := cw721.LoadRoles(x.txn)
	if err == nil && minter.Owner != nil {
		x.sender = *minter.Owner
	}
	return err
}
