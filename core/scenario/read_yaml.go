package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"ephemera/core/wire"
)

// openYAML reads a whole YAML file and decodes its header.
func openYAML(name string, r io.Reader) (*Reader, error) {
	d := &document{
		Reader:  &Reader{File: name, options: yamlOptions},
		anchors: map[string]ast.Node{},
	}
	d.source = d
	d.yamlFile = d

	text, err := d.readText(r)
	if err != nil {
		return nil, err
	}
	if d.root, err = d.parse(text); err != nil {
		return nil, err
	}
	return d.Reader, d.begin()
}

// document is a YAML file that is read as a scenario. The header and each step are
// converted to JSON, so that the same decoder reads YAML and JSON Lines.
type document struct {
	*Reader
	root     ast.Node            // a mapping with the members of the header and the member "steps"
	steps    []ast.Node          // the items of the member "steps"
	comments map[int]string      // the text of the comment on a line, from 1, without its sign
	anchors  map[string]ast.Node // the values of anchors (&name), which aliases (*name) repeat
	// writtenSize is the number of values of a step or a header that were converted to JSON
	// plus the bytes of their texts. maxWritten limits it, because an alias repeats its value
	// each time it is used.
	writtenSize int
	lastNode    ast.Node // the root after the header was read, and then the step that was read last
}

// yamlOptions make the decoder accept moments in words, such as "+10".
var yamlOptions = wire.Options{Context: forPeople{}}

// stepsMember is the member of a YAML file that holds the steps.
const stepsMember = "steps"

// readText reads the file, which must not be too large and must be UTF-8.
func (d *document) readText(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxYAML+1))
	switch {
	case err != nil:
		return "", &Error{File: d.File, Text: "it cannot be read: " + err.Error(), Err: err}
	case isTooLarge(text):
		return "", d.errorf(wholeFile, "", "%v", errTooLarge)
	}

	// Check each line, so that the error can name it.
	text = bytes.TrimPrefix(text, byteOrderMark)
	line := 0
	for content := range bytes.Lines(text) {
		line++
		if !utf8.Valid(content) {
			return "", d.errorf(line, "", "it is not text in UTF-8")
		}
	}
	return string(text), nil
}

// Limits on the text that the YAML parser gets. Its time grows with the square of the
// lines of a mapping (80,000 lines took 16 s), and it takes 800 bytes for each value.
const (
	maxYAMLLines   = 20_000
	maxYAMLMembers = 150_000
)

// errTooLarge is the reason why a scenario is neither read nor written as YAML.
var errTooLarge = fmt.Errorf(
	"it has more than %d MiB, %d lines or %d members, the limit for YAML; use .jsonl for larger scenarios",
	MaxYAML>>20, maxYAMLLines, maxYAMLMembers)

// isTooLarge reports whether a text has too many bytes, lines or members for the YAML
// parser.
func isTooLarge(text []byte) bool {
	lineCount := 0
	memberCount := 0 // each has one of the signs below
	for _, sign := range text {
		switch sign {
		case '\n', '\r':
			lineCount++
		case ',', ':', '[', '{':
			memberCount++
		}
	}
	return len(text) > MaxYAML || lineCount > maxYAMLLines || memberCount > maxYAMLMembers
}

// parse parses a text with one YAML document. It returns the root, and sets the comments of d.
func (d *document) parse(text string) (ast.Node, error) {
	tokens := lexer.Tokenize(text)
	if line := findTooDeepLine(tokens); line > 0 {
		return nil, d.errorf(line, "", "it is nested deeper than a scenario can be")
	}
	d.comments = map[int]string{}
	for _, t := range tokens {
		if t.Type == token.CommentType {
			d.comments[t.Position.Line] = t.Value
		}
	}

	// A message can have two members of one name on purpose. Elsewhere the decoder
	// refuses the second one.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line := wholeFile
		message := err.Error()
		var tokenErr interface {
			GetToken() *token.Token
			GetMessage() string
		}
		if errors.As(err, &tokenErr) {
			line = lineOfToken(tokenErr.GetToken())
			message = tokenErr.GetMessage()
		}
		return nil, d.errorf(line, "", "it is not YAML: %s", message)
	}

	var root ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if root != nil {
			return nil, d.errorf(lineOf(doc.Body), "",
				"a second document begins here, expected one scenario a file")
		}
		root = doc.Body
	}
	if root == nil {
		return nil, d.errorf(wholeFile, "", "it is empty, expected a scenario with name and steps")
	}
	return root, nil
}

// headerJSON returns the header, which is all members of the file except the steps; see
// [source]. It keeps the steps.
func (d *document) headerJSON() ([]byte, error) {
	d.lastNode = d.root
	members, ok := d.members(d.root)
	if !ok {
		return nil, d.errorf(lineOf(d.root), "",
			"expected a scenario with name and steps, got %s",
			describeNode(d.root))
	}

	var headerMembers []member
	hasSteps := false
	for _, m := range members {
		if m.name != stepsMember {
			headerMembers = append(headerMembers, m)
			continue
		}
		if hasSteps {
			return nil, d.errorf(m.line, stepsMember, "it is given twice")
		}
		hasSteps = true
		if err := d.readSteps(m); err != nil {
			return nil, err
		}
	}

	return d.appendObject(nil, headerMembers, outermost)
}

// readSteps keeps the items of the member "steps", which must be a list or empty.
func (d *document) readSteps(m member) error {
	if list, ok := d.resolve(m.value).(*ast.SequenceNode); ok {
		d.steps = list.Values
		return nil
	}
	if kind := describeNode(m.value); kind != "nothing" {
		return d.errorf(m.line, stepsMember,
			"expected a list of steps, each beginning with a dash, got %s",
			kind)
	}
	return nil
}

// stepJSON returns the next step; see [source].
func (d *document) stepJSON() ([]byte, error) {
	if d.stepNumber == len(d.steps) {
		return nil, io.EOF
	}
	d.lastNode = d.steps[d.stepNumber]
	d.stepNumber++
	d.writtenSize = 0
	return d.appendNode(nil, d.lastNode, outermost)
}

// lineOf returns the line of a member; see [source].
func (d *document) lineOf(field string) int { return d.lineOfField(d.lastNode, field) }

// addQuotesAdvice adds the advice to use quotes to an error about a number, true or false
// in the place of a string. YAML reads a text such as 42 or true as such a value if it has
// no quotes.
func addQuotesAdvice(text string) string {
	expectsString := strings.Contains(text, "string")
	gotOther := strings.HasSuffix(text, "got a number") || strings.HasSuffix(text, "got true or false")
	if expectsString && gotOther {
		return text + "; write it in quotes"
	}
	return text
}
