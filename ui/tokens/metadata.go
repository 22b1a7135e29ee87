package tokens

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// metadata lists what the token's extension says: the fields that are set, then
// the traits, then what is not set.
func metadata(t chain.Token) []widget.Line {
	head := []widget.Line{widget.Plain(""), widget.In(themes.Header, "Metadata")}
	m := t.Extension.Metadata
	if m == nil {
		return append(head, widget.In(themes.Faint, "none"))
	}
	lines := head
	var unset []string
	for _, f := range []struct {
		name  string
		value *string
	}{
		{"name", m.Name}, {"description", m.Description}, {"image", m.Image}, {"image data", m.ImageData}, {"external url", m.ExternalURL},
		{"background", m.BackgroundColor}, {"animation", m.AnimationURL}, {"youtube", m.YoutubeURL},
	} {
		if f.value == nil {
			unset = append(unset, f.name)
			continue
		}
		label := f.name
		for i, text := range strings.Split(*f.value, "\n") {
			if i == app.LongShown {
				lines = append(lines, widget.In(themes.Faint, widget.Fit("", 14)+themes.GlyphEllipsis+" more lines"))
				break
			}
			lines = append(lines, widget.In(themes.Muted, widget.Fit(label, 14)).And(themes.Text, text))
			label = ""
		}
	}
	if m.Attributes == nil {
		unset = append(unset, "traits")
	} else {
		lines = append(lines, traits(*m.Attributes)...)
	}
	if len(unset) > 0 {
		lines = append(lines, widget.In(themes.Faint, "not set: "+strings.Join(unset, ", ")))
	}
	return lines
}

func traits(all []cw721.Trait) []widget.Line {
	lines := []widget.Line{widget.In(themes.Muted, widget.Fit("traits", 14)).And(themes.Text, chain.Thousands(uint64(len(all))))}
	for i, a := range all {
		if i == app.LongShown {
			return append(lines, widget.In(themes.Faint, fmt.Sprintf("  %s %s more", themes.GlyphEllipsis, chain.Thousands(uint64(len(all)-i)))))
		}
		l := widget.In(themes.Muted, "  "+themes.GlyphDot+" "+a.TraitType+": ").And(themes.Text, a.Value)
		if a.DisplayType != nil {
			l = l.And(themes.Faint, " ("+*a.DisplayType+")")
		}
		lines = append(lines, l)
	}
	return lines
}
