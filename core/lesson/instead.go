package lesson

import (
	"fmt"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
)

// maxValueLength is how long a value may be to be told, in bytes.
const maxValueLength = 40

// describeMismatch says in a few words what was answered instead of what a check
// expects, where that is short.
func describeMismatch(v *chain.View, s *scenario.Step, m *scenario.Mismatch) (string, error) {
	if id, missing, err := missingToken(v, s); missing || err != nil {
		return "there is no " + id + " now", err
	}
	if len(m.Differences) == 0 || m.MoreDifferences > 0 {
		return "", nil
	}
	d := m.Differences[0]
	got := d.Got
	if text, err := strconv.Unquote(got); err == nil {
		if got = text; text == "" {
			got = "empty"
		}
		if cw721.ValidateAddress(v.Prefix, cw721.Address(text)) == nil {
			got = v.DisplayName(cw721.Address(text))
		}
	}
	name := d.Path[strings.LastIndexByte(d.Path, '.')+1:]
	if len(got) > maxValueLength || name == "" || strings.ContainsAny(got+name, "{[") {
		return "", nil
	}
	return describeValue(name, got), nil
}

// describeValue tells the value of a member as people would.
func describeValue(name, got string) string {
	switch n, err := strconv.ParseUint(got, 10, 64); {
	case name == "at_height" && err == nil:
		return "it expires at height " + chain.Thousands(n) + " now"
	case name == "at_time" && err == nil:
		return "it expires at " + chain.UTC(cw721.Time(n)) + " now"
	case name == "at_height" || name == "at_time" || name == "never":
		return "it expires at another moment now"
	case got == "null":
		return "there is no " + strings.ReplaceAll(name, "_", " ") + " now"
	}
	return fmt.Sprintf("%s is %s now", strings.ReplaceAll(name, "_", " "), got)
}

// missingToken tells that the token that a check asks about is not there, though the
// check expects it to be.
func missingToken(v *chain.View, s *scenario.Step) (id string, missing bool, err error) {
	msg, _, err := v.Contract().DecodeQuery(s.Message, addressLookup(v))
	if err != nil || s.Expect.Refused {
		return "", false, nil // what is wrong with a query, its answer says
	}
	switch m := msg.(type) {
	case *cw721.OwnerOf:
		id = m.TokenID
	case *cw721.ApprovalQuery:
		id = m.TokenID
	case *cw721.Approvals:
		id = m.TokenID
	default:
		return "", false, nil
	}
	_, there, err := v.Token(id)
	return id, !there, err
}

// addressLookup finds what the names in the messages of a lesson stand for.
func addressLookup(v *chain.View) cw721.Names {
	return func(name string) (string, bool) {
		a, err := v.Resolve(name)
		return string(a), err == nil
	}
}
