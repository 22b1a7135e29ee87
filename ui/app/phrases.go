package app

import (
	"cmp"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// Brief shortens an id that would crowd out what stands beside it.
func Brief(id string) string {
	const most = 24
	id = TokenName(id)
	if safe := widget.Safe(id); widget.Width(safe) > most {
		return widget.Middle(safe, most)
	}
	return id
}

// ShortAddress is how wide an address stands beside its name, in cells.
const ShortAddress = 11

// Decimal writes a number without separators, as a program would.
func Decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// actionName gives the name of a message, as far as its text shows one.
func actionName(msg []byte) string {
	parts := strings.SplitN(string(msg), `"`, 3)
	if len(parts) < 3 {
		return "message"
	}
	return parts[1]
}

// SecondsOf writes a time to the second.
func SecondsOf(t cw721.Time) string {
	text := chain.UTC(t)
	if len(text) > 19 {
		text = text[:19]
	}
	return text
}

// ActionOf finds the question that a message asks.
func ActionOf(msg []byte) string {
	name := actionName(msg)
	for _, a := range cw721.AllActions() {
		if cw721.NameOf(a.Message("", "")) == name {
			return a.Name
		}
	}
	return ""
}

// Indented moves lines two cells to the right, in place.
func Indented(lines []widget.Line) []widget.Line {
	for i, l := range lines {
		lines[i] = append(widget.Plain("  "), l...)
	}
	return lines
}

// TokenName is the id of a token among other words, where the empty text, which
// is an id too, would not be seen.
func TokenName(id string) string { return cmp.Or(id, `""`) }

// Plural counts things: "1 token", "1,204 tokens".
func Plural(n int, what string) string { return chain.Plural(n, what) }

// Verdict is the sign of a yes or a no, before a text.
func Verdict(allowed bool) widget.Line {
	sign, role := SignOf(allowed)
	return widget.In(role, sign+" ")
}

// SignOf is the sign and the colour of a yes or a no.
func SignOf(allowed bool) (string, themes.Role) {
	if allowed {
		return themes.GlyphYes, themes.Good
	}
	return themes.GlyphNo, themes.Bad
}
