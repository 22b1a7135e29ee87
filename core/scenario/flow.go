package scenario

import (
	"bytes"
	"regexp"

	"ephemera/core/wire"
)

// plainText is a string that YAML reads as one without quotes: a word, a name or
// an address, and none of the words that mean something else to some reader.
var (
	plainText = regexp.MustCompile(`^[$A-Za-z_][$A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$`)
	otherText = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)
)

// flow writes JSON as people write it in YAML, in one line: {mint: {owner: $alice}}.
// What would not be read back byte by byte stays as it is.
func flow(raw []byte) []byte {
	raw = oneLine(raw)
	v, err := parse(raw)
	if err != nil || !bytes.Equal(v.appendTo(nil), raw) {
		return yamlSafe(raw)
	}
	return v.appendFlow(nil)
}

func appendWord(dst []byte, s string) []byte {
	if plainText.MatchString(s) && !otherText.MatchString(s) {
		return append(dst, s...)
	}
	return append(dst, yamlSafe(wire.AppendString(nil, s))...)
}

func (v value) appendFlow(dst []byte) []byte {
	switch v.kind {
	case '"':
		return appendWord(dst, v.text)
	case '{', '[':
		dst = append(dst, byte(v.kind))
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if v.kind == '{' {
				dst = append(appendWord(dst, v.names[i]), ": "...)
			}
			dst = item.appendFlow(dst)
		}
		return append(dst, byte(v.kind)+2) // the closing sign of either kind
	}
	return v.appendTo(dst)
}
