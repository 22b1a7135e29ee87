package chain

import (
	"cmp"
	"errors"
	"strings"

	"ephemera/core/chain/expiry"
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
	// Ignored are the members of the message that the contract passed over.
	Ignored []cw721.Ignored
	// Response is what the contract answered; empty where it refused.
	Response cw721.Response
	// Refusal is why it was turned down; nil when it was carried out.
	Refusal *cw721.Error
	// Changes is what it changed of the contract's records, keys as the
	// contract has them.
	Changes []kv.Change
	// Node is its place in the history; 0 where it has none, as in a preview.
	Node     history.ID
	Revision uint64
	// Debug is what a compiled contract logged, the first lines.
	Debug []string
	// Difference is what the built-in contract would have done otherwise, where
	// that is compared; nil where nothing.
	Difference *Difference
}

// Err gives the refusal as an error, nil when there is none.
func (r Receipt) Err() error {
	if r.Refusal == nil {
		return nil
	}
	return r.Refusal
}

// Execute runs one execute message for a sender, in the block of the clock.
// A refusal is in the receipt and is remembered, but for a message of more than
// 160 KiB, which is not. The error is trouble with the store, or a name in the
// message that nobody has ([*wire.UnknownNameError]).
func (c *Chain) Execute(sender cw721.Address, msg []byte) (Receipt, error) {
	return c.run(executeStep, sender, msg)
}

// Instantiate runs the instantiate message on a chain that was begun without a
// collection. It fails with [ErrCollection] when there is one.
func (c *Chain) Instantiate(sender cw721.Address, msg []byte) (Receipt, error) {
	return c.run(instantiateStep, sender, msg)
}

func (c *Chain) run(step step, sender cw721.Address, msg []byte) (Receipt, error) {
	return change(c, func(s *session) (Receipt, error) { return s.run(step, sender, msg) })
}

// Preview tells what an execute message would do and leaves nothing behind.
func (c *Chain) Preview(sender cw721.Address, msg []byte) (Receipt, error) {
	return Read(c, func(v *View) (Receipt, error) { return v.Preview(sender, msg) })
}

// PreviewInstantiate tells what an instantiate message would do on a new chain.
// A refusal is in the receipt. The compiled contract, if there is one, is ready
// then for [Chain.Create].
func (c *Chain) PreviewInstantiate(g Genesis, sender cw721.Address, msg []byte) (Receipt, error) {
	trial := &Chain{db: kv.NewMemory(), modules: c.modules}
	r, err := trial.Create(g, sender, msg)
	r.Node, r.Revision = 0, 0
	if refusal := cw721.AsError(err); refusal != nil {
		r.Refusal, err = refusal, nil
	}
	return r, err
}

// PreviewInstantiate is [Chain.PreviewInstantiate] where there is no chain yet.
func PreviewInstantiate(g Genesis, sender cw721.Address, msg []byte) (Receipt, error) {
	return (&Chain{modules: newModules(Options{})}).PreviewInstantiate(g, sender, msg)
}

// step is a message on its way into the history.
type step struct {
	kind    history.Kind
	message messageKind
	do      func(code Contract, t kv.Txn, env cw721.Env, info cw721.Info, msg []byte) (Answer, error)
	// code carries it out, and to is run from then on; nil for the contract that
	// the chain runs.
	code Contract
	to   *StoredModule
}

var (
	executeStep     = step{kind: history.KindExecute, message: executeMessage, do: Contract.Execute}
	instantiateStep = step{kind: history.KindInstantiate, message: instantiateMessage, do: Contract.Instantiate}
)

// run carries a message out and remembers it. What a refused message wrote until
// then is dropped.
func (s *session) run(step step, sender cw721.Address, raw []byte) (Receipt, error) {
	now, err := loadBlockState(s.meta)
	begins := step.kind == history.KindInstantiate
	switch {
	case err != nil:
		return Receipt{}, err
	case begins && now.collection:
		return Receipt{}, ErrCollection
	case !begins && !now.collection:
		return Receipt{}, ErrNoCollection
	case len(raw) > longestMessage: // too long to be looked at, or to be kept in the history
		refusal, _ := refusalOf(&kv.LimitError{What: "message", Size: len(raw), Max: longestMessage})
		return Receipt{Block: now.Block(), Sender: sender, Message: raw, Refusal: refusal}, nil
	}
	code := step.code
	if code == nil {
		if code, err = s.modules.contract(s.t, s.Config); err != nil {
			return Receipt{}, err
		}
	}
	raw, ignored, err := read(code, step.message, raw, s.accounts)
	if err != nil {
		return Receipt{}, err
	}
	r := Receipt{Block: now.Block(), Sender: sender, Message: raw, Ignored: ignored}
	code = logging(code, &r.Debug)
	trial := kv.NewOverlay(s.t) // dropped when the message is refused
	other := s.compared(code)
	if other != nil && s.modules.Compare {
		code = other
	}
	d := delivery{session: s, code: code, env: cw721.Env{Block: r.Block, Self: s.Self}}
	contract := kv.Prefixed(trial, contractPart)
	answer, err := step.do(code, contract, d.env, cw721.Info{Sender: sender}, raw)
	if err == nil {
		err = d.all(contract, &answer)
	}
	if other != nil {
		r.Difference = other.found
	}
	if r.Refusal, err = refusalOf(err); err != nil {
		return r, err
	}
	if r.Refusal != nil {
		err = s.remember(step.kind, &r, nil)
		return r, err
	}
	r.Response = answer.Response
	meta := kv.Prefixed(trial, metaPart)
	if begins {
		now.collection = true
		err = cmp.Or(blockStateItem.Save(meta, now), instantiatorItem.Save(meta, sender))
	}
	err = cmp.Or(err, step.to.save(meta))
	if begins || step.to != nil {
		err = cmp.Or(err, s.saveCode(meta, contract, begins))
	}
	if err != nil {
		return r, err
	}
	all, err := trial.Changes()
	if err == nil {
		err = kv.Apply(s.t, all)
	}
	if err != nil {
		return r, err
	}
	r.Changes = contractChanges(all)
	ends, err := s.follow(r.Changes, r.Block)
	if err != nil {
		return r, err
	}
	err = s.remember(step.kind, &r, append(ends, all...))
	return r, err
}

// follow brings the expiry index in step with what changed of the contract's records.
func (s *session) follow(changes []kv.Change, now cw721.Block) ([]kv.Change, error) {
	if s.modules.any.Load() {
		changes = readable(changes)
	}
	ends, err := expiry.Update(s.expiry, now, changes)
	for i := range ends {
		ends[i].Key = append(expiryPart[:1:1], ends[i].Key...)
	}
	if err != nil {
		return nil, err
	}
	return ends, kv.Apply(s.t, ends)
}

// longestMessage is the most that one message may hold: what it does and what
// is remembered of it fit into one transaction of a store. Only what is large
// twice, a record and its id, may not; then the store says [kv.ErrTooBig].
const longestMessage = 160 << 10 // bytes

// refusalOf tells a refusal from trouble: it gives one or the other. What is
// too large for a store is refused as too large.
func refusalOf(err error) (*cw721.Error, error) {
	if err == nil {
		return nil, nil
	}
	if e := cw721.AsError(err); e != nil {
		return e, nil
	}
	var limit *kv.LimitError
	if errors.As(err, &limit) {
		return &cw721.Error{Kind: KindLimit, Text: limit.Error()}, nil
	}
	return nil, err
}

const usualAnswer = 512 // bytes

// remember adds the message to the history, with everything that it changed.
func (s *session) remember(kind history.Kind, r *Receipt, changes []kv.Change) error {
	n := history.Node{
		Kind: kind, Height: r.Block.Height, Time: r.Block.Time,
		Sender: r.Sender, Message: string(r.Message),
	}
	if r.Refusal != nil {
		n.Refusal = &history.Refusal{Kind: r.Refusal.Kind, Text: r.Refusal.Text, Field: r.Refusal.Field}
	} else {
		n.Answer = wire.Append(make([]byte, 0, usualAnswer), r.Response)
	}
	n.Debug = strings.Join(r.Debug, "\n")
	if r.Difference != nil {
		n.Difference = wire.Encode(*r.Difference)
	}
	state, err := history.Load(s.history)
	if err != nil {
		return err
	}
	if n, err = state.Append(s.history, n, changes); err != nil {
		return err
	}
	if kind == history.KindInstantiate && r.Refusal == nil {
		// Going back to before the collection would leave nothing to look at.
		state.Base = n.ID
	}
	state.Revision++
	r.Node, r.Revision = n.ID, state.Revision
	return state.Save(s.history)
}
