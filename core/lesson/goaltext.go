package lesson

import (
	"fmt"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/scenario"
)

// maxValueLength is the longest value that a goal shows, in bytes.
const maxValueLength = 40

// describeMismatch describes the first difference between the answer to a goal's query
// and the expected one. It is empty if there is no short description.
func describeMismatch(v *chain.View, s *scenario.Step, m *scenario.Mismatch) (string, error) {
	id, isMissing, err := missingToken(v, s)
	if isMissing || err != nil {
		return "there is no " + id + " now", err
	}
	if len(m.Differences) == 0 || m.MoreDifferences > 0 {
		return "", nil
	}

	difference := m.Differences[0]
	member := difference.Path[strings.LastIndexByte(difference.Path, '.')+1:]
	value := readableValue(v, difference.Got)
	if len(value) > maxValueLength || member == "" || strings.ContainsAny(value+member, "{[") {
		return "", nil
	}
	return describeValue(member, value), nil
}

// readableValue returns a JSON value without quotes, and an account's name in place of
// its address.
func readableValue(v *chain.View, value string) string {
	text, err := strconv.Unquote(value)
	switch {
	case err != nil:
		return value
	case text == "":
		return "empty"
	case cw721.ValidateAddress(v.Prefix, cw721.Address(text)) == nil:
		return v.DisplayName(cw721.Address(text))
	}
	return text
}

// describeValue returns a sentence about the value of a member of an answer.
func describeValue(member, value string) string {
	words := strings.ReplaceAll(member, "_", " ")
	number, err := strconv.ParseUint(value, 10, 64)
	isNumber := err == nil
	switch {
	case member == "at_height" && isNumber:
		return "it expires at height " + human.Thousands(number) + " now"
	case member == "at_time" && isNumber:
		return "it expires at " + human.Time(cw721.Time(number)) + " now"
	case member == "at_height" || member == "at_time" || member == "never":
		return "it expires at another moment now"
	case value == "null":
		return "there is no " + words + " now"
	}
	return fmt.Sprintf("%s is %s now", words, value)
}

// missingToken returns the token that a query asks about, and whether it is missing
// although the query expects an answer.
func missingToken(v *chain.View, s *scenario.Step) (id string, isMissing bool, err error) {
	msg, _, err := v.Contract().DecodeQuery(s.Message, addressLookup(v))
	if err != nil || s.Expect.Refused {
		return "", false, nil // the answer itself says what is wrong
	}
	id, ok := cw721.QueriedToken(msg)
	if !ok {
		return "", false, nil
	}
	_, exists, err := v.Token(id)
	return id, !exists, err
}

// addressLookup returns the function that resolves the names in a lesson's messages.
func addressLookup(v *chain.View) cw721.NameLookup {
	return func(name string) (string, bool) {
		address, err := v.Resolve(name)
		return string(address), err == nil
	}
}
