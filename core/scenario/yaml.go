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

// stepsMember holds the steps in YAML.
const stepsMember = "steps"

var yamlOptions = wire.Options{Context: forPeople{}}

// document is a YAML file: a tree, turned into JSON piece by piece so that one
// decoder reads both forms.
type document struct {
	name   string
	json   converter
	steps  []ast.Node
	next   int
	root   ast.Node
	header Header
	// checker is what messages are held to; nil where that is known with the dump.
	checker *messageChecker
}

func openYAML(name string, r io.Reader) (*Reader, error) {
	d := &document{name: name}
	raw, err := io.ReadAll(io.LimitReader(r, MaxYAML+1))
	switch {
	case err != nil:
		return nil, &Error{File: name, Text: "it cannot be read: " + err.Error(), Err: err}
	case len(raw) > MaxYAML:
		return nil, d.errorf(0, "", "it is larger than %d MiB, which is for people to read; write a scenario of this size as .jsonl", MaxYAML>>20)
	case isTooDense(raw):
		return nil, d.errorf(0, "", "it has more than %d lines or %d members, which is for people to read; write a scenario of this size as .jsonl", maxYAMLLines, maxYAMLMembers)
	}
	raw = bytes.TrimPrefix(raw, byteOrderMark)
	line := 0
	for text := range bytes.Lines(raw) {
		if line++; !utf8.Valid(text) {
			return nil, d.errorf(line, "", "it is not text in UTF-8")
		}
	}
	root, err := d.parse(string(raw))
	if err != nil {
		return nil, err
	}
	if err := d.readHeader(root); err != nil {
		return nil, err
	}
	d.root = root
	if d.header.Import == "" {
		d.checker = &messageChecker{contract: d.header.config().Contract(), accounts: d.header.chainAccounts()}
	}
	return &Reader{File: name, Header: d.header, next: d.step, yaml: d}, nil
}

// Limits on what the parser is given: its time grows with the square of the lines
// of a mapping (80,000 took 16 s), and its memory is 800 bytes a value.
const (
	maxYAMLLines   = 20_000
	maxYAMLMembers = 150_000
)

// isTooDense says whether a text that is short enough for [MaxYAML] holds too much.
func isTooDense(raw []byte) bool {
	count := func(signs ...string) (n int) {
		for _, sign := range signs {
			n += bytes.Count(raw, []byte(sign))
		}
		return n
	}
	return count("\n", "\r") > maxYAMLLines || count(",", ":", "[", "{") > maxYAMLMembers
}

func (d *document) parse(raw string) (ast.Node, error) {
	tokens := lexer.Tokenize(raw)
	if line := lineTooDeep(tokens); line > 0 {
		return nil, d.errorf(line, "", "it is nested deeper than a scenario can be")
	}
	// What is given twice is told below, with the field's name, and may be
	// what a message is to try out.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line, text := 0, err.Error()
		var at interface {
			GetToken() *token.Token
			GetMessage() string
		}
		if errors.As(err, &at) {
			text = at.GetMessage()
			if t := at.GetToken(); t != nil && t.Position != nil {
				line = t.Position.Line
			}
		}
		return nil, d.errorf(line, "", "it is not YAML: %s", text)
	}
	var root ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case root != nil:
			return nil, d.errorf(lineOf(doc.Body), "", "a second document begins here, expected one scenario a file")
		default:
			root = doc.Body
		}
	}
	if root == nil {
		return nil, d.errorf(0, "", "it is empty, expected a scenario with name and steps")
	}
	return root, nil
}

func (d *document) errorf(line int, field, format string, args ...any) *Error {
	return &Error{File: d.name, Line: line, Step: d.next, Field: field, Text: fmt.Sprintf(format, args...)}
}

func (d *document) readHeader(root ast.Node) error {
	members, ok := d.json.members(root)
	if !ok {
		return d.errorf(lineOf(root), "", "expected a scenario with name and steps, got %s", describeNode(root))
	}
	header := []byte{'{'}
	seen := false
	for _, m := range members {
		if m.name == stepsMember {
			list, ok := d.json.resolve(m.value).(*ast.SequenceNode)
			switch {
			case seen:
				return d.errorf(m.line, stepsMember, "it is given twice")
			case ok:
				d.steps = list.Values
			case describeNode(m.value) != "nothing":
				return d.errorf(m.line, stepsMember, "expected a list of steps, each beginning with a dash, got %s", describeNode(m.value))
			}
			seen = true
			continue
		}
		if len(header) > 1 {
			header = append(header, ',')
		}
		header = append(wire.AppendString(header, m.name), ':')
		var err error
		if header, err = d.json.appendNode(header, m.value, 0); err != nil {
			return d.withFile(err)
		}
	}
	if _, err := wire.DecodeWith(yamlOptions, append(header, '}'), &d.header); err != nil {
		return d.decodeError(root, err)
	}
	return nil
}

func (d *document) step() (s Step, err error) {
	if d.next == len(d.steps) {
		return s, io.EOF
	}
	node := d.steps[d.next]
	d.next++
	raw, err := d.json.appendNode(nil, node, 0)
	if err != nil {
		return s, d.withFile(err)
	}
	if _, err := wire.DecodeWith(yamlOptions, raw, &s); err != nil {
		return s, d.decodeError(node, err)
	}
	s.Line, s.FromYAML = lineOf(node), true
	if d.checker == nil {
		return s, nil
	}
	if field, text := d.checker.findMistake(&s); text != "" {
		field = strings.TrimSuffix(string(s.Kind)+"."+field, ".")
		return s, d.errorf(d.json.lineOfField(node, field), field, "%s", text)
	}
	return s, nil
}

// withFile names the file of an error of the converter.
func (d *document) withFile(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.File, e.Step = d.name, d.next
	}
	return err
}

// decodeError says where in the file a decoder found something.
func (d *document) decodeError(node ast.Node, err error) error {
	field, text := fieldAndText(err)
	e := d.errorf(d.json.lineOfField(node, field), field, "%s", addQuotesAdvice(text))
	e.Err = err
	return e
}

// addQuotesAdvice adds what to do about the slip that YAML invites.
func addQuotesAdvice(text string) string {
	if strings.Contains(text, "string") && (strings.HasSuffix(text, "got a number") || strings.HasSuffix(text, "got true or false")) {
		return text + "; write it in quotes"
	}
	return text
}
