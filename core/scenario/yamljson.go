package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"ephemera/core/wire"
)

// Limits that keep a small file from growing by its aliases.
const (
	maxNesting = 100
	maxWritten = 16 * MaxYAML
)

// member is one member of a YAML mapping.
type member struct {
	name  string
	value ast.Node
	line  int // of the name, from 1
}

// lineOf returns the first line of a node, from 1. It returns 0 if the line is not
// known.
func lineOf(n ast.Node) int {
	switch n := n.(type) {
	case *ast.MappingNode:
		if len(n.Values) > 0 {
			return lineOf(n.Values[0])
		}
	case *ast.MappingValueNode:
		return lineOf(n.Key)
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// resolve returns the value of an anchor or an alias, and any other node as it is. It
// returns nil for an unknown anchor.
func (d *document) resolve(n ast.Node) ast.Node {
	for range maxNesting {
		switch x := n.(type) {
		case *ast.AnchorNode:
			d.anchors[x.Name.GetToken().Value] = x.Value
			n = x.Value
		case *ast.AliasNode:
			n = d.anchors[x.Value.GetToken().Value]
		default:
			return n
		}
	}
	return nil
}

// members returns the members of a mapping. ok is false for any other node.
func (d *document) members(n ast.Node) (members []member, ok bool) {
	var values []*ast.MappingValueNode
	switch x := d.resolve(n).(type) {
	case *ast.MappingNode:
		values = x.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{x}
	default:
		return nil, false
	}

	// A name is taken as it is written, whatever YAML would make of it.
	for _, v := range values {
		members = append(members, member{
			name:  v.Key.GetToken().Value,
			value: v.Value,
			line:  lineOf(v.Key),
		})
	}
	return members, true
}

// appendNode appends the JSON of a YAML node, with everything in it. depth is how many nodes
// contain it. It fails for what JSON cannot express, and above maxWritten and maxNesting,
// which an alias inside its own value would exceed.
func (d *document) appendNode(dst []byte, n ast.Node, depth int) ([]byte, error) {
	if d.written > maxWritten || depth > maxNesting {
		return dst, d.errorf(lineOf(n), "", "it becomes too large here; does an alias contain itself?")
	}
	resolved := d.resolve(n)
	if resolved == nil {
		return dst, d.errorf(lineOf(n), "", "%s names no anchor, expected one before it", n)
	}

	// Arrays and objects count the values in them, and for a scalar its bytes count as well.
	d.written++
	if members, ok := d.members(resolved); ok {
		return d.appendObject(dst, members, depth)
	}
	if list, ok := resolved.(*ast.SequenceNode); ok {
		return d.appendArray(dst, list.Values, depth)
	}
	lengthBefore := len(dst)
	dst, err := d.appendScalar(dst, resolved)
	d.written += len(dst) - lengthBefore
	return dst, err
}

// appendArray appends a YAML list as a JSON array. depth is how many nodes contain the list.
func (d *document) appendArray(dst []byte, items []ast.Node, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = d.appendNode(dst, item, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// appendObject appends a YAML mapping as a JSON object, with its members in their order. depth
// is how many nodes contain the mapping.
func (d *document) appendObject(dst []byte, members []member, depth int) ([]byte, error) {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(wire.AppendString(dst, m.name), ':')
		var err error
		if dst, err = d.appendNode(dst, m.value, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// jsonNumber matches a number as JSON writes it.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// appendScalar appends the JSON of a text, a number, true, false or null. A number keeps its
// digits, so that it stays exact. Only a whole number in another form than JSON's, such as
// 0x1F or +10, is converted. appendScalar fails for tags and for other numbers, such as .5.
func (d *document) appendScalar(dst []byte, n ast.Node) ([]byte, error) {
	text := n.GetToken().Value

	// The parser takes numbers of more than 64 bits and exponents for strings.
	isQuoted := slices.Contains([]token.Type{token.SingleQuoteType, token.DoubleQuoteType}, n.GetToken().Type)
	if !isQuoted && jsonNumber.MatchString(text) {
		return append(dst, text...), nil
	}
	switch n := n.(type) {
	case *ast.NullNode:
		return append(dst, "null"...), nil
	case *ast.BoolNode:
		return strconv.AppendBool(dst, n.Value), nil
	case *ast.LiteralNode:
		return wire.AppendString(dst, n.Value.Value), nil
	case *ast.StringNode:
		return wire.AppendString(dst, n.Value), nil
	case *ast.IntegerNode:
		return fmt.Append(dst, n.Value), nil
	}
	return dst, d.errorf(lineOf(n), "", "%q cannot be a value here, expected a text in quotes, or a number as in JSON", text)
}

// lineOfField returns the line of a member by its dotted path from a node. If the path
// leads to no member, it returns the line of its last part that does.
func (d *document) lineOfField(n ast.Node, path string) int {
	line := lineOf(n)
	for path != "" {
		if list, ok := d.resolve(n).(*ast.SequenceNode); ok {
			index, rest, _ := strings.Cut(path, ".")
			i, err := strconv.Atoi(index)
			if err != nil || i >= len(list.Values) {
				return line
			}
			n = list.Values[i]
			line = lineOf(n)
			path = rest
			continue
		}

		// A name of a member can itself have dots, so it is the one with which the path
		// begins.
		members, _ := d.members(n)
		found := memberAtPath(members, path)
		if found == nil {
			return line
		}
		n = found.value
		line = found.line
		path = strings.TrimPrefix(strings.TrimPrefix(path, found.name), ".")
	}
	return line
}

// memberAtPath returns the member that a dotted path begins with, or nil. Names can
// hold dots, so it returns the member with the longest name. Of two members with the
// same name it returns the second, which is the one too many.
func memberAtPath(members []member, path string) (longest *member) {
	for i, m := range members {
		isOnPath := path == m.name || strings.HasPrefix(path, m.name+".")
		if isOnPath && (longest == nil || len(m.name) >= len(longest.name)) {
			longest = &members[i]
		}
	}
	return longest
}

// describeNode names the kind of a node, for errors.
func describeNode(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	}
	return "a text"
}

// lineTooDeep returns the first line on which YAML tokens nest deeper than maxNesting, or 0.
// The parser calls itself for every level, so a deeper text could exhaust its stack.
func lineTooDeep(tokens token.Tokens) int {
	openBrackets := 0
	line := 0
	levelsOnLine := 0
	for _, t := range tokens {
		if t.Position != nil && t.Position.Line != line {
			line = t.Position.Line
			levelsOnLine = 0
		}

		// Brackets nest over many lines, and dashes, keys, anchors and tags within one.
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			openBrackets++
		case token.MappingEndType, token.SequenceEndType:
			openBrackets--
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType:
			levelsOnLine++
		}
		if openBrackets > maxNesting || levelsOnLine > maxNesting {
			return line
		}
	}
	return 0
}
