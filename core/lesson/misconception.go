package lesson

import "ephemera/core/mutant"

// Misconception is the name of a wrong belief about the contract, such as "inclusive-end"
// for "an approval still works in the block that its expiry names". A choice of a question
// names it in "believes". Except for [sendKeeps], it is also the name of a mutant: a
// contract that behaves as believed.
type Misconception string

// NoMisconception is the misconception of a choice that shows none.
const NoMisconception Misconception = ""

// sendKeeps is the belief that a token stays with a contract that refused it. It has no
// mutant: when the receiving contract refuses a message, the chain discards what the
// sending contract did. [world] transfers the token after the refusal instead.
const sendKeeps Misconception = "send-keeps"

// misconceptions has every misconception that a lesson may name: first those about expiry,
// then those about transfers, operators, spenders and queries. Reports list them in this
// order.
var misconceptions = []Misconception{
	"inclusive-end",
	"seconds",
	"default-day",
	"past-approve-revokes",
	"offer-lapses",
	"transfer-keeps",
	"self-transfer-idle",
	"operator-held",
	"revoke-all-recalls",
	"revoke-all-approvals",
	"spender-approves",
	"spender-revokes",
	"spender-cannot-burn",
	"operator-appoints",
	"operator-cannot-burn",
	"approve-appends",
	"approve-replaces",
	sendKeeps,
	"start-after-inclusive",
}

// Misconceptions returns every misconception that a lesson may name, in the order of reports.
func Misconceptions() []Misconception { return misconceptions }

// Belief describes what holders of the misconception believe, as the end of a sentence
// that begins with "believes that". It is empty for an unknown misconception.
func (m Misconception) Belief() string {
	if m == sendKeeps {
		return "a refused send leaves the token with the receiver"
	}
	return m.mutant().Belief
}

// mutant returns the contract that behaves as believed. For a misconception without such a
// contract it returns the zero mutant, which is the true contract.
func (m Misconception) mutant() mutant.Mutant {
	found, _ := mutant.Find(string(m)) // the zero mutant if there is none
	return found
}
