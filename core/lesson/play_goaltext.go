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

// maxValueLength is the length in bytes of the longest JSON value that is shown beside a
// goal. For a longer value nothing is shown, because it would fill the line.
const maxValueLength = 40

// describeMismatch describes how the answer to a goal's query differs from the expected
// answer, such as "owner is alice now" or "there is no rose now". mismatch has the
// differences. The description is empty if one short sentence is not enough: the first
// difference is in a long value, an object or a list, or there are more differences than
// mismatch lists.
func describeMismatch(view *chain.View, step *scenario.Step, mismatch *scenario.Mismatch) (string, error) {
	id, isMissing, err := findMissingToken(view, step)
	if err != nil {
		return "", err
	}
	if isMissing {
		return "there is no " + id + " now", nil
	}
	if len(mismatch.Differences) == 0 || mismatch.MoreDifferences > 0 {
		return "", nil
	}

	// Describe the first difference. The last part of its path is the name of the member.
	difference := mismatch.Differences[0]
	member := difference.Path[strings.LastIndexByte(difference.Path, '.')+1:]
	value := readableValue(view, difference.Got)
	isObjectOrList := strings.ContainsAny(value+member, "{[")
	if member == "" || isObjectOrList || len(value) > maxValueLength {
		return "", nil
	}
	return describeMember(member, value), nil
}

// readableValue returns a JSON value in a form for people. A text loses its quotes, and the
// empty text becomes "empty". An address becomes the name of its account.
func readableValue(view *chain.View, value string) string {
	text, err := strconv.Unquote(value)
	if err != nil { // not a text in quotes
		return value
	}
	address := cw721.Address(text)
	switch {
	case text == "":
		return "empty"
	case cw721.ValidateAddress(view.Prefix, address) == nil:
		return view.DisplayName(address)
	}
	return text
}

// describeMember returns a sentence about a member of an answer and its value. For "owner"
// and "alice" it returns "owner is alice now". For "at_height" and "1004" it returns "it
// expires at height 1,004 now".
func describeMember(member, value string) string {
	memberLabel := strings.ReplaceAll(member, "_", " ")
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
		return "there is no " + memberLabel + " now"
	}
	return fmt.Sprintf("%s is %s now", memberLabel, value)
}

// findMissingToken returns the ID of the token that a goal's query asks about, and whether
// that token is missing. It returns no ID if the query is not about a token, or if the goal
// expects the contract to refuse the query.
func findMissingToken(view *chain.View, step *scenario.Step) (id string, isMissing bool, err error) {
	// For a wrong query, and for one that must be refused, the answer itself says what is
	// wrong.
	msg, _, err := view.Contract().DecodeQuery(step.Message, addressLookup(view))
	if err != nil || step.Expect.Refused {
		return "", false, nil
	}
	queriedToken := cw721.TokenOf(msg)
	if queriedToken == nil {
		return "", false, nil
	}
	_, exists, err := view.Token(*queriedToken)
	return *queriedToken, !exists, err
}

// addressLookup returns a function that resolves names such as "$alice" in the messages of a
// lesson.
func addressLookup(view *chain.View) cw721.NameLookup {
	return func(name string) (string, bool) {
		address, err := view.Resolve(name)
		return string(address), err == nil
	}
}
