package lesson

import (
	"fmt"
	"maps"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/scenario"
)

// world plays the steps of a lesson on a contract that may be wrong in one
// rule. It has no history and no names of its own: a chain has those, and runs
// the true contract only.
type world struct {
	genesis   chain.Genesis
	clock     chain.Clock
	receivers map[cw721.Address]chain.Receiver
	store     kv.DB
	lie       rule // the zero rule tells the truth
	memory
}

// newWorld makes the world in which a scenario begins, where the truth is told.
func newWorld(h scenario.Header) (*world, error) {
	g, err := h.Genesis()
	if err == nil {
		g, err = g.WithDefaults()
	}
	w := &world{
		genesis: g, clock: g.Clock, store: kv.NewMemory(), receivers: map[cw721.Address]chain.Receiver{},
		memory: memory{granted: map[approvalOf]cw721.Address{}, held: map[grantOf][]string{}},
	}
	for _, a := range g.Accounts {
		w.receivers[a.Address] = a.Receiver
	}
	return w, err
}

// copy gives the world as it is now, and so that it lies from here on.
func (w *world) copy(lie Lie) (*world, error) {
	c := *w
	c.lie, c.store = find(lie).rule, kv.NewMemory()
	c.receivers = maps.Clone(w.receivers)
	c.memory = memory{maps.Clone(w.granted), maps.Clone(w.held), w.owners[:len(w.owners):len(w.owners)]}
	return &c, w.store.View(func(r kv.Reader) error {
		return c.store.Update(func(t kv.Txn) error {
			for p, err := range r.Scan(kv.Range{}) {
				if err == nil {
					err = t.Set([]byte(string(p.Key)), []byte(string(p.Value)))
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// play plays a step and gives what its message came to; nothing for a step
// without one. It fails where the clock cannot go where the step is, and for a
// name that nobody has.
func (w *world) play(s *scenario.Step) (a scenario.Answer, err error) {
	for _, c := range s.Contracts {
		who, err := w.genesis.Resolve(c.Name)
		if err != nil {
			return a, err
		}
		w.receivers[who] = c.Receiver
	}
	if at := s.At; at != nil {
		w.clock, err = w.clock.Set(at.Height, at.Time)
	} else if s.Advance != nil {
		w.clock, err = w.clock.Forward(s.Advance.Blocks, s.Advance.Time)
	}
	if err != nil || s.Kind == scenario.None {
		return a, err
	}
	if s.Kind == scenario.Query {
		a.JSON, err = w.query(s.Message)
	} else {
		var r cw721.Response
		r, err = w.send(s)
		a.Response = &r
	}
	if a.Refusal = cw721.AsError(err); a.Refusal != nil {
		err = nil
	}
	return a, err
}

// judge plays a step and compares what it came to with what it expects.
func (w *world) judge(s *scenario.Step) (*scenario.Mismatch, error) {
	a, err := w.play(s)
	if err != nil {
		return nil, err
	}
	return s.Judge(a, func(name string) string {
		address, _ := w.names(name)
		return address
	}), nil
}

func (w *world) names(name string) (address string, ok bool) {
	a, err := w.genesis.Resolve("$" + name)
	return string(a), err == nil
}

// env is what the contract takes for the current block.
func (w *world) env() cw721.Env {
	b := w.clock.Block()
	if w.lie.block != nil {
		b = w.lie.block(b)
	}
	return cw721.Env{Block: b, Self: w.genesis.Self}
}

func (w *world) query(raw []byte) (answer []byte, err error) {
	c := w.genesis.Contract()
	msg, _, err := c.DecodeQuery(raw, w.names)
	if err != nil {
		return nil, err
	}
	err = w.store.View(func(r kv.Reader) error {
		if w.lie.answer != nil {
			answer, err = w.lie.answer(c, r, w.env(), msg)
		} else {
			answer, err = c.Answer(r, w.env(), msg)
		}
		return err
	})
	return answer, err
}

// send carries a message out with all that it sends on, or takes it back whole.
func (w *world) send(s *scenario.Step) (r cw721.Response, err error) {
	sender, err := w.genesis.Resolve(s.As)
	if err != nil {
		return r, err
	}
	var refused error // by the receiver
	err = w.store.Update(func(t kv.Txn) (err error) {
		if r, err = w.carryOut(t, s, sender); err != nil {
			return err
		}
		if refused = w.deliver(r); !w.lie.keepsRefused {
			return refused
		}
		return nil
	})
	if err == nil {
		err = refused
	}
	return r, err
}

func (w *world) carryOut(t kv.Txn, s *scenario.Step, sender cw721.Address) (r cw721.Response, err error) {
	c := w.genesis.Contract()
	if s.Kind == scenario.Instantiate {
		msg, _, err := c.DecodeInstantiate(s.Message, w.names)
		if err != nil {
			return r, err
		}
		return c.RunInstantiate(t, w.env(), cw721.Info{Sender: sender}, msg)
	}
	msg, _, err := c.DecodeExecute(s.Message, w.names)
	if err != nil {
		return r, err
	}
	x := &turn{Contract: c, t: t, env: w.env(), sender: sender, msg: msg, memory: &w.memory}
	run := w.lie.run
	if run == nil {
		run = (*turn).truth
	}
	if r, err = run(x); err != nil {
		return r, err
	}
	return r, x.remember()
}

// deliver asks the receivers of a message, as a chain does.
func (w *world) deliver(r cw721.Response) error {
	for _, m := range r.Messages {
		if m.Wasm == nil || w.genesis.Record {
			continue
		}
		to := m.Wasm.Contract
		found, err := chain.Account{Address: to, Receiver: w.receivers[to]}.Found(w.genesis.Prefix)
		if err != nil {
			return err
		}
		if found != chain.ReceiverAccepts {
			return &cw721.Error{Kind: chain.KindChain, Text: fmt.Sprintf("%s does not take the token", to), Field: "contract"}
		}
	}
	return nil
}
