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
	// Path is the path to the place: "approvals[0].spender"; "" is the whole.
	Path     string `wire:"at"`
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
}

// maxDifferences is how many differences of one step are kept.
const maxDifferences = 5

// matcher compares JSON. A "$name" in what is expected also stands for the
// address of that name.
type matcher struct {
	addressOf func(name string) string // "" for a name that nobody has
	found     []Difference
	more      uint64 // differences beyond those
}

func (m *matcher) addDifference(at, expected, got string) {
	if len(m.found) == maxDifferences {
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

// compareTexts compares two texts of JSON.
func (m *matcher) compareTexts(expected, got []byte, compare func(at string, e, g jsonValue)) {
	if bytes.Equal(expected, got) {
		return
	}
	e, err := parseJSON(expected)
	g, fault := parseJSON(got)
	if err != nil || fault != nil {
		m.addDifference("", string(expected), string(got))
		return
	}
	compare("", e, g)
}

// ContainsJSON tells whether a JSON text has all that another has: members of objects,
// and items of arrays in their order, as "has" in a file.
func ContainsJSON(whole, part []byte) bool {
	m := matcher{addressOf: func(string) string { return "" }}
	m.compareTexts(part, whole, m.comparePart)
	return len(m.found) == 0
}

func (m *matcher) show(v jsonValue) string { return string(v.json()) }

// compareScalars compares all but arrays and objects.
func (m *matcher) compareScalars(at string, e, g jsonValue) {
	if e.kind == g.kind && e.text == g.text || e.kind == '"' && g.kind == '"' && m.isAddressOf(e.text, g.text) {
		return
	}
	m.addDifference(at, m.show(e), m.show(g))
}

func (m *matcher) isAddressOf(text, address string) bool {
	name, ok := strings.CutPrefix(text, "$")
	return ok && address != "" && m.addressOf(name) == address
}

const absent = "nothing"

func (m *matcher) compareWhole(at string, e, g jsonValue) {
	if e.kind != g.kind || e.kind != '{' && e.kind != '[' {
		m.compareScalars(at, e, g)
		return
	}
	if e.kind == '[' {
		m.compareItems(at, e.items, g.items)
		return
	}
	m.compareMembers(at, e, g, m.compareWhole)
	for i, name := range g.names {
		if _, ok := e.member(name); !ok {
			m.addDifference(at+"."+name, absent, m.show(g.items[i]))
		}
	}
}

// compareMembers compares those members that are expected.
func (m *matcher) compareMembers(at string, e, g jsonValue, compare func(at string, e, g jsonValue)) {
	for i, name := range e.names {
		if got, ok := g.member(name); ok {
			compare(at+"."+name, e.items[i], got)
		} else {
			m.addDifference(at+"."+name, m.show(e.items[i]), absent)
		}
	}
}

func (m *matcher) comparePart(at string, e, g jsonValue) {
	switch {
	case e.kind == g.kind && len(e.items) == 0:
		m.compareWhole(at, e, g)
	case e.kind == '{' && g.kind == '{':
		m.compareMembers(at, e, g, m.comparePart)
	case e.kind == '[' && g.kind == '[':
		m.compareArrayPart(at, e, g)
	default:
		m.compareScalars(at, e, g)
	}
}

// compareArrayPart looks for the expected items in their order; others may stand
// between them. Taking the first that fits leaves the most for the rest.
func (m *matcher) compareArrayPart(at string, e, g jsonValue) {
	next := 0
	for _, item := range e.items {
		for next < len(g.items) && !m.matches((*matcher).comparePart, item, g.items[next]) {
			next++
		}
		if next == len(g.items) {
			m.addDifference(at, "an item like "+m.show(item), m.show(g))
			return
		}
		next++
	}
}

// matches tells whether a comparison finds nothing that differs.
func (m *matcher) matches(compare func(m *matcher, at string, e, g jsonValue), e, g jsonValue) bool {
	trial := matcher{addressOf: m.addressOf}
	compare(&trial, "", e, g)
	return len(trial.found) == 0
}

// compareStorage holds the contract's storage to what is expected of it, record
// by record in key order.
func compareStorage(v *chain.View, expected []Entry) (*Mismatch, error) {
	m := matcher{}
	got, left := 0, expected
	for p, err := range v.Records() {
		if err != nil {
			return nil, err
		}
		got++
		for len(left) > 0 && bytes.Compare(left[0].Key, p.Key) < 0 {
			m.addDifference(keyName(left[0].Key), left[0].Value, absent)
			left = left[1:]
		}
		if len(left) == 0 || !bytes.Equal(left[0].Key, p.Key) {
			m.addDifference(keyName(p.Key), absent, string(p.Value))
			continue
		}
		if left[0].Value != string(p.Value) {
			m.addDifference(keyName(p.Key), left[0].Value, string(p.Value))
		}
		left = left[1:]
	}
	for _, r := range left {
		m.addDifference(keyName(r.Key), r.Value, absent)
	}
	if len(m.found) == 0 {
		return nil, nil
	}
	return &Mismatch{
		Subject: "storage", Differences: m.found, MoreDifferences: m.more,
		Expected: fmt.Sprintf("%d records", len(expected)), Got: fmt.Sprintf("%d records", got),
	}, nil
}

// keyName shows a key as text for people, and in hex to look it up by.
func keyName(key []byte) string { return fmt.Sprintf("%q (%x)", key, key) }

// compareItems compares two lists: items that both have are paired first, so that
// one that is missing does not make all behind it differ.
func (m *matcher) compareItems(at string, e, g []jsonValue) {
	place := func(i int) string { return at + "[" + strconv.Itoa(i) + "]" }
	i, j := 0, 0
	for _, both := range append(m.commonItems(e, g), pair{len(e), len(g)}) {
		for i < both.e || j < both.g {
			switch {
			case i == both.e:
				m.addDifference(place(j), absent, m.show(g[j]))
				j++
			case j == both.g:
				m.addDifference(place(i), m.show(e[i]), absent)
				i++
			default:
				m.compareWhole(place(j), e[i], g[j])
				i, j = i+1, j+1
			}
		}
		i, j = both.e+1, both.g+1
	}
}

// pair are the places of one item in two lists.
type pair struct{ e, g int }

// maxItemPairs bounds how many pairs of items are compared; of longer lists none
// is paired.
const maxItemPairs = 1 << 16

// commonItems gives the items that stand in both lists in the same order, as many as
// there are (the longest common subsequence).
func (m *matcher) commonItems(e, g []jsonValue) (pairs []pair) {
	if len(e)*len(g) > maxItemPairs {
		return nil
	}
	longest := make([][]int, len(e)+1) // from i in e and j in g on
	longest[len(e)] = make([]int, len(g)+1)
	for i := len(e) - 1; i >= 0; i-- {
		longest[i] = make([]int, len(g)+1)
		for j := len(g) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if m.matches((*matcher).compareWhole, e[i], g[j]) {
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
