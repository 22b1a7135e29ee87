package scenario

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Updates are expectations to write into a scenario's file, because a run had other answers
// than the file expects. The key is the number of the step, from 1.
type Updates map[int]*Expect

// AddAnswerOf adds the answer of a step whose message has a mismatch. A mismatch of the
// clock, of storage or of an invariant has no answer to add.
func (u Updates) AddAnswerOf(p PlayedStep) {
	if p.Corrected != nil {
		u[p.Number] = p.Corrected
	}
}

// Apply replaces the expectations in the text of a YAML file. The rest of the text, also
// comments, stays as it is. Apply fails with an [*Error] for a step in braces.
func (u Updates) Apply(file string, text []byte) ([]byte, error) {
	reader, err := openYAML(file, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	d := reader.yaml
	lines := strings.SplitAfter(string(text), "\n")
	for i, node := range slices.Backward(d.steps) { // the lines before a step keep their numbers
		expect := u[i+1]
		if expect == nil {
			continue
		}
		if lines, err = d.replaceExpect(lines, node, expect); err != nil {
			return nil, err
		}
	}
	return []byte(strings.Join(lines, "")), nil
}

// replaceExpect replaces the member "expect" of a step by a new line. If the step has
// no such member, the line follows the step's last member.
func (d *document) replaceExpect(lines []string, step ast.Node, e *Expect) ([]string, error) {
	members, _ := d.json.members(step)
	mapping, isMapping := d.json.resolve(step).(*ast.MappingNode)
	if len(members) == 0 || isMapping && mapping.IsFlowStyle {
		return nil, &Error{File: d.name, Line: lineOf(step), Text: "the step is written in braces, expected one member a line to write an answer into"}
	}

	firstLine := lines[members[0].line-1]
	indent := len(firstLine) - len(strings.TrimLeft(firstLine, "- ")) // of the members, behind the dash
	newLine := strings.Repeat(" ", indent) + "expect: " + string(valueInYAML(e)) + "\n"

	i := slices.IndexFunc(members, func(m member) bool { return m.name == "expect" })
	if i < 0 {
		last := lastLineOf(lines, members[0].line, indent)
		return slices.Insert(lines, last, newLine), nil
	}
	first := members[i].line
	last := lastLineOf(lines, first, indent+1)
	if dash := strings.Index(lines[first-1], "- "); dash >= 0 && dash < indent {
		newLine = lines[first-1][:indent] + strings.TrimLeft(newLine, " ")
	}
	return slices.Replace(lines, first-1, last, newLine), nil
}

// lastLineOf returns the last line of what begins in a line, from 1. The lines behind it
// belong to it if they are indented by at least indent spaces. Blank lines and comments
// at its end do not belong to it.
func lastLineOf(lines []string, first, indent int) int {
	last := first
	for number := first + 1; number <= len(lines); number++ {
		line := lines[number-1]
		content := strings.TrimLeft(line, " ")
		isBlank := strings.TrimSpace(content) == ""
		if isBlank || content[0] == '#' {
			continue
		}
		if len(line)-len(content) < indent {
			return last
		}
		last = number
	}
	return last
}

// corrected returns the expectation that matches a result, to replace e. It expects the same
// members of a response as e: none if e expects none. names replaces addresses by "$name".
func (e *Expect) corrected(result messageResult, names *strings.Replacer) *Expect {
	if result.refusal != nil {
		return expectRefusal(result.refusal.Kind, result.refusal.Text)
	}
	if result.response == nil {
		return &Expect{Answer: []byte(names.Replace(string(result.answer)))}
	}

	expected := e.Answer
	if expected == nil {
		expected = e.AnswerPart
	}
	members, err := parseJSON(expected)
	if expected == nil || err != nil {
		return &Expect{}
	}
	response, _ := parseJSON([]byte(names.Replace(string(result.answerJSON()))))
	for i, name := range members.names {
		members.items[i], _ = response.member(name)
	}
	return &Expect{Answer: members.json()}
}

// quotedReplacer returns a replacer of whole strings in JSON. The texts alternate: old,
// new, old, new.
func quotedReplacer(texts []string) *strings.Replacer {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, fmt.Sprintf("%q", text))
	}
	return strings.NewReplacer(quoted...)
}
