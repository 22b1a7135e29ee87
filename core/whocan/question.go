package whocan

import (
	"errors"
	"fmt"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// Question asks who can do something with a token or a role; see the package.
type Question struct {
	Action cw721.Action // what the act does
	Token  string       // the id of the token that the act is about, or that is minted
	// Actor is the sender of the act; empty means anybody. In a question with
	// [cw721.OwnAction], anybody may send the act. Actor is then the account that is to own
	// the token, and empty means anybody but the present owner.
	Actor cw721.Address
	// PassiveAccounts send nothing, besides the token's owner or the holder of the role. That
	// account sends nothing by default, because the question is what others can do without it;
	// it does if it is Actor or in ActiveAccounts, or if OnlySenders is set.
	PassiveAccounts []cw721.Address
	ActiveAccounts  []cw721.Address // send although they are that default, unless passive
	OnlySenders     []cw721.Address // who may send, unless passive; nil is all
	// After is the first block in which the act counts; nil means the block of the view.
	// After and Until must be blocks that the running clock reaches.
	After *cw721.Block
	Until *cw721.Block // the first block in which the act does not count any more; nil means none
	// TokenMustStay requires that the token is neither transferred nor burned before the act.
	TokenMustStay bool
	// Depth is the largest number of messages in a way. 0 means [DefaultDepth];
	// [Answer.UntriedReason] then says that longer ways were not tried.
	Depth    int
	MaxWays  int  // how many ways to search for, the shortest first; 0 means one
	ListsNow bool // asks for [Answer.Now] and [Answer.UntriedNow], too
	// Code executes the messages that the search tries; nil is the built-in contract with the
	// rules of the view. With a mutant, the answer shows what its mistake would make possible.
	Code chain.Code
	// onlySender is the only account with records that may send messages; empty means
	// that all may. The fresh account of [Answer.Anyone] may send in any case.
	onlySender cw721.Address
}

// IsPassive reports whether an account sends nothing.
func (q Question) IsPassive(account cw721.Address) bool {
	return slices.Contains(q.PassiveAccounts, account) ||
		q.OnlySenders != nil && !slices.Contains(q.OnlySenders, account)
}

// isAboutOwning reports whether the question is who can become the owner of a token. Somebody else
// may send the act then.
func (q Question) isAboutOwning() bool { return q.Action.Name == "own" }

// MaxRefused is how many ways, found by the built-in rules, a compiled contract may refuse
// before the search stops. A contract that refuses so many has other rules.
const MaxRefused = 20

// AnyoneName is the name of [Answer.Anyone] in the view.
const AnyoneName = "anyone"

// DefaultDepth is the largest number of messages in a way if the question sets none.
const DefaultDepth = 4

// QuestionError reports a mistake in one part of a question.
type QuestionError struct {
	Field string // the part, such as "token" or "until"
	Err   error
}

// Error returns a text such as "token: it was minted already, …".
func (e *QuestionError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the mistake alone.
func (e *QuestionError) Unwrap() error { return e.Err }

// The mistakes that depend on the view in which a question is asked.
var (
	ErrAsPassive     = &QuestionError{"passive", errors.New("the account that is asked about cannot be one that sends nothing")}
	ErrOwnsAlready   = &QuestionError{"as", errors.New("it owns the token already, expected an account that does not")}
	ErrNoSender      = &QuestionError{"only", errors.New("nobody is left who sends messages, expected an account that is not passive")}
	ErrAlreadyMinted = &QuestionError{"token", errors.New("it was minted already, expected an id that no token has")}
	ErrNoTime        = &QuestionError{"until", errors.New("there is no such block: until must be ahead of the clock and later than after")}
)

// Verdict is the outcome of a search.
type Verdict string

// The verdicts. Only [None] shows that nobody can do it.
const (
	WayExists  Verdict = "way"         // somebody can, as the ways show
	NoneWithin Verdict = "none within" // no way was found, but not every state was visited
	None       Verdict = "none"        // no number of messages leads to it: every state was visited
)

// Answer is the result of a search for ways.
type Answer struct {
	Verdict Verdict
	Depth   int // the number of messages up to which every way was tried
	States  int // how many different states of the contract were visited
	// Ways are the ways that were found, the shortest first. No way contains all the
	// messages of another one.
	Ways [][]Step
	// Now has a message of each account that can do it by one message, in the first block in
	// which it counts, if nobody sends another one before. It doesn't matter who is passive in
	// the question, or which account it names. If Anyone can, it is the only one.
	Now        []Step
	UntriedNow int // how many accounts Now leaves out because there are too many to try
	// RefusedWays are ways that the built-in rules allow and the chain's compiled contract
	// does not. Each ends with the step that the compiled contract refuses. There are at
	// most [MaxRefused].
	RefusedWays [][]Step
	// MessagesTried is how many messages were sent to the compiled contract to see whether
	// it allows what the built-in rules do not.
	MessagesTried int
	// UnprovenReason says in a sentence that an answer without a way holds only for the messages
	// that were tried, if the compiled contract is no known release.
	UnprovenReason  string
	CutReason       string          // why the search stopped early or left accounts out; or empty
	Actors          []cw721.Address // the accounts that could send messages
	PassiveAccounts []cw721.Address // the accounts that send nothing
	Anyone          cw721.Address   // the actor that represents every account without a record
	Assumptions     []string        // what the verdict depends on, one sentence each
}

// UntriedReason says why the search found no way and yet does not prove that there is none, unless
// that is the depth that the question itself set.
func (a Answer) UntriedReason(question Question) string {
	switch {
	case a.Verdict != NoneWithin:
		return ""
	case a.CutReason != "":
		return a.CutReason
	case question.Depth == 0: // the question did not set the depth
		return fmt.Sprintf(
			"ways of more than %s were not tried; where that is enough, give the depth %d",
			human.Plural(a.Depth, "message"), a.Depth)
	}
	return ""
}

// Step is one message of a way.
type Step struct {
	// Block is the earliest block in which the message can be sent after those before it.
	// Later blocks do as well, until a grant expires.
	Block    cw721.Block
	Sender   cw721.Address
	Message  cw721.ExecuteMsg
	Decision *cw721.Decision // by the built-in rules in that block
	Refusal  *cw721.Error    // why the compiled contract refuses the message; nil if it does not
}
