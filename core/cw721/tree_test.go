package cw721_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"ephemera/core/kv/kvtest"
	"ephemera/core/wire"
)

// tree is JSON with its members in order and as often as they stand there,
// so that a message can be broken in one place.
type tree struct {
	kind    byte // '{', '[', '"', '0', 't' or 'n'
	text    string
	names   []string
	members []*tree
}

func parseTree(t testing.TB, text string) *tree {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return readTree(t, d)
}

func readTree(t testing.TB, d *json.Decoder) *tree {
	token := kvtest.Must(d.Token())(t)
	switch v := token.(type) {
	case json.Delim:
		n := &tree{kind: byte(v)}
		for d.More() {
			name := ""
			if v == '{' {
				k := kvtest.Must(d.Token())(t)
				name = k.(string)
			}
			n.names, n.members = append(n.names, name), append(n.members, readTree(t, d))
		}
		kvtest.Must(d.Token())(t)
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

func (n *tree) String() string {
	var b bytes.Buffer
	n.write(&b)
	return b.String()
}

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
	b.WriteByte(n.kind + 2) // '}' and ']'
}

// walk calls visit for every value below n with its dotted path.
func (n *tree) walk(path string, visit func(parent *tree, i int, path string)) {
	for i := range n.members {
		name := n.names[i]
		if n.kind == '[' {
			name = strconv.Itoa(i)
		}
		at := strings.TrimPrefix(path+"."+name, ".")
		visit(n, i, at)
		n.members[i].walk(at, visit)
	}
}

// with gives root's text while f's change to n is in force.
func (n *tree) with(root *tree, f func()) string {
	before := *n
	n.names, n.members = append([]string(nil), n.names...), append([]*tree(nil), n.members...)
	f()
	text := root.String()
	*n = before
	return text
}

func (n *tree) without(root *tree, i int) string {
	return n.with(root, func() {
		n.names, n.members = append(n.names[:i:i], n.names[i+1:]...), append(n.members[:i:i], n.members[i+1:]...)
	})
}

func (n *tree) withValue(root *tree, i int, value string) string {
	return n.with(root, func() { n.members[i] = &tree{text: value} })
}

func (n *tree) withMore(root *tree, name, value string) string {
	return n.with(root, func() { n.names, n.members = append(n.names, name), append(n.members, &tree{text: value}) })
}
