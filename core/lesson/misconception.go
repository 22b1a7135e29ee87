package lesson

import (
	"slices"

	"ephemera/core/mutant"
	"ephemera/core/scenario"
)

// Misconception is the name of a wrong belief about the contract, such as "inclusive-end"
// for "an approval still works in the block that its expiry names". A choice of a question
// names it in "believes".
//
// Every mutant, which is a contract that is wrong in one rule, has the name of the
// misconception that it behaves by. The file of a lesson can describe further ones, under
// "misconceptions". They have no mutant.
type Misconception string

// NoMisconception is the misconception of a choice that shows none.
const NoMisconception Misconception = ""

// sendKeeps is the belief that a token stays with a contract that refused it. It has no
// mutant: when the receiving contract refuses a message, the chain discards what the
// sending contract did. [world] transfers the token after the refusal instead.
const sendKeeps Misconception = "send-keeps"

// Misconceptions returns every misconception that the choices of the lesson may name: first
// those with a mutant, a contract that behaves as the misconception believes, then those that
// only the lesson's file describes.
func (l Lesson) Misconceptions() (all []Misconception) {
	for _, m := range mutant.All() {
		all = append(all, Misconception(m.Name))
	}
	for _, described := range l.header.Misconceptions {
		all = append(all, Misconception(described.Name))
	}
	return all
}

// Belief describes what holders of a misconception believe, as the end of a sentence that
// begins with "believes that". It is empty for a misconception that the lesson does not know.
func (l Lesson) Belief(m Misconception) string {
	hasName := func(described scenario.Misconception) bool { return described.Name == string(m) }
	if i := slices.IndexFunc(l.header.Misconceptions, hasName); i >= 0 {
		return l.header.Misconceptions[i].Belief
	}
	return m.mutant().Belief
}

// HasWorld reports whether a task can be played as if the misconception were true; see
// [Lesson.Worlds].
func (m Misconception) HasWorld() bool { return m == sendKeeps || m.mutant().Name != "" }

// mutant returns the contract that behaves as believed. For a misconception without such a
// contract it returns the zero mutant, which is the true contract.
func (m Misconception) mutant() mutant.Mutant {
	found, _ := mutant.Find(string(m)) // the zero mutant if there is none
	return found
}

// sortMisconceptions sorts items for reports by the misconception that nameOf returns: first
// those with a mutant, in the order of the mutants, and then the others in their present
// order.
func sortMisconceptions[T any](list []T, nameOf func(T) Misconception) {
	mutants := mutant.All()
	rank := func(item T) int {
		hasName := func(m mutant.Mutant) bool { return m.Name == string(nameOf(item)) }
		if i := slices.IndexFunc(mutants, hasName); i >= 0 {
			return i
		}
		return len(mutants)
	}
	slices.SortStableFunc(list, func(a, b T) int { return rank(a) - rank(b) })
}
