package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// moveClock makes the step move the clock from one block to another: by an advance if one
// leads to the same block, otherwise to the block itself.
func (s *Step) moveClock(from, to cw721.Block) {
	clock := chain.Clock{Height: from.Height, Time: from.Time, SecondsPerBlock: chain.DefaultSecondsPerBlock}
	blocks := uint64(to.Height - from.Height)
	duration := time.Duration(to.Time - from.Time)
	for _, advance := range []Advance{{Blocks: blocks}, {Time: duration}} {
		reached, err := clock.Forward(advance.Blocks, advance.Time)
		if advance.Time >= 0 && err == nil && reached.Block() == to {
			s.Advance = &advance
			return
		}
	}
	s.At = &At{Height: &to.Height, Time: &to.Time}
}

// messageStep returns the step that sends the message of a node. If a scenario cannot
// hold the message, the step has only a note with the reason.
func (r *recording) messageStep(n history.Node) Step {
	if reason := r.whyUnrecordable(n); reason != "" {
		note := fmt.Sprintf("Here a message was refused (%s). It changed nothing, and a scenario cannot hold it: %s.", n.Refusal.Kind, reason)
		return Step{Note: note}
	}

	// Names stand for addresses, and the expectation is what the message led to.
	step := Step{As: string(n.Sender), Kind: Kind(n.Kind), Message: r.withNames(Kind(n.Kind), n.Message)}
	if name := r.names[n.Sender]; name != "" {
		step.As = name
	}
	switch {
	case n.Refusal != nil:
		step.Expect = expectRefusal(n.Refusal.Kind, n.Refusal.Text)
	case r.part.FullAnswers:
		step.Expect = &Expect{Answer: []byte(r.addressNames.Replace(string(n.Answer)))}
	default:
		step.Expect = &Expect{}
	}
	return step
}

// withNames replaces the addresses in a message by "$name". It returns the message
// unchanged if the contract would read it differently then.
func (r *recording) withNames(kind Kind, message string) []byte {
	original, _, err := kind.Decode(r.view.Contract(), []byte(message), nil)
	if err != nil || original == nil {
		return []byte(message)
	}
	withNames := []byte(r.addressNames.Replace(message))
	replaced, _, err := kind.Decode(r.view.Contract(), withNames, r.resolveName)
	if err != nil || !bytes.Equal(cw721.Encode(original), cw721.Encode(replaced)) {
		return []byte(message)
	}
	return withNames
}

// whyUnrecordable returns the reason why a file cannot hold the message of a node, or
// "". Only refused messages have such a reason.
func (r *recording) whyUnrecordable(n history.Node) string {
	if n.Refusal == nil {
		return ""
	}
	if !jsontext.Value(n.Message).IsValid(jsontext.AllowDuplicateNames(true)) {
		return "it is not JSON"
	}
	_, _, err := Kind(n.Kind).Decode(r.view.Contract(), []byte(n.Message), r.resolveName)
	if unknown, ok := errors.AsType[*wire.UnknownNameError](err); ok {
		return fmt.Sprintf("no account is named %q any more", unknown.Name)
	}
	return ""
}
