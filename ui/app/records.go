package app

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// RecordKey writes the key of a record in the contract's storage so that people can read it,
// such as "operators / alice / bob". It puts slashes between the parts of the key, and names
// in place of addresses.
func (f Facts) RecordKey(key []byte) string {
	parts := chain.KeyParts(key)
	for i, part := range parts {
		name := f.Names[cw721.Address(part)]
		parts[i] = cmp.Or(name, escapeUnprintable(part))
	}
	return strings.Join(parts, " / ")
}

// escapeUnprintable returns a text in which each control character and each byte that is
// not valid UTF-8 is written as two hexadecimal digits in brackets, such as ‹0A›.
func escapeUnprintable(text string) string {
	var builder strings.Builder
	for len(text) > 0 {
		char, size := utf8.DecodeRuneInString(text)
		isControl := char < ' '
		isInvalid := char == utf8.RuneError && size == 1
		if isControl || isInvalid {
			fmt.Fprintf(&builder, "‹%02X›", text[0])
		} else {
			builder.WriteString(text[:size])
		}
		text = text[size:]
	}
	return builder.String()
}

// DifferenceLines describes how the built-in contract differs from the compiled one. They
// have the answers of both to one message, and then each record of the storage that differs
// after it.
func (f Facts) DifferenceLines(difference chain.Difference) []widget.Line {
	lines := []widget.Line{widget.Warning("the built-in contract differs")}
	lines = append(lines, comparisonLines(string(difference.Compiled), string(difference.BuiltIn))...)
	for _, record := range difference.Records {
		compiled, builtIn := record.ValueTexts()
		key, _ := hex.DecodeString(record.Key) // always hexadecimal
		heading := widget.Header("Record ").Append(themes.Accent, f.RecordKey(key))
		lines = append(lines, nil, heading)
		lines = append(lines, comparisonLines(compiled, builtIn)...)
	}
	return lines
}

// comparisonLines formats two JSON texts, of the compiled and of the built-in contract. It
// marks in each text the lines that are not in the other.
func comparisonLines(compiledText, builtInText string) []widget.Line {
	compiledLines := widget.JSONLines(compiledText)
	builtInLines := widget.JSONLines(builtInText)
	return append(
		markedLines("compiled", compiledLines, builtInLines),
		markedLines("built in", builtInLines, compiledLines)...)
}

// markedLines returns a title and below it lines. It puts a sign before each line that is
// not among otherLines.
func markedLines(title string, lines, otherLines []widget.Line) []widget.Line {
	// A comma at the end of a line is ignored, because it only says that another member of
	// the JSON object follows.
	isShared := map[string]bool{}
	for _, line := range otherLines {
		isShared[strings.TrimSuffix(line.String(), ",")] = true
	}
	signedLines := []widget.Line{widget.Muted(title)}
	for _, line := range lines {
		sign := widget.Warning("")
		if isShared[strings.TrimSuffix(line.String(), ",")] {
			sign = widget.Plain("  ")
		}
		signedLines = append(signedLines, append(sign, line...))
	}
	return signedLines
}
