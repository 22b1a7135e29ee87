package chain

import (
	"ephemera/core/kv"
)

// Query returns the contract's answer to a query, as JSON. It replaces the "$names" in the
// query by addresses, and sets LogLines to what the contract logs and IgnoredMembers to what it ignores.
//
// Query fails with [ErrNoCollection] if there is no collection, with a [*cw721.Error] if
// the contract refuses the query, and with a [*wire.UnknownNameError] for an unknown name.
// If the compiled contract and the built-in one are compared and answer differently, it
// returns the compiled contract's answer and a [*DifferenceError].
func (v *View) Query(text []byte) ([]byte, error) {
	if !v.hasCollection {
		return nil, ErrNoCollection
	}
	code, err := v.runningContract()
	if err != nil {
		return nil, err
	}
	msg, err := readMessage(code, queryMessage, text, v.Book)
	if err != nil {
		return nil, err
	}

	v.LogLines = nil
	v.IgnoredMembers = msg.IgnoredMembers
	code = withLog(code, &v.LogLines)
	if compiledCode, isCompiled := code.(compiled); isCompiled && v.modules.Compare {
		return v.compareQuery(compiledCode, msg)
	}
	return code.Query(v.records, v.env(), msg)
}

// Query returns the contract's answer to a query, as [View.Query] does, on the chain as it is
// now. It reads no history, so it takes little longer than the contract itself.
func (c *Chain) Query(text []byte) (answer []byte, err error) {
	config, err := c.existingConfig()
	if err != nil {
		return nil, err
	}
	err = c.db.View(func(reader kv.Reader) error {
		view, err := newView(reader, config, c.modules)
		if err != nil {
			return err
		}
		answer, err = view.Query(text)
		return err
	})
	return answer, err
}

// compareQuery returns the answer of the compiled contract to a query. If the built-in
// contract answers differently, it also fails with a [*DifferenceError]. Another storage
// layout counts as a difference until a message has reported it.
func (v *View) compareQuery(code compiled, msg Message) ([]byte, error) {
	layoutDifference, hasOtherLayout, err := v.modules.reportOtherLayout(v.records)
	if err != nil {
		return nil, err
	}

	if hasOtherLayout {
		v.modules.reportLayoutAgain(layoutDifference)
		answer, err := code.Query(v.records, v.env(), msg)
		if err != nil || layoutDifference == nil {
			return answer, err
		}
		return answer, &DifferenceError{*layoutDifference}
	}

	reference := v.compareWithBuiltIn(code).reference
	builtInAnswer, builtInErr := reference.Query(v.records, v.env(), msg)
	answer, err := code.Query(v.records, v.env(), msg)
	if isInternalError(err) {
		return nil, err
	}
	difference := compareOutcomes(answer, err, builtInAnswer, builtInErr, nil)
	if difference != nil {
		return answer, &DifferenceError{*difference}
	}
	return answer, err
}
