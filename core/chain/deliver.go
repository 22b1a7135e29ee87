package chain

import (
	"fmt"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// Parts of the texts of refused deliveries, by which [ReceiverBehind] recognizes them.
const (
	missingStart = "address "
	missingEnd   = ": no such contract"

	rejectingStart  = "dispatch: submessages: contract "
	rejectingMiddle = " rejected the token: "
)

// delivery delivers the messages that a contract sends while it handles one message of a
// person.
type delivery struct {
	*session
	code Contract  // sends the messages and gets the replies
	env  cw721.Env // for calls of the contract
	// depth is how many calls of the contract are running, each caused by the one before.
	depth int
}

// maxDepth is the largest depth of calls of the contract, each caused by the one before.
const maxDepth = 16

// deliverAll delivers the messages of an answer. It appends the attributes of the contract's
// replies to the answer. If a receiver refuses a message, deliverAll fails with the refusal,
// and everything is reverted (spec §5), unless the contract has asked for a reply about it.
func (d *delivery) deliverAll(txn kv.Txn, answer *Answer) error {
	if d.Record {
		return nil // outgoing messages are only recorded
	}
	for i, outMsg := range answer.Messages {
		// The built-in contract never asks for a reply.
		if answer.submessages == nil {
			if err := d.deliver(txn, outMsg); err != nil {
				return err
			}
			continue
		}
		if err := d.deliverWithReply(txn, outMsg, answer.submessages[i], answer); err != nil {
			return err
		}
	}
	return nil
}

// deliverWithReply delivers a message. If the contract has asked for a reply, it then
// tells the contract the outcome by the entry point "reply". If the message is refused,
// its writes are discarded.
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

	// Find out whether the contract wants to know this outcome.
	outcome := "success"
	reply := wasm.Reply{ID: submessage.ID, Payload: submessage.Payload}
	if refusal != nil {
		outcome = "error"

		// A chain does not pass on the text, which might differ between nodes.
		reply.Refusal = "codespace: wasm, code: 5"
	}
	asksForReply := submessage.ReplyOn == outcome || submessage.ReplyOn == "always"
	if !asksForReply {
		return deliverErr
	}
	callReply := func() (Answer, error) {
		return d.code.(compiledContract).reply(txn, d.env, reply)
	}
	return d.callContract(txn, answer, callReply)
}

// callContract runs an entry point of the contract and delivers the messages that the
// contract then sends. It appends the attributes of the new answer to those of answer,
// which can be nil. It refuses if more than [maxDepth] calls follow from each other.
func (d *delivery) callContract(
	txn kv.Txn,
	answer *Answer,
	runEntryPoint func() (Answer, error),
) error {
	// Contracts that call each other in a circle must come to an end.
	if d.depth == maxDepth {
		return refuseDelivery(
			"dispatch: submessages: more than %d messages follow from each other",
			maxDepth,
		)
	}
	d.depth++
	defer func() { d.depth-- }()

	next, err := runEntryPoint()
	if err != nil {
		return err
	}
	if answer != nil {
		answer.Attributes = append(answer.Attributes, next.Attributes...)
	}
	return d.deliverAll(txn, &next)
}

// refuseDelivery returns the chain's refusal of a delivery.
func refuseDelivery(format string, args ...any) error {
	return &cw721.Error{Kind: KindChain, Text: fmt.Sprintf(format, args...), Field: "contract"}
}

// deliver delivers one message of the contract to its receiver. A payment always succeeds.
// If a compiled contract sends a message to itself, deliver executes it. Any other receiver
// must accept messages, or else deliver fails with a [*cw721.Error].
func (d *delivery) deliver(txn kv.Txn, outMsg cw721.OutMsg) error {
	_, isCompiled := d.code.(compiledContract)
	switch {
	case outMsg.Bank != nil:
		return nil // the chain keeps no coins, so a payment always works
	case outMsg.Wasm == nil:
		return refuseDelivery(
			"dispatch: submessages: there is nothing on this chain that takes %s",
			outMsg.Other,
		)
	case outMsg.Wasm.Contract == d.Self && isCompiled:
		execute := func() (Answer, error) {
			info := cw721.Info{Sender: d.Self}
			return d.code.Execute(txn, d.env, info, Message{JSON: outMsg.Wasm.Msg})
		}
		return d.callContract(txn, nil, execute)
	}
	return d.checkReceiver(outMsg.Wasm.Contract)
}

// checkReceiver returns the refusal of an address that does not accept messages: the
// collection itself, a plain account, which has no contract, or a contract that rejects. The
// texts are those of the chain, word for word.
func (d *delivery) checkReceiver(address cw721.Address) error {
	// A collection has no entry point for received tokens.
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

// ReceiverBehind returns the address and the kind of the receiver that caused a refusal. It
// finds them in the text of the refusal, because the history does not store the receivers.
// ok is false for a refusal with another cause.
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
