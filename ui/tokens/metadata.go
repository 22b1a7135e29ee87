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

// shortURI is the token's URI in a line of w cells.
func shortURI(uri string, w int) string {
	return widget.Middle(widget.Safe(uri), max(w-len("uri  "), 1))
}

// metadata lists what the token's extension says below a heading of two lines:
// the fields that are set, then the traits, then what is not set; last the URI,
// where a line of w cells is too short for it. noPicture says why there is none.
func metadata(t chain.Token, w int, noPicture string) []widget.Line {
	lines := append([]widget.Line{widget.Plain(""), widget.In(themes.Header, "Metadata")}, extension(t.Extension.Metadata, w, noPicture)...)
	if uri := t.TokenURI; uri != nil && shortURI(*uri, w) != *uri {
		lines = append(lines, widget.Plain(""), widget.In(themes.Muted, "uri  ").And(themes.Text, *uri))
	}
	return lines
}

func extension(m *cw721.Metadata, w int, noPicture string) (lines []widget.Line) {
	if m == nil {
		return []widget.Line{widget.In(themes.Faint, "none")}
	}
	var unset []string
	if noPicture != "" {
		lines = append(lines, widget.In(themes.Muted, widget.Fit("picture", 14)).And(themes.Faint, noPicture))
	}
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
		if strings.HasPrefix(*f.value, "data:") { // it may be as long as a picture
			lines = append(lines, widget.In(themes.Muted, widget.Fit(label, 14)).And(themes.Text, widget.Middle(widget.Safe(*f.value), max(w/2-14, 20))))
			continue
		}
		for i, text := range strings.Split(*f.value, "\n") {
			if i == app.MaxListLines {
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
		if i == app.MaxListLines {
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
