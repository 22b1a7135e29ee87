package chain

import (
	"fmt"
	"strings"

	"ephemera/core/cw721"
)

// What the refusals of a delivery are known by; see [ReceiverBehind].
const (
	noContract = ": no such contract"
	rejected   = " rejected the token: "
)

// deliver hands the contract's messages to where they go. A receiver that says
// no reverts everything (spec §5).
func (s *session) deliver(response cw721.Response) error {
	if s.Record {
		return nil
	}
	for _, m := range response.Messages {
		if m.Wasm == nil {
			continue // coins are not kept here, so a payment always works
		}
		if err := s.deliverTo(m.Wasm.Contract); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) deliverTo(to cw721.Address) error {
	refuse := func(format string, args ...any) error {
		return &cw721.Error{Kind: KindChain, Text: fmt.Sprintf(format, args...), Field: "contract"}
	}
	if to == s.Self {
		return refuse("dispatch: submessages: the collection itself does not take receive_nft: execute wasm contract failed")
	}
	receiver, err := s.receiverAt(to)
	switch {
	case err != nil:
		return err
	case receiver == ReceiverPlain:
		return refuse("address %s"+noContract, to)
	case receiver == ReceiverRejects:
		return refuse("dispatch: submessages: contract %s"+rejected+"execute wasm contract failed", to)
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
