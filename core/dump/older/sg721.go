package older

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// extensionMap has the members of a collection's extension, such as "description" and
// "royalty_info". 0.19 stores each as a record of its own.
var extensionMap = kv.NewMap(
	"cw721_collection_info_extension",
	kv.TextKey[string](),
	cw721.StoredJSON[cw721.Attribute](),
)

// sgInfo is the record collection_info of sg721. The first releases have neither explicit_content
// nor start_trading_time.
type sgInfo struct {
	Creator          cw721.Address      `wire:"creator"`
	Description      string             `wire:"description"`
	Image            string             `wire:"image"`
	ExternalLink     *string            `wire:"external_link"`
	ExplicitContent  *bool              `wire:"explicit_content"`
	StartTradingTime *cw721.Time        `wire:"start_trading_time"`
	RoyaltyInfo      *cw721.RoyaltyInfo `wire:"royalty_info"`
}

// convertSG721 converts the records of sg721 and removes the old ones. The minter stays minter,
// with a pending offer. The member creator of collection_info gets the creator's role.
func (c *Conversion) convertSG721(version cw721.Version) error {
	info, err := c.convertSGInfo()
	if err != nil {
		return err
	}
	minter, err := c.readOldMinter()
	if err != nil {
		return err
	}

	// The accounts that keep their roles must have valid addresses.
	if minter.Owner != nil && c.Minter == "" {
		if err := c.checkAddress("the minter", *minter.Owner, "--minter"); err != nil {
			return err
		}
	}
	if c.Creator == "" {
		if err := c.checkAddress("the creator", info.Creator, "--creator"); err != nil {
			return err
		}
	}
	c.OldLayout = "sg721"

	// A newer sg721 has the minter's role in the record ownership. Its bytes are kept.
	if c.hasRecord(ownerKey) {
		c.specialRecords[minterKey] = c.specialRecords[ownerKey]
	} else {
		c.setRecord(minterKey, minter)
	}
	c.setRecord(ownerKey, cw721.Ownership{Owner: &info.Creator})

	c.assignRoles()

	if err := c.writeInfo(version); err != nil {
		return err
	}
	c.noteSGDifferences(info, version.CodeName())

	// The old records are converted or noted, so none of them stays.
	for _, key := range oldKeys {
		delete(c.specialRecords, key)
	}
	return nil
}

// convertSGInfo writes each member of the record collection_info as a record of its own, with its
// JSON byte for byte, because encoding it again might spell a number differently. An absent
// member becomes null.
func (c *Conversion) convertSGInfo() (info sgInfo, err error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(c.specialRecords[sgInfoKey], &members); err != nil {
		return info, c.fail(
			"its record %s is not as sg721 writes it: %s",
			sgInfoKey, wire.DescribeJSONError(err))
	}
	if err := c.readRecord(sgInfoKey, &info); err != nil {
		return info, err
	}

	names := []string{
		"description", "explicit_content", "external_link",
		"image", "royalty_info", "start_trading_time",
	}
	for _, name := range names {
		value := members[name]
		if value == nil {
			value = jsontext.Value("null")
		}
		attribute := cw721.Attribute{Key: name, Value: cw721.Binary(value)}
		c.setRecord(string(extensionMap.Key(name)), attribute)
	}
	return info, nil
}

// noteSGDifferences adds a note about every record and rule of sg721 that 0.19 does not have.
// contract is the name of the old contract, such as "sg721-updatable".
func (c *Conversion) noteSGDifferences(info sgInfo, contract string) {
	if string(c.specialRecords[sgFrozenKey]) == "true" {
		c.addNote("the collection info was frozen; here the creator can change it again")
	}
	if string(c.specialRecords[sgFrozenTokensKey]) == "true" {
		c.addNote("the tokens' metadata were frozen; here the creator can change them again")
	}
	if c.hasRecord(sgUpdatableKey) {
		c.addNote("enable_updatable has no place: here the creator can always change a token_uri")
	}
	if c.hasRecord(sgRoyaltyKey) {
		c.addNote("royalty_updated_at has no place: here a royalty can be changed more than once in 24 hours")
	}
	if !strings.Contains(contract, "updatable") {
		c.addNote("nobody could change a token_uri; here the creator can (update_nft_info)")
	}
	if contract == "sg721-nt" {
		c.addNote("tokens could not be transferred; here they can")
	}

	// Values that could not be set here are kept all the same.
	royalty := info.RoyaltyInfo
	if royalty != nil && royalty.Share.Cmp(cw721.MaxShare) > 0 {
		c.addNote(
			"the royalty share %s is above the largest that can be set here, %s; it is kept",
			royalty.Share,
			cw721.MaxShare,
		)
	}
	if info.Description == "" {
		c.addNote("the description is empty, which cannot be set here; it is kept")
	}
}
