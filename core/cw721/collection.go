package cw721

import (
	"cmp"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// RoyaltyInfo names the account that receives royalties, and its share of each sale. The
// contract limits the share, but does not pay it: marketplaces do (spec §7).
type RoyaltyInfo struct {
	PaymentAddress Address `wire:"payment_address"`
	Share          Share   `wire:"share"`
}

// CollectionInfo is the stored record with a collection's name and symbol.
type CollectionInfo struct {
	Name   string `wire:"name"`
	Symbol string `wire:"symbol"`
	// UpdatedAt is when the collection was created. Despite its name, updates don't change
	// it (spec §7).
	UpdatedAt Time `wire:"updated_at"`
}

// CollectionExtension describes a collection (spec §8). Members that are nil are not set.
type CollectionExtension struct {
	Description      string       `wire:"description"`
	Image            string       `wire:"image"`
	ExternalLink     *string      `wire:"external_link"`
	BannerURL        *string      `wire:"banner_url"` // since v0.21.0
	ExplicitContent  *bool        `wire:"explicit_content"`
	StartTradingTime *Time        `wire:"start_trading_time"`
	RoyaltyInfo      *RoyaltyInfo `wire:"royalty_info"`
}

// bannerURLName is the member of extensions that only v0.22.0 has.
const bannerURLName = "banner_url"

// CollectionExtensionMsg changes a [CollectionExtension]. A nil member keeps its stored value.
type CollectionExtensionMsg struct {
	Description      *string      `wire:"description"`
	Image            *string      `wire:"image"`
	ExternalLink     *string      `wire:"external_link"`
	BannerURL        *string      `wire:"banner_url"`
	ExplicitContent  *bool        `wire:"explicit_content"`
	StartTradingTime *Time        `wire:"start_trading_time"`
	RoyaltyInfo      *RoyaltyInfo `wire:"royalty_info"`
}

// Attribute is the stored record of one member of the extension, whose JSON is Value (spec §8).
type Attribute struct {
	Key   string `wire:"key"`
	Value Binary `wire:"value"`
}

type extensionField struct {
	key string // of the member's [Attribute]
	// nameInError is the member's name in the contract's error about a missing attribute,
	// such as "external link". It is "" if the attribute may be missing (spec §8).
	nameInError string
	member      any // a pointer to the member's field in the extension
}

// fields lists the members of the extension, sorted by key. The results point into e.
func (e *CollectionExtension) fields() []extensionField {
	return []extensionField{
		// Collections of older versions have no banner.
		{bannerURLName, "", &e.BannerURL},
		{"description", "description", &e.Description},
		{"explicit_content", "explicit content", &e.ExplicitContent},
		{"external_link", "external link", &e.ExternalLink},
		{"image", "image", &e.Image},
		{"royalty_info", "royalty info", &e.RoyaltyInfo},
		{"start_trading_time", "start trading time", &e.StartTradingTime},
	}
}

// decodeExtension returns nil if there are no attributes. It fails with an [*Error] if one is
// missing, and with a [*kv.CorruptError] if one cannot be decoded.
func decodeExtension(attributes []Attribute) (*CollectionExtension, error) {
	if len(attributes) == 0 {
		return nil, nil
	}

	extension := new(CollectionExtension)
	for _, field := range extension.fields() {
		i := slices.IndexFunc(attributes, func(a Attribute) bool { return a.Key == field.key })
		switch {
		case i < 0 && field.nameInError == "": // older collections lack the members that were added later
			continue
		case i < 0:
			return nil, newRefusal("Missing " + field.nameInError + " attribute")
		}

		if err := wire.Decode(attributes[i].Value, field.member); err != nil {
			return nil, &kv.CorruptError{Key: extensionMap.Key(field.key), Err: err}
		}
	}
	return extension, nil
}

// maxDescription is the length of the longest description in bytes. The contract's error
// text says characters.
const maxDescription = 512

// check refuses new values of an extension that break a rule, in the contract's order
// (spec §4, §7 steps 5 to 7). A nil m is valid. path is the dotted path of m in the
// message. storedRoyalty limits the new royalty; it is nil if there is none.
func (m *CollectionExtensionMsg) check(contract Contract, path string, storedRoyalty *RoyaltyInfo) error {
	if m == nil {
		return nil
	}
	if m.Description != nil && len(*m.Description) > maxDescription {
		return errLongDescription.withField(path + ".description")
	}

	return cmp.Or(
		refuseEmpty(m.Description, errEmptyDescription, path+".description"),
		checkURLs(path+".",
			urlMember{"image", m.Image},
			urlMember{"external_link", m.ExternalLink},
			urlMember{bannerURLName, m.BannerURL},
		),
		m.RoyaltyInfo.check(contract, path+".royalty_info", storedRoyalty),
	)
}

// check is [CollectionExtensionMsg.check] for a royalty (spec §7 step 7).
func (r *RoyaltyInfo) check(contract Contract, path string, storedRoyalty *RoyaltyInfo) error {
	if r == nil {
		return nil
	}

	// Most rule sets limit by how much one message may raise the share.
	maxIncrease, isLimited := contract.Rules.MaxShareIncrease()
	isIncrease := storedRoyalty != nil && r.Share.Cmp(storedRoyalty.Share) > 0
	if isLimited && isIncrease && r.Share.Sub(storedRoyalty.Share).Cmp(maxIncrease) > 0 {
		return errShareIncrease.withField(path + ".share")
	}

	// All rule sets limit the share itself.
	if r.Share.Cmp(MaxShare) > 0 {
		return errShareTooHigh.withField(path + ".share")
	}
	return contract.checkAddress(r.PaymentAddress, path+".payment_address")
}

// merge returns the stored extension after the change that m asks for: members that are
// not nil in m replace the stored ones. A nil stored extension counts as empty.
//
// [cmp.Or] returns its first argument that is not nil: the new value or else the stored one.
func (m *CollectionExtensionMsg) merge(storedExtension *CollectionExtension) CollectionExtension {
	extension := *cmp.Or(storedExtension, &CollectionExtension{})
	extension.Description = *cmp.Or(m.Description, &extension.Description)
	extension.Image = *cmp.Or(m.Image, &extension.Image)
	extension.ExternalLink = cmp.Or(m.ExternalLink, extension.ExternalLink)
	extension.BannerURL = cmp.Or(m.BannerURL, extension.BannerURL)
	extension.ExplicitContent = cmp.Or(m.ExplicitContent, extension.ExplicitContent)
	extension.StartTradingTime = cmp.Or(m.StartTradingTime, extension.StartTradingTime)
	extension.RoyaltyInfo = cmp.Or(m.RoyaltyInfo, extension.RoyaltyInfo)
	return extension
}
