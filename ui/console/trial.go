package console

import (
	"errors"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
	"ephemera/ui/app"
	"ephemera/ui/form"
)

// outcome is the result of a message that was tried or sent, or the answer to a query.
type outcome struct {
	text       string // the message that was tried; empty for a message that was sent
	kind       messageKind
	receipt    *chain.Receipt    // says what the message changes; nil if the chain could not be read
	answer     []byte            // the answer to a query, as JSON; nil for none
	refusal    *cw721.Error      // why the contract refuses the message; nil if it does not
	problem    *problem          // an error with its place in the text; nil if there is none
	fault      string            // why the program could not try the message; "" if it could
	difference *chain.Difference // between the contracts; nil if only one runs, or if they agree
}

// requestTrial finds the kind of the text in the editor, and asks for a trial of the text,
// which [Screen.NextRead] makes in the background. There is no trial and no outcome if the
// text is no message, if a lesson waits for a prediction, or if the text is a query that is
// only answered when it is sent.
func (s *Screen) requestTrial(state *app.State) {
	text := s.editor.value()
	s.kind, s.problem = findKind(state.Config.Rules, state.Compiled, text)
	isLocked := state.LockReason() != nil // the outcome would give a prediction away
	if s.kind == noMessage || s.asksOnlyWhenSent(state) || isLocked {
		s.request.textToTry = nil
		s.outcome = nil
		s.showResult(state)
		return
	}
	s.request.textToTry = &text
}

// asksOnlyWhenSent reports whether the text is a query that is only answered when it is
// sent, and not while it is typed. That is so in "find the mistake", where each answer
// counts.
func (s *Screen) asksOnlyWhenSent(state *app.State) bool {
	return state.HasMistake && s.kind == queryMessage
}

// tryMessage previews a message or answers a query, and returns the outcome. It does not
// change the chain. If a compiled contract can parse the text as a query and as an execute
// message, prefersQuery says which of them it is.
func tryMessage(view *chain.View, facts app.Facts, text string, prefersQuery bool) *outcome {
	kind, _ := findKind(facts.Config.Rules, facts.Compiled, text)
	if kind == undecidedMessage {
		kind = compiledKind(view, text, prefersQuery)
	}

	var receipt chain.Receipt
	var answer []byte
	var err error
	msg := []byte(text)
	switch kind {
	case executeMessage:
		receipt, err = view.Preview(facts.FactsActor, msg)
	case instantiateMessage:
		genesis := chain.Genesis{Config: facts.Config, Clock: facts.Clock, Accounts: facts.Accounts}
		receipt, err = chain.PreviewInstantiate(genesis, facts.FactsActor, msg)
	default:
		answer, err = view.Query(msg)
		receipt.LogLines = view.LogLines
		receipt.IgnoredMembers = view.IgnoredMembers
	}

	result := &outcome{
		text:       text,
		kind:       kind,
		receipt:    &receipt,
		answer:     answer,
		difference: receipt.Difference,
	}
	result.applyErrors(facts, receipt.Refusal, err, text)
	return result
}

// compiledKind finds the kind of a message of a compiled contract by trying it as a query
// and as an execute message. If the contract can parse it as both, prefersQuery decides. A
// message that the contract cannot parse at all counts as an execute message.
func compiledKind(view *chain.View, text string, prefersQuery bool) messageKind {
	if _, err := view.Query([]byte(text)); isParseError(err) {
		return executeMessage
	}
	if prefersQuery {
		return queryMessage
	}

	receipt, err := view.Preview(view.Self, []byte(text))
	if err == nil && (receipt.Refusal == nil || !isParseError(receipt.Refusal)) {
		return executeMessage
	}
	return queryMessage
}

// isParseError reports whether an error says that the contract could not parse a message.
func isParseError(err error) bool {
	refusal := cw721.AsError(err)
	return refusal != nil && refusal.Kind == cw721.KindParse
}

// applyExecuted shows the receipt of a message that this screen has sent. It ignores
// messages of other screens, and those that could not be sent.
func (s *Screen) applyExecuted(state *app.State, msg app.ExecutedMsg) {
	if msg.From != any(s) || msg.Err != nil {
		return
	}
	s.sentReceipt = &msg.Receipt
	s.outcome = &outcome{
		kind:       executeMessage,
		receipt:    s.sentReceipt,
		difference: msg.Receipt.Difference,
	}
	s.outcome.applyErrors(state.Facts, msg.Receipt.Refusal, nil, s.editor.value())
	s.showResult(state)
}

// applyErrors sets the fields of the outcome that say what went wrong, and the problem if the
// place in the text is known. refusal is the refusal in the receipt of the message, and err is
// the error of trying it. Both may be nil.
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
	case errors.As(err, &refusal): // the refusal is the error itself
		o.applyRefusal(facts, refusal, text)
	case errors.As(err, &unknownName):
		offset := offsetOfMember(text, unknownName.Field)
		if quote := strings.Index(text, `"$`+unknownName.Name+`"`); quote >= 0 {
			offset = quote + 1
		}
		o.problem = &problem{offset: offset, text: err.Error()}
	default:
		o.fault = err.Error()
	}
}

// applyRefusal sets the refusal of the outcome, which is nil if the contract did not refuse, and
// the problem if the refusal is about a place in the text.
func (o *outcome) applyRefusal(facts app.Facts, refusal *cw721.Error, text string) {
	o.refusal = refusal
	switch {
	case refusal == nil:
		return
	case refusal.Kind == cw721.KindParse:
		offset := tokenStart(text, int(refusal.Offset))
		o.problem = &problem{offset: offset, text: parseCause(refusal.Text)}
	case refusal.Field != "":
		offset := offsetOfMember(text, refusal.Field)
		o.problem = &problem{offset: offset, text: facts.RefusalText(refusal.Kind, refusal.Text)}
	}
}

// parseCause returns the cause in the text of a refusal to parse. For "Error parsing into
// type cw721::msg::X: missing field" it returns "missing field". It returns any other text
// unchanged.
func parseCause(text string) string {
	typeAndCause, isTyped := strings.CutPrefix(text, "Error parsing into type ")
	_, cause, hasCause := strings.Cut(typeAndCause, ": ")
	if !isTyped || !hasCause {
		return text
	}
	return cause
}

// tokenStart returns the offset at which the JSON token starts that ends at offset, in bytes, or
// offset itself if none ends there. The contract reports where a wrong value ends, but the
// console shows the problem below the start of the value.
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
			// Between two tokens there are only blanks, commas and colons.
			return end - len(strings.TrimLeft(text[previousEnd:end], " \t\r\n,:"))
		}
	}
}

// offsetOfMember returns the offset of a member's name in a text, in bytes, behind the
// opening quote. The name is the last part of a dotted path, such as "owner" in
// "transfer_nft.owner". It returns the offset of the first member with that name, or 0 if
// there is none.
func offsetOfMember(text, path string) int {
	name := regexp.QuoteMeta(form.LastPart(path))
	member := regexp.MustCompile(`"` + name + `"\s*:`).FindStringIndex(text)
	if member == nil {
		return 0
	}
	return member[0] + len(`"`)
}
