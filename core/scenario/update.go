package scenario

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Updates are the answers that came in a run in the place of what a YAML file
// expects, by the number of the step.
type Updates map[int]*Expect

// AddAnswerOf takes the answer of a step that did not hold. It takes none where the clock,
// storage or an invariant did not.
func (u Updates) AddAnswerOf(p PlayedStep) {
	if p.Corrected != nil {
		u[p.Number] = p.Corrected
	}
}

// Apply writes the answers into the text of a file. All else of it stays as it is,
// comments too. It fails with an [*Error] for a step that is written in braces.
func (u Updates) Apply(file string, text []byte) ([]byte, error) {
	r, err := openYAML(file, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(text), "\n")
	for n := len(r.yaml.steps); n > 0; n-- { // from the end, so that lines keep their numbers
		if e := u[n]; e != nil {
			if lines, err = r.yaml.writeExpect(lines, r.yaml.steps[n-1], e); err != nil {
				return nil, err
			}
		}
	}
	return []byte(strings.Join(lines, "")), nil
}

// writeExpect writes into the lines of a file what a step expects.
func (d *document) writeExpect(lines []string, step ast.Node, e *Expect) ([]string, error) {
	members, _ := d.json.members(step)
	if m, ok := d.json.resolve(step).(*ast.MappingNode); len(members) == 0 || ok && m.IsFlowStyle {
		return nil, &Error{File: d.name, Line: lineOf(step), Text: "the step is written in braces, expected one member a line to write an answer into"}
	}
	head := lines[members[0].line-1]
	column := len(head) - len(strings.TrimLeft(head, "- ")) // of the first member, behind the dash
	first, end := 0, 0
	for _, m := range members {
		if m.name == "expect" {
			first, end = m.line, lastLineOf(lines, m.line, column+1)
		}
	}
	written := strings.Repeat(" ", column) + "expect: " + string(inYAML(e)) + "\n"
	if first == 0 { // behind the last member
		first = lastLineOf(lines, members[0].line, column) + 1
		end = first - 1
	} else if dash := strings.Index(lines[first-1], "- "); dash >= 0 && dash < column {
		written = lines[first-1][:column] + strings.TrimLeft(written, " ")
	}
	return append(lines[:first-1:first-1], append([]string{written}, lines[end:]...)...), nil
}

// lastLineOf gives the last line of what begins in a line: those behind it that stand
// at a column or farther in, without blank ones and comments at their end.
func lastLineOf(lines []string, line, column int) int {
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

// corrected gives what would have been expected rightly of an outcome, in the form of
// what was.
func (e *Expect) corrected(o messageResult, names *strings.Replacer) *Expect {
	if o.refusal != nil {
		return expectRefusal(o.refusal.Kind, o.refusal.Text)
	}
	if o.response == nil {
		return &Expect{Answer: []byte(names.Replace(string(o.answer)))}
	}
	said := e.Answer
	if said == nil {
		said = e.AnswerPart
	}
	want, err := parseJSON(said)
	got, _ := parseJSON([]byte(names.Replace(string(o.answerJSON()))))
	if said == nil || err != nil {
		return &Expect{}
	}
	for i, name := range want.names {
		want.items[i], _ = got.member(name)
	}
	return &Expect{Answer: want.json()}
}

// quotedReplacer makes a replacer of whole strings in JSON.
func quotedReplacer(pairs []string) *strings.Replacer {
	var all []string
	for _, text := range pairs {
		all = append(all, fmt.Sprintf("%q", text))
	}
	return strings.NewReplacer(all...)
}
