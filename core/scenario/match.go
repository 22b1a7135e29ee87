package scenario

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"ephemera/core/chain"
)

// Difference is one place where what came is not what was expected.
type Difference struct {
	// At is the path to the place: "approvals[0].spender"; "" is the whole.
	At       string `wire:"at"`
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
}

// shownDifferences is how many differences of one step are kept.
const shownDifferences = 5

// matcher compares JSON. A "$name" in what is expected also stands for the
// address of that name.
type matcher struct {
	address func(name string) string // "" for a name that nobody has
	found   []Difference
	more    uint64 // differences beyond those
}

func (m *matcher) differ(at, expected, got string) {
	if len(m.found) == shownDifferences {
		m.more++
		return
	}
	m.found = append(m.found, Difference{strings.TrimPrefix(at, "."), clip(expected), clip(got)})
}

// clip shortens what is too long to be read.
func clip(s string) string {
	const most = 400
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + fmt.Sprintf("… (%d bytes)", len(s))
}

// both compares two texts of JSON.
func (m *matcher) both(expected, got []byte, compare func(at string, e, g value)) {
	if bytes.Equal(expected, got) {
		return
	}
	e, err := parse(expected)
	g, fault := parse(got)
	if err != nil || fault != nil {
		m.differ("", string(expected), string(got))
		return
	}
	compare("", e, g)
}

// ContainsJSON tells whether a JSON text has all that another has: members of objects,
// and items of arrays in their order, as "has" in a file.
func ContainsJSON(whole, part []byte) bool {
	m := matcher{address: func(string) string { return "" }}
	m.both(part, whole, m.has)
	return len(m.found) == 0
}

func (m *matcher) show(v value) string { return string(v.json()) }

// scalar compares all but arrays and objects.
func (m *matcher) scalar(at string, e, g value) {
	if e.kind == g.kind && e.text == g.text || e.kind == '"' && g.kind == '"' && m.stands(e.text, g.text) {
		return
	}
	m.differ(at, m.show(e), m.show(g))
}

func (m *matcher) stands(text, address string) bool {
	name, ok := strings.CutPrefix(text, "$")
	return ok && address != "" && m.address(name) == address
}

const absent = "nothing"

func (m *matcher) same(at string, e, g value) {
	if e.kind != g.kind || e.kind != '{' && e.kind != '[' {
		m.scalar(at, e, g)
		return
	}
	if e.kind == '[' {
		m.sameItems(at, e.items, g.items)
		return
	}
	m.members(at, e, g, m.same)
	for i, name := range g.names {
		if _, ok := e.member(name); !ok {
			m.differ(at+"."+name, absent, m.show(g.items[i]))
		}
	}
}

// members compares those members that are expected.
func (m *matcher) members(at string, e, g value, compare func(at string, e, g value)) {
	for i, name := range e.names {
		if got, ok := g.member(name); ok {
			compare(at+"."+name, e.items[i], got)
		} else {
			m.differ(at+"."+name, m.show(e.items[i]), absent)
		}
	}
}

func (m *matcher) has(at string, e, g value) {
	switch {
	case e.kind == g.kind && len(e.items) == 0:
		m.same(at, e, g)
	case e.kind == '{' && g.kind == '{':
		m.members(at, e, g, m.has)
	case e.kind == '[' && g.kind == '[':
		m.hasItems(at, e, g)
	default:
		m.scalar(at, e, g)
	}
}

// hasItems looks for the expected items in their order; others may stand
// between them. Taking the first that fits leaves the most for the rest.
func (m *matcher) hasItems(at string, e, g value) {
	next := 0
	for _, item := range e.items {
		for next < len(g.items) && !m.fits((*matcher).has, item, g.items[next]) {
			next++
		}
		if next == len(g.items) {
			m.differ(at, "an item like "+m.show(item), m.show(g))
			return
		}
		next++
	}
}

// fits tells whether a comparison finds nothing that differs.
func (m *matcher) fits(compare func(m *matcher, at string, e, g value), e, g value) bool {
	trial := matcher{address: m.address}
	compare(&trial, "", e, g)
	return len(trial.found) == 0
}

// compareState holds the contract's storage to what is expected of it, record
// by record in key order.
func compareState(v *chain.View, expected []Entry) (*Mismatch, error) {
	m := matcher{}
	got, left := 0, expected
	for p, err := range v.Records() {
		if err != nil {
			return nil, err
		}
		got++
		for len(left) > 0 && bytes.Compare(left[0].Key, p.Key) < 0 {
			m.differ(keyName(left[0].Key), left[0].Value, absent)
			left = left[1:]
		}
		if len(left) == 0 || !bytes.Equal(left[0].Key, p.Key) {
			m.differ(keyName(p.Key), absent, string(p.Value))
			continue
		}
		if left[0].Value != string(p.Value) {
			m.differ(keyName(p.Key), left[0].Value, string(p.Value))
		}
		left = left[1:]
	}
	for _, r := range left {
		m.differ(keyName(r.Key), r.Value, absent)
	}
	if len(m.found) == 0 {
		return nil, nil
	}
	return &Mismatch{
		What: "storage", Differences: m.found, More: m.more,
		Expected: fmt.Sprintf("%d records", len(expected)), Got: fmt.Sprintf("%d records", got),
	}, nil
}

// keyName shows a key as text for people, and in hex to look it up by.
func keyName(key []byte) string { return fmt.Sprintf("%q (%x)", key, key) }

// sameItems compares two lists: items that both have are paired first, so that
// one that is missing does not make all behind it differ.
func (m *matcher) sameItems(at string, e, g []value) {
	place := func(i int) string { return at + "[" + strconv.Itoa(i) + "]" }
	i, j := 0, 0
	for _, both := range append(m.common(e, g), pair{len(e), len(g)}) {
		for i < both.e || j < both.g {
			switch {
			case i == both.e:
				m.differ(place(j), absent, m.show(g[j]))
				j++
			case j == both.g:
				m.differ(place(i), m.show(e[i]), absent)
				i++
			default:
				m.same(place(j), e[i], g[j])
				i, j = i+1, j+1
			}
		}
		i, j = both.e+1, both.g+1
	}
}

// pair are the places of one item in two lists.
type pair struct{ e, g int }

// mostCompared bounds how many pairs of items are compared; of longer lists none
// is paired.
const mostCompared = 1 << 16

// common gives the items that stand in both lists in the same order, as many as
// there are (the longest common subsequence).
func (m *matcher) common(e, g []value) (pairs []pair) {
	if len(e)*len(g) > mostCompared {
		return nil
	}
	longest := make([][]int, len(e)+1) // from i in e and j in g on
	longest[len(e)] = make([]int, len(g)+1)
	for i := len(e) - 1; i >= 0; i-- {
		longest[i] = make([]int, len(g)+1)
		for j := len(g) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if m.fits((*matcher).same, e[i], g[j]) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(e) && j < len(g); {
		switch longest[i][j] {
		case longest[i+1][j]:
			i++
		case longest[i][j+1]:
			j++
		default:
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		}
	}
	return pairs
}
