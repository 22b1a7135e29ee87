package scenario

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Updates are expectations to write into a scenario's file, because a run had other answers
// than the file expects. The key is the number of the step, from 1.
type Updates map[int]Update

// Update is the change of one expectation.
type Update struct {
	Place string // such as "apes.yaml:12: step 3"
	// Action is [Step.Describe] of the step.
	Action   string
	Old, New *Expect
}

// AllowsRefused reports whether the step expected a refusal, and is to expect success: the
// contract permits now what it should not.
func (u Update) AllowsRefused() bool { return u.Old.Refused && !u.New.Refused }

// String describes the change in one line: "apes.yaml:12: step 3: execute burn as bob: ok →
// error contract: …".
func (u Update) String() string {
	return fmt.Sprintf("%s: %s: %s → %s", u.Place, u.Action, clip(u.Old.String()), clip(u.New.String()))
}

// AddAnswerOf adds the answer of a step whose message has a mismatch. A mismatch of the
// clock, of storage or of an invariant has no answer to add.
func (u Updates) AddAnswerOf(p PlayedStep) {
	if p.Corrected == nil {
		return
	}
	u[p.Number] = Update{
		Place:  p.Mismatch.Place(),
		Action: p.Step.Describe(),
		Old:    cmp.Or(p.Step.Expect, &Expect{}),
		New:    p.Corrected,
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
		update, isUpdated := u[i+1]
		if !isUpdated {
			continue
		}
		if lines, err = d.replaceExpect(lines, node, update.New); err != nil {
			return nil, err
		}
	}
	return []byte(strings.Join(lines, "")), nil
}

// replaceExpect replaces the member "expect" of a step by a new line, and keeps its comments
// before or behind that line. If the step has no such member, the line follows the step's
// last member.
func (d *document) replaceExpect(lines []string, step ast.Node, e *Expect) ([]string, error) {
	members, _ := d.members(step)
	mapping, isMapping := d.resolve(step).(*ast.MappingNode)
	if len(members) == 0 || isMapping && mapping.IsFlowStyle {
		return nil, &Error{File: d.File, Line: lineOf(step), Text: "the step is written in braces, expected one member a line to write an answer into"}
	}

	// The new member is indented like the first member of the step.
	firstLine := lines[members[0].line-1]
	indent := len(firstLine) - len(strings.TrimLeft(firstLine, "- ")) // of the members, behind the dash
	indentation := strings.Repeat(" ", indent)
	newLine := indentation + "expect: " + string(valueInYAML(e)) + "\n"

	i := slices.IndexFunc(members, func(m member) bool { return m.name == "expect" })
	if i < 0 {
		last := lastLineOf(lines, members[0].line, indent)
		return slices.Insert(lines, last, newLine), nil
	}

	// The old expectation can have several lines. Its first line can begin with the dash of
	// the step, which stays.
	first := members[i].line
	last := lastLineOf(lines, first, indent+1)
	if dash := strings.Index(lines[first-1], "- "); dash >= 0 && dash < indent {
		newLine = lines[first-1][:indent] + strings.TrimLeft(newLine, " ")
	}

	// A comment behind the first line stays there. Comments in the other lines get lines of
	// their own.
	if comment, hasComment := d.comments[first]; hasComment {
		newLine = strings.TrimSuffix(newLine, "\n") + " #" + comment + "\n"
	}
	newLines := []string{newLine}
	for number := first + 1; number <= last; number++ {
		if comment, hasComment := d.comments[number]; hasComment {
			newLines = append(newLines, indentation+"#"+comment+"\n")
		}
	}
	return slices.Replace(lines, first-1, last, newLines...), nil
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
	if result.Refusal != nil {
		return expectRefusal(result.Refusal.Kind, result.Refusal.Text)
	}

	answer := []byte(names.Replace(string(result.answerJSON())))
	parsed, _ := parseJSON(answer) // the contract's answers are JSON
	if e.AnswerPart != nil {
		part, err := parseJSON(e.AnswerPart)
		if err != nil {
			return &Expect{AnswerPart: answer}
		}
		return &Expect{AnswerPart: parsed.shapedLike(part).json()}
	}
	if result.answer != nil {
		return &Expect{Answer: answer}
	}

	// The response to an instantiate or execute message: only what e expects of it.
	members, err := parseJSON(e.Answer)
	if e.Answer == nil || err != nil {
		return &Expect{}
	}
	for i, name := range members.names {
		members.items[i], _ = parsed.member(name)
	}
	return &Expect{Answer: members.json()}
}

// shapedLike returns the members of v that part has, and in them again only those members.
// It returns the whole of v if v is no object or has none of the members.
func (v jsonValue) shapedLike(part jsonValue) jsonValue {
	if v.kind != '{' || part.kind != '{' {
		return v
	}
	shaped := jsonValue{kind: '{'}
	for i, name := range part.names {
		if item, ok := v.member(name); ok {
			shaped.names = append(shaped.names, name)
			shaped.items = append(shaped.items, item.shapedLike(part.items[i]))
		}
	}
	if len(shaped.names) == 0 {
		return v
	}
	return shaped
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
