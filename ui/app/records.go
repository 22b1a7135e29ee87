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

// RecordKey writes the key of a contract's record for people: its parts, with
// names in the place of addresses.
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

// printable shows text as it is, other bytes as two digits in brackets.
func printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r < ' ' || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "‹%02X›", text[0])
			n = 1
		} else {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// DifferenceLines shows what two contracts did with one message, side by side
// in w cells where there is room, and the records that they left otherwise.
func (f Facts) DifferenceLines(d chain.Difference, w int) []widget.Line {
	lines := sides("compiled", string(d.Compiled), "built in", string(d.BuiltIn), w)
	for _, r := range d.Records {
		compiled, builtIn := r.Sides()
		key, _ := hex.DecodeString(r.Key) // it was written from one
		lines = append(lines, widget.Plain(""), widget.In(themes.Header, "Record ").And(themes.Accent, f.RecordKey(key)))
		lines = append(lines, sides("compiled", compiled, "built in", builtIn, w)...)
	}
	return lines
}

// sides lays two JSON texts beside each other, or below each other in less than
// 84 cells, and marks the lines that the other one lacks.
func sides(aName, a, bName, b string, w int) []widget.Line {
	left, right := widget.JSONLines(a), widget.JSONLines(b)
	if w < pairWidth {
		return append(lacking(aName, left, right, w), lacking(bName, right, left, w)...)
	}
	half := (w - 3) / 2
	return widget.Columns(lacking(aName, left, right, half), lacking(bName, right, left, half), half)
}

// lacking heads lines with a name and marks those that are not among others.
func lacking(name string, lines, others []widget.Line, w int) []widget.Line {
	there := map[string]bool{}
	for _, l := range others {
		there[strings.TrimSuffix(l.String(), ",")] = true
	}
	out := []widget.Line{widget.In(themes.Muted, name)}
	for _, l := range lines {
		mark := widget.Plain("  ")
		if !there[strings.TrimSuffix(l.String(), ",")] {
			mark = widget.In(themes.Warn, themes.GlyphWarn+" ")
		}
		out = append(out, widget.WrapLine(append(mark, l...), w)...)
	}
	return out
}
