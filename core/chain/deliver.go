package chain

import (
	"fmt"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// Parts of the texts of refused deliveries, by which [ReceiverBehind] recognizes them.
// Between the parts is the address of the receiver.
const (
	missingStart = "address "
	missingEnd   = ": no such contract"

	rejectingStart  = "dispatch: submessages: contract "
	rejectingMiddle = " rejected the token: "
)

// delivery delivers the messages that a contract sends because of one message to it.
type delivery struct {
	*session
	code  Contract  // the contract that sends the messages and gets the replies
	env   cw721.Env // what the contract learns about each call, such as the block
	depth int       // how many calls of the contract are running, each caused by the one before
}

// maxDepth is the largest depth of calls of the contract, each caused by the one before.
const maxDepth = 16

// deliverAll delivers the messages that the contract sends with an answer, to which it appends the
// attributes of replies. If a message is refused and the contract asked for no reply, deliverAll
// fails, and everything is reverted (spec §5).
func (d *delivery) deliverAll(txn kv.Txn, answer *Answer) error {
	if d.SkipsDelivery {
		return nil
	}
	for i, outMsg := range answer.Messages {
		// The built-in contract never asks for a reply.
		if answer.submessages == nil {
			if err := d.deliver(txn, outMsg); err != nil {
				return err
			}
			continue
		}
		err := d.deliverWithReply(txn, outMsg, answer.submessages[i], answer)
		if err != nil {
			return err
		}
	}
	return nil
}

// deliverWithReply delivers a message, discards what it wrote if it is refused, and calls the
// contract's entry point "reply" if the contract has asked for that. Otherwise a refusal makes
// deliverWithReply fail.
func (d *delivery) deliverWithReply(
	txn kv.Txn,
	outMsg cw721.OutMsg,
	submessage wasm.SubMessage,
	answer *Answer,
) error {
	writes := kv.NewOverlay(txn)
	deliverErr := d.deliver(writes, outMsg)
	if deliverErr == nil {
		deliverErr = writes.Flush(txn)
	}
	refusal, err := separateRefusal(deliverErr)
	if err != nil {
		return err
	}

	// The contract can ask for a reply on "success", on "error" or "always".
	outcome := "success"
	reply := wasm.Reply{ID: submessage.ID, Payload: submessage.Payload}
	if refusal != nil {
		outcome = "error"

		// A chain does not pass on the text, which might differ between nodes.
		reply.Refusal = "codespace: wasm, code: 5"
	}
	if submessage.ReplyOn != outcome && submessage.ReplyOn != "always" {
		return deliverErr
	}
	return d.callContract(txn, answer, func() (Answer, error) {
		return d.code.(compiledContract).reply(txn, d.env, reply)
	})
}

// callContract runs an entry point of the contract, appends the attributes of the new answer
// to answer unless that is nil, and delivers the messages that the contract then sends. It
// refuses more than [maxDepth] calls that follow from each other.
func (d *delivery) callContract(txn kv.Txn, answer *Answer, runEntryPoint func() (Answer, error)) error {
	if d.depth == maxDepth {
		return refuseDelivery(
			"dispatch: submessages: more than %d messages follow from each other",
			maxDepth,
		)
	}
	d.depth++
	defer func() { d.depth-- }()

	nextAnswer, err := runEntryPoint()
	if err != nil {
		return err
	}
	if answer != nil {
		answer.Attributes = append(answer.Attributes, nextAnswer.Attributes...)
	}
	return d.deliverAll(txn, &nextAnswer)
}

func refuseDelivery(format string, args ...any) error {
	return &cw721.Error{Kind: KindChain, Text: fmt.Sprintf(format, args...), Field: "contract"}
}

// deliver delivers one message to its receiver. A payment always succeeds, and a compiled contract
// executes a message to itself. Any other receiver must accept messages, or else deliver fails
// with a [*cw721.Error], whose texts are those of a real chain, word for word.
func (d *delivery) deliver(txn kv.Txn, outMsg cw721.OutMsg) error {
	_, isCompiled := d.code.(compiledContract)
	switch {
	case outMsg.Bank != nil:
		return nil
	case outMsg.Wasm == nil:
		return refuseDelivery(
			"dispatch: submessages: there is nothing on this chain that takes %s",
			outMsg.Other,
		)

	case outMsg.Wasm.Contract == d.Self && isCompiled:
		return d.callContract(txn, nil, func() (Answer, error) {
			info := cw721.Info{Sender: d.Self}
			return d.code.Execute(call{txn, d.env, info, Message{JSON: outMsg.Wasm.Msg}})
		})
	}

	// A collection has no entry point for received tokens.
	address := outMsg.Wasm.Contract
	if address == d.Self {
		return refuseDelivery("dispatch: submessages: the collection itself does not take receive_nft: execute wasm contract failed")
	}
	receiver, err := d.receiverAt(address)
	if err != nil {
		return err
	}
	switch receiver {
	case ReceiverPlain:
		return refuseDelivery(missingStart+"%s"+missingEnd, address)
	case ReceiverRejects:
		return refuseDelivery(rejectingStart+"%s"+rejectingMiddle+"execute wasm contract failed", address)
	}
	return nil
}

// ReceiverBehind returns the receiver that caused a refusal, by the text, such as "address
// cosmos1…: no such contract". ok is false for a refusal with another cause.
func ReceiverBehind(
	kind cw721.Kind,
	text string,
) (receiverAddress cw721.Address, receiver Receiver, ok bool) {
	if kind != KindChain {
		return "", "", false
	}
	if textBefore, isMissing := strings.CutSuffix(text, missingEnd); isMissing {
		address := strings.TrimPrefix(textBefore, missingStart)
		return cw721.Address(address), ReceiverPlain, true
	}
	if textBefore, _, isRejected := strings.Cut(text, rejectingMiddle); isRejected {
		address := strings.TrimPrefix(textBefore, rejectingStart)
		return cw721.Address(address), ReceiverRejects, true
	}
	return "", "", false
}
