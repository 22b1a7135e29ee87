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

// Limits on the JSON that a YAML file becomes. A small file can become large, because each
// alias repeats a value.
const (
	maxNesting = 100          // arrays and objects around a value
	maxWritten = 16 * MaxYAML // values, and bytes of their texts
)

// outermost is the depth of a value that no other value contains.
const outermost = 0

// appendNode appends the JSON of a YAML node and everything in it. depth is the number of
// nodes that contain it. appendNode fails for a node that JSON cannot express. It also
// fails above maxWritten and maxNesting, so that it ends for an alias that contains itself.
func (d *document) appendNode(dst []byte, node ast.Node, depth int) ([]byte, error) {
	if d.writtenSize > maxWritten || depth > maxNesting {
		return dst, d.errorf(lineOf(node), "", "it becomes too large here; does an alias contain itself?")
	}
	resolved := d.resolve(node)
	if resolved == nil {
		return dst, d.errorf(lineOf(node), "", "%s names no anchor, expected one before it", node)
	}

	// Each value counts as one, and a value that is no array or object with its bytes as well.
	d.writtenSize++
	if members, ok := d.members(resolved); ok {
		return d.appendObject(dst, members, depth)
	}
	if list, ok := resolved.(*ast.SequenceNode); ok {
		return d.appendArray(dst, list.Values, depth)
	}
	lengthBefore := len(dst)
	dst, err := d.appendScalar(dst, resolved)
	if err != nil {
		return dst, err
	}
	d.writtenSize += len(dst) - lengthBefore
	return dst, nil
}

// appendArray appends a YAML list as a JSON array.
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

// appendObject appends a YAML mapping as a JSON object. It refuses the merge key <<.
func (d *document) appendObject(dst []byte, members []member, depth int) ([]byte, error) {
	dst = append(dst, '{')
	for i, m := range members {
		if m.isMerge {
			return dst, d.errorf(m.line, "",
				"merging with << is not supported, expected the members themselves")
		}
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

// appendScalar appends the JSON of a text, a number, true, false or null. A number that
// JSON can write keeps its digits, so that it stays exact. A whole number in another form,
// such as 0x1F or +10, is converted. appendScalar fails for tags and for other numbers,
// such as .5.
func (d *document) appendScalar(dst []byte, node ast.Node) ([]byte, error) {
	text := node.GetToken().Value

	// Check for numbers first, because the parser takes numbers of more than 64 bits and those
	// with exponents for strings.
	tokenType := node.GetToken().Type
	isQuoted := tokenType == token.SingleQuoteType || tokenType == token.DoubleQuoteType
	if !isQuoted && jsonNumber.MatchString(text) {
		return append(dst, text...), nil
	}
	switch node := node.(type) {
	case *ast.NullNode:
		return append(dst, "null"...), nil
	case *ast.BoolNode:
		return strconv.AppendBool(dst, node.Value), nil
	case *ast.LiteralNode:
		return wire.AppendString(dst, node.Value.Value), nil
	case *ast.StringNode:
		return wire.AppendString(dst, node.Value), nil
	case *ast.IntegerNode:
		return fmt.Append(dst, node.Value), nil
	}
	return dst, d.errorf(lineOf(node), "",
		"%q cannot be a value here, expected a text in quotes, or a number as in JSON",
		text)
}

// resolve returns the value that an anchor (&name) or an alias (*name) stands for. It
// remembers the values of anchors for later aliases. It returns any other node as it is,
// and nil for an alias of an unknown anchor.
func (d *document) resolve(node ast.Node) ast.Node {
	for range maxNesting {
		switch reference := node.(type) {
		case *ast.AnchorNode:
			d.anchors[reference.Name.GetToken().Value] = reference.Value
			node = reference.Value
		case *ast.AliasNode:
			node = d.anchors[reference.Value.GetToken().Value]
		default:
			return node
		}
	}
	return nil
}

// member is one member of a YAML mapping.
type member struct {
	name    string
	value   ast.Node
	line    int  // of the name, from 1
	isMerge bool // the name is <<, by which YAML merges the members of the value
}

// members returns the members of a mapping. ok is false for any other node.
func (d *document) members(node ast.Node) (members []member, ok bool) {
	var pairs []*ast.MappingValueNode
	switch mapping := d.resolve(node).(type) {
	case *ast.MappingNode:
		pairs = mapping.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{mapping}
	default:
		return nil, false
	}

	// A name is taken as it is written. YAML would read some names as other values, such as
	// 1 as a number.
	for _, pair := range pairs {
		var key ast.Node = pair.Key
		if explicitKey, ok := key.(*ast.MappingKeyNode); ok { // written as "? name"
			key = explicitKey.Value
		}
		_, isMerge := key.(*ast.MergeKeyNode)
		members = append(members, member{
			name:    key.GetToken().Value,
			value:   pair.Value,
			line:    lineOf(pair.Key),
			isMerge: isMerge,
		})
	}
	return members, true
}

// lineOfField returns the line of the member at a dotted path from a node, such as
// "execute.mint.owner". If there is no such member, it returns the line of the last member
// on the path that exists.
func (d *document) lineOfField(node ast.Node, path string) int {
	line := lineOf(node)
	for path != "" {
		child := d.childAtPath(node, path)
		if child == nil {
			return line
		}
		node = child.value
		line = child.line
		path = strings.TrimPrefix(path, child.name)
		path = strings.TrimPrefix(path, ".")
	}
	return line
}

// childAtPath returns the item of a list or the member of a mapping at which a dotted path
// begins, or nil if there is none. For an item of a list, the name is its index.
func (d *document) childAtPath(node ast.Node, path string) (child *member) {
	if list, isList := d.resolve(node).(*ast.SequenceNode); isList {
		indexText, _, _ := strings.Cut(path, ".")
		index, err := strconv.Atoi(indexText)
		if err != nil || index >= len(list.Values) {
			return nil
		}
		item := list.Values[index]
		return &member{name: indexText, value: item, line: lineOf(item)}
	}

	// Names can have dots, so the member with the longest name on the path is meant. If two
	// members have the same name, an error is about the second.
	members, _ := d.members(node)
	for i, m := range members {
		isOnPath := path == m.name || strings.HasPrefix(path, m.name+".")
		if isOnPath && (child == nil || len(m.name) >= len(child.name)) {
			child = &members[i]
		}
	}
	return child
}

// lineOf returns the first line of a node, from 1, or 0 if it is not known.
func lineOf(node ast.Node) int {
	switch node := node.(type) {
	case *ast.MappingNode:
		if len(node.Values) > 0 {
			return lineOf(node.Values[0])
		}
	case *ast.MappingValueNode:
		return lineOf(node.Key)
	}
	return lineOfToken(node.GetToken())
}

// lineOfToken returns the line of a token, or 0 if the line is not known.
func lineOfToken(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}

// describeNode names the kind of a node, for errors.
func describeNode(node ast.Node) string {
	switch node.(type) {
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

// findTooDeepLine returns the first line on which YAML tokens nest deeper than maxNesting,
// or 0. The parser calls itself for every level, so a deeper text could exhaust its stack.
func findTooDeepLine(tokens token.Tokens) int {
	openBrackets := 0
	line := 0
	levelsOnLine := 0
	for _, t := range tokens {
		if t.Position != nil && t.Position.Line != line {
			line = t.Position.Line
			levelsOnLine = 0
		}

		// Brackets can be open over many lines. Dashes, keys, anchors and tags add a level each
		// on the same line, as in "- - - text".
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
