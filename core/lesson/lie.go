package lesson

// Lie names a misconception, as choices of a question name it under
// "believes". To each belongs a contract that is wrong in that one rule.
type Lie string

// Truth is no misconception: the contract as it is.
const Truth Lie = ""

// misconception is what somebody believes, and the contract that is so.
type misconception struct {
	lie    Lie
	belief string // continues "she believes that"
	rule   rule
}

var misconceptions = []misconception{
	{"inclusive-end", "an approval still works in the block that its expiry names", rule{block: inclusiveEnd}},
	{"seconds", "at_time is in seconds", rule{block: inSeconds}},
	{"default-day", "an approval without an expiry lasts a day", rule{before: defaultDay}},
	{"transfer-keeps", "a transfer keeps the approvals of the token", rule{after: transferKeeps}},
	{"self-transfer-idle", "a transfer to oneself does nothing", rule{before: selfTransferIdle}},
	{"operator-held", "an operator reaches only the tokens that the owner had when the operator was named", rule{before: operatorHeld}},
	{"revoke-all-recalls", "revoke_all takes back what the operator granted", rule{after: revokeAllRecalls}},
	{"revoke-all-approvals", "revoke_all also takes the operator's own approvals", rule{after: revokeAllApprovals}},
	{"spender-approves", "a spender may approve others", rule{before: spenderApproves}},
	{"spender-revokes", "a spender may revoke himself", rule{before: spenderRevokes}},
	{"operator-appoints", "an operator can name operators for the owner", rule{before: operatorAppoints}},
	{"approve-appends", "approving a spender again adds a second approval", rule{after: approveAppends}},
	{"send-keeps", "a refused send leaves the token with the receiver", rule{before: sendKeeps}},
	{"start-after-inclusive", "start_after is the first item of the page", rule{query: startAfterInclusive}},
}

// Lies lists the misconceptions that there are, from the clock to queries.
func Lies() (all []Lie) {
	for _, m := range misconceptions {
		all = append(all, m.lie)
	}
	return all
}

// Belief says what one believes who holds the misconception, as the end of
// "believes that …"; "" for none that is known.
func (l Lie) Belief() string { return find(l).belief }

func find(l Lie) misconception {
	for _, m := range misconceptions {
		if m.lie == l {
			return m
		}
	}
	return misconception{}
}
