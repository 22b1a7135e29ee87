package chain

import (
	"cmp"
	"fmt"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// What the refusals of a delivery are known by; see [ReceiverBehind].
const (
	noContract = ": no such contract"
	rejected   = " rejected the token: "
)

// delivery hands on what a contract sends in one message of a person.
type delivery struct {
	*session
	code  Contract
	env   cw721.Env
	depth int
}

// deepest is how many messages can follow from each other.
const deepest = 16

// all hands the messages of an answer to where they go, and adds to the answer
// what the contract says to the replies that it wants. A receiver that says no
// reverts everything (spec §5), unless the contract wants to hear of it.
func (d *delivery) all(t kv.Txn, a *Answer) error {
	if d.Record {
		return nil
	}
	for i, m := range a.Messages {
		if a.submessages == nil {
			if err := d.one(t, m); err != nil {
				return err
			}
			continue
		}
		if err := d.submessage(t, m, a.submessages[i], a); err != nil {
			return err
		}
	}
	return nil
}

// submessage delivers a message and tells the contract how it went, if that is
// asked for. What a failed one has written is discarded.
func (d *delivery) submessage(t kv.Txn, m cw721.OutMsg, sub wasm.SubMessage, a *Answer) error {
	trial := kv.NewOverlay(t)
	err := d.one(trial, m)
	if err == nil {
		err = trial.Flush(t)
	}
	refusal, trouble := refusalOf(err)
	switch {
	case trouble != nil:
		return trouble
	case refusal != nil && sub.ReplyOn != "error" && sub.ReplyOn != "always":
		return refusal
	case refusal == nil && sub.ReplyOn != "success" && sub.ReplyOn != "always":
		return nil
	}
	result := wasm.ReplyResult{Ok: &wasm.ReplyOk{}}
	if refusal != nil {
		// A chain keeps the text to itself, since it might differ between nodes.
		result = wasm.ReplyResult{Error: "codespace: wasm, code: 5"}
	}
	return d.deeper(func() error {
		said, err := d.code.(hosted).reply(t, d.env, wasm.Reply{ID: sub.ID, Payload: sub.Payload, Result: result})
		a.Attributes = append(a.Attributes, said.Attributes...)
		return cmp.Or(err, d.all(t, &said))
	})
}

func (d *delivery) deeper(do func() error) error {
	if d.depth == deepest {
		return d.refuse("dispatch: submessages: more than %d messages follow from each other", deepest)
	}
	d.depth++
	defer func() { d.depth-- }()
	return do()
}

func (d *delivery) refuse(format string, args ...any) error {
	return &cw721.Error{Kind: KindChain, Text: fmt.Sprintf(format, args...), Field: "contract"}
}

func (d *delivery) one(t kv.Txn, m cw721.OutMsg) error {
	_, isCompiled := d.code.(hosted)
	switch {
	case m.Bank != nil:
		return nil // coins are not kept here, so a payment always works
	case m.Wasm == nil:
		return d.refuse("dispatch: submessages: there is nothing on this chain that takes %s", m.Other)
	case m.Wasm.Contract == d.Self && isCompiled:
		return d.deeper(func() error {
			a, err := d.code.Execute(t, d.env, cw721.Info{Sender: d.Self}, Message{JSON: m.Wasm.Msg})
			return cmp.Or(err, d.all(t, &a))
		})
	}
	return d.to(m.Wasm.Contract)
}

func (d *delivery) to(to cw721.Address) error {
	if to == d.Self {
		return d.refuse("dispatch: submessages: the collection itself does not take receive_nft: execute wasm contract failed")
	}
	receiver, err := d.receiverAt(to)
	switch {
	case err != nil:
		return err
	case receiver == ReceiverPlain:
		return d.refuse("address %s"+noContract, to)
	case receiver == ReceiverRejects:
		return d.refuse("dispatch: submessages: contract %s"+rejected+"execute wasm contract failed", to)
	}
	return nil
}

// ReceiverBehind tells from the refusal of a delivery what was at the address:
// the history keeps answers, not what people said about contracts. ok is false
// for a refusal that has another reason.
func ReceiverBehind(kind cw721.Kind, text string) (r Receiver, ok bool) {
	switch {
	case kind != KindChain:
		return "", false
	case strings.HasSuffix(text, noContract):
		return ReceiverPlain, true
	case strings.Contains(text, rejected):
		return ReceiverRejects, true
	}
	return "", false
}
