package app

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// RecordKey writes the key of a record in the contract's storage for people: its parts
// with slashes between them, and names in place of addresses, such as "operators / alice
// / bob".
func (f Facts) RecordKey(key []byte) string {
	parts := chain.KeyParts(key)
	for i, part := range parts {
		if name, ok := f.Names[cw721.Address(part)]; ok {
			parts[i] = name
		} else {
			parts[i] = printable(part)
		}
	}
	return strings.Join(parts, " / ")
}

// printable returns a text with its control characters and invalid bytes as two
// hexadecimal digits in brackets.
func printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		isInvalid := r == utf8.RuneError && size == 1
		if r < ' ' || isInvalid {
			fmt.Fprintf(&b, "‹%02X›", text[0])
			size = 1
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// DifferenceLines writes the answers of the compiled and the built-in contract to
// one message, and the records that differ after it, in width cells.
func (f Facts) DifferenceLines(d chain.Difference, width int) []widget.Line {
	lines := compare(string(d.Compiled), string(d.BuiltIn), width)
	for _, r := range d.Records {
		compiled, builtIn := r.Sides()
		key, _ := hex.DecodeString(r.Key) // always hexadecimal
		lines = append(lines, widget.Plain(""), widget.Header("Record ").And(themes.Accent, f.RecordKey(key)))
		lines = append(lines, compare(compiled, builtIn, width)...)
	}
	return lines
}

// compare formats two JSON texts in width cells, and marks in each the lines that the
// other lacks. The texts are side by side if width allows, otherwise one above the other.
func compare(compiled, builtIn string, width int) []widget.Line {
	left := widget.JSONLines(compiled)
	right := widget.JSONLines(builtIn)
	if width < pairWidth {
		return append(markedLines("compiled", left, right, width), markedLines("built in", right, left, width)...)
	}
	half := (width - 3) / 2
	return widget.Columns(markedLines("compiled", left, right, half), markedLines("built in", right, left, half), half)
}

// markedLines returns lines below a title, wrapped to width cells, and marks those that
// others lack. It ignores a comma at the end, which depends on the neighbours in JSON.
func markedLines(title string, lines, others []widget.Line, width int) []widget.Line {
	isShared := map[string]bool{}
	for _, line := range others {
		isShared[strings.TrimSuffix(line.String(), ",")] = true
	}
	marked := []widget.Line{widget.Muted(title)}
	for _, line := range lines {
		mark := widget.In(themes.Warn, themes.GlyphWarn+" ")
		if isShared[strings.TrimSuffix(line.String(), ",")] {
			mark = widget.Plain("  ")
		}
		marked = append(marked, widget.WrapLine(append(mark, line...), width)...)
	}
	return marked
}
