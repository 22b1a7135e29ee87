package chain

import (
	"fmt"

	"ephemera/core/cw721"
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
		return refuse("address %s: no such contract", to)
	case receiver == ReceiverRejects:
		return refuse("dispatch: submessages: contract %s rejected the token: execute wasm contract failed", to)
	}
	return nil
}
