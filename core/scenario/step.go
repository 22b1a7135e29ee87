package scenario

import (
	"fmt"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Kind tells what a step does besides moving the clock.
type Kind string

// The kinds of step.
const (
	NoMessage   Kind = "" // only moves the clock, looks at storage, or talks
	Instantiate Kind = "instantiate"
	Execute     Kind = "execute"
	Preview     Kind = "preview" // an execute message that leaves nothing behind
	Query       Kind = "query"
	Nobody      Kind = "nobody" // says that nobody can do something, see package reach
)

// Decode reads the message of a step of a kind.
func (k Kind) Decode(c cw721.Contract, message []byte, names cw721.Names) (msg any, err error) {
	msg, _, err = k.decode(c, message, names)
	return msg, err
}

func (k Kind) decode(c cw721.Contract, message []byte, names cw721.Names) (msg any, read cw721.Reading, err error) {
	switch k {
	case Instantiate:
		return c.DecodeInstantiate(message, names)
	case Execute, Preview:
		return c.DecodeExecute(message, names)
	case Query:
		return c.DecodeQuery(message, names)
	}
	return nil, read, nil
}

// Step is one thing that happens, and what is expected of it. The clock moves
// first, then the message runs, then storage is compared.
type Step struct {
	// Line is where the step begins in its file, from 1; 0 for a step that
	// comes from no file.
	Line int
	// FromYAML tells that expirations in the message may be as people write them,
	// "+10": the step comes from a YAML file.
	FromYAML bool
	// At goes to a block, Advance moves by an amount; at most one is set.
	At      *At      `wire:"at"`
	Advance *Advance `wire:"advance"`
	// Contracts change what is at an address from here on.
	Contracts Contracts `wire:"contracts"`
	// As is who sends the message: a name or an address.
	As   string `wire:"as" want:"a name or an address in a string"`
	Kind Kind
	// Message is JSON as it was written, names in it included.
	Message wire.Raw `wire:"instantiate|execute|preview|query|nobody"`
	// Ignored tells that the message is meant as it is written, with members that
	// the contract does not have or texts that are no addresses.
	Ignored bool `wire:"ignored"`
	// Expect is what is expected of the message; nil: that it is not refused.
	Expect *Expect `wire:"expect"`
	// State is the contract's whole storage after the step, in key order; nil
	// where it is not looked at.
	State Storage `wire:"state"`
	// Note, Hints and Ask are for people: what a lesson says, in how many
	// strengths it helps, and what it asks before it goes on.
	Note  string `wire:"note"`
	Hints Hints  `wire:"hint"`
	Ask   *Ask   `wire:"ask"`
}

// Advance is a move of the clock by blocks, by time, or by both.
type Advance struct {
	Blocks uint64        `wire:"blocks"`
	Time   time.Duration `wire:"time"`
}

// Ask is a question to the reader of a lesson.
type Ask struct {
	Question string
	// Choices are what can be answered; empty for a free answer.
	Choices []string
	// Answer is the right one.
	Answer string
	// Why says why it is right, to whoever has answered.
	Why string
	// Replies say more to whoever chose one of the choices, by its text.
	Replies map[string]Reply
}

// Reply is what a file says of one choice besides its text.
type Reply struct {
	// Why says why it is wrong, to whoever chose it.
	Why string
	// Believes names the misconception of whoever chose it; see the lesson
	// package.
	Believes string
}

// Hints help more and more, from the weakest to the strongest.
type Hints []string

// Storage is a contract's whole storage, in key order.
type Storage []Entry

// Entry is one record of a contract's storage.
type Entry struct {
	Key   []byte
	Value string
}

// Expect is what a message is expected to lead to.
type Expect struct {
	// Any tells that either is meant: to be carried out or to be turned down.
	Any bool
	// Refused tells that it is to be turned down, otherwise carried out.
	Refused bool
	// Answer is what is answered: for a query all of it, for instantiate and
	// execute those of its members that are given. nil: anything.
	Answer wire.Raw
	// AnswerPart is a part of the answer: members of objects, and items of arrays in
	// their order, between which others may stand; an empty object or array is
	// empty. nil: anything.
	AnswerPart wire.Raw
	// Kind and Text are those of the refusal; "" and nil: any. A refusal of which
	// nothing is said is the contract's own, or that of a receiving contract.
	Kind cw721.Kind `wire:"kind"`
	Text *string    `wire:"text"`
	// TextPart is a part of the refusal's text.
	TextPart string
}

// kinds are the kinds of refusal that there are.
var kinds = []cw721.Kind{
	cw721.KindParse, cw721.KindAddress, cw721.KindURL, cw721.KindNotFound, cw721.KindContract,
	chain.KindChain, chain.KindLimit,
}

// canFail tells whether the step says anything about what the contract does.
func (s *Step) canFail() bool {
	return s.State != nil || s.Kind != NoMessage && (s.Expect == nil || !s.Expect.Any)
}

// Describe says who does what in a step: "execute mint as alice".
func (s *Step) Describe() string {
	what := string(s.Kind)
	switch s.Kind {
	case NoMessage:
		what = "look at the storage"
		if s.State == nil {
			what = "move the clock"
		}
	case Execute, Preview, Query:
		if v, err := parseJSON(s.Message); err == nil && len(v.names) > 0 {
			what += " " + clip(v.names[0])
		}
	}
	if s.As != "" {
		what += " as " + s.As
	}
	return what
}

// String says which block it is.
func (a At) String() string {
	var parts []string
	if a.Height != nil {
		parts = append(parts, fmt.Sprintf("height %d", *a.Height))
	}
	if a.Time != nil {
		parts = append(parts, fmt.Sprintf("time %d ns", *a.Time))
	}
	return strings.Join(parts, ", ")
}

// String says how far it goes.
func (a Advance) String() string {
	var parts []string
	if a.Blocks > 0 || a.Time == 0 {
		parts = append(parts, fmt.Sprintf("%d blocks", a.Blocks))
	}
	if a.Time > time.Duration(0) {
		parts = append(parts, a.Time.String())
	}
	return strings.Join(parts, " and ")
}
