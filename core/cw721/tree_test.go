package cw721_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

// tree is a JSON value. Members of objects keep their order and may be repeated, so that a
// test can break a message in one place.
type tree struct {
	kind byte // '{', '[', '"', '0', 't' or 'n'
	// text is the JSON of a value without members.
	text string
	// names are the names of members of an object, and empty texts for an array.
	names []string
	// members are the values of an object or an array.
	members []*tree
}

// parseTree parses JSON.
func parseTree(t testing.TB, text string) *tree {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return readTree(t, d)
}

// readTree reads the next value of a decoder.
func readTree(t testing.TB, d *json.Decoder) *tree {
	token := kvtest.Must(d.Token())(t)
	switch v := token.(type) {
	case json.Delim:
		n := &tree{kind: byte(v)}
		for d.More() {
			name := ""
			if v == '{' {
				name = kvtest.Must(d.Token())(t).(string)
			}
			n.names = append(n.names, name)
			n.members = append(n.members, readTree(t, d))
		}
		kvtest.Must(d.Token())(t) // the closing bracket
		return n
	case string:
		return &tree{kind: '"', text: string(wire.AppendString(nil, v))}
	case json.Number:
		return &tree{kind: '0', text: v.String()}
	case bool:
		return &tree{kind: 't', text: strconv.FormatBool(v)}
	}
	return &tree{kind: 'n', text: "null"}
}

// String returns the value as compact JSON.
func (n *tree) String() string {
	var b bytes.Buffer
	n.write(&b)
	return b.String()
}

// write appends the value as compact JSON.
func (n *tree) write(b *bytes.Buffer) {
	if n.kind != '{' && n.kind != '[' {
		b.WriteString(n.text)
		return
	}
	b.WriteByte(n.kind)
	for i, m := range n.members {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.kind == '{' {
			b.Write(wire.AppendString(nil, n.names[i]))
			b.WriteByte(':')
		}
		m.write(b)
	}
	b.WriteByte(n.kind + 2) // in ASCII, '}' and ']' are 2 after '{' and '['
}

// walk calls visit for every value below n, which is parent.members[i], with its dotted
// path. path is that of n.
func (n *tree) walk(path string, visit func(parent *tree, i int, path string)) {
	for i := range n.members {
		name := n.names[i]
		if n.kind == '[' {
			name = strconv.Itoa(i)
		}
		memberPath := strings.TrimPrefix(path+"."+name, ".")
		visit(n, i, memberPath)
		n.members[i].walk(memberPath, visit)
	}
}

// textWith returns the JSON of root after a change of n, a value in root. It undoes the
// change.
func (n *tree) textWith(root *tree, change func()) string {
	before := *n
	n.names = slices.Clone(n.names)
	n.members = slices.Clone(n.members)
	change()
	text := root.String()
	*n = before
	return text
}

// without returns the JSON of root without member i of n.
func (n *tree) without(root *tree, i int) string {
	return n.textWith(root, func() {
		n.names = slices.Delete(n.names, i, i+1)
		n.members = slices.Delete(n.members, i, i+1)
	})
}

// withValue returns the JSON of root with another value for member i of n.
func (n *tree) withValue(root *tree, i int, value string) string {
	return n.textWith(root, func() { n.members[i] = &tree{text: value} })
}

// withMore returns the JSON of root with another member at the end of n.
func (n *tree) withMore(root *tree, name, value string) string {
	return n.textWith(root, func() {
		n.names = append(n.names, name)
		n.members = append(n.members, &tree{text: value})
	})
}
