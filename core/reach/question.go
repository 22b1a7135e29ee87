package reach

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// Question asks who could do something, by whatever messages and whenever.
type Question struct {
	// Action is what is done in the end: the act.
	Action cw721.Action
	// Token is the id of the token that the act is about, or that is minted.
	Token string
	// As is who does it; empty for anybody.
	As cw721.Address
	// Passive are those who send nothing. nil is whoever may do it by right of
	// their own, the token's owner or the holder of the role, but never As.
	Passive []cw721.Address
	// After and Until bound the block of the act: in After or later, before
	// Until. Both are on the way of the clock from now on. nil is no bound.
	After, Until *cw721.Block
	// Unmoved tells that the token is neither transferred nor burned before the
	// act.
	Unmoved bool
	// Depth is how many messages a way may have, the act included; 0 is
	// [DefaultDepth], and shows only that nobody can if every state is visited.
	Depth int
	// Ways is how many ways are wanted, the shortest first; 0 is one.
	Ways int
	// Code executes the messages that the search tries. nil is the built-in contract with
	// the rules of the view. A mutant shows which ways a wrong contract would have.
	Code chain.Code
	// alone is who alone may send, but for those in no record; empty for all.
	alone cw721.Address
}

// MaxRefused is after how many ways that a compiled contract refuses a search
// gives up: the rules that it searches by are not those of that contract.
const MaxRefused = 20

// AnyoneName is what [Answer.Anyone] is called.
const AnyoneName = "anyone"

// DefaultDepth is how many messages a way may have where nothing is said.
const DefaultDepth = 4

// QuestionError tells which part of a question is wrong, by the word for it.
type QuestionError struct {
	Field string
	Err   error
}

func (e *QuestionError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap gives what is wrong with the part.
func (e *QuestionError) Unwrap() error { return e.Err }

// The mistakes that a question can have in a view.
var (
	ErrAsPassive     = &QuestionError{"passive", errors.New("who is asked about cannot be among those who send nothing")}
	ErrAlreadyMinted = &QuestionError{"token", errors.New("it was minted already, expected an id that no token has")}
	ErrNoTime        = &QuestionError{"until", errors.New("there is no moment for it: until must lie ahead, and behind after")}
)

// Verdict is the outcome of a search.
type Verdict string

// The verdicts, which are never confused.
const (
	Way        Verdict = "way"         // it can be done, as the ways show
	NoneWithin Verdict = "none within" // not by so many messages; more were not tried
	None       Verdict = "none"        // not by any number of messages: every state was visited
)

// Answer is what a search has come to.
type Answer struct {
	Verdict Verdict
	// Depth is to how many messages all was searched.
	Depth int
	// States is how many different states of the contract were visited.
	States int
	// Ways are those that were found, the shortest first. None holds all the
	// messages of another.
	Ways [][]Step
	// Refused are ways that the rules allow and the compiled contract that the
	// chain runs does not: it refuses the last step of each. At most [MaxRefused].
	Refused [][]Step
	// Cut says why the search stopped early, or tried some accounts alone; ""
	// where neither is so.
	Cut string
	// Actors are those who could send messages, and Passive those who could not.
	Actors, Passive []cw721.Address
	// Anyone is the actor who stands for everybody that is in no record.
	Anyone cw721.Address
	// Assumptions are what the verdict rests on, a sentence each.
	Assumptions []string
}

// NotTried says in a sentence why an answer without a way does not show that
// nobody can: what the search has left out. It is empty where every state was
// visited, and where the question gives the depth and all was tried up to there.
func (a Answer) NotTried(q Question) string {
	switch {
	case a.Verdict != NoneWithin:
		return ""
	case a.Cut != "":
		return a.Cut
	case q.Depth == 0:
		return fmt.Sprintf("ways of more than %s were not tried; where that is enough, give the depth %d", human.Plural(a.Depth, "message"), a.Depth)
	}
	return ""
}

// Step is one message of a way.
type Step struct {
	// Block is the earliest that will do; so will all until something expires.
	Block   cw721.Block
	As      cw721.Address
	Message cw721.ExecuteMsg
	// Decision is the contract's about the message, in that block.
	Decision *cw721.Decision
	// Refusal is why the compiled contract does not allow what the decision does.
	Refusal *cw721.Error
}
