package tokens

import (
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// labelWidth is the width in cells of the labels of the metadata, such as "description".
const labelWidth = 14

// shortURI shortens a URI in the middle, so that it and the label "uri  " fit into width cells.
func shortURI(uri string, width int) string {
	return widget.Shorten(uri, max(width-len("uri  "), 1))
}

// metadataLines lists a token's metadata below a heading of two lines: the fields that are
// set with their values, the traits, and on one line the names of the fields that are not set.
// pictureFault says why there is no picture. It is empty if there is one or nothing to draw.
func metadataLines(metadata *cw721.Metadata, width int, pictureFault string) []widget.Line {
	lines := []widget.Line{nil, widget.Header("Metadata")}
	if metadata == nil {
		return append(lines, widget.Faint("none"))
	}
	if pictureFault != "" {
		lines = append(lines, labelLine("picture").Append(themes.Faint, pictureFault))
	}
	var unsetNames []string
	fields := []struct {
		name  string
		value *string
	}{
		{"name", metadata.Name},
		{"description", metadata.Description},
		{"image", metadata.Image},
		{"image data", metadata.ImageData},
		{"external url", metadata.ExternalURL},
		{"background", metadata.BackgroundColor},
		{"animation", metadata.AnimationURL},
		{"youtube", metadata.YoutubeURL},
	}
	for _, field := range fields {
		if field.value == nil {
			unsetNames = append(unsetNames, field.name)
			continue
		}
		lines = append(lines, valueLines(field.name, *field.value, width)...)
	}
	if metadata.Attributes == nil {
		unsetNames = append(unsetNames, "traits")
	} else {
		lines = append(lines, traitLines(*metadata.Attributes)...)
	}
	if len(unsetNames) > 0 {
		lines = append(lines, widget.Faint("not set: "+strings.Join(unsetNames, ", ")))
	}
	return lines
}

// keptLines lists the members of a token that cw721 does not know, each with its JSON, below a
// heading. Without any there is no heading either.
func keptLines(members []wire.UnknownMember) (lines []widget.Line) {
	if len(members) == 0 {
		return nil
	}
	lines = []widget.Line{nil, widget.Header("Not known to cw721")}
	for _, member := range members {
		lines = append(lines, widget.Muted(member.Field+"  ").Text(string(member.Value)))
	}
	return lines
}

// labelLine returns a line that begins with a label, padded to the column of the values.
func labelLine(label string) widget.Line {
	return widget.Muted(widget.Fit(label, labelWidth))
}

// valueLines returns the lines of a field: its label, and a line for each line of the
// value up to [app.MaxListLines]. It shortens a data URI, which may be as long as a
// picture, in the middle.
func valueLines(name, value string, width int) (lines []widget.Line) {
	if strings.HasPrefix(value, "data:") {
		valueWidth := max(width/2-labelWidth, 20) // half of the line with the label
		return []widget.Line{labelLine(name).Text(widget.Shorten(value, valueWidth))}
	}
	label := name
	for i, text := range strings.Split(value, "\n") {
		if i == app.MaxListLines {
			indent := widget.Fit("", labelWidth)
			return append(lines, widget.Faint(indent+themes.GlyphEllipsis+" more lines"))
		}
		lines = append(lines, labelLine(label).Text(text))
		label = ""
	}
	return lines
}

// traitLines returns the number of traits, and a line such as "· eyes: laser" for each of
// the first [app.MaxListLines].
func traitLines(traits []cw721.Trait) []widget.Line {
	lines := []widget.Line{labelLine("traits").Text(human.Thousands(len(traits)))}
	for i, trait := range traits {
		if i == app.MaxListLines {
			more := human.Thousands(len(traits)-i) + " more"
			return append(lines, widget.Faint("  "+themes.GlyphEllipsis+" "+more))
		}
		line := widget.Muted("  " + themes.GlyphDot + " " + trait.TraitType + ": ").Text(trait.Value)
		if trait.DisplayType != nil {
			line = line.Append(themes.Faint, " ("+*trait.DisplayType+")")
		}
		lines = append(lines, line)
	}
	return lines
}
