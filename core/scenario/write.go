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

// Write writes a scenario in a format, so that [Open] gives the same again; steps
// hands each step to write, and ends with its error. It stops at the first error,
// of the steps or of w; then what was written is not a scenario. A YAML file that
// would exceed [MaxYAML] is an error as well.
func Write(w io.Writer, f Format, h Header, steps func(write func(Step) error) error) error {
	switch f {
	case YAML:
		return writeYAML(w, h, steps)
	case LinesGzip:
		zipped := gzip.NewWriter(w)
		if err := writeLines(zipped, h, steps); err != nil {
			return err
		}
		return zipped.Close()
	}
	return writeLines(w, h, steps)
}

func writeLines(w io.Writer, h Header, steps func(func(Step) error) error) error {
	line := func(object any) error {
		_, err := w.Write(append(appendObject(nil, memberValues(object)), '\n'))
		return err
	}
	if err := line(h); err != nil {
		return err
	}
	return steps(func(s Step) error { return line(s) })
}

func writeYAML(w io.Writer, h Header, steps func(func(Step) error) error) error {
	var out bytes.Buffer
	for _, m := range memberValues(h) {
		fmt.Fprintf(&out, "%s: %s\n", m.name, inYAML(m.value))
	}
	out.WriteString(stepsMember + ":\n")
	n := 0
	err := steps(func(s Step) error {
		n++
		lead := "  - "
		for _, m := range memberValues(s) {
			fmt.Fprintf(&out, "%s%s: %s\n", lead, m.name, inYAML(m.value))
			lead = "    "
		}
		if lead == "  - " {
			out.WriteString("  - {}\n")
		}
		if out.Len() > MaxYAML {
			return fmt.Errorf("the scenario is larger than %d MiB by step %d, which is for people to read; write it as .jsonl", MaxYAML>>20, n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if isTooDense(out.Bytes()) {
		return fmt.Errorf("the scenario has more than %d lines or %d members, which is for people to read; write it as .jsonl", maxYAMLLines, maxYAMLMembers)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// yamlSafe escapes what YAML reads otherwise than JSON does; such characters
// stand only in strings.
func yamlSafe(json []byte) []byte {
	out := make([]byte, 0, len(json))
	for i := 0; i < len(json); {
		r, n := utf8.DecodeRune(json[i:])
		if r >= 0x7f && r <= 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			out = fmt.Appendf(out, "\\u%04X", r)
		} else {
			out = append(out, json[i:i+n]...)
		}
		i += n
	}
	return out
}

// oneLine takes the space out of JSON that is not in strings.
func oneLine(raw []byte) []byte {
	v := jsontext.Value(bytes.Clone(raw))
	if v.Compact(jsontext.AllowDuplicateNames(true)) != nil {
		return raw
	}
	return v
}

// unquotedText is a string that YAML reads as one without quotes: a word, a name or
// an address, and none of the words that mean something else to some reader.
var (
	unquotedText = regexp.MustCompile(`^[$A-Za-z_][$A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$`)
	reservedWord = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)
)

// inYAML writes the value of a member in one line, moments in words.
func inYAML(value any) []byte {
	if moment, ok := value.(interface{ inWords() any }); ok {
		value = moment.inWords()
	}
	return flowYAML(wire.Compact(value))
}

// flowYAML writes JSON as people write it in YAML, in one line: {mint: {owner: $alice}}.
// What would not be read back byte by byte stays as it is.
func flowYAML(raw []byte) []byte {
	raw = oneLine(raw)
	v, err := parseJSON(raw)
	if err != nil || !bytes.Equal(v.json(), raw) {
		return yamlSafe(raw)
	}
	return v.appendTo(nil, appendYAMLText, " ")
}

func appendYAMLText(dst []byte, s string) []byte {
	if unquotedText.MatchString(s) && !reservedWord.MatchString(s) {
		return append(dst, s...)
	}
	return append(dst, yamlSafe(wire.AppendString(nil, s))...)
}
