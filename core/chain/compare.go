package chain

import (
	"cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
	"ephemera/core/wire"
)

// comparedContract is a compiled contract whose calls also run on the built-in contract. The
// result of a call is always that of the compiled contract.
type comparedContract struct {
	compiled
	reference builtIn // the contract to compare with
	// difference is the first difference that was found in any call; nil for none. One
	// message can lead to several calls, because the contract can send messages to itself.
	difference *Difference
	modules    *modules // remember whether another storage layout was reported before
}

// compareWithBuiltIn returns nil if code is itself the built-in contract.
func (t transaction[S]) compareWithBuiltIn(code Contract) *comparedContract {
	compiledCode, isCompiled := code.(compiled)
	if !isCompiled {
		return nil
	}
	reference := builtIn{Contract: t.Contract(), code: t.Contract(), meta: compiledCode.meta}
	return &comparedContract{compiled: compiledCode, reference: reference, modules: t.modules}
}

// Instantiate runs an instantiate message on both contracts and compares them. Another storage
// layout is the only difference that it keeps, because then all records differ.
func (c *comparedContract) Instantiate(in call) (Answer, error) {
	txn := in.txn
	answer, err := c.runBoth(txn, func(code Contract, store kv.Txn) (Answer, error) {
		in.txn = store
		return code.Instantiate(in)
	})
	if err != nil {
		return answer, err
	}
	difference, hasOtherLayout, err := c.modules.reportOtherLayout(txn)
	if err != nil {
		return answer, err
	}
	if hasOtherLayout {
		c.difference = difference
	}
	return answer, nil
}

// Execute runs an execute message on both contracts, or only on the compiled one if the
// built-in one cannot read the storage's layout.
func (c *comparedContract) Execute(in call) (Answer, error) {
	difference, hasOtherLayout, err := c.modules.reportOtherLayout(in.txn)
	if err != nil {
		return Answer{}, err
	}
	if hasOtherLayout {
		c.difference = cmp.Or(difference, c.difference)
		return c.compiled.Execute(in)
	}
	return c.runBoth(in.txn, func(code Contract, store kv.Txn) (Answer, error) {
		in.txn = store
		return code.Execute(in)
	})
}

// reply compares the answer with an empty one, because the built-in contract gets no replies.
func (c *comparedContract) reply(txn kv.Txn, env cw721.Env, reply wasm.Reply) (Answer, error) {
	emptyResponse := cw721.Response{
		Attributes: []cw721.EventAttribute{},
		Messages:   []cw721.OutMsg{},
	}
	return c.runBoth(txn, func(code Contract, store kv.Txn) (Answer, error) {
		if compiledCode, isCompiled := code.(compiled); isCompiled {
			return compiledCode.reply(store, env, reply)
		}
		return Answer{Response: emptyResponse}, nil
	})
}

// reportOtherLayout finds out whether the storage has another layout than that of the built-in
// contract, so that the two cannot be compared. Only the first call also returns a difference.
func (m *modules) reportOtherLayout(
	records kv.Reader,
) (difference *Difference, hasOtherLayout bool, err error) {
	layout, _, err := cw721.FindLayout(records)
	if err != nil || layout == cw721.CurrentLayout {
		return nil, false, err
	}
	if wasReported := m.isLayoutReported.Swap(true); wasReported {
		return nil, true, nil
	}
	return &Difference{
		Compiled: wire.Raw(otherLayoutText),
		BuiltIn:  wire.Raw(`"the storage layout of cw721 0.19 and later"`),
	}, true, nil
}

// otherLayoutText takes the place of the compiled contract's answer in a [Difference].
const otherLayoutText = `"another storage layout, so the contracts are not compared"`

// reportLayoutAgain makes the next call of [modules.reportOtherLayout] report the layout
// again, if the difference of a preview was about it. A preview may never be shown.
func (m *modules) reportLayoutAgain(difference *Difference) {
	if difference != nil && string(difference.Compiled) == otherLayoutText {
		m.isLayoutReported.Store(false)
	}
}

// runBoth calls run with both contracts, and compares their answers and writes. It stores the
// difference in c, unless c has an earlier one. Only the compiled contract's writes reach txn.
func (c *comparedContract) runBoth(txn kv.Txn, run func(Contract, kv.Txn) (Answer, error)) (Answer, error) {
	builtInWrites := kv.NewOverlay(txn)
	builtInAnswer, builtInErr := run(c.reference, builtInWrites)
	compiledWrites := kv.NewOverlay(txn)
	answer, err := run(c.compiled, compiledWrites)
	if isInternalError(err) {
		return answer, err
	}

	var differingRecords []RecordDifference
	if err == nil && builtInErr == nil {
		var storeErr error
		differingRecords, storeErr = recordsThatDiffer(compiledWrites, builtInWrites)
		if storeErr != nil {
			return answer, storeErr
		}
	}

	compiledJSON := wire.Encode(answer.Response)
	builtInJSON := wire.Encode(builtInAnswer.Response)
	difference := compareOutcomes(compiledJSON, err, builtInJSON, builtInErr, differingRecords)
	c.difference = cmp.Or(c.difference, difference)
	if err != nil {
		return answer, err
	}
	return answer, compiledWrites.Flush(txn)
}

// isInternalError reports whether err is an error other than a contract's refusal.
func isInternalError(err error) bool { return err != nil && cw721.AsError(err) == nil }
