package cw721

import (
	"cmp"

	"ephemera/core/wire"
)

// Trait is one attribute of a token, such as the type "Fur" with the value "gold".
// DisplayType, which can be nil, tells marketplaces how to show it, such as "number".
type Trait struct {
	DisplayType *string `wire:"display_type"`
	TraitType   string  `wire:"trait_type"`
	Value       string  `wire:"value"`
}

// Metadata is a token's extension in the flavour metadata-onchain: nine optional
// members (spec §9).
type Metadata struct {
	Image           *string  `wire:"image"`
	ImageData       *string  `wire:"image_data"`
	ExternalURL     *string  `wire:"external_url"`
	Description     *string  `wire:"description"`
	Name            *string  `wire:"name"`
	Attributes      *[]Trait `wire:"attributes"`
	BackgroundColor *string  `wire:"background_color"`
	AnimationURL    *string  `wire:"animation_url"`
	YoutubeURL      *string  `wire:"youtube_url"`
}

// textMembers returns pointers to all members but Attributes, always in the same order.
func (m *Metadata) textMembers() [8]**string {
	return [...]**string{
		&m.Image, &m.ImageData, &m.ExternalURL, &m.Description,
		&m.Name, &m.BackgroundColor, &m.AnimationURL, &m.YoutubeURL,
	}
}

// Extension is a token's extension in either [Flavour] of the contract (spec §1). At most
// one member is set. The zero value is no extension.
type Extension struct {
	Base     bool      // set for the extension of cw721-base, an empty object
	Metadata *Metadata // the extension of metadata-onchain
}

// check refuses malformed URLs and empty texts in traits, in the contract's order
// (spec §9). An empty URL is allowed, and a nil m is valid.
func (m *Metadata) check() error {
	if m == nil {
		return nil
	}
	err := checkURLs("extension.",
		urlMember{"image", nilIfEmpty(m.Image)},
		urlMember{"external_url", nilIfEmpty(m.ExternalURL)},
		urlMember{"animation_url", nilIfEmpty(m.AnimationURL)},
		urlMember{"youtube_url", nilIfEmpty(m.YoutubeURL)},
	)
	if err != nil || m.Attributes == nil {
		return err
	}

	// A trait needs a type and a value.
	for _, trait := range *m.Attributes {
		switch {
		case trait.TraitType == "":
			return errTraitType.withField("extension.attributes")
		case trait.Value == "":
			return errTraitValue.withField("extension.attributes")
		case trait.DisplayType != nil && *trait.DisplayType == "":
			return errTraitDisplay.withField("extension.attributes")
		}
	}
	return nil
}

// merge returns the stored metadata after the change that m asks for (spec §5.2). A nil
// member of m keeps the stored member, an empty text removes it, and any other value
// replaces it. If storedMetadata is nil, the result is m itself, with its empty texts.
func (m *Metadata) merge(storedMetadata *Metadata) *Metadata {
	if storedMetadata == nil {
		return m
	}

	mergedMetadata := *storedMetadata
	mergedMembers := mergedMetadata.textMembers()
	for i, member := range m.textMembers() {
		newText := *member
		if newText != nil {
			*mergedMembers[i] = nilIfEmpty(newText)
		}
	}
	mergedMetadata.Attributes = cmp.Or(m.Attributes, mergedMetadata.Attributes)
	return &mergedMetadata
}

func nilIfEmpty(text *string) *string {
	if text == nil || *text == "" {
		return nil
	}
	return text
}

// WireValue returns the value that is encoded in place of e: an empty object, the metadata,
// or null.
func (e Extension) WireValue() any {
	if e.Base {
		return Empty{}
	}
	return e.Metadata // nil is encoded as null
}

// DecodeWire reads null or an object. The [Flavour] in the decoder's context tells whether
// an object is metadata or the empty extension of cw721-base. Stored records are read
// without a flavour. Then an empty object is the extension of cw721-base, and any other
// object is metadata.
func (e *Extension) DecodeWire(decoder *wire.Decoder) error {
	if decoder.Kind() == 'n' { // the kind of null
		_, err := decoder.Token()
		return err
	}
	if err := decoder.OpenObject(); err != nil {
		return err
	}

	// The flavour decides what an object means. Without a flavour, the content decides.
	flavour, hasFlavour := decoder.Context.(Flavour)
	isEmpty := decoder.Kind() == '}'
	isBase := flavour == FlavourBase || !hasFlavour && isEmpty
	if isBase {
		e.Base = true
		return decoder.ReadRestOfObject(new(Empty))
	}
	e.Metadata = new(Metadata)
	return decoder.ReadRestOfObject(e.Metadata)
}
