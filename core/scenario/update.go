package scenario

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Updates are the answers that came in a run in the place of what a YAML file
// expects.
type Updates struct {
	file  string
	steps map[int]*Expect
}

// NewUpdates begins to gather the answers of one run of a file. It fails with an
// [*Error] for one that is not YAML: only people keep what they expect by hand.
func NewUpdates(file string) (*Updates, error) {
	if format, err := FormatOf(file); err != nil || format != YAML {
		return nil, &Error{File: file, Text: "expected a .yaml file to write answers into"}
	}
	return &Updates{file: file, steps: map[int]*Expect{}}, nil
}

// Add takes the answer of a step that did not hold. It takes none where the clock,
// storage or an invariant did not.
func (u *Updates) Add(p Played) {
	if p.Accept != nil {
		u.steps[p.N] = p.Accept
	}
}

// Len is how many answers there are.
func (u *Updates) Len() int { return len(u.steps) }

// Took tells whether the answer of a step is among them.
func (u *Updates) Took(step int) bool { return u.steps[step] != nil }

// Apply writes the answers into the text of the file. All else of it stays as it
// is, comments too. It fails with an [*Error] for a step that is written in
// braces.
func (u *Updates) Apply(text []byte) ([]byte, error) {
	r, err := openYAML(u.file, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(text), "\n")
	for n := len(r.yaml.steps); n > 0; n-- { // from the end, so that lines keep their numbers
		if e := u.steps[n]; e != nil {
			if lines, err = u.apply(lines, r.yaml, r.yaml.steps[n-1], e); err != nil {
				return nil, err
			}
		}
	}
	return []byte(strings.Join(lines, "")), nil
}

func (u *Updates) apply(lines []string, d *document, step ast.Node, e *Expect) ([]string, error) {
	members, _ := d.json.members(step)
	if m, ok := d.json.resolve(step).(*ast.MappingNode); len(members) == 0 || ok && m.IsFlowStyle {
		return nil, &Error{File: u.file, Line: lineOf(step), Text: "the step is written in braces, expected one member a line to write an answer into"}
	}
	column := columnOf(lines[members[0].line-1])
	first, end := 0, 0
	for _, m := range members {
		if m.name == "expect" {
			first, end = m.line, u.endOf(lines, m.line, column+1)
		}
	}
	written := strings.Repeat(" ", column) + "expect: " + string(flow(e.json())) + "\n"
	if first == 0 { // behind the last member
		first = u.endOf(lines, members[0].line, column) + 1
		end = first - 1
	} else if dash := strings.Index(lines[first-1], "- "); dash >= 0 && dash < column {
		written = lines[first-1][:column] + strings.TrimLeft(written, " ")
	}
	return append(lines[:first-1:first-1], append([]string{written}, lines[end:]...)...), nil
}

// columnOf is where the first member of a step stands, behind the dash.
func columnOf(line string) int {
	return len(line) - len(strings.TrimLeft(line, "- "))
}

// endOf gives the last line of what begins in a line: those behind it that stand
// at a column or farther in, without blank ones and comments at their end.
func (u *Updates) endOf(lines []string, line, column int) int {
	last := line
	for n := line + 1; n <= len(lines); n++ {
		content := strings.TrimLeft(lines[n-1], " ")
		switch {
		case strings.TrimSpace(content) == "" || content[0] == '#':
			continue
		case len(lines[n-1])-len(content) < column:
			return last
		}
		last = n
	}
	return last
}

// accept gives what would have been expected rightly of an outcome, in the form of
// what was.
func (e *Expect) accept(o outcome, names *strings.Replacer) *Expect {
	if o.refusal != nil {
		return refusedWith(o.refusal.Kind, o.refusal.Text)
	}
	if o.response == nil {
		return &Expect{Whole: []byte(names.Replace(string(o.answer)))}
	}
	said := e.Whole
	if said == nil {
		said = e.Has
	}
	want, err := parse(said)
	got, _ := parse([]byte(names.Replace(string(o.json()))))
	if said == nil || err != nil {
		return &Expect{}
	}
	for i, name := range want.names {
		want.items[i], _ = got.member(name)
	}
	return &Expect{Whole: want.appendTo(nil)}
}

// quoted makes a replacer of whole strings in JSON.
func quoted(pairs []string) *strings.Replacer {
	var all []string
	for _, text := range pairs {
		all = append(all, fmt.Sprintf("%q", text))
	}
	return strings.NewReplacer(all...)
}
