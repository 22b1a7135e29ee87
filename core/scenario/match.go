package scenario

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ephemera/core/chain"
)

// Difference is one place in which two values differ.
type Difference struct {
	// Path is the place, such as "approvals[0].spender". It is empty for the whole
	// value.
	Path     string `wire:"at"`
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
}

// maxDifferences is how many differences of one step are listed. Further ones are only counted.
const maxDifferences = 5

// absent is the text of a value that is missing on one side.
const absent = "nothing"

// matcher compares JSON values and collects their differences. An expected text "$alice" is
// equal to "$alice" and to the address of alice.
type matcher struct {
	addressOf func(name string) string // returns "" for an unknown name
	// partly is set if the expected values are parts that the others must contain: the
	// members of objects, and the items of arrays in their order. Otherwise values must be
	// equal.
	partly bool
	// found has the first differences. notKept is the number of the others.
	found   []Difference
	notKept uint64
}

// addDifference adds a difference at a path such as ".approvals[0].spender", or only counts
// it if there are maxDifferences already. Long texts are cut.
func (m *matcher) addDifference(path, expected, got string) {
	if len(m.found) == maxDifferences {
		m.notKept++
		return
	}
	m.found = append(m.found, Difference{
		Path:     strings.TrimPrefix(path, "."),
		Expected: clip(expected),
		Got:      clip(got),
	})
}

// clip cuts a text to some 400 bytes and appends its length.
func clip(s string) string {
	const maxBytes = 400
	if len(s) <= maxBytes {
		return s
	}
	return strings.ToValidUTF8(s[:maxBytes], "") + fmt.Sprintf("… (%d bytes)", len(s))
}

// compareTexts parses two JSON texts and calls compare, which compares their values. Texts
// that cannot be parsed are compared byte by byte.
func (m *matcher) compareTexts(expected, got []byte, compare func(path string, expected, got jsonValue)) {
	if bytes.Equal(expected, got) {
		return
	}
	expectedValue, expectedErr := parseJSON(expected)
	gotValue, gotErr := parseJSON(got)
	if expectedErr != nil || gotErr != nil {
		m.addDifference("", string(expected), string(got))
		return
	}
	compare("", expectedValue, gotValue)
}

// ContainsJSON reports whether a JSON text contains another: the members of its
// objects, and the items of its arrays in their order.
func ContainsJSON(whole, part []byte) bool {
	m := matcher{addressOf: func(string) string { return "" }, partly: true}
	m.compareTexts(part, whole, m.compare)
	return len(m.found) == 0
}

// compare compares two values and everything in them. An empty object or array is contained
// only in an empty one.
func (m *matcher) compare(path string, expected, got jsonValue) {
	isPart := m.partly && len(expected.items) > 0
	switch {
	case expected.kind == '{' && got.kind == '{':
		m.compareMembers(path, expected, got)
		if !isPart {
			m.addUnexpectedMembers(path, expected, got)
		}
	case expected.kind == '[' && got.kind == '[' && isPart:
		m.compareArrayPart(path, expected, got)
	case expected.kind == '[' && got.kind == '[':
		m.compareItems(path, expected.items, got.items)
	default:
		m.compareScalars(path, expected, got)
	}
}

// compareMembers compares the members that are expected. Others are not compared.
func (m *matcher) compareMembers(path string, expected, got jsonValue) {
	for i, name := range expected.names {
		member, ok := got.member(name)
		if !ok {
			m.addDifference(path+"."+name, string(expected.items[i].json()), absent)
			continue
		}
		m.compare(path+"."+name, expected.items[i], member)
	}
}

// addUnexpectedMembers adds a difference for each member of an object that is not expected.
func (m *matcher) addUnexpectedMembers(path string, expected, got jsonValue) {
	for i, name := range got.names {
		if _, ok := expected.member(name); !ok {
			m.addDifference(path+"."+name, absent, string(got.items[i].json()))
		}
	}
}

// compareScalars compares two texts, numbers or words. Values of different kinds differ.
func (m *matcher) compareScalars(path string, expected, got jsonValue) {
	isEqual := expected.kind == got.kind && expected.text == got.text
	areTexts := expected.kind == '"' && got.kind == '"'
	if isEqual || areTexts && m.isAddressOf(expected.text, got.text) {
		return
	}
	m.addDifference(path, string(expected.json()), string(got.json()))
}

// isAddressOf reports whether text is "$name" and the account of that name has the
// address.
func (m *matcher) isAddressOf(text, address string) bool {
	name, isName := strings.CutPrefix(text, "$")
	return isName && address != "" && m.addressOf(name) == address
}

// compareArrayPart searches for the expected items in an array, in their order, with any
// other items between them: [1, 3] is found in [0, 1, 2, 3]. It pairs each expected item
// with the first item after the previous pair that contains it. Any later choice would
// leave fewer items for the expected items that follow.
func (m *matcher) compareArrayPart(path string, part, got jsonValue) {
	next := 0
	for _, item := range part.items {
		for next < len(got.items) && !m.matches(item, got.items[next]) {
			next++
		}
		if next == len(got.items) {
			m.addDifference(path, "an item like "+string(item.json()), string(got.json()))
			return
		}
		next++
	}
}

// matches reports whether two values have no difference. It adds no difference to m.
func (m *matcher) matches(expected, got jsonValue) bool {
	trial := matcher{addressOf: m.addressOf, partly: m.partly}
	trial.compare("", expected, got)
	return len(trial.found) == 0
}

// compareItems compares the items of two arrays. It sets aside the equal items at the
// end, so that one missing item does not make every item after it differ, and compares
// the others one by one.
func (m *matcher) compareItems(path string, expected, got []jsonValue) {
	for len(expected) > 0 && len(got) > 0 && m.matches(expected[len(expected)-1], got[len(got)-1]) {
		expected = expected[:len(expected)-1]
		got = got[:len(got)-1]
	}
	for i := range max(len(expected), len(got)) {
		itemPath := path + "[" + strconv.Itoa(i) + "]"
		switch {
		case i >= len(expected):
			m.addDifference(itemPath, absent, string(got[i].json()))
		case i >= len(got):
			m.addDifference(itemPath, string(expected[i].json()), absent)
		default:
			m.compare(itemPath, expected[i], got[i])
		}
	}
}

// compareStorage compares the contract's records with the expected ones, in the order
// of keys. It returns nil if they are equal.
func compareStorage(v *chain.View, expected Storage) (*Mismatch, error) {
	stored := Storage{}
	for record, err := range v.Records() {
		if err != nil {
			return nil, err
		}
		stored[string(record.Key)] = string(record.Value)
	}

	// Records are compared as the members of an object, so that each difference names its
	// key.
	var m matcher
	m.compare("", storageValue(expected), storageValue(stored))
	if len(m.found) == 0 {
		return nil, nil
	}

	return &Mismatch{
		Subject:         "storage",
		Expected:        fmt.Sprintf("%d records", len(expected)),
		Got:             fmt.Sprintf("%d records", len(stored)),
		Differences:     m.found,
		MoreDifferences: m.notKept,
	}, nil
}

// storageValue returns records as an object, in the order of keys. The name of a member is
// the key of a record, as text and in hex. A value stays as it is stored: two values that
// only differ in their spelling as JSON are different.
func storageValue(records Storage) jsonValue {
	object := jsonValue{kind: '{'}
	for _, key := range slices.Sorted(maps.Keys(records)) {
		object.names = append(object.names, fmt.Sprintf("%q (%x)", key, key))
		object.items = append(object.items, jsonValue{kind: 't', text: records[key]})
	}
	return object
}
