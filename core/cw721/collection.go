package cw721

import (
	"cmp"
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// RoyaltyInfo says who is paid which share of a sale. Marketplaces read it; the
// contract enforces nothing but its size (spec §7).
type RoyaltyInfo struct {
	PaymentAddress Address `wire:"payment_address"`
	Share          Share   `wire:"share"`
}

// CollectionInfo is what a collection is called. UpdatedAt is the time of its
// creation and stays so (spec §7).
type CollectionInfo struct {
	Name      string `wire:"name"`
	Symbol    string `wire:"symbol"`
	UpdatedAt Time   `wire:"updated_at"`
}

// CollectionExtension describes a collection (spec §8).
type CollectionExtension struct {
	Description      string       `wire:"description"`
	Image            string       `wire:"image"`
	ExternalLink     *string      `wire:"external_link"`
	BannerURL        *string      `wire:"banner_url"` // under v0.22.0 alone
	ExplicitContent  *bool        `wire:"explicit_content"`
	StartTradingTime *Time        `wire:"start_trading_time"`
	RoyaltyInfo      *RoyaltyInfo `wire:"royalty_info"`
}

// bannerURL is the one member that older versions have not.
const bannerURL = "banner_url"

// CollectionExtensionMsg is a [CollectionExtension] in a message: what is
// absent is left as it is.
type CollectionExtensionMsg struct {
	Description      *string      `wire:"description"`
	Image            *string      `wire:"image"`
	ExternalLink     *string      `wire:"external_link"`
	BannerURL        *string      `wire:"banner_url"`
	ExplicitContent  *bool        `wire:"explicit_content"`
	StartTradingTime *Time        `wire:"start_trading_time"`
	RoyaltyInfo      *RoyaltyInfo `wire:"royalty_info"`
}

// Attribute is one member of a collection's extension as it is stored: the
// value is the JSON of the member (spec §8).
type Attribute struct {
	Key   string `wire:"key"`
	Value Binary `wire:"value"`
}

// extensionField is a member of an extension as an attribute: its key, and what
// the contract calls it where it is missing (spec §8).
type extensionField struct {
	key, name string
	at        any // a pointer to it
}

// fields are the members, sorted by key.
func (e *CollectionExtension) fields() []extensionField {
	return []extensionField{
		{bannerURL, "", &e.BannerURL}, // which a collection of an older version has not
		{"description", "description", &e.Description},
		{"explicit_content", "explicit content", &e.ExplicitContent},
		{"external_link", "external link", &e.ExternalLink},
		{"image", "image", &e.Image},
		{"royalty_info", "royalty info", &e.RoyaltyInfo},
		{"start_trading_time", "start trading time", &e.StartTradingTime},
	}
}

// extensionFrom reads the stored form.
func extensionFrom(attrs []Attribute) (*CollectionExtension, error) {
	if len(attrs) == 0 {
		return nil, nil
	}
	e := new(CollectionExtension)
	for _, f := range e.fields() {
		i := slices.IndexFunc(attrs, func(a Attribute) bool { return a.Key == f.key })
		switch {
		case i < 0 && f.name != "":
			return nil, refuse("Missing " + f.name + " attribute")
		case i < 0:
			continue
		}
		if err := wire.Decode(attrs[i].Value, f.at); err != nil {
			return nil, &kv.CorruptError{Key: extensionMap.Key(f.key), Err: err}
		}
	}
	return e, nil
}

const maxDescription = 512 // bytes, whatever the contract's text says

// check holds a message's extension to the rules that do not depend on who
// sends it, in the contract's order (spec §4, §7 steps 5 to 7). in is the path
// of the extension in the message, old the royalty that is stored, nil for none.
func (m *CollectionExtensionMsg) check(c Contract, in string, old *RoyaltyInfo) error {
	in += "."
	if d := m.Description; d != nil {
		if *d == "" {
			return errEmptyDescription.withField(in + "description")
		}
		if len(*d) > maxDescription {
			return errLongDescription.withField(in + "description")
		}
	}
	if err := checkURLs(in, urlMember{"image", m.Image}, urlMember{"external_link", m.ExternalLink}, urlMember{bannerURL, m.BannerURL}); err != nil {
		return err
	}
	if r := m.RoyaltyInfo; r != nil {
		step, limited := c.Rules.MaxShareIncrease()
		if old != nil && limited && r.Share.Cmp(old.Share) > 0 && r.Share.Sub(old.Share).Cmp(step) > 0 {
			return errShareIncrease.withField(in + "royalty_info.share")
		}
		if r.Share.Cmp(MaxShare) > 0 {
			return errShareTooHigh.withField(in + "royalty_info.share")
		}
		return c.checkAddress(r.PaymentAddress, in+"royalty_info.payment_address")
	}
	return nil
}

// merge puts what the message gives over what is stored; nothing stored reads
// as empty.
func (m *CollectionExtensionMsg) merge(old *CollectionExtension) CollectionExtension {
	e := *cmp.Or(old, &CollectionExtension{})
	e.Description = *cmp.Or(m.Description, &e.Description)
	e.Image = *cmp.Or(m.Image, &e.Image)
	e.ExternalLink = cmp.Or(m.ExternalLink, e.ExternalLink)
	e.BannerURL = cmp.Or(m.BannerURL, e.BannerURL)
	e.ExplicitContent = cmp.Or(m.ExplicitContent, e.ExplicitContent)
	e.StartTradingTime = cmp.Or(m.StartTradingTime, e.StartTradingTime)
	e.RoyaltyInfo = cmp.Or(m.RoyaltyInfo, e.RoyaltyInfo)
	return e
}
