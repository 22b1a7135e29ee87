package lesson

import "ephemera/core/mutant"

// Misconception is the name of a wrong belief about the contract. A choice of a question
// names it in "believes". It is the name of the mutant that behaves as believed, or
// [sendKeeps].
type Misconception string

// NoMisconception is the name of no misconception.
const NoMisconception Misconception = ""

// sendKeeps has no mutant, since a contract cannot keep what it did once a receiving
// contract has refused its message. A world executes the transfer after the refusal.
const sendKeeps Misconception = "send-keeps"

// misconceptions are those that the lessons ask about: about the clock, then transfers,
// operators, spenders, and last queries.
var misconceptions = []Misconception{
	"inclusive-end",
	"seconds",
	"default-day",
	"transfer-keeps",
	"self-transfer-idle",
	"operator-held",
	"revoke-all-recalls",
	"revoke-all-approvals",
	"spender-approves",
	"spender-revokes",
	"operator-appoints",
	"approve-appends",
	sendKeeps,
	"start-after-inclusive",
}

// Misconceptions returns the known misconceptions.
func Misconceptions() []Misconception { return append([]Misconception{}, misconceptions...) }

// Belief describes what holders of the misconception believe, as the end of a sentence
// that begins with "believes that". It is empty for an unknown misconception.
func (m Misconception) Belief() string {
	if m == sendKeeps {
		return "a refused send leaves the token with the receiver"
	}
	return m.mutant().Belief
}

// mutant returns the mutant that behaves as believed. It is the zero mutant, which is the
// true contract, for a misconception without a mutant.
func (m Misconception) mutant() mutant.Mutant {
	found, err := mutant.Find(string(m))
	if err != nil {
		return mutant.Mutant{}
	}
	return found
}
