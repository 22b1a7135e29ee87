package scenario

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"ephemera/core/cw721"
)

// Updates are expectations to write into a scenario's file, because a run had other answers
// than the file expects. The key is the number of the step, from 1.
type Updates map[int]Update

// Update is the change of one expectation.
type Update struct {
	Place     string  // such as "apes.yaml:12: step 3"
	Action    string  // what the step does, such as "execute mint as alice"
	OldExpect *Expect // the expectation in the file
	NewExpect *Expect // the expectation that matches what the contract did
}

// AddAnswerOf adds an update for a step whose message had another outcome than expected. Other
// mismatches, such as one of the storage, cannot be repaired by another expectation.
func (u Updates) AddAnswerOf(step PlayedStep) {
	if step.Corrected == nil {
		return
	}
	u[step.Number] = Update{
		Place:     step.Mismatch.Place(),
		Action:    step.Step.Describe(),
		OldExpect: cmp.Or(step.Step.Expect, &Expect{}),
		NewExpect: step.Corrected,
	}
}

// Doubt says why a user must agree to the change, as a sentence without its end, or "" if
// nobody must. An expected refusal that becomes a success can hide that the contract now
// permits what it should refuse. One that becomes another kind of refusal, or another than
// contract where the file names no kind, can hide that the message does not reach the rule
// that the step is about.
func (u Update) Doubt() string {
	oldKind := cmp.Or(u.OldExpect.Kind, cw721.KindContract)
	switch {
	case !u.OldExpect.Refused || u.NewExpect.Kind == oldKind:
		return ""
	case u.NewExpect.Refused:
		return "it is another kind of error"
	}
	return "the contract permits now what was refused"
}

// String describes the change in one line: "apes.yaml:12: step 3: execute burn as bob: ok →
// error contract: …".
func (u Update) String() string {
	return fmt.Sprintf(
		"%s: %s: %s → %s",
		u.Place, u.Action, clip(u.OldExpect.String()), clip(u.NewExpect.String()))
}

// Apply returns the text of a YAML file with the new expectations. The rest of the text
// stays as it is, with all comments. Apply fails with an [*Error] for a step in braces.
func (u Updates) Apply(file string, text []byte) ([]byte, error) {
	reader, err := openYAML(file, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	document := reader.yamlFile
	lines := strings.SplitAfter(string(text), "\n")

	// Begin with the last step, because a change moves the lines after it.
	for i, node := range slices.Backward(document.steps) {
		update, hasUpdate := u[i+1]
		if !hasUpdate {
			continue
		}
		if lines, err = document.replaceExpect(lines, node, update.NewExpect); err != nil {
			return nil, err
		}
	}
	return []byte(strings.Join(lines, "")), nil
}

// replaceExpect returns the lines of a file with a new expectation for a step. A new line
// replaces the member "expect", whose comments are kept. If the step has no such member, the
// new line follows the last member of the step.
func (d *document) replaceExpect(lines []string, step ast.Node, expected *Expect) ([]string, error) {
	members, _ := d.members(step)
	mapping, isMapping := d.resolve(step).(*ast.MappingNode)
	if len(members) == 0 || isMapping && mapping.IsFlowStyle {
		return nil, &Error{
			File: d.File,
			Line: lineOf(step),
			Text: "the step is written in braces, expected one member a line to write an answer into",
		}
	}

	// The new member is indented like the first member of the step. Line numbers count from
	// 1, and the indexes of lines from 0.
	firstText := lines[members[0].line-1]
	indentWidth := len(firstText) - len(strings.TrimLeft(firstText, "- ")) // with the dash of the step
	indentation := strings.Repeat(" ", indentWidth)
	newLine := indentation + "expect: " + string(valueInYAML(expected)) + "\n"

	expectIndex := slices.IndexFunc(members, func(m member) bool { return m.name == "expect" })
	if expectIndex < 0 {
		lastNumber := lastLineOf(lines, members[0].line, indentWidth)
		return slices.Insert(lines, lastNumber, newLine), nil
	}

	// The old expectation can have several lines. Its first line can begin with the dash of
	// the step, which stays.
	firstNumber := members[expectIndex].line
	lastNumber := lastLineOf(lines, firstNumber, indentWidth+1)
	if dash := strings.Index(lines[firstNumber-1], "- "); dash >= 0 && dash < indentWidth {
		newLine = lines[firstNumber-1][:indentWidth] + strings.TrimLeft(newLine, " ")
	}

	// A comment behind the first line stays there. Comments in the other lines get lines of
	// their own.
	if comment, hasComment := d.comments[firstNumber]; hasComment {
		newLine = strings.TrimSuffix(newLine, "\n") + " #" + comment + "\n"
	}
	newLines := []string{newLine}
	for number := firstNumber + 1; number <= lastNumber; number++ {
		if comment, hasComment := d.comments[number]; hasComment {
			newLines = append(newLines, indentation+"#"+comment+"\n")
		}
	}
	return slices.Replace(lines, firstNumber-1, lastNumber, newLines...), nil
}

// lastLineOf returns the number of the last line of a YAML value that begins in the line
// firstNumber. The lines after it belong to the value as long as they are indented by at
// least indentWidth spaces. Blank lines and comments at the end do not belong to it. Line
// numbers count from 1.
func lastLineOf(lines []string, firstNumber, indentWidth int) int {
	lastNumber := firstNumber
	for number := firstNumber + 1; number <= len(lines); number++ {
		line := lines[number-1]
		content := strings.TrimLeft(line, " ")
		if strings.TrimSpace(content) == "" || content[0] == '#' {
			continue
		}
		if len(line)-len(content) < indentWidth {
			return lastNumber
		}
		lastNumber = number
	}
	return lastNumber
}

// correct returns an expectation that matches a result and is as similar to e as possible.
// If e expects only some members of an answer, so does the new one. If e lacks only the kind
// of the refusal, the new one adds it. The new one has "$names" in place of addresses.
func (p *Player) correct(e *Expect, result messageResult) *Expect {
	if result.Refusal != nil {
		if withKind := e.withKindOf(result.Refusal, p.addressOf); withKind != nil {
			return withKind
		}
		return expectRefusal(result.Refusal.Kind, result.Refusal.Text)
	}

	names := nameReplacer(p.state().Accounts, `"`)
	answer := []byte(names.Replace(string(result.answerJSON())))
	parsedAnswer, _ := parseJSON(answer) // the contract's answers are JSON
	if e.AnswerPart != nil {
		part, err := parseJSON(e.AnswerPart)
		if err != nil {
			return &Expect{AnswerPart: answer}
		}
		return &Expect{AnswerPart: parsedAnswer.shapedLike(part).json()}
	}
	if result.answer != nil {
		return &Expect{Answer: answer}
	}

	// The message was an instantiate or execute message. Expect only those members of the
	// response that e expects.
	expectedMembers, err := parseJSON(e.Answer)
	if e.Answer == nil || err != nil {
		return &Expect{}
	}
	for i, name := range expectedMembers.names {
		expectedMembers.items[i], _ = parsedAnswer.member(name)
	}
	return &Expect{Answer: expectedMembers.json()}
}

// shapedLike returns v with only those members that part has as well. The same applies to
// objects in these members. For example, {"a":1,"b":2} shaped like {"b":3} is {"b":2}. It
// returns v as it is if one of the two is not an object, or if they have no member in
// common.
func (v jsonValue) shapedLike(part jsonValue) jsonValue {
	if v.kind != '{' || part.kind != '{' {
		return v
	}
	shapedObject := jsonValue{kind: '{'}
	for i, name := range part.names {
		if item, ok := v.member(name); ok {
			shapedObject.names = append(shapedObject.names, name)
			shapedObject.items = append(shapedObject.items, item.shapedLike(part.items[i]))
		}
	}
	if len(shapedObject.names) == 0 {
		return v
	}
	return shapedObject
}
