package lesson

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
)

// describeDifference describes two answers to one query in words, such as "approvals: none"
// and "approvals: bob until height 1,110". It leaves out the members that are the same in both,
// unless the answers are equal or one is a refusal, which stays as it is. If different answers
// would get the same words, both are returned unchanged.
func describeDifference(first, second string) (firstWords, secondWords string) {
	firstObject, firstIsObject := decodeObject(first)
	secondObject, secondIsObject := decodeObject(second)
	hasRefusal := !firstIsObject || !secondIsObject
	if first == second || hasRefusal {
		return describeAnswer(first), describeAnswer(second)
	}

	for name, value := range firstObject {
		other, isInBoth := secondObject[name]
		if isInBoth && describeJSON(value) == describeJSON(other) {
			delete(firstObject, name)
			delete(secondObject, name)
		}
	}

	// The words must show a difference. Otherwise the JSON itself has to.
	firstWords = describeJSON(firstObject)
	secondWords = describeJSON(secondObject)
	if firstWords == secondWords {
		return first, second
	}
	return firstWords, secondWords
}

// describeAnswer returns all members of an answer, such as "owner: bob; approvals: none". A
// refusal, which is not a JSON object, stays as it is.
func describeAnswer(answer string) string {
	if object, ok := decodeObject(answer); ok {
		return describeJSON(object)
	}
	return answer
}

// decodeObject decodes a JSON object. ok is false for other text.
func decodeObject(text string) (object map[string]any, ok bool) {
	err := json.Unmarshal([]byte(text), &object)
	return object, err == nil
}

// describeQuery returns "query approvals (token id: rose)" for the message
// {"approvals":{"token_id":"rose"}}. A message of another form stays as it is behind "query".
func describeQuery(msg string) string {
	var argumentsByQuery map[string]map[string]any
	withoutDollars := strings.ReplaceAll(msg, `"$`, `"`) // "$bob" means his address
	if json.Unmarshal([]byte(withoutDollars), &argumentsByQuery) != nil || len(argumentsByQuery) != 1 {
		return "query " + msg
	}

	// The only member has the name of the query, and its value has the arguments.
	text := "query "
	for queryName, arguments := range argumentsByQuery {
		text += queryName
		if len(arguments) > 0 {
			text += " (" + describeJSON(arguments) + ")"
		}
	}
	return text
}

// describeJSON describes a decoded JSON value in words: null is "none", true is "yes", and
// the number 1110 is "1,110". The members of an object are sorted by their names.
func describeJSON(value any) string {
	switch value := value.(type) {
	case nil:
		return "none"
	case bool:
		if value {
			return "yes"
		}
		return "no"
	case float64:
		return human.Thousands(uint64(value)) // the contract answers with whole numbers
	case string:
		return value
	case []any:
		if len(value) == 0 {
			return "none"
		}
		var items []string
		for _, item := range value {
			items = append(items, describeJSON(item))
		}
		return strings.Join(items, ", ")
	case map[string]any:
		return describeObject(value)
	}
	return fmt.Sprint(value)
}

// describeObject returns "until height 1,110" for an expiry, "bob until height 1,110" for a
// grant, and the names and values of the members for any other decoded JSON object.
func describeObject(object map[string]any) string {
	var expires cw721.Expiration
	objectJSON, err := json.Marshal(object)
	if err == nil && wire.Decode(objectJSON, &expires) == nil {
		if expires.Axis == cw721.Never {
			return "without an expiry"
		}
		return "until " + human.Expiry(expires)
	}

	// A grant has these two members and no other.
	spender, hasSpender := object["spender"]
	expiry := object["expires"]
	isGrant := hasSpender && expiry != nil && len(object) == 2
	if isGrant {
		return describeJSON(spender) + " " + describeJSON(expiry)
	}

	var members []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		label := strings.ReplaceAll(name, "_", " ")
		members = append(members, label+": "+describeJSON(object[name]))
	}
	return strings.Join(members, "; ")
}
