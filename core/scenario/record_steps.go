package scenario

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// eachStep calls yield with every step of the scenario, and ends with the first error of yield.
func (r *recording) eachStep(yield func(Step) error) error {
	// A step first moves the clock, unless the step before it was played in the same block.
	stepBlock := r.startBlock
	write := func(step Step, block cw721.Block) error {
		if block != stepBlock {
			step.setClockMove(stepBlock, block)
			stepBlock = block
		}
		return yield(step)
	}

	// Write a step for each node that sent a message. The nodes before the part that is
	// recorded have no expectations, and refused messages among them are left out.
	isPreparing := r.part.FirstNode != 0 || r.part.FinalSteps != nil
	receivers := maps.Clone(r.firstReceivers) // how contracts receive tokens at this point
	endBlock := r.startBlock                  // the block after the nodes so far
	for _, id := range slices.Backward(r.path) {
		node, err := r.view.Node(id)
		if err != nil {
			return err
		}
		if endBlock, err = blockAfter(node); err != nil {
			return err
		}

		if isPreparing && id == r.part.FirstNode {
			isPreparing = false
			if err := write(Step{Note: partBegins}, node.Block()); err != nil {
				return err
			}
		}
		isLeftOut := isPreparing && node.Refusal != nil
		if isLeftOut || node.Kind == history.KindClock {
			continue
		}

		// If the receiving contract reacts in another way than before, the step says so.
		step := r.messageStep(node)
		if isPreparing {
			step.Expect = nil
		}
		contract, receiver, ok := r.receiverShownBy(node)
		if ok && receivers[contract] != receiver {
			step.Contracts = Contracts{{Name: r.names[contract], Receiver: receiver}}
			receivers[contract] = receiver
		}
		if err := write(step, node.Block()); err != nil {
			return err
		}
	}

	// Clock moves after the last message become a step without a message.
	if stepBlock != endBlock {
		if err := write(Step{}, endBlock); err != nil {
			return err
		}
	}
	return r.yieldAdditions(yield)
}

// yieldAdditions calls yield with the steps that follow those of the history: the final steps
// of the part, and the queries.
func (r *recording) yieldAdditions(yield func(Step) error) error {
	for _, step := range r.part.FinalSteps {
		// With rows, the first final step stands for all of them.
		if r.rowValues != nil {
			step.RowValues = r.rowValues
			return yield(step)
		}
		if err := yield(step); err != nil {
			return err
		}
	}
	if r.part.AddsQueries {
		return r.yieldQueries(yield)
	}
	return nil
}

// partBegins is the note before the first step whose recorded answer is expected. The steps
// before it only lead to that point.
const partBegins = "The steps before this one prepare the collection. From here on every answer is checked."

// setClockMove makes the step move the clock from one block to another. It prefers an
// amount of blocks or of time, which is easier to read. If neither leads exactly to the
// block, the step names the block itself.
func (s *Step) setClockMove(fromBlock, toBlock cw721.Block) {
	clock := chain.Clock{
		Height:          fromBlock.Height,
		Time:            fromBlock.Time,
		SecondsPerBlock: chain.DefaultSecondsPerBlock,
	}
	blocks := uint64(toBlock.Height - fromBlock.Height)
	duration := time.Duration(toBlock.Time - fromBlock.Time) // negative if it is too long
	for _, advance := range []Advance{{Blocks: blocks}, {Time: duration}} {
		movedClock, err := clock.Forward(advance.Blocks, advance.Time)
		if err != nil || advance.Time < 0 || movedClock.Block() != toBlock {
			continue
		}
		s.Advance = &advance
		return
	}
	s.At = &At{Height: &toBlock.Height, Time: &toBlock.Time}
}

// messageStep returns the step that sends the message of a node. If a scenario cannot
// hold the message, the step has only a note with the reason.
func (r *recording) messageStep(node history.Node) Step {
	if reason := r.whyUnrecordable(node); reason != "" {
		note := fmt.Sprintf(
			"Here a message was refused (%s). It changed nothing, and a scenario cannot hold it: %s.",
			node.Refusal.Kind, reason)
		return Step{Note: note}
	}

	kind := Kind(node.Kind)
	step := Step{
		Sender:  cmp.Or(r.names[node.Sender], string(node.Sender)), // an address if it has no name
		Kind:    kind,
		Message: r.replaceAddresses(kind, node.Message),
	}

	switch {
	case node.Refusal != nil:
		step.Expect = expectRefusal(node.Refusal.Kind, node.Refusal.Text)
	case r.part.FullAnswers:
		answer := r.addressReplacer.Replace(string(node.Answer))
		step.Expect = &Expect{Answer: []byte(answer)}
	default:
		step.Expect = &Expect{}
	}
	return step
}

// whyUnrecordable returns the reason why a scenario file cannot hold the message of a node,
// or "". A file can hold every message that was accepted.
func (r *recording) whyUnrecordable(node history.Node) string {
	if node.Refusal == nil {
		return ""
	}
	if !jsontext.Value(node.Message).IsValid(jsontext.AllowDuplicateNames(true)) {
		return "it is not JSON"
	}
	_, _, err := Kind(node.Kind).Decode(r.view.Contract(), []byte(node.Message), r.resolveName)
	if unknown, ok := errors.AsType[*wire.UnknownNameError](err); ok {
		return fmt.Sprintf("no account is named %q any more", unknown.Name)
	}
	return ""
}

// replaceAddresses replaces the addresses in a message by "$name". It returns the message
// unchanged if the contract cannot read it, or would read the result differently. That can
// happen where a text that is not an address, such as a token ID, looks like one.
func (r *recording) replaceAddresses(kind Kind, message string) []byte {
	originalMsg, _, err := kind.Decode(r.view.Contract(), []byte(message), nil)
	if err != nil || originalMsg == nil { // nil: no contract reads this kind of message
		return []byte(message)
	}

	messageWithNames := []byte(r.addressReplacer.Replace(message))
	replacedMsg, _, err := kind.Decode(r.view.Contract(), messageWithNames, r.resolveName)
	if err != nil {
		return []byte(message)
	}
	meansTheSame := bytes.Equal(cw721.Encode(originalMsg), cw721.Encode(replacedMsg))
	if !meansTheSame {
		return []byte(message)
	}
	return messageWithNames
}
