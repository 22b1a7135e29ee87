package lesson

import (
	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// Killer returns the steps that show the mistake of a game.
func Killer(game Lesson) []scenario.Step { return game.Tasks[0].steps }

// MutantOf returns the name of the mutant that a game hides.
func MutantOf(game Lesson) string { return game.Tasks[0].Mistake.mutant.Name }

// BeginTrue begins a game with the true contract.
func BeginTrue(game Lesson) (*Session, error) {
	open := func() (*chain.Chain, error) { return chain.OpenWith(kv.NewMemory(), chain.Options{}) }
	return beginOnNewChain(open, game, 0)
}

// Outcome plays a step in a session, and returns what the contract answers.
func Outcome(s *Session, step scenario.Step) (string, error) {
	_, outcome, err := (&world{Session: s}).play(&step)
	return outcome, err
}
