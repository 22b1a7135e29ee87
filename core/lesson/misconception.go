package lesson

import (
	"ephemera/core/mutant"
)

// Misconception is the name of a wrong belief about the contract, such as "inclusive-end"
// for "an approval still works in the block that its expiry names". Most have a mutant of the
// same name, which is all that a new one needs. A lesson's file can describe others, which have
// no mutant.
type Misconception string

// NoMisconception stands for the absence of a misconception, as in a right answer.
const NoMisconception Misconception = ""

// receiverKeepsToken is the belief that a token stays with a contract that refused to
// receive it. No mutant can behave so, because the chain then discards what the collection
// did. Instead, [world.play] transfers the token after the refusal.
const receiverKeepsToken Misconception = "send-keeps"

// Misconceptions returns every misconception that the choices may name: first those with a
// mutant, which all lessons may name, and then those of the lesson's file.
func (l Lesson) Misconceptions() (misconceptions []Misconception) {
	for _, m := range mutant.All() {
		misconceptions = append(misconceptions, Misconception(m.Name))
	}
	for _, misconception := range l.header.Misconceptions {
		misconceptions = append(misconceptions, Misconception(misconception.Name))
	}
	return misconceptions
}

// Belief returns the end of a sentence that begins with "believes that", or "" for a
// misconception that the lesson does not know.
func (l Lesson) Belief(misconception Misconception) string {
	for _, described := range l.header.Misconceptions {
		if described.Name == string(misconception) {
			return described.Belief
		}
	}
	return misconception.mutant().Belief
}

// HasWorld reports whether a task can be played as if the misconception were true; see
// [Lesson.CompareContracts].
func (m Misconception) HasWorld() bool { return m == receiverKeepsToken || m.mutant().Name != "" }

// mutant returns the zero mutant, which is the true contract, if the misconception has none.
func (m Misconception) mutant() mutant.Mutant {
	found, _ := mutant.Find(string(m))
	return found
}

// rank orders misconceptions by [mutant.All]. Those without a mutant are last, all alike.
func (m Misconception) rank() int {
	for i, known := range mutant.All() {
		if known.Name == string(m) {
			return i
		}
	}
	return len(mutant.All())
}
