package scenario

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

// Write writes a scenario in a format, so that [Open] gives the same again. It
// stops at the first error, of the steps or of w; then what was written is not
// a scenario. A YAML file that would exceed [MaxYAML] is an error as well.
func Write(w io.Writer, f Format, h Header, steps iter.Seq2[Step, error]) error {
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

func writeLines(w io.Writer, h Header, steps iter.Seq2[Step, error]) error {
	if _, err := w.Write(append(joinFields(h.fields()), '\n')); err != nil {
		return err
	}
	var line []byte
	for s, err := range steps {
		if err != nil {
			return err
		}
		line = append(joinFields(s.fields()), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func writeYAML(w io.Writer, h Header, steps iter.Seq2[Step, error]) error {
	var out bytes.Buffer
	for _, f := range h.fields() {
		if f.name == "start" {
			f.json = h.Start.forPeople()
		}
		fmt.Fprintf(&out, "%s: %s\n", f.name, flow(f.json))
	}
	out.WriteString(stepsMember + ":\n")
	n := 0
	for s, err := range steps {
		if err != nil {
			return err
		}
		n++
		lead := "  - "
		for _, f := range s.fields() {
			switch {
			case f.name == "at":
				f.json = s.At.forPeople()
			case f.name == "advance":
				f.json = s.Advance.forPeople(f.json)
			}
			fmt.Fprintf(&out, "%s%s: %s\n", lead, f.name, flow(f.json))
			lead = "    "
		}
		if lead == "  - " {
			out.WriteString("  - {}\n")
		}
		if out.Len() > MaxYAML {
			return fmt.Errorf("the scenario is larger than %d MiB by step %d, which is for people to read; write it as .jsonl", MaxYAML>>20, n)
		}
	}
	if dense(out.Bytes()) {
		return fmt.Errorf("the scenario has more than %d lines or %d members, which is for people to read; write it as .jsonl", mostLines, mostMarks)
	}
	_, err := w.Write(out.Bytes())
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

func joinFields(fields []field) []byte {
	out := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(wire.AppendString(out, f.name), ':'), f.json...)
	}
	return append(out, '}')
}

// fields gathers members, those that hold something.
type fields []field

func (f *fields) add(name string, json []byte) { *f = append(*f, field{name, json}) }

func (f *fields) text(name, s string) {
	if s != "" {
		f.add(name, wire.AppendString(nil, s))
	}
}

func (f *fields) contracts(cs []Contract) {
	var all fields
	for _, c := range cs {
		all.text(c.Name, string(c.Receiver))
	}
	if len(all) > 0 {
		f.add("contracts", joinFields(all))
	}
}

func (h Header) fields() []field {
	var f fields
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
	if len(accounts) > 0 {
		f.add("accounts", joinFields(accounts))
	}
	f.contracts(h.Contracts)
	if h.Start != (At{}) {
		f.add("start", h.Start.json())
	}
	f.text("import", h.Import)
	if len(h.Invariants) > 0 {
		all := []byte{'['}
		for i := range h.Invariants {
			if i > 0 {
				all = append(all, ',')
			}
			all = append(all, joinFields(h.Invariants[i].fields())...)
		}
		f.add("invariants", append(all, ']'))
	}
	if h.Record {
		f.add("deliver", []byte("false"))
	}
	return f
}

func (a At) json() []byte {
	var f fields
	if a.Height != nil {
		f.add("height", a.Height.AppendWire(nil))
	}
	if a.Time != nil {
		f.add("time", a.Time.AppendWire(nil))
	}
	return joinFields(f)
}

func (s *Step) fields() []field {
	var f fields
	if s.At != nil {
		f.add("at", s.At.json())
	}
	if s.Advance != nil {
		var a fields
		if s.Advance.Blocks > 0 {
			a.add("blocks", strconv.AppendUint(nil, s.Advance.Blocks, 10))
		}
		if s.Advance.Time > 0 {
			a.text("time", s.Advance.Time.String())
		}
		f.add("advance", joinFields(a))
	}
	f.contracts(s.Contracts)
	f.text("as", s.As)
	if s.Kind != None {
		f.add(string(s.Kind), oneLine(s.Message))
	}
	if s.Expect != nil {
		f.add("expect", s.Expect.json())
	}
	if s.State != nil {
		f.add("state", stateJSON(s.State))
	}
	f.text("note", s.Note)
	switch len(s.Hints) {
	case 0:
	case 1:
		f.text("hint", s.Hints[0])
	default:
		f.add("hint", stringsJSON(s.Hints))
	}
	if s.Ask != nil {
		var a fields
		a.text("question", s.Ask.Question)
		if len(s.Ask.Choices) > 0 {
			a.add("choices", s.Ask.choicesJSON())
		}
		a.text("answer", s.Ask.Answer)
		a.text("why", s.Ask.Why)
		f.add("ask", joinFields(a))
	}
	return f
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
		var what fields
		what.text("kind", string(e.Kind))
		if e.Text != nil {
			what.add("text", wire.AppendString(nil, *e.Text))
		}
		f.add("error", joinFields(what))
	}
	return joinFields(f)
}

func stateJSON(records []Entry) []byte {
	out := []byte{'['}
	for i, r := range records {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		out = wire.AppendString(out, hex.EncodeToString(r.Key))
		out = append(out, ',')
		out = append(wire.AppendString(out, r.Value), ']')
	}
	return append(out, ']')
}

func stringsJSON(all []string) []byte {
	out := []byte{'['}
	for i, s := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = wire.AppendString(out, s)
	}
	return append(out, ']')
}
