package lesson

import (
	"slices"

	"ephemera/core/mutant"
)

// Misconception is the name of a wrong belief about the contract, such as "inclusive-end"
// for "an approval still works in the block that its expiry names". A choice of a question
// names it in "believes".
//
// Most misconceptions have a mutant of the same name. A mutant is a contract that is wrong
// in one rule, and so behaves as the misconception believes. The file of a lesson can
// describe further misconceptions under "misconceptions". They have no mutant.
type Misconception string

// NoMisconception stands for the absence of a misconception, as in a right answer.
const NoMisconception Misconception = ""

// receiverKeepsToken is the belief that a token stays with a contract that refused to
// receive it. No mutant can behave so, because the chain discards everything that the
// collection did when the receiving contract refuses. Instead, [world.play] transfers the
// token after the refusal.
const receiverKeepsToken Misconception = "send-keeps"

// Misconceptions returns every misconception that the choices of the lesson may name. First
// come those with a mutant, which all lessons may name, and then those that the lesson's
// file describes.
func (l Lesson) Misconceptions() (misconceptions []Misconception) {
	for _, m := range mutant.All() {
		misconceptions = append(misconceptions, Misconception(m.Name))
	}
	for _, misconception := range l.header.Misconceptions {
		misconceptions = append(misconceptions, Misconception(misconception.Name))
	}
	return misconceptions
}

// Belief describes a misconception as the end of a sentence that begins with "believes
// that", such as "an approval still works in the block that its expiry names". It returns
// "" for a misconception that the lesson does not know.
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

// mutant returns the contract that behaves as the misconception believes. For a
// misconception without a mutant it returns the zero mutant, which behaves as the true
// contract.
func (m Misconception) mutant() mutant.Mutant {
	found, _ := mutant.Find(string(m)) // the zero mutant if there is none
	return found
}

// sortMisconceptions sorts a list by the misconception of each item, which
// misconceptionOf returns. Misconceptions with a mutant come first, in the order of
// [mutant.All]. The others follow and keep their order.
func sortMisconceptions[T any](list []T, misconceptionOf func(T) Misconception) {
	// The ranks of those with a mutant are negative. The others have the rank 0, so they come
	// last.
	mutants := mutant.All()
	ranks := map[Misconception]int{}
	for i, m := range mutants {
		ranks[Misconception(m.Name)] = i - len(mutants)
	}
	slices.SortStableFunc(list, func(a, b T) int {
		return ranks[misconceptionOf(a)] - ranks[misconceptionOf(b)]
	})
}
