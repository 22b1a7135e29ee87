package scenario

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

// Write writes a scenario in a format, so that [Open] reads the same scenario. It calls
// eachStep, which must call write with each step and return its errors. Write fails with the
// errors of eachStep and of w, after which a part of the file may be written. It also fails
// for a YAML file that would be larger than [MaxYAML].
func Write(w io.Writer, format Format, header Header, eachStep func(write func(Step) error) error) error {
	switch format {
	case YAML:
		return writeYAML(w, header, eachStep)
	case LinesGzip:
		zipped := gzip.NewWriter(w)
		if err := writeLines(zipped, header, eachStep); err != nil {
			return err
		}
		return zipped.Close()
	}
	return writeLines(w, header, eachStep)
}

// writeLines writes a scenario as JSON Lines: the header in the first line, and then one
// step a line.
func writeLines(w io.Writer, header Header, eachStep func(func(Step) error) error) error {
	writeLine := func(members []memberValue) error {
		line := appendObject(nil, members)
		_, err := w.Write(append(line, '\n'))
		return err
	}
	if err := writeLine(membersToWrite(header)); err != nil {
		return err
	}
	return eachStep(func(step Step) error { return writeLine(step.members()) })
}

// members returns the members to write for a step. Members that are in RowValues have the
// name of a value, such as "$when".
func (s Step) members() []memberValue {
	members := membersToWrite(s)
	for i, member := range members {
		if valueName, ok := s.RowValues[member.name]; ok {
			members[i].value = "$" + valueName
		}
	}
	return members
}

// writeYAML writes a scenario as YAML, and nothing if the text is larger than the reader accepts.
func writeYAML(w io.Writer, header Header, eachStep func(func(Step) error) error) error {
	var out bytes.Buffer
	for _, member := range membersToWrite(header) {
		fmt.Fprintf(&out, "%s: %s\n", member.name, valueInYAML(member.value))
	}
	out.WriteString(stepsMember + ":\n")

	// Stop at the first step that makes the text too large, to hold no more in memory.
	err := eachStep(func(step Step) error {
		members := step.members()
		if len(members) == 0 {
			out.WriteString("  - {}\n")
		}
		indent := "  - " // each step is an item of a list, with a member a line
		for _, member := range members {
			fmt.Fprintf(&out, "%s%s: %s\n", indent, member.name, valueInYAML(member.value))
			indent = "    "
		}
		if out.Len() > MaxYAML {
			return errTooLarge
		}
		return nil
	})
	if err != nil {
		return err
	}
	if isTooLarge(out.Bytes()) {
		return errTooLarge
	}
	_, err = w.Write(out.Bytes())
	return err
}

// valueInYAML returns a value in one line of YAML, such as {mint: {owner: $alice}}. A block
// or an amount of time is written in words, such as "+10". Raw JSON stays as it is if it is
// spelled in an unusual way that would be lost, such as "\u0041" for "A".
func valueInYAML(value any) []byte {
	if moment, ok := value.(interface{ toWords() any }); ok {
		value = moment.toWords()
	}
	json := compactJSON(wire.Compact(value))
	parsedValue, err := parseJSON(json)
	if err != nil || !bytes.Equal(parsedValue.json(), json) {
		return escapeForYAML(json)
	}
	return parsedValue.appendTo(nil, appendYAMLText, " ")
}

// compactJSON removes the space between the tokens of JSON. A text that is not JSON
// stays as it is.
func compactJSON(raw []byte) []byte {
	compacted := jsontext.Value(bytes.Clone(raw))
	if compacted.Compact(jsontext.AllowDuplicateNames(true)) != nil {
		return raw
	}
	return compacted
}

// escapeForYAML returns JSON in which those characters are escaped that YAML reads in
// another way than JSON. In JSON they occur only in strings, where escapes are allowed.
func escapeForYAML(json []byte) []byte {
	escaped := make([]byte, 0, len(json))
	for i := 0; i < len(json); {
		r, size := utf8.DecodeRune(json[i:])
		switch {
		case r >= 0x7f && r <= 0xa0, // control characters
			r == 0x2028, r == 0x2029, // ends of lines
			r == 0xfeff, r == 0xfffe, r == 0xffff: // no characters
			escaped = fmt.Appendf(escaped, "\\u%04X", r)
		default:
			escaped = append(escaped, json[i:i+size]...)
		}
		i += size
	}
	return escaped
}

// A text is written in YAML without quotes if it matches unquotedText and not reservedWord.
var (
	// unquotedText matches words, names and addresses, which need no quotes in YAML.
	unquotedText = regexp.MustCompile(`^[$A-Za-z_][$A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$`)
	// reservedWord matches words that some readers of YAML do not read as texts.
	reservedWord = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)
)

// appendYAMLText appends a text, without quotes if YAML allows it.
func appendYAMLText(dst []byte, text string) []byte {
	if unquotedText.MatchString(text) && !reservedWord.MatchString(text) {
		return append(dst, text...)
	}
	quoted := wire.AppendString(nil, text)
	return append(dst, escapeForYAML(quoted)...)
}
