package cw721

import (
	"cmp"
	"ephemera/core/wire"
)

// Trait is one attribute of a token.
type Trait struct {
	DisplayType *string `wire:"display_type"`
	TraitType   string  `wire:"trait_type"`
	Value       string  `wire:"value"`
}

// Metadata is a token's extension in the metadata-onchain flavour: nine
// fields, all of them optional (spec §9).
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

// texts are the fields that hold a text.
func (m *Metadata) texts() [8]**string {
	return [...]**string{
		&m.Image, &m.ImageData, &m.ExternalURL, &m.Description, &m.Name, &m.BackgroundColor, &m.AnimationURL, &m.YoutubeURL,
	}
}

// Extension is a token's extension of either flavour, or none: cw721-base has
// an empty object, metadata-onchain has [Metadata] (spec §1).
type Extension struct {
	// Base is set for cw721-base's {}.
	Base bool
	// Metadata is set for metadata-onchain.
	Metadata *Metadata
}

// IsNull tells whether there is no extension.
func (e Extension) IsNull() bool { return !e.Base && e.Metadata == nil }

// check holds metadata to the contract's order (spec §9).
func (m *Metadata) check() error {
	err := checkURLs("extension.",
		urlMember{"image", nilIfEmpty(m.Image)}, urlMember{"external_url", nilIfEmpty(m.ExternalURL)},
		urlMember{"animation_url", nilIfEmpty(m.AnimationURL)}, urlMember{"youtube_url", nilIfEmpty(m.YoutubeURL)})
	if err != nil {
		return err
	}
	if m.Attributes == nil {
		return nil
	}
	for _, t := range *m.Attributes {
		switch {
		case t.TraitType == "":
			return errTraitType.withField("extension.attributes")
		case t.Value == "":
			return errTraitValue.withField("extension.attributes")
		case t.DisplayType != nil && *t.DisplayType == "":
			return errTraitDisplay.withField("extension.attributes")
		}
	}
	return nil
}

// merge puts what is given over what is stored: an empty string clears, what
// is absent stays (spec §5.2).
func (m *Metadata) merge(old *Metadata) *Metadata {
	if old == nil {
		return m // as at mint: an empty string is kept
	}
	out := *old
	into := out.texts()
	for i, text := range m.texts() {
		if *text != nil {
			*into[i] = nilIfEmpty(*text)
		}
	}
	out.Attributes = cmp.Or(m.Attributes, out.Attributes)
	return &out
}

func nilIfEmpty(s *string) *string {
	if s == nil || *s == "" {
		return nil
	}
	return s
}

// WireValue is written as null, {} or the nine fields.
func (e Extension) WireValue() any {
	if e.Base {
		return Empty{}
	}
	return e.Metadata
}

// DecodeWire reads an extension of the [Flavour] that the decoder's context
// names; without one, as in storage, {} is cw721-base's.
func (e *Extension) DecodeWire(d *wire.Decoder) error {
	if d.Kind() == 'n' {
		_, err := d.Token()
		return err
	}
	if err := d.Open(); err != nil {
		return err
	}
	flavour, stored := FlavourOnchain, true
	if f, ok := d.Context.(Flavour); ok {
		flavour, stored = f, false
	}
	if flavour == FlavourBase || stored && d.Kind() == '}' {
		e.Base = true
		return d.Rest(new(Empty))
	}
	e.Metadata = new(Metadata)
	return d.Rest(e.Metadata)
}
