package tokens

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

func mintForm(st *app.State) tea.Cmd {
	fields := []widget.Field{
		{Name: "token_id", Label: "Token id", Placeholder: "any text"},
		form.AccountFieldOf(st, "owner", "Owner", st.Actor),
		{Name: "token_uri", Label: "Token URI", Placeholder: "none", Hint: "an absolute URL, like ipfs://bafy…/1.json"},
	}
	if st.Config.Flavour != cw721.FlavourBase {
		fields = append(fields, metadataFields(nil)...)
	}
	fields = append(fields, widget.Field{Name: "count", Label: "How many", Value: "1", Hint: "of more than one the ids count on: ape-09, ape-10"})
	return form.Open(st, form.NewAction("Mint a token", func(st *app.State, v map[string]string) (out form.Result) {
		mint := &cw721.Mint{TokenID: v["token_id"], Owner: form.ReadAddress(st, v, "owner", &out)}
		if uri := v["token_uri"]; uri != "" {
			mint.TokenURI = &uri
		}
		if m, some := readMetadata(&out, v, nil); some {
			mint.Extension.Metadata = m
		}
		if mint.TokenID == "" {
			out.Note("token_id", widget.In(themes.Warn, themes.GlyphWarn+" the id is empty, which is an id too"))
		}
		if count := strings.TrimSpace(v["count"]); count != "1" {
			return mintMany(st, &out, *mint, count)
		}
		return out.Fill(mint)
	}, fields...))
}

// infoForm changes a token's URI and metadata (spec §5.2). Only what differs
// from what is stored is sent; an emptied field is cleared.
func infoForm(st *app.State, t chain.Token) tea.Cmd {
	old := t.Extension.Metadata
	var was map[string]string // what the form held when it opened
	fields := []widget.Field{{Name: "token_uri", Label: "Token URI", Value: stored(t.TokenURI), Placeholder: "none", Hint: "an absolute URL; empty takes it away"}}
	if st.Config.Flavour != cw721.FlavourBase {
		if old != nil {
			fields = append(fields, widget.Field{
				Name: "extension", Label: "Metadata", Kind: widget.ChoiceField,
				Options: []widget.Candidate{{Value: "keep", Label: "send what changes", Detail: "the rest stays"}, {Value: "absent", Label: "leave out of the message"}},
			})
		}
		fields = append(fields, metadataFields(old)...)
	}
	for i := range fields {
		fields[i].Amend = true
	}
	f := form.NewMessage(form.Title("Update", t.ID), func(st *app.State, v map[string]string, out *form.Result) cw721.ExecuteMsg {
		if was == nil {
			was = v
		}
		msg := &cw721.UpdateNftInfo{TokenID: t.ID}
		if now := v["token_uri"]; now != was["token_uri"] {
			msg.TokenURI = &now
		}
		m, some := readMetadata(out, v, was)
		switch {
		case v["extension"] == "absent":
			out.Note("extension", widget.In(themes.Warn, themes.GlyphWarn+" a message without an extension makes the stored one null: all metadata is lost"))
		case some, old != nil:
			msg.Extension.Metadata = m
		}
		if t.Extension.Base {
			msg.Extension.Base = true
		}
		return msg
	}, fields...)
	f.Change = func(form *widget.Form, field string) {
		if field == "extension" {
			for _, fd := range metadataFields(nil) {
				form.Show(fd.Name, form.Value("extension") != "absent")
			}
		}
	}
	return form.Open(st, f)
}

// metadataFields are the fields for a token's metadata, filled in with what is
// stored.
func metadataFields(old *cw721.Metadata) []widget.Field {
	old = cmp.Or(old, &cw721.Metadata{})
	return []widget.Field{
		{Name: "name", Label: "Name", Value: stored(old.Name), Placeholder: "none"},
		{Name: "description", Label: "Description", Value: stored(old.Description), Placeholder: "none"},
		{Name: "image", Label: "Image", Value: stored(old.Image), Placeholder: "none", Hint: "an absolute URL"},
		{Name: "attributes", Label: "Traits", Value: typeTraits(old.Attributes), Placeholder: "none", Hint: "like: eyes=laser; hat=crown"},
	}
}

func stored(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// readMetadata makes the extension of what was typed: only what differs from what
// the form held at first; some tells whether anything does.
func readMetadata(out *form.Result, v, was map[string]string) (m *cw721.Metadata, some bool) {
	m = &cw721.Metadata{}
	for name, into := range map[string]**string{"name": &m.Name, "description": &m.Description, "image": &m.Image} {
		if now, typed := v[name]; typed && now != was[name] {
			*into, some = &now, true
		}
	}
	if now, typed := v["attributes"]; typed && now != was["attributes"] {
		all, err := parseTraits(now)
		if err != "" {
			out.Fail("attributes", err)
		}
		m.Attributes, some = &all, true
	}
	return m, some
}

// parseTraits reads traits as they are typed: type=value, with semicolons
// between.
func parseTraits(text string) (all []cw721.Trait, problem string) {
	all = []cw721.Trait{}
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, found := strings.Cut(part, "=")
		if !found {
			return nil, "traits: " + strings.TrimSpace(part) + " has no value, expected like eyes=laser; hat=crown"
		}
		all = append(all, cw721.Trait{TraitType: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	return all, ""
}

// typeTraits writes traits the way they can be typed.
func typeTraits(all *[]cw721.Trait) string {
	if all == nil {
		return ""
	}
	parts := make([]string, len(*all))
	for i, t := range *all {
		parts[i] = t.TraitType + "=" + t.Value
	}
	return strings.Join(parts, "; ")
}
