package lesson

import (
	"fmt"
	"maps"
	"strings"

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
	store     *kv.Overlay // over what was there when the world was made
	lie       rule        // the zero rule tells the truth
	memory    memory
}

// world gives the world in which a task (from 0) begins.
func (l Lesson) world(task int) (*world, error) {
	g, err := l.header.Genesis()
	if err == nil {
		g, err = g.WithDefaults()
	}
	if err != nil {
		return nil, err
	}
	w := &world{genesis: g, clock: g.Clock, receivers: map[cw721.Address]chain.Receiver{}, memory: memory{}}
	for _, a := range g.Accounts {
		w.receivers[a.Address] = a.Receiver
	}
	empty := func(r kv.Reader) error { w.store = kv.NewOverlay(r); return nil }
	if err := kv.NewMemory().View(empty); err != nil { // nobody ever writes to it
		return nil, err
	}
	steps := l.setup
	for _, t := range l.Tasks[:task] {
		steps = append(steps[:len(steps):len(steps)], t.steps...)
	}
	for i := range steps {
		if _, err := w.play(&steps[i]); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// copy gives the world as it is now, to go on under a contract that may lie. The
// world itself must not go on after it.
func (w *world) copy(lie Lie) *world {
	c := *w
	c.lie, c.store = find(lie).rule, kv.NewOverlay(w.store)
	c.receivers, c.memory = maps.Clone(w.receivers), maps.Clone(w.memory)
	return &c
}

// play plays a step and tells what its message came to, with names in the place
// of addresses; "" for a step without one. It fails where the clock cannot go
// where the step is, and for a name that nobody has.
func (w *world) play(s *scenario.Step) (told string, err error) {
	for _, c := range s.Contracts {
		who, err := w.genesis.Resolve(c.Name)
		if err != nil {
			return "", err
		}
		w.receivers[who] = c.Receiver
	}
	if at := s.At; at != nil {
		w.clock, err = w.clock.Set(at.Height, at.Time)
	} else if s.Advance != nil {
		w.clock, err = w.clock.Forward(s.Advance.Blocks, s.Advance.Time)
	}
	if err != nil {
		return "", err
	}
	switch told = "done"; s.Kind {
	case scenario.None:
		return "", nil
	case scenario.Query:
		var answer []byte
		answer, err = w.query(s.Message)
		told = string(answer)
	default:
		err = w.send(s)
	}
	if refusal := cw721.AsError(err); refusal != nil {
		told, err = "refused: "+refusal.Text, nil
	}
	for _, known := range w.genesis.Accounts {
		told = strings.ReplaceAll(told, string(known.Address), known.Name)
	}
	return told, err
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

func (w *world) query(raw []byte) ([]byte, error) {
	c := w.genesis.Contract()
	msg, _, err := c.DecodeQuery(raw, w.names)
	switch {
	case err != nil:
		return nil, err
	case w.lie.answer != nil:
		return w.lie.answer(c, w.store, w.env(), msg)
	}
	return c.Answer(w.store, w.env(), msg)
}

// send carries a message out with all that it sends on, or leaves nothing of it.
func (w *world) send(s *scenario.Step) error {
	sender, err := w.genesis.Resolve(s.As)
	if err != nil {
		return err
	}
	t := kv.NewOverlay(w.store)
	r, err := w.carryOut(t, s, sender)
	if err != nil {
		return err
	}
	if err = w.deliver(r); err != nil && !w.lie.keepsRefused {
		return err
	}
	if fault := t.Flush(w.store); fault != nil {
		return fault
	}
	return err
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
	run := (*turn).truth
	if w.lie.run != nil {
		run = w.lie.run
	}
	x := &turn{Contract: c, t: t, env: w.env(), sender: sender, msg: msg, memory: w.memory}
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
