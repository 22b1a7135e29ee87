package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/ui/app"
)

// messageKind is what a text in the editor is: a message that changes the chain, a
// query, the message that creates a collection, or none of them.
type messageKind int

// The kinds of messages.
const (
	noMessage messageKind = iota
	executeMessage
	queryMessage
	instantiateMessage
	undecidedMessage // any message of a compiled contract, which alone can tell its kind
)

// String returns the word that the title shows for a kind; "" for no message.
func (k messageKind) String() string {
	return [...]string{"", "execute", "query", "instantiate", "message"}[k]
}

// kindOf returns the kind of a text by the name of its first member: {"burn":…} is an
// execute message, because "burn" is the name of one. If the text is no message, kind is
// noMessage and problem says why; problem is empty for a blank text. Every message of a
// compiled contract is undecided, since only the contract knows its messages.
func kindOf(rules cw721.Rules, isCompiled bool, text string) (kind messageKind, problem string) {
	if strings.TrimSpace(text) == "" {
		return noMessage, ""
	}
	name, problem := messageName(text)
	switch {
	case problem != "":
		return noMessage, problem
	case isCompiled:
		return undecidedMessage, ""
	case slices.Contains(rules.ExecuteNames(), name):
		return executeMessage, ""
	case slices.Contains(rules.QueryNames(), name):
		return queryMessage, ""
	case slices.Contains(wire.MemberNames(new(cw721.InstantiateMsg)), name):
		return instantiateMessage, ""
	}
	return noMessage, fmt.Sprintf("no message is named %q; tab offers those that begin like it", name)
}

// messageName returns the name of the first member of a JSON object, such as "burn" in
// {"burn":…}. The text may end behind the name. problem says why there is no name, and is
// otherwise empty.
func messageName(text string) (name, problem string) {
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	brace, err := decoder.ReadToken()
	if err != nil || brace.Kind() != '{' {
		return "", "a message is an object with one key: {\"burn\":{…}}"
	}
	key, err := decoder.ReadToken()
	if err != nil || key.Kind() != '"' {
		return "", "the name of a message is missing; tab offers them, ctrl+t shows templates"
	}
	return key.String(), ""
}

// outcome is the result of a message that was tried or sent, or the answer to a query.
type outcome struct {
	text       string // the message that was tried; empty for one that was sent
	kind       messageKind
	receipt    *chain.Receipt
	answer     []byte // of a query
	refusal    *cw721.Error
	fault      string            // why the message could not be tried
	difference *chain.Difference // from the built-in contract, if both run; nil is none
}

// requestTrial finds the kind of the text, and has Needs try it in the background. A text
// that is no message has no outcome.
func (c *Screen) requestTrial(st *app.State) {
	text := c.editor.value()
	c.kind, c.problem = kindOf(st.Config.Rules, st.Compiled, text)
	isLocked := st.LockReason() != nil // the outcome would give a prediction away
	if c.kind != noMessage && !c.asksOnlyWhenSent(st) && !isLocked {
		c.wanted.textToTry = &text
		return
	}
	c.wanted.textToTry = nil
	c.outcome = nil
	c.showResult(st)
}

// asksOnlyWhenSent reports whether the text is a query that is not answered while it is
// typed: one to a contract with a mistake to be found, where each answer counts.
func (c *Screen) asksOnlyWhenSent(st *app.State) bool {
	return st.HasMistake && c.kind == queryMessage
}

// tryMessage previews a message or answers a query, without changing the chain.
func tryMessage(v *chain.View, facts app.Facts, text string) *outcome {
	kind, _ := kindOf(facts.Config.Rules, facts.Compiled, text)
	if kind == undecidedMessage {
		kind = compiledKind(v, text)
	}

	var receipt chain.Receipt
	var answer []byte
	var err error
	switch kind {
	case executeMessage:
		receipt, err = v.Preview(facts.SeenBy, []byte(text))
	case instantiateMessage:
		genesis := chain.Genesis{Config: facts.Config, Clock: facts.Clock, Accounts: facts.Accounts}
		receipt, err = chain.PreviewInstantiate(genesis, facts.SeenBy, []byte(text))
	default:
		answer, err = v.Query([]byte(text))
		receipt.Debug = v.Debug
	}

	o := &outcome{
		text:       text,
		kind:       kind,
		receipt:    &receipt,
		answer:     answer,
		refusal:    receipt.Refusal,
		difference: receipt.Difference,
	}
	o.applyError(err)
	return o
}

// compiledKind returns the kind of a message of a compiled contract: a query, if the
// contract can parse it as a query but not as an execute message.
func compiledKind(v *chain.View, text string) messageKind {
	receipt, err := v.Preview(v.Self, []byte(text))
	canExecute := err == nil && (receipt.Refusal == nil || !isParseError(receipt.Refusal))
	if canExecute {
		return executeMessage
	}
	if _, err := v.Query([]byte(text)); isParseError(err) {
		return executeMessage
	}
	return queryMessage
}

// isParseError reports whether the contract could not parse a message.
func isParseError(err error) bool {
	refusal := cw721.AsError(err)
	return refusal != nil && refusal.Kind == cw721.KindParse
}

// applyError sets the field of the outcome that says why trying a message failed: the
// refusal of a query, a difference between the built-in and the compiled contract, or a
// fault for any other error. It sets nothing if err is nil.
func (o *outcome) applyError(err error) {
	var refusal *cw721.Error
	var contractsDiffer *chain.DifferenceError
	switch {
	case err == nil:
		return
	case errors.As(err, &contractsDiffer):
		o.difference = &contractsDiffer.Difference
		if o.answer == nil {
			o.fault, _ = o.difference.Refusals()
		}
	case errors.As(err, &refusal):
		o.refusal = refusal
	default:
		o.fault = err.Error()
	}
}
