package chain

import (
	"errors"
	"fmt"

	"ephemera/core/chain/agenda"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Receipt is what a message did.
type Receipt struct {
	Block  cw721.Block
	Sender cw721.Address
	// Message is the message as sent, names replaced by addresses.
	Message []byte
	// Response is what the contract answered; empty where it refused.
	Response cw721.Response
	// Refusal is why it was turned down; nil when it was carried out.
	Refusal *cw721.Error
	// Changes is what it changed of the contract's records, keys as the
	// contract has them.
	Changes []kv.Change
	// Node is its place in the history; 0 in a preview.
	Node     history.ID
	Revision uint64
}

// Err gives the refusal as an error, nil when there is none.
func (r Receipt) Err() error {
	if r.Refusal == nil {
		return nil
	}
	return r.Refusal
}

// Execute runs one execute message for a sender, in the block of the clock.
// A refusal is in the receipt and is remembered. The error is trouble with the
// store, or a name in the message that nobody has.
func (c *Chain) Execute(sender cw721.Address, msg []byte) (r Receipt, err error) {
	err = c.update(func(s *session) error {
		r, err = s.execute(sender, msg)
		return err
	})
	return r, err
}

// Instantiate runs the instantiate message on a chain that was begun without a
// collection. It fails with [ErrCollection] when there is one.
func (c *Chain) Instantiate(sender cw721.Address, msg []byte) (r Receipt, err error) {
	err = c.update(func(s *session) error {
		r, err = s.instantiate(sender, msg)
		return err
	})
	return r, err
}

// Preview tells what an execute message would do and leaves nothing behind.
func (c *Chain) Preview(sender cw721.Address, msg []byte) (r Receipt, err error) {
	err = c.trial(func(s *session) error {
		r, err = s.execute(sender, msg)
		r.Node = 0
		return err
	})
	return r, err
}

// PreviewInstantiate tells what an instantiate message would do on a new chain.
func PreviewInstantiate(g Genesis, sender cw721.Address, msg []byte) (Receipt, error) {
	trial, err := Open(kv.NewMemory())
	if err != nil {
		return Receipt{}, err
	}
	r, err := trial.Create(g, sender, msg)
	if cw721.AsError(err) != nil {
		return r, nil
	}
	return r, err
}

// work is what a message does inside its transaction.
type work func(contract kv.Txn, env cw721.Env) (cw721.Response, error)

func (s *session) execute(sender cw721.Address, raw []byte) (Receipt, error) {
	if _, ok, err := cw721.LoadVersion(s.contract); err != nil || !ok {
		return Receipt{}, firstOf(err, ErrNoCollection)
	}
	msg, named, err := s.Contract().DecodeExecute(raw, names(s.accounts))
	if named {
		raw = cw721.Encode(msg)
	}
	if err != nil && cw721.AsError(err) == nil {
		return Receipt{}, err
	}
	return s.run(history.KindExecute, sender, raw, func(contract kv.Txn, env cw721.Env) (cw721.Response, error) {
		if err != nil {
			return cw721.Response{}, err
		}
		return s.Contract().Run(contract, env, cw721.Info{Sender: sender}, msg)
	})
}

func (s *session) instantiate(sender cw721.Address, raw []byte) (Receipt, error) {
	if _, ok, err := cw721.LoadVersion(s.contract); err != nil || ok {
		return Receipt{}, firstOf(err, ErrCollection)
	}
	msg, named, err := s.Contract().DecodeInstantiate(raw, names(s.accounts))
	if named {
		raw = cw721.Encode(msg)
	}
	if err != nil && cw721.AsError(err) == nil {
		return Receipt{}, err
	}
	r, fault := s.run(history.KindInstantiate, sender, raw, func(contract kv.Txn, env cw721.Env) (cw721.Response, error) {
		if err != nil {
			return cw721.Response{}, err
		}
		return s.Contract().RunInstantiate(contract, env, cw721.Info{Sender: sender}, msg)
	})
	if fault != nil || r.Refusal != nil {
		return r, fault
	}
	// Going back to before the collection would leave nothing to look at.
	return r, firstOf(instantiatorItem.Save(s.meta, sender), s.seal())
}

// run carries a message out over what is stored, so that a refusal leaves
// nothing of it, and remembers it either way.
func (s *session) run(kind history.Kind, sender cw721.Address, raw []byte, do work) (Receipt, error) {
	clock, _, err := clockItem.Load(s.meta)
	if err != nil {
		return Receipt{}, err
	}
	r := Receipt{Block: clock.Block(), Sender: sender, Message: raw}
	draft := kv.NewOverlay(s.contract)
	response, err := do(draft, s.env(clock))
	if err == nil {
		err = s.deliver(response)
	}
	if r.Refusal, err = refusalOf(err); err != nil {
		return r, err
	}
	var all []kv.Change
	if r.Refusal == nil {
		r.Response = response
		if r.Changes, err = draft.Changes(); err != nil {
			return r, err
		}
		all, err = s.write(r.Changes, r.Block)
		if r.Refusal, err = refusalOf(err); err != nil {
			return r, err
		}
	}
	return r, s.remember(kind, &r, all)
}

// write puts changes of the contract's records into the store and brings the
// agenda in step. It gives everything that changed: what undo reverts.
func (s *session) write(changes []kv.Change, now cw721.Block) ([]kv.Change, error) {
	rec := kv.NewRecorder(s.t)
	err := firstOf(
		kv.Apply(kv.Prefixed(rec, contractPart), changes),
		agenda.Follow(kv.Prefixed(rec, agendaPart), now, changes),
	)
	return rec.Changes(), err
}

func (s *session) env(clock Clock) cw721.Env {
	creator, _, _ := instantiatorItem.Load(s.meta)
	return cw721.Env{Block: clock.Block(), Self: s.Self, Instantiator: creator}
}

// refusalOf tells a refusal from trouble: it gives one or the other. What is
// too large for a store is refused as too large.
func refusalOf(err error) (*cw721.Error, error) {
	if e := cw721.AsError(err); e != nil {
		return e, nil
	}
	var limit *kv.LimitError
	if errors.As(err, &limit) {
		return &cw721.Error{Kind: KindLimit, Text: limit.Error()}, nil
	}
	return nil, err
}

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

// remember adds the message to the history, with everything that it changed.
func (s *session) remember(kind history.Kind, r *Receipt, changes []kv.Change) error {
	n := history.Node{
		Kind: kind, Height: r.Block.Height, Time: r.Block.Time,
		Sender: r.Sender, Message: string(r.Message),
	}
	if r.Refusal != nil {
		n.Refusal = &history.Refusal{Kind: r.Refusal.Kind, Text: r.Refusal.Text, Field: r.Refusal.Field}
	} else {
		n.Answer = wire.Encode(r.Response)
	}
	state, err := history.Load(s.history)
	if err != nil {
		return err
	}
	if n, err = state.Append(s.history, n, changes); err != nil {
		return err
	}
	state.Revision++
	r.Node, r.Revision = n.ID, state.Revision
	return state.Save(s.history)
}

// rememberMove adds a move of the clock to the history, or to the play that it
// goes on.
func (s *session) rememberMove(m *Move, step Step, change kv.Change) error {
	state, err := history.Load(s.history)
	if err != nil {
		return err
	}
	n := history.Node{
		Kind: history.KindClock, Height: m.From.Height, Time: m.From.Time,
		Message: string(wire.Encode(m.From)), Answer: wire.Encode(m.To),
	}
	state.Revision++
	if step.Joins != 0 && step.Joins == state.Head {
		if n, err = history.Get(s.history, step.Joins); err != nil {
			return err
		}
		began, err := history.Changes(s.history, n.ID)
		if err != nil {
			return err
		}
		for _, c := range began {
			change.Old = c.Old
		}
		n.Answer = wire.Encode(m.To)
		err = state.Amend(s.history, n, []kv.Change{change})
		m.Node, m.Revision = n.ID, state.Revision
		return firstOf(err, state.Save(s.history))
	}
	if n, err = state.Append(s.history, n, []kv.Change{change}); err != nil {
		return err
	}
	m.Node, m.Revision = n.ID, state.Revision
	return state.Save(s.history)
}
