package scenario

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"ephemera/core/wire"
)

// converter writes YAML as JSON: what is a number in YAML stays the same
// number, digit by digit, and what is text stays text.
type converter struct {
	anchors map[string]ast.Node
	written int // bytes, of all that was converted
}

// Limits that keep a small file from becoming a large one by its aliases.
const (
	maxNesting = 100
	maxWritten = 16 * MaxYAML
)

// member is one member of a mapping.
type member struct {
	name  string
	value ast.Node
	line  int
	merge bool // it is <<, which stands for the members of its value
}

func nodeError(n ast.Node, format string, args ...any) error {
	return &Error{Line: lineOf(n), Text: fmt.Sprintf(format, args...)}
}

func lineOf(n ast.Node) int {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return lineOf(m.Values[0])
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		return lineOf(m.Key)
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// resolve gives what an anchor holds or an alias stands for; nil where the
// anchor is unknown.
func (c *converter) resolve(n ast.Node) ast.Node {
	for range maxNesting {
		switch x := n.(type) {
		case *ast.AnchorNode:
			if c.anchors == nil {
				c.anchors = map[string]ast.Node{}
			}
			c.anchors[x.Name.GetToken().Value] = x.Value
			n = x.Value
		case *ast.AliasNode:
			n = c.anchors[x.Value.GetToken().Value]
		default:
			return n
		}
	}
	return nil
}

// members lists a mapping's members; ok is false for another kind of node.
func (c *converter) members(n ast.Node) (all []member, ok bool) {
	var values []*ast.MappingValueNode
	switch x := c.resolve(n).(type) {
	case *ast.MappingNode:
		values = x.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{x}
	default:
		return nil, false
	}
	for _, v := range values {
		var key ast.Node = v.Key
		if k, ok := key.(*ast.MappingKeyNode); ok {
			key = k.Value
		}
		_, merge := key.(*ast.MergeKeyNode)
		all = append(all, member{key.GetToken().Value, v.Value, lineOf(v.Key), merge})
	}
	return all, true
}

// appendNode writes a node behind dst.
func (c *converter) appendNode(dst []byte, n ast.Node, depth int) ([]byte, error) {
	before := len(dst)
	if c.written > maxWritten || depth > maxNesting {
		return dst, nodeError(n, "it becomes too large here; is an alias used inside of what it stands for?")
	}
	found := c.resolve(n)
	if found == nil {
		return dst, nodeError(n, "%s stands for nothing, expected an anchor before it", n)
	}
	var err error
	if members, ok := c.members(found); ok {
		dst, err = c.appendObject(dst, members, depth)
	} else if list, ok := found.(*ast.SequenceNode); ok {
		dst = append(dst, '[')
		for i, v := range list.Values {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = c.appendNode(dst, v, depth+1); err != nil {
				return dst, err
			}
		}
		dst = append(dst, ']')
	} else {
		dst, err = appendScalar(dst, found)
		c.written += len(dst) - before
	}
	c.written++
	return dst, err
}

func (c *converter) appendObject(dst []byte, members []member, depth int) ([]byte, error) {
	dst = append(dst, '{')
	for i, m := range members {
		if m.merge {
			return dst, &Error{Line: m.line, Text: "merging with << is not supported, expected the members themselves"}
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(wire.AppendString(dst, m.name), ':')
		var err error
		if dst, err = c.appendNode(dst, m.value, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// number is a number as JSON writes it.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

func appendScalar(dst []byte, n ast.Node) ([]byte, error) {
	text := n.GetToken().Value
	switch x := n.(type) {
	case *ast.NullNode:
		return append(dst, "null"...), nil
	case *ast.BoolNode:
		return strconv.AppendBool(dst, x.Value), nil
	case *ast.LiteralNode:
		return wire.AppendString(dst, x.Value.Value), nil
	case *ast.StringNode:
		// The parser takes numbers beyond 64 bits and exponents for text.
		if x.Token.Type == token.StringType && number.MatchString(text) {
			return append(dst, text...), nil
		}
		return wire.AppendString(dst, x.Value), nil
	case *ast.IntegerNode:
		if number.MatchString(text) {
			return append(dst, text...), nil
		}
		return fmt.Append(dst, x.Value), nil // 0x1F, 1_000
	case *ast.FloatNode:
		if number.MatchString(text) {
			return append(dst, text...), nil
		}
		return strconv.AppendFloat(dst, x.Value, 'g', -1, 64), nil // .5
	case *ast.TagNode:
		if text == "!!str" && x.Value != nil {
			if s, ok := x.Value.(*ast.StringNode); ok {
				return wire.AppendString(dst, s.Value), nil
			}
			if s, ok := x.Value.(ast.ScalarNode); ok {
				return wire.AppendString(dst, s.GetToken().Value), nil
			}
		}
		return dst, nodeError(n, "the tag %s is not supported, expected plain values", text)
	}
	return dst, nodeError(n, "%q cannot be a value here", text)
}

// lineOfField gives the line of a member by its dotted path, or of the last part of
// the path that is there.
func (c *converter) lineOfField(n ast.Node, field string) int {
	line := lineOf(n)
	for rest := field; rest != ""; {
		if list, ok := c.resolve(n).(*ast.SequenceNode); ok {
			var part string
			part, rest, _ = strings.Cut(rest, ".")
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(list.Values) {
				return line
			}
			n = list.Values[i]
			line = lineOf(n)
			continue
		}
		// A name can hold dots itself, so the longest that fits is meant. Of two
		// with one name the second is too many.
		members, _ := c.members(n)
		var best *member
		for i, m := range members {
			if (rest == m.name || strings.HasPrefix(rest, m.name+".")) && (best == nil || len(m.name) >= len(best.name)) {
				best = &members[i]
			}
		}
		if best == nil {
			return line
		}
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, best.name), ".")
		n, line = best.value, best.line
	}
	return line
}

// describeNode says in words what a node is.
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

// lineTooDeep gives the line on which tokens nest deeper than anything sensible,
// 0 for none: the parser calls itself for every level.
func lineTooDeep(tokens token.Tokens) int {
	brackets, line, onLine := 0, 0, 0
	for _, t := range tokens {
		if t.Position != nil && t.Position.Line != line {
			line, onLine = t.Position.Line, 0
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			brackets++
		case token.MappingEndType, token.SequenceEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType:
			onLine++
		}
		if brackets > maxNesting || onLine > maxNesting {
			return line
		}
	}
	return 0
}
