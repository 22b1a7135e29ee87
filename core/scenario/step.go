package scenario

import (
	"fmt"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Step is one event of a scenario and what is expected of it. First the clock moves, then
// the message is sent and its outcome compared, and then the storage is compared.
type Step struct {
	Line     int  // the first line of the step in its file, from 1; 0 without a file
	FromYAML bool // expirations in the message can be written as "+10"

	// At moves the clock to a block, and Advance by an amount. They are not both set.
	At      *At      `wire:"at"`
	Advance *Advance `wire:"advance"`
	// Contracts says which accounts receive tokens in another way from this step on.
	Contracts Contracts `wire:"contracts"`
	Sender    string    `wire:"as" want:"a name or an address in a string"`

	// Kind must stand before Message, because reading the message sets it.
	Kind    Kind
	Message wire.Raw `wire:"instantiate|execute|preview|query|nobody"` // with "$name" for addresses
	// Ignored allows what looks like a typing mistake in the message, such as members that
	// the contract ignores and texts that are no addresses.
	Ignored bool    `wire:"ignored"`
	Expect  *Expect `wire:"expect"` // nil: the contract must not refuse the message
	State   Storage `wire:"state"`  // the contract's whole storage after the step; nil: not compared

	// These are for the readers of a lesson.
	Note  string `wire:"note"`
	Hints Hints  `wire:"hint"`
	Ask   *Ask   `wire:"ask"`

	// RowValues is only for writing a scenario with rows. It has the members of the step that
	// differ from row to row, each with the name of its value. For example, {"expect":
	// "answer"} writes "$answer" instead of the expectation.
	RowValues map[string]string
}

// Kind says what is done with a step's message. It is the name of the member that holds the
// message in a file. [Step.DecodeWire] checks which other members a kind may have, and
// [Player.Play] does what it says.
type Kind string

// The kinds of messages.
const (
	NoMessage   Kind = "" // the step moves the clock, compares storage or has a text
	Instantiate Kind = "instantiate"
	Execute     Kind = "execute"
	Preview     Kind = "preview" // an execute message that changes nothing
	Query       Kind = "query"
	Nobody      Kind = "nobody" // a claim that nobody can do something; see package whocan
)

// Decode decodes a message of this kind. All results are empty for a kind that no contract
// decodes, such as [Nobody].
func (k Kind) Decode(
	contract cw721.Contract,
	message []byte,
	lookup cw721.NameLookup,
) (msg any, reading cw721.DecodeInfo, err error) {
	switch k {
	case Instantiate:
		return contract.DecodeInstantiate(message, lookup)
	case Execute, Preview:
		return contract.DecodeExecute(message, lookup)
	case Query:
		return contract.DecodeQuery(message, lookup)
	}
	return nil, reading, nil
}

// Advance moves the clock by blocks, by time, or by both.
type Advance struct {
	Blocks uint64        `wire:"blocks"`
	Time   time.Duration `wire:"time"`

	block *At // set instead if a file has a block in the place of an amount, such as "h1110"
}

// Expect is the expected outcome of a message. The zero Expect accepts every answer and no
// refusal. compare.go compares outcomes with it.
type Expect struct {
	AcceptsAny bool // accepts every outcome
	Refused    bool // the contract must refuse the message

	// Answer is the expected answer as JSON. The answer to a query must be equal. Of the
	// response to another message, only the members that are given here must be equal.
	Answer     wire.Raw
	AnswerPart wire.Raw // JSON that the answer must contain, as [ContainsJSON] defines it

	// Kind is the kind of the expected refusal. If it is "", the contract or a receiving
	// contract must refuse; with a text, the token can also be missing.
	Kind     cw721.Kind `wire:"kind"`
	Text     *string    `wire:"text"` // the whole text of the expected refusal; nil if TextPart is set
	TextPart *string    `wire:"has"`  // a part of it
}

// refusalKinds are all kinds of refusal.
var refusalKinds = []cw721.Kind{
	cw721.KindParse, cw721.KindAddress, cw721.KindURL, cw721.KindNotFound, cw721.KindContract,
	chain.KindChain, chain.KindLimit,
}

// Storage is the whole storage of a contract: the value of each record by its key.
type Storage map[string]string

// Ask is a question to the reader of a lesson.
type Ask struct {
	Question string  `wire:"question,optional"`
	Choices  Choices `wire:"choices,optional"` // without choices any answer is taken
	Answer   string  `wire:"answer,optional"`  // the right answer
	Why      string  `wire:"why,optional"`     // explains the right answer, after any answer
}

// Choices are the answers from which a reader chooses.
type Choices []Choice

// Choice is one of the answers from which a reader chooses.
type Choice struct {
	Text          string `wire:"text"`
	Why           string `wire:"why"`      // says why the choice is wrong, to a reader who made it
	Misconception string `wire:"believes"` // the name of the one that leads to the choice; see package lesson
}

// Find returns the choice with a text. It returns the zero Choice if there is none.
func (c Choices) Find(text string) Choice {
	for _, choice := range c {
		if choice.Text == text {
			return choice
		}
	}
	return Choice{}
}

// Texts returns the texts of the choices.
func (c Choices) Texts() (texts []string) {
	for _, choice := range c {
		texts = append(texts, choice.Text)
	}
	return texts
}

// Hints help the reader of a lesson, from the weakest to the strongest.
type Hints []string

// CanFail reports whether the step could have a mismatch with some other contract. A step
// that only moves the clock or accepts any outcome cannot.
func (s Step) CanFail() bool {
	if s.State != nil {
		return true
	}
	return s.Kind != NoMessage && (s.Expect == nil || !s.Expect.AcceptsAny)
}

// MessageName returns the first member of the message, which is the name of an execute or query
// message, such as "transfer_nft". It is "" for a message without members.
func (s *Step) MessageName() string {
	message, err := parseJSON(s.Message)
	if err != nil || len(message.names) == 0 {
		return ""
	}
	return message.names[0]
}

// Describe says what the step does, such as "execute mint as alice" or "move the clock".
func (s *Step) Describe() string {
	description := string(s.Kind)
	switch s.Kind {
	case NoMessage:
		if s.State == nil {
			return "move the clock"
		}
		return "look at the storage"
	case Execute, Preview, Query:
		if name := s.MessageName(); name != "" {
			description += " " + clip(name)
		}
	}
	if s.Sender != "" {
		description += " as " + s.Sender
	}
	return description
}

// String describes the block, such as "height 9, time 5 ns".
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

// String describes the amount, such as "3 blocks and 5s".
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
