package lesson

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

// describeDifference describes two answers to one query in words, each by the members in
// which the answers differ: "approvals: none" and "approvals: bob until height 1,110". Equal
// answers, and an answer beside a refusal, are described by all members. Refusals, and
// different answers whose words are the same, are returned unchanged.
func describeDifference(first, second string) (firstWords, secondWords string) {
	firstObject, firstIsObject := objectIn(first)
	secondObject, secondIsObject := objectIn(second)
	hasRefusal := !firstIsObject || !secondIsObject
	if first == second || hasRefusal {
		return answerWords(first), answerWords(second)
	}

	// What is the same in both answers is left out.
	for name, value := range firstObject {
		other, isInBoth := secondObject[name]
		if isInBoth && wordsFor(value) == wordsFor(other) {
			delete(firstObject, name)
			delete(secondObject, name)
		}
	}

	firstWords = wordsFor(firstObject)
	secondWords = wordsFor(secondObject)
	if firstWords == secondWords {
		return first, second
	}
	return firstWords, secondWords
}

// answerWords describes all members of an answer in words. It returns a refusal, which is no
// JSON object, unchanged.
func answerWords(answer string) string {
	if object, ok := objectIn(answer); ok {
		return wordsFor(object)
	}
	return answer
}

// objectIn decodes a JSON object. ok is false for other text.
func objectIn(text string) (object map[string]any, ok bool) {
	err := json.Unmarshal([]byte(text), &object)
	return object, err == nil
}

// describeQuery describes a query message in words: "query approvals (token id: rose)".
func describeQuery(msg string) string {
	var variants map[string]map[string]any
	withoutDollars := strings.ReplaceAll(msg, `"$`, `"`) // "$bob" means his address
	if json.Unmarshal([]byte(withoutDollars), &variants) != nil || len(variants) != 1 {
		return "query " + msg
	}
	for name, members := range variants { // there is one
		if len(members) == 0 {
			return "query " + name
		}
		return fmt.Sprintf("query %s (%s)", name, wordsFor(members))
	}
	return ""
}

// wordsFor describes a decoded JSON value in words. The members of an object are in the order
// of their names.
func wordsFor(value any) string {
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
		return wordsForList(value)
	case map[string]any:
		return wordsForObject(value)
	}
	return fmt.Sprint(value)
}

// wordsForList describes the items of a list, with commas between: "bob, carol".
func wordsForList(list []any) string {
	if len(list) == 0 {
		return "none"
	}
	var items []string
	for _, item := range list {
		items = append(items, wordsFor(item))
	}
	return strings.Join(items, ", ")
}

// wordsForObject describes an object: an expiry as "until height 1,110", a grant as "bob until
// height 1,110", and any other object by the names and values of its members.
func wordsForObject(object map[string]any) string {
	if raw, err := json.Marshal(object); err == nil {
		if expiry, ok := expiryIn(raw); ok {
			return expiry
		}
	}
	spender, isGrant := object["spender"]
	if isGrant && len(object) == 2 && object["expires"] != nil {
		return wordsFor(spender) + " " + wordsFor(object["expires"])
	}

	var members []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		members = append(members, strings.ReplaceAll(name, "_", " ")+": "+wordsFor(object[name]))
	}
	return strings.Join(members, "; ")
}

// expiryIn describes JSON that is an expiry, such as "until height 1,110" or "without an
// expiry". ok is false for other JSON.
func expiryIn(raw []byte) (text string, ok bool) {
	var parts struct {
		Height *uint64         `json:"at_height"`
		Time   *uint64         `json:"at_time,string"`
		Never  *map[string]any `json:"never"`
	}

	// Other members show that it is no expiry.
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&parts) != nil {
		return "", false
	}
	switch {
	case parts.Height != nil:
		return "until height " + human.Thousands(*parts.Height), true
	case parts.Time != nil:
		return "until " + human.TimeUTC(cw721.Time(*parts.Time)), true
	case parts.Never != nil:
		return "without an expiry", true
	}
	return "", false
}
