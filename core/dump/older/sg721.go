package older

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// attributes are the members of a collection's extension, each a record of its
// own in 0.19.
var attributes = kv.NewMap("cw721_collection_info_extension", kv.TextKey[string](), cw721.StoredJSON[cw721.Attribute]())

// sgInfo is the record collection_info of sg721. The first generation has
// neither explicit_content nor start_trading_time.
type sgInfo struct {
	Creator          cw721.Address      `wire:"creator"`
	Description      string             `wire:"description"`
	Image            string             `wire:"image"`
	ExternalLink     *string            `wire:"external_link"`
	ExplicitContent  *bool              `wire:"explicit_content"`
	StartTradingTime *cw721.Time        `wire:"start_trading_time"`
	RoyaltyInfo      *cw721.RoyaltyInfo `wire:"royalty_info"`
}

// fromSG721 maps sg721 so that what it says of the collection is kept: the
// minter is the parent's, with a pending transfer of the role, and the creator
// that of collection_info.
func (c *Conversion) fromSG721() error {
	info, err := c.sgInfo()
	if err != nil {
		return err
	}
	var version cw721.Version
	_ = c.read(versionKey, &version) // newInfo tells what is wrong with it
	minter, err := c.oldMinter()
	if err != nil {
		return err
	}
	if minter.Owner != nil && c.Minter == "" {
		if err := c.address("the minter", *minter.Owner, "--minter"); err != nil {
			return err
		}
	}
	if c.Creator == "" {
		if err := c.address("the creator", info.Creator, "--creator"); err != nil {
			return err
		}
	}
	c.From = "sg721"
	if c.has(ownerKey) {
		c.held[minterKey] = c.held[ownerKey]
	} else {
		c.set(minterKey, minter)
	}
	c.set(ownerKey, cw721.Ownership{Owner: &info.Creator})
	if err := c.newInfo(); err != nil {
		return err
	}
	c.sgNotes(info, version.Contract)
	for _, key := range []string{oldInfoKey, oldMinterKey, sgInfoKey, sgFrozenKey, sgRoyaltyKey, sgFrozenTokensKey, sgUpdatableKey} {
		delete(c.held, key)
	}
	return nil
}

// sgInfo reads collection_info, and keeps its members as they are spelled.
func (c *Conversion) sgInfo() (info sgInfo, err error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(c.held[sgInfoKey], &members); err != nil {
		return info, c.fail("its record %s is not as sg721 writes it: %s", sgInfoKey, wire.Problem(err))
	}
	if err := c.read(sgInfoKey, &info); err != nil {
		return info, err
	}
	for _, name := range []string{"description", "explicit_content", "external_link", "image", "royalty_info", "start_trading_time"} {
		value := members[name]
		if value == nil {
			value = jsontext.Value("null")
		}
		c.set(string(attributes.Key(name)), cw721.Attribute{Key: name, Value: cw721.Binary(value)})
	}
	return info, nil
}

// sgNotes says which of sg721's records and rules have no place in 0.19.
func (c *Conversion) sgNotes(info sgInfo, contract string) {
	if string(c.held[sgFrozenKey]) == "true" {
		c.note("the collection info was frozen; here the creator can change it again")
	}
	if string(c.held[sgFrozenTokensKey]) == "true" {
		c.note("the tokens' metadata were frozen; here the creator can change them again")
	}
	if c.has(sgUpdatableKey) {
		c.note("enable_updatable has no place: here the creator can always change a token_uri")
	}
	if c.has(sgRoyaltyKey) {
		c.note("royalty_updated_at has no place: here a royalty can be changed more than once in 24 hours")
	}
	if !strings.Contains(contract, "updatable") {
		c.note("nobody could change a token_uri; here the creator can (update_nft_info)")
	}
	if strings.HasSuffix(contract, "sg721-nt") {
		c.note("tokens could not be transferred; here they can")
	}
	if r := info.RoyaltyInfo; r != nil && r.Share.Cmp(cw721.MaxShare) > 0 {
		c.note("the royalty share %s is above the largest that can be set here, %s; it is kept", r.Share, cw721.MaxShare)
	}
	if info.Description == "" {
		c.note("the description is empty, which cannot be set here; it is kept")
	}
}
