package lesson

import "testing"

func TestAnswersAreDescribedByTheMembersInWhichTheyDiffer(t *testing.T) {
	for _, c := range [][4]string{
		{`{"owner":"bob","approvals":[]}`, `{"owner":"bob","approvals":[{"spender":"carol","expires":{"at_height":1110}}]}`,
			"approvals: none", "approvals: carol until height 1,110"},
		{`{"count":1200}`, `{"count":1201}`, "count: 1,200", "count: 1,201"},
		{`{"pending_owner":null}`, `{"pending_owner":"bob"}`, "pending owner: none", "pending owner: bob"},
		{`{"approval":{"spender":"bob","expires":{"never":{}}}}`, "refused: not found", "approval: bob without an expiry", "refused: not found"},
		{`{"expires":{"at_time":"1795262400000000000"}}`, `{"expires":{"never":{}}}`, "expires: until 2026-11-21 12:00:00 UTC", "expires: without an expiry"},
		{`{"tokens":["1"]}`, `{"tokens":["1"]}`, "tokens: 1", "tokens: 1"},
		{`{"a":"1"}`, `{"a":1}`, `{"a":"1"}`, `{"a":1}`}, // the words are the same
		{`[1]`, `[2]`, `[1]`, `[2]`},
	} {
		a, b := describeDifference(c[0], c[1])
		if a != c[2] || b != c[3] {
			t.Errorf("%s and %s are %q and %q, want %q and %q", c[0], c[1], a, b, c[2], c[3])
		}
	}
}

func TestAQueryIsDescribedByItsNameAndMembers(t *testing.T) {
	for msg, want := range map[string]string{
		`{"num_tokens":{}}`: "query num_tokens",
		`{"operator":{"owner":"$alice","operator":"$bob"}}`: "query operator (operator: bob; owner: alice)",
		`{`: "query {",
	} {
		if got := describeQuery(msg); got != want {
			t.Errorf("%s: got %q, want %q", msg, got, want)
		}
	}
}
