package tokens

import (
	"cmp"
	"strings"

	"ephemera/core/cw721"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// metadataFields returns the form's fields for metadata, filled with the stored values.
// storedMetadata is nil for a token without metadata.
func metadataFields(storedMetadata *cw721.Metadata) []widget.Field {
	storedMetadata = cmp.Or(storedMetadata, &cw721.Metadata{})
	return []widget.Field{
		{Name: "name", Label: "Name", Value: valueOrEmpty(storedMetadata.Name), Placeholder: "none"},
		{
			Name:        "description",
			Label:       "Description",
			Value:       valueOrEmpty(storedMetadata.Description),
			Placeholder: "none",
		},
		{
			Name:        "image",
			Label:       "Image",
			Value:       valueOrEmpty(storedMetadata.Image),
			Placeholder: "none",
			Hint:        "an absolute URL",
		},
		{
			Name:        "attributes",
			Label:       "Traits",
			Value:       formatTraits(storedMetadata.Attributes),
			Placeholder: "none",
			Hint:        "like: eyes=laser; hat=crown",
		},
	}
}

// readMetadata returns the metadata that is typed into a form. A field that still has its
// initial value is nil. isSet is false if all fields are nil. initialValues is nil for a
// new token.
func readMetadata(input *form.Input, initialValues map[string]string) (metadata *cw721.Metadata, isSet bool) {
	changedText := func(name string) *string { // nil for the initial one
		value := input.Values[name]
		if value == initialValues[name] {
			return nil
		}
		return &value
	}
	metadata = &cw721.Metadata{
		Name:        changedText("name"),
		Description: changedText("description"),
		Image:       changedText("image"),
	}
	if text := changedText("attributes"); text != nil {
		traits, problem := parseTraits(*text)
		if problem != "" {
			input.Fail("attributes", problem)
		}
		metadata.Attributes = &traits
	}
	return metadata, *metadata != cw721.Metadata{}
}

// parseTraits parses traits as they are typed, such as "eyes=laser; hat=crown". problem
// tells the user about a part without "=".
func parseTraits(text string) (traits []cw721.Trait, problem string) {
	traits = []cw721.Trait{}
	for part := range strings.SplitSeq(text, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, hasValue := strings.Cut(part, "=")
		if !hasValue {
			return nil, "traits: " + part + " has no value, expected like eyes=laser; hat=crown"
		}
		traits = append(traits, cw721.Trait{
			TraitType: strings.TrimSpace(name),
			Value:     strings.TrimSpace(value),
		})
	}
	return traits, ""
}

// formatTraits writes traits as [parseTraits] reads them, such as "eyes=laser; hat=crown".
// It returns "" if traits is nil, which means that none were ever set.
func formatTraits(traits *[]cw721.Trait) string {
	if traits == nil {
		return ""
	}
	parts := make([]string, len(*traits))
	for i, trait := range *traits {
		parts[i] = trait.TraitType + "=" + trait.Value
	}
	return strings.Join(parts, "; ")
}

// valueOrEmpty returns the text of an optional field, or "" for nil.
func valueOrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
