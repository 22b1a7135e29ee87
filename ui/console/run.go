package console

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/ui/app"
	"ephemera/ui/form"
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
// execute message, because "burn" is the name of one. If the text is no message, kind
// is noMessage and p says why; p is nil for a blank text. Every message of a compiled
// contract is undecided, since only the contract knows its messages.
func kindOf(rules cw721.Rules, isCompiled bool, text string) (kind messageKind, p *problem) {
	if strings.TrimSpace(text) == "" {
		return noMessage, nil
	}
	name, offset, p := messageName(text)

	// The name of the message tells its kind.
	switch {
	case p != nil:
		return noMessage, p
	case isCompiled:
		return undecidedMessage, nil
	case slices.Contains(rules.ExecuteNames(), name):
		return executeMessage, nil
	case slices.Contains(rules.QueryNames(), name):
		return queryMessage, nil
	case slices.Contains(wire.MemberNames(new(cw721.InstantiateMsg)), name):
		return instantiateMessage, nil
	}
	return noMessage, &problem{offset: offset, text: fmt.Sprintf("no message is named %q; tab offers those that begin like it", name)}
}

// messageName returns the name of the first member of a JSON object, such as "burn" in
// {"burn":…}, and its offset in the text. p says why there is none, and is otherwise nil.
func messageName(text string) (name string, offset int, p *problem) {
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	brace, err := decoder.ReadToken()
	if err != nil || brace.Kind() != '{' {
		blanks := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
		return "", 0, &problem{offset: blanks, text: "a message is an object with one key: {\"burn\":{…}}"}
	}
	key, err := decoder.ReadToken()
	end := int(decoder.InputOffset()) // behind the closing quote
	if err != nil || key.Kind() != '"' {
		return "", 0, &problem{offset: min(end, len(text)), text: "the name of a message is missing here; tab offers them, ctrl+t shows templates"}
	}
	name = key.String()
	return name, max(end-len(name)-1, 0), nil
}

// outcome is the result of a message that was tried or sent, or the answer to a query.
type outcome struct {
	text       string // the message that was tried; empty for one that was sent
	kind       messageKind
	receipt    *chain.Receipt
	answer     []byte // of a query
	refusal    *cw721.Error
	problem    *problem          // the place in the text that an error is about
	fault      string            // why the message could not be tried
	difference *chain.Difference // from the built-in contract, if both run; nil is none
}

// requestTrial finds the kind of the text, and has Needs try it in the background. Nothing is
// tried, and there is no outcome, if the text is no message, if a lesson waits for a
// prediction, or if a query is answered only when it is sent.
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
// prefersQuery decides for a compiled contract that can parse the text as both.
func tryMessage(v *chain.View, facts app.Facts, text string, prefersQuery bool) *outcome {
	kind, _ := kindOf(facts.Config.Rules, facts.Compiled, text)
	if kind == undecidedMessage {
		kind = compiledKind(v, text, prefersQuery)
	}

	// Try the message in the way of its kind.
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

	// Keep what came of it.
	o := &outcome{
		text:       text,
		kind:       kind,
		receipt:    &receipt,
		answer:     answer,
		difference: receipt.Difference,
	}
	o.applyErrors(facts, receipt.Refusal, err, text)
	return o
}

// compiledKind finds the kind of a message of a compiled contract by trying it as a query and
// as an execute message. If the contract can parse the message as both, prefersQuery decides.
// If the contract can parse it as neither, it is an execute message.
func compiledKind(v *chain.View, text string, prefersQuery bool) messageKind {
	if _, err := v.Query([]byte(text)); isParseError(err) {
		return executeMessage
	}
	if prefersQuery {
		return queryMessage
	}
	receipt, err := v.Preview(v.Self, []byte(text))
	isExecute := err == nil && (receipt.Refusal == nil || !isParseError(receipt.Refusal))
	if isExecute {
		return executeMessage
	}
	return queryMessage
}

// isParseError reports whether the contract could not parse a message.
func isParseError(err error) bool {
	refusal := cw721.AsError(err)
	return refusal != nil && refusal.Kind == cw721.KindParse
}

// applyErrors sets the fields of the outcome that say what went wrong: a refusal by the
// contract, a fault of the program, or a difference between the built-in and the compiled
// contract. If the place in the text is known, applyErrors sets the problem too. refusal is
// that of a message, and err the error of trying it; both may be nil.
func (o *outcome) applyErrors(facts app.Facts, refusal *cw721.Error, err error, text string) {
	var unknownName *wire.UnknownNameError
	var contractsDiffer *chain.DifferenceError
	switch {
	case err == nil:
		o.applyRefusal(facts, refusal, text)
	case errors.As(err, &contractsDiffer):
		o.difference = &contractsDiffer.Difference
		if o.answer == nil {
			o.fault, _ = o.difference.Refusals()
		}
	case errors.As(err, &refusal):
		o.applyRefusal(facts, refusal, text)
	case errors.As(err, &unknownName):
		offset := placeOfString(text, "$"+unknownName.Name, unknownName.Field)
		o.problem = &problem{offset: offset, text: err.Error()}
	default:
		o.fault = err.Error()
	}
}

// applyRefusal sets the refusal of the outcome; nil is none. If the refusal is about a
// place in the text, it sets the problem too.
func (o *outcome) applyRefusal(facts app.Facts, refusal *cw721.Error, text string) {
	o.refusal = refusal
	switch {
	case refusal == nil:
		return
	case refusal.Kind == cw721.KindParse:
		offset := tokenStart(text, int(refusal.Offset))
		o.problem = &problem{offset: offset, text: parseCause(refusal.Text)}
	case refusal.Field != "":
		o.problem = &problem{offset: placeOfMember(text, refusal.Field), text: facts.RefusalText(refusal.Kind, refusal.Text)}
	}
}

// tokenStart returns the start of the JSON token that ends at an offset, both in bytes. It
// returns the offset itself if no token ends there. The contract reports where a wrong value
// ends, and the console shows the problem below its start.
func tokenStart(text string, offset int) int {
	offset = max(0, min(offset, len(text)))
	decoder := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		previousEnd := int(decoder.InputOffset())
		_, err := decoder.ReadToken()
		end := int(decoder.InputOffset())
		if err != nil || end > offset {
			return offset
		}
		if end == offset {
			return end - len(strings.TrimLeft(text[previousEnd:end], " \t\r\n,:"))
		}
	}
}

// parseCause returns the cause of a refusal to parse: "missing field" for "Error
// parsing into type cw721::msg::X: missing field". Every other text is returned as it
// is.
func parseCause(text string) string {
	typeAndCause, isTyped := strings.CutPrefix(text, "Error parsing into type ")
	if !isTyped {
		return text
	}
	if _, cause, hasCause := strings.Cut(typeAndCause, ": "); hasCause {
		return cause
	}
	return text
}

// placeOfString returns the offset of a string in a text, behind its opening quote. If
// the string is not there, it returns the offset of the member that path names.
func placeOfString(text, value, path string) int {
	if quote := strings.Index(text, `"`+value+`"`); quote >= 0 {
		return quote + 1
	}
	return placeOfMember(text, path)
}

// placeOfMember returns the offset of the first member whose name is the last part of a
// dotted path, such as "owner" of "transfer_nft.owner". It returns 0 if there is none.
func placeOfMember(text, path string) int {
	name := regexp.QuoteMeta(form.LastPart(path))
	member := regexp.MustCompile(`"` + name + `"\s*:`).FindStringIndex(text)
	if member == nil {
		return 0
	}
	return member[0] + len(`"`)
}
