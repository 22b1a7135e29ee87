package scenario

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/cw721"
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
	line := func(f fields) error {
		_, err := w.Write(append(f.json(), '\n'))
		return err
	}
	if err := line(h.fields(false)); err != nil {
		return err
	}
	return steps(func(s Step) error { return line(s.fields(false)) })
}

func writeYAML(w io.Writer, h Header, steps func(func(Step) error) error) error {
	var out bytes.Buffer
	for _, f := range h.fields(true) {
		fmt.Fprintf(&out, "%s: %s\n", f.name, flow(f.json))
	}
	out.WriteString(stepsMember + ":\n")
	n := 0
	err := steps(func(s Step) error {
		n++
		lead := "  - "
		for _, f := range s.fields(true) {
			fmt.Fprintf(&out, "%s%s: %s\n", lead, f.name, flow(f.json))
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
	if dense(out.Bytes()) {
		return fmt.Errorf("the scenario has more than %d lines or %d members, which is for people to read; write it as .jsonl", mostLines, mostMarks)
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

// field is a member as it is written.
type field struct {
	name string
	json []byte
}

// fields gathers members, those that hold something.
type fields []field

func (f fields) json() []byte {
	out := []byte{'{'}
	for i, m := range f {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(wire.AppendString(out, m.name), ':'), m.json...)
	}
	return append(out, '}')
}

func (f *fields) add(name string, json []byte) { *f = append(*f, field{name, json}) }

func (f *fields) text(name, s string) {
	if s != "" {
		f.add(name, wire.AppendString(nil, s))
	}
}

func (f *fields) list(name string, items []wire.Raw) {
	if items != nil {
		f.add(name, wire.Encode(items))
	}
}

func (f *fields) object(name string, members fields) {
	if members != nil {
		f.add(name, members.json())
	}
}

func (f *fields) contracts(cs []Contract) {
	var all fields
	for _, c := range cs {
		all.text(c.Name, string(c.Receiver))
	}
	f.object("contracts", all)
}

// fields are the members of a header; people tells that a person is to read them.
func (h Header) fields(people bool) (f fields) {
	f.text("name", h.Name)
	f.text("about", h.About)
	f.text("rules", string(h.Rules))
	f.text("flavour", string(h.Flavour))
	f.text("prefix", h.Prefix)
	f.text("self", string(h.Self))
	var accounts fields
	for _, a := range h.Accounts {
		json := []byte("null")
		if a.Address != "" {
			json = wire.AppendString(nil, string(a.Address))
		}
		accounts.add(a.Name, json)
	}
	f.object("accounts", accounts)
	f.contracts(h.Contracts)
	if h.Start != (At{}) {
		f.add("start", h.Start.json(people))
	}
	f.text("import", h.Import)
	var invariants []wire.Raw
	for i := range h.Invariants {
		invariants = append(invariants, h.Invariants[i].fields(people).json())
	}
	f.list("invariants", invariants)
	if h.Record {
		f.add("deliver", []byte("false"))
	}
	return f
}

func (s *Step) fields(people bool) (f fields) {
	if s.At != nil {
		f.add("at", s.At.json(people))
	}
	if s.Advance != nil {
		f.add("advance", s.Advance.json(people))
	}
	f.contracts(s.Contracts)
	f.text("as", s.As)
	if s.Kind != None {
		f.add(string(s.Kind), oneLine(s.Message))
	}
	if s.Ignored {
		f.add("ignored", []byte("true"))
	}
	if s.Expect != nil {
		f.add("expect", s.Expect.json())
	}
	if s.State != nil {
		records := [][]string{}
		for _, r := range s.State {
			records = append(records, []string{hex.EncodeToString(r.Key), r.Value})
		}
		f.add("state", wire.Encode(records))
	}
	f.text("note", s.Note)
	if len(s.Hints) == 1 {
		f.text("hint", s.Hints[0])
	} else if s.Hints != nil {
		f.add("hint", wire.Encode(s.Hints))
	}
	if s.Ask != nil {
		f.add("ask", s.Ask.json())
	}
	return f
}

func (a *Ask) json() []byte {
	var f fields
	f.text("question", a.Question)
	var choices []wire.Raw
	for _, text := range a.Choices {
		choice := wire.AppendString(nil, text)
		if r, more := a.Replies[text]; more {
			said := fields{{"text", choice}}
			said.text("why", r.Why)
			said.text("believes", r.Believes)
			choice = said.json()
		}
		choices = append(choices, choice)
	}
	f.list("choices", choices)
	f.text("answer", a.Answer)
	f.text("why", a.Why)
	return f.json()
}

// oneLine takes the space out of JSON that is not in strings.
func oneLine(raw []byte) []byte {
	v := jsontext.Value(bytes.Clone(raw))
	if v.Compact(jsontext.AllowDuplicateNames(true)) != nil {
		return raw
	}
	return v
}

func (e *Expect) json() []byte {
	var f fields
	switch {
	case e.Any:
		return []byte(`"any"`)
	case e.Whole != nil:
		f.add("ok", oneLine(e.Whole))
	case e.Has != nil:
		f.add("has", oneLine(e.Has))
	case !e.Refused:
		return []byte(`"ok"`)
	case e.Part != "":
		f.text("error", e.Part)
	case e.Kind == "" && e.Text == nil:
		return []byte(`"error"`)
	default:
		f.add("error", wire.Compact(struct {
			Kind cw721.Kind `wire:"kind,optional"`
			Text *string    `wire:"text"`
		}{e.Kind, e.Text}))
	}
	return f.json()
}

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
	if err != nil || !bytes.Equal(v.json(), raw) {
		return yamlSafe(raw)
	}
	return v.appendTo(nil, appendWord, " ")
}

func appendWord(dst []byte, s string) []byte {
	if plainText.MatchString(s) && !otherText.MatchString(s) {
		return append(dst, s...)
	}
	return append(dst, yamlSafe(wire.AppendString(nil, s))...)
}
