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

// ContainsJSON reports whether a JSON text contains another one. An object contains an
// object that has some of its members. An array contains an array that has some of its
// items in the same order. For example, {"a":1,"b":[1,2,3]} contains {"b":[1,3]}.
func ContainsJSON(whole, part []byte) bool {
	m := matcher{addressOf: func(string) string { return "" }, isPartial: true}
	m.compareTexts(part, whole, m.compare)
	return len(m.differences) == 0
}

// Difference is one place in which two values differ. Expected and Got are the two values as
// JSON, or "nothing" for a value that is missing. Long values are cut.
type Difference struct {
	Path     string `wire:"at"` // such as "approvals[0].spender", or "" for the whole values
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
}

// maxDifferences is how many differences of one step are listed. Further ones are only
// counted.
const maxDifferences = 5

// absent stands in a [Difference] for a value that is missing.
const absent = "nothing"

// matcher compares JSON values and collects their differences. An expected text "$alice" is
// equal to "$alice" and to the address of alice.
type matcher struct {
	// addressOf returns the address for the name of an account, or "" for an unknown name.
	addressOf func(name string) string
	// isPartial is set if the expected values only have to be contained in the others; see
	// [ContainsJSON]. Otherwise the values must be equal.
	isPartial       bool
	differences     []Difference // the first, at most maxDifferences
	moreDifferences uint64       // how many others there are
}

// addDifference adds a difference at a path such as ".approvals[0].spender", or only counts it
// if there are maxDifferences already.
func (m *matcher) addDifference(path, expected, got string) {
	if len(m.differences) == maxDifferences {
		m.moreDifferences++
		return
	}
	m.differences = append(m.differences, Difference{
		Path:     strings.TrimPrefix(path, "."),
		Expected: clip(expected),
		Got:      clip(got),
	})
}

// clip cuts a text after 400 bytes, and then adds its full length: "{"name":"Apes"… (1200
// bytes)".
func clip(text string) string {
	const maxBytes = 400
	if len(text) <= maxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxBytes], "") + fmt.Sprintf("… (%d bytes)", len(text))
}

// compareTexts parses two JSON texts and calls compare with their values. Texts with the
// same bytes are equal. Texts with other bytes differ if one of them cannot be parsed.
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

// compare compares two values and everything in them. With isPartial, an empty object or
// array is still only contained in an empty one, so that a test can expect an empty list.
func (m *matcher) compare(path string, expected, got jsonValue) {
	isPart := m.isPartial && len(expected.items) > 0
	areArrays := expected.kind == '[' && got.kind == '['
	switch {
	case expected.kind == '{' && got.kind == '{':
		m.compareMembers(path, expected, got)
		if !isPart {
			m.addUnexpectedMembers(path, expected, got)
		}
	case areArrays && isPart:
		m.compareArrayPart(path, expected, got)
	case areArrays:
		m.compareItems(path, expected.items, got.items)
	default:
		m.compareScalars(path, expected, got)
	}
}

// compareMembers compares those members of two objects that are expected. It ignores other
// members of got.
func (m *matcher) compareMembers(path string, expected, got jsonValue) {
	for i, name := range expected.names {
		gotMember, hasMember := got.member(name)
		if !hasMember {
			m.addDifference(path+"."+name, string(expected.items[i].json()), absent)
			continue
		}
		m.compare(path+"."+name, expected.items[i], gotMember)
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

// compareArrayPart searches an array for the expected items, as [ContainsJSON] defines it. It
// takes the first match for each expected item, because a later match would leave fewer items
// for the expected items that follow. It adds a difference for the first that is not found.
func (m *matcher) compareArrayPart(path string, part, got jsonValue) {
	gotIndex := 0 // the index of the first item that is not matched yet
	for _, item := range part.items {
		for gotIndex < len(got.items) && !m.matches(item, got.items[gotIndex]) {
			gotIndex++
		}
		if gotIndex == len(got.items) {
			m.addDifference(path, "an item like "+string(item.json()), string(got.json()))
			return
		}
		gotIndex++
	}
}

// matches reports whether two values have no difference. Unlike compare, it adds no
// differences to m.
func (m *matcher) matches(expected, got jsonValue) bool {
	pairMatcher := matcher{addressOf: m.addressOf, isPartial: m.isPartial}
	pairMatcher.compare("", expected, got)
	return len(pairMatcher.differences) == 0
}

// compareItems compares the items of two arrays one by one.
func (m *matcher) compareItems(path string, expected, got []jsonValue) {
	// First drop the equal items at the end of both arrays. Otherwise one item that is missing
	// in front would make every item after it differ.
	for len(expected) > 0 && len(got) > 0 {
		lastExpected := len(expected) - 1
		lastGot := len(got) - 1
		if !m.matches(expected[lastExpected], got[lastGot]) {
			break
		}
		expected = expected[:lastExpected]
		got = got[:lastGot]
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

// compareScalars compares two values that are not both objects or both arrays.
func (m *matcher) compareScalars(path string, expected, got jsonValue) {
	if expected.kind == got.kind && expected.text == got.text {
		return
	}

	// A name such as "$alice" matches the address of the account.
	areTexts := expected.kind == '"' && got.kind == '"'
	name, isName := strings.CutPrefix(expected.text, "$")
	if areTexts && isName && got.text != "" && m.addressOf(name) == got.text {
		return
	}
	m.addDifference(path, string(expected.json()), string(got.json()))
}

// compareStorage compares the contract's stored records with the expected ones. It returns a
// mismatch that lists the keys of records that differ, or nil if all are equal.
func compareStorage(view *chain.View, expected Storage) (*Mismatch, error) {
	stored := Storage{}
	for record, err := range view.Records() {
		if err != nil {
			return nil, err
		}
		stored[string(record.Key)] = string(record.Value)
	}

	// Records are compared as the members of an object, so that each difference names its
	// key.
	var m matcher
	m.compare("", storageValue(expected), storageValue(stored))
	if len(m.differences) == 0 {
		return nil, nil
	}

	return &Mismatch{
		Subject:         "storage",
		Expected:        fmt.Sprintf("%d records", len(expected)),
		Got:             fmt.Sprintf("%d records", len(stored)),
		Differences:     m.differences,
		MoreDifferences: m.moreDifferences,
	}, nil
}

// storageValue returns the records as an object, in the order of their keys. The name of
// each member is the key of a record as text and in hex, such as "num" (6e756d).
func storageValue(records Storage) jsonValue {
	object := jsonValue{kind: '{'}
	for _, key := range slices.Sorted(maps.Keys(records)) {
		object.names = append(object.names, fmt.Sprintf("%q (%x)", key, key))

		// Values are compared byte by byte, since a contract must store the same bytes. The kind
		// 't' keeps the text from being read as a JSON string, which could name an account.
		object.items = append(object.items, jsonValue{kind: 't', text: records[key]})
	}
	return object
}
