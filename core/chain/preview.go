package chain

import (
	"cmp"
	"errors"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// Preview returns what an execute message would do in the block of the view. It writes
// nothing to the store. It fails as [Chain.Execute] does.
func (v *View) Preview(sender cw721.Address, msg []byte) (Receipt, error) {
	trialSession := newSession(kv.NewOverlay(v.store), v.Config, v.modules.forPreviews())
	receipt, err := v.run(trialSession, sender, msg)
	v.modules.reportLayoutAgain(receipt.Difference)
	return receipt.withoutNode(), err
}

// run executes an execute message in a session, in the block of the view, which may be another
// than the stored one.
func (v *View) run(s *session, sender cw721.Address, msg []byte) (Receipt, error) {
	currentBlock := blockState{v.Clock, v.hasCollection}
	if err := blockStateItem.Save(s.meta, currentBlock); err != nil {
		return Receipt{}, err
	}
	return s.run(executeOperation, sender, msg)
}

// TimedMessage is a message together with its sender and the block to execute it in.
type TimedMessage struct {
	Block   cw721.Block
	Sender  cw721.Address
	Message []byte
}

// TryMessages executes messages one after the other, each on the state that the ones before
// have left. It writes nothing to the store, and does not deliver the messages that the
// contract sends. It stops at the first message that is refused, and returns how many were
// executed before it, and the refusal. A message that takes a compiled contract too much time
// or memory is refused.
func (v *View) TryMessages(messages []TimedMessage) (executedCount int, refusal *cw721.Error, err error) {
	return v.TryThen(messages, nil)
}

// TryThen is [View.TryMessages]. If all messages are executed, it also calls fn, which can be
// nil, with a view of the state that they leave, in the block of v. It returns the error of fn.
func (v *View) TryThen(
	messages []TimedMessage,
	fn func(*View) error,
) (executedCount int, refusal *cw721.Error, err error) {
	trialSession := newSession(kv.NewOverlay(v.store), v.Config, v.modules.forPreviews())
	trialSession.SkipsDelivery = true
	for i, message := range messages {
		viewInBlock := v.InBlock(message.Block)
		receipt, err := viewInBlock.run(trialSession, message.Sender, message.Message)

		// A message that takes too much time or memory would be refused on a chain.
		var limit *wasm.LimitError
		if errors.As(err, &limit) {
			return i, &cw721.Error{Kind: KindLimit, Text: limit.Text}, nil
		}
		if err != nil {
			return i, nil, err
		}
		if receipt.Refusal != nil {
			return i, receipt.Refusal, nil
		}
	}
	if fn != nil {
		read := func(view *View) error { return fn(view.InBlock(v.Clock.Block())) }
		err = callWithView(trialSession.store, v.creationConfig, trialSession.modules, read)
	}
	return len(messages), nil, err
}

// DecodeExecute decodes an execute message in JSON, and replaces "$names" in it by the
// addresses of the accounts. It fails with a [*cw721.Error] of kind parse for an invalid
// message, with a [*wire.UnknownNameError] for an unknown name, and with the store's errors.
func (v *View) DecodeExecute(text []byte) (cw721.ExecuteMsg, error) {
	var storeErr error
	msg, _, err := v.Contract().DecodeExecute(text, v.nameLookup(&storeErr))
	return msg, cmp.Or(storeErr, err)
}

// Code returns the code that executes the messages of the built-in contract; see
// [Options.Mutate].
func (v *View) Code() Code { return v.modules.builtInCode(v.Contract()) }

func (v *View) env() cw721.Env { return cw721.Env{Block: v.Clock.Block(), Self: v.Self} }

// Preview is [View.Preview] on the chain as it is now.
func (c *Chain) Preview(sender cw721.Address, msg []byte) (Receipt, error) {
	return Read(c, func(view *View) (Receipt, error) { return view.Preview(sender, msg) })
}

// PreviewInstantiate returns what an instantiate message would do on a new chain. A refusal is
// in the receipt and no error. If a contract is compiled to machine code for this, c keeps the
// code, so that [Chain.Create] need not compile it again.
func (c *Chain) PreviewInstantiate(genesis Genesis, sender cw721.Address, msg []byte) (Receipt, error) {
	trialChain := &Chain{db: kv.NewMemory(), modules: c.modules}
	receipt, err := trialChain.Create(genesis, sender, msg)
	c.modules.reportLayoutAgain(receipt.Difference) // a preview may never be shown
	receipt = receipt.withoutNode()
	if refusal := cw721.AsError(err); refusal != nil {
		receipt.Refusal = refusal
		return receipt, nil
	}
	return receipt, err
}

// PreviewInstantiate is [Chain.PreviewInstantiate] for callers without a chain.
func PreviewInstantiate(genesis Genesis, sender cw721.Address, msg []byte) (Receipt, error) {
	withoutStore := &Chain{modules: newModules(Options{})}
	return withoutStore.PreviewInstantiate(genesis, sender, msg)
}
