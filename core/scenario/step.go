package scenario

import (
	"fmt"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Kind is the kind of a step's message.
type Kind string

// The kinds of message. A step without a message moves the clock, compares storage or
// has a text for people.
const (
	NoMessage   Kind = ""
	Instantiate Kind = "instantiate"
	Execute     Kind = "execute"
	Preview     Kind = "preview" // an execute message that changes nothing
	Query       Kind = "query"
	Nobody      Kind = "nobody" // a claim that nobody can do something; see package reach
)

// Decode decodes a message of this kind. It also returns what the decoder ignored and
// which addresses it read. Both results are empty for a kind that no contract decodes.
func (k Kind) Decode(c cw721.Contract, message []byte, names cw721.NameLookup) (msg any, reading cw721.DecodeInfo, err error) {
	switch k {
	case Instantiate:
		return c.DecodeInstantiate(message, names)
	case Execute, Preview:
		return c.DecodeExecute(message, names)
	case Query:
		return c.DecodeQuery(message, names)
	}
	return nil, reading, nil
}

// Step is one event and what is expected of it. First the clock moves, then the
// message runs, then storage is compared.
type Step struct {
	// Line is the first line of the step in its file, from 1. It is 0 for a step that
	// was not read from a file.
	Line int
	// FromYAML is set for a step of a YAML file. Expirations in its message can be
	// written as "+10".
	FromYAML bool
	// At moves the clock to a block, Advance by an amount. At most one is set.
	At      *At      `wire:"at"`
	Advance *Advance `wire:"advance"`
	// Contracts change how addresses receive tokens, from this step on.
	Contracts Contracts `wire:"contracts"`
	// As is the sender of the message: a name or an address.
	As string `wire:"as" want:"a name or an address in a string"`
	// Kind says what is done with the message, such as Execute or Query.
	Kind Kind
	// Message is the JSON of the file, with "$name" for addresses.
	Message wire.Raw `wire:"instantiate|execute|preview|query|nobody"`
	// Ignored allows members that the contract ignores and texts that are no addresses.
	Ignored bool `wire:"ignored"`
	// Expect is the expected outcome of the message. If it is nil, the contract must
	// not refuse the message.
	Expect *Expect `wire:"expect"`
	// State is the contract's whole storage after the step. If it is nil, storage is
	// not compared.
	State Storage `wire:"state"`
	// Note, Hints and Ask are for the readers of a lesson.
	Note  string `wire:"note"`
	Hints Hints  `wire:"hint"`
	Ask   *Ask   `wire:"ask"`
	// RowValues is for writing a scenario with rows, which is played once for each row. It
	// has the members whose values differ from row to row, with the names of these values:
	// {"expect": "answer"} writes "$answer" instead of the expectation. A step that was read
	// has none.
	RowValues map[string]string
}

// Advance moves the clock by blocks, by time, or by both.
type Advance struct {
	Blocks uint64        `wire:"blocks"`
	Time   time.Duration `wire:"time"`

	// block is set while a step is decoded, if the moment is a block.
	block *At
}

// Ask is a question to the reader of a lesson.
type Ask struct {
	Question string
	// Choices are the answers to choose from. Without choices any answer is taken.
	Choices []string
	// Answer is the right answer.
	Answer string
	// Why explains the right answer. It is shown after any answer.
	Why string
	// Replies are shown after a choice. The key is the text of the choice.
	Replies map[string]Reply
}

// Reply is shown to a reader who made a wrong choice.
type Reply struct {
	// Why explains why the choice is wrong.
	Why string
	// Believes is the name of the misconception that leads to the choice; see package
	// lesson.
	Believes string
}

// Hints help the reader of a lesson, from the weakest to the strongest.
type Hints []string

// Storage is the whole storage of a contract: the value of each record by its key.
type Storage map[string]string

// Expect is the expected outcome of a message: an answer, or a refusal if Refused is
// set.
type Expect struct {
	// Any accepts every outcome.
	Any bool
	// Refused is set if the contract must refuse the message.
	Refused bool
	// Answer is the expected answer. The answer to a query must be equal. In the
	// response to an instantiate or execute message only the members that are given
	// here must be equal. nil accepts every answer.
	Answer wire.Raw
	// AnswerPart must be contained in the answer: the members of objects, and the items
	// of arrays in their order, with any others between them. An empty object or array
	// contains nothing. nil accepts every answer.
	AnswerPart wire.Raw
	// Kind and Text are those of the refusal. "" and nil accept any. If kind, text and
	// part of the text are left out, only a refusal by the contract or by a receiving
	// contract is accepted.
	Kind cw721.Kind `wire:"kind"`
	Text *string    `wire:"text"`
	// TextPart must be contained in the text of the refusal.
	TextPart string
}

// kinds are all kinds of refusal.
var kinds = []cw721.Kind{
	cw721.KindParse, cw721.KindAddress, cw721.KindURL, cw721.KindNotFound, cw721.KindContract,
	chain.KindChain, chain.KindLimit,
}

// canFail reports whether the step depends on what the contract does.
func (s *Step) canFail() bool {
	if s.State != nil {
		return true
	}
	return s.Kind != NoMessage && (s.Expect == nil || !s.Expect.Any)
}

// MessageName returns the name of an execute or query message, such as "transfer_nft". It is
// empty for a message that is not an object with a member.
func (s *Step) MessageName() string {
	message, err := parseJSON(s.Message)
	if err != nil || len(message.names) == 0 {
		return ""
	}
	return message.names[0]
}

// Describe names the message and its sender: "execute mint as alice".
func (s *Step) Describe() string {
	description := string(s.Kind)
	switch s.Kind {
	case NoMessage:
		description = "look at the storage"
		if s.State == nil {
			description = "move the clock"
		}
	case Execute, Preview, Query:
		if name := s.MessageName(); name != "" {
			description += " " + clip(name)
		}
	}
	if s.As != "" {
		description += " as " + s.As
	}
	return description
}

// String describes the block, such as "height 9, time 5 ns". It leaves out an axis that is
// nil.
func (a At) String() string {
	var axes []string
	if a.Height != nil {
		axes = append(axes, fmt.Sprintf("height %d", *a.Height))
	}
	if a.Time != nil {
		axes = append(axes, fmt.Sprintf("time %d ns", *a.Time))
	}
	return strings.Join(axes, ", ")
}

// String describes the move: "3 blocks and 5s".
func (a Advance) String() string {
	var amounts []string
	if a.Blocks > 0 || a.Time == 0 {
		amounts = append(amounts, fmt.Sprintf("%d blocks", a.Blocks))
	}
	if a.Time > 0 {
		amounts = append(amounts, a.Time.String())
	}
	return strings.Join(amounts, " and ")
}
