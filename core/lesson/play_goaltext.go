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

// maxValueLength is the length in bytes of the longest JSON value that is shown beside a goal.
const maxValueLength = 40

// describeMismatch describes how the answer to a goal's query differs from the expected one,
// such as "owner is alice now" or "there is no rose now". It returns "" if one short sentence
// is not enough: for a long value, an object or a list, or if there are more differences than
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

// readableValue returns a JSON text without quotes, the name of the account in place of an
// address, and any other JSON value as it is.
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

// describeMember returns "owner is alice now" for the member "owner" and the value "alice".
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
// that token is missing.
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

func addressLookup(view *chain.View) cw721.NameLookup {
	return func(name string) (string, bool) {
		address, err := view.Resolve(name)
		return string(address), err == nil
	}
}
