package scenario

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Check sends the step's query to a view of the chain. It returns how the answer differs
// from the expected one, or nil if it does not. It does not move the clock and changes
// nothing. A step without a query or an expectation has no mismatch. Check fails for an
// unknown name with a [*wire.UnknownNameError], and with the errors of the store.
func (s *Step) Check(view *chain.View) (*Mismatch, error) {
	if s.Kind != Query || s.Expect == nil {
		return nil, nil
	}
	return s.compareQuery(view.Query, func(name string) string {
		address, err := view.Resolve(name)
		if err != nil {
			return ""
		}
		return string(address)
	})
}

// compareQuery sends the step's query by calling query. It returns how the answer or the
// refusal differs from what the step expects, or nil if it does not. It returns an error of
// query that is not a refusal.
func (s *Step) compareQuery(
	query func([]byte) ([]byte, error),
	addressOf func(name string) string,
) (*Mismatch, error) {
	answer, err := query(s.Message)
	refusal := cw721.AsError(err)
	if err != nil && refusal == nil {
		return nil, err
	}
	result := messageResult{
		Receipt: chain.Receipt{Refusal: refusal},
		answer:  answer,
	}
	return s.Expect.compare(result, addressOf), nil
}

// compare returns how the result of a message differs from the expectation. It returns nil
// if the result is as expected. addressOf returns the address for a name in the expected
// answer or refusal, such as "alice", and "" for an unknown name.
func (e *Expect) compare(result messageResult, addressOf func(name string) string) *Mismatch {
	if e.AcceptsAny {
		return nil
	}

	// This mismatch is returned unless the result is as expected.
	mismatch := &Mismatch{
		Subject:  "answer",
		Expected: clip(e.String()),
		Got:      clip(result.String()),
		answer:   result.String(),
	}

	// A refusal and an answer cannot be compared.
	isRefused := result.Refusal != nil
	if e.Refused != isRefused {
		return mismatch
	}

	// Both are refusals.
	if isRefused {
		if e.matchesRefusal(result.Refusal, addressOf) {
			return nil
		}
		mismatch.Subject = "refusal"
		if withKind := e.withKindOf(result.Refusal, addressOf); withKind != nil {
			mismatch.Hint = fmt.Sprintf(
				"a text without a kind is one of the contract or the receiver; write %s if this one is meant",
				valueInYAML(withKind))
		}
		return mismatch
	}

	// Both are answers. An expected part must be contained in the answer, and a whole answer
	// to a query must be equal. Of a response, only the members that are expected are compared.
	answerMatcher := matcher{addressOf: addressOf, isPartial: e.AnswerPart != nil}
	compareValues := answerMatcher.compare
	if e.AnswerPart == nil && result.answer == nil {
		compareValues = answerMatcher.compareMembers
	}
	if expected := slices.Concat(e.Answer, e.AnswerPart); expected != nil {
		answerMatcher.compareTexts(expected, result.answerJSON(), compareValues)
	}
	if len(answerMatcher.differences) == 0 {
		return nil
	}
	mismatch.Differences = answerMatcher.differences
	mismatch.MoreDifferences = answerMatcher.moreDifferences
	return mismatch
}

// matchesRefusal reports whether a refusal is the expected one. Without a kind, the contract
// or a receiving contract must have refused, or the token is missing and a text is expected.
// "$alice" in a text is equal to "$alice" and to the address of alice.
func (e *Expect) matchesRefusal(refusal *cw721.Error, addressOf func(name string) string) bool {
	_, receiver, _ := chain.ReceiverBehind(refusal.Kind, refusal.Text)
	isByContract := refusal.Kind == cw721.KindContract || receiver == chain.ReceiverRejects
	isMissingToken := refusal.Kind == cw721.KindNotFound && e.hasText()
	hasKind := e.Kind == refusal.Kind || e.Kind == "" && (isByContract || isMissingToken)

	text := *cmp.Or(e.Text, e.TextPart, new(""))
	resolvedText := nameInText.ReplaceAllStringFunc(text, func(name string) string {
		return cmp.Or(addressOf(name[1:]), name)
	})
	if e.Text != nil {
		return hasKind && (refusal.Text == text || refusal.Text == resolvedText)
	}
	return hasKind && (strings.Contains(refusal.Text, text) || strings.Contains(refusal.Text, resolvedText))
}

// nameInText matches a name such as $alice in a text. A dot or dash at its end belongs to the
// text.
var nameInText = regexp.MustCompile(`\$([\w.-]|[^\x00-\x7f])*(\w|[^\x00-\x7f])`)

// withKindOf returns an expectation of a text with the kind of a refusal, if nothing but the
// kind keeps it from matching. Otherwise it returns nil.
func (e *Expect) withKindOf(refusal *cw721.Error, addressOf func(name string) string) *Expect {
	withKind := *e
	withKind.Kind = refusal.Kind
	if e.Kind != "" || !e.hasText() || !withKind.matchesRefusal(refusal, addressOf) {
		return nil
	}
	return &withKind
}

// meansRefusal reports whether the step means this refusal of its message, which is then no
// typing mistake. If the step has only the text of the refusal and not its kind, the step
// will fail when it is played, and say so.
func (s *Step) meansRefusal(refusal *cw721.Error) bool {
	e := cmp.Or(s.Expect, &Expect{})
	noAddress := func(string) string { return "" }
	return e.Refused &&
		(e.matchesRefusal(refusal, noAddress) || e.withKindOf(refusal, noAddress) != nil)
}

// String describes the expectation in one line, such as "error contract, a part: minter". A
// bare "error" of a file expects a refusal by the contract, so its description names that
// kind.
func (e *Expect) String() string {
	switch {
	case e.AcceptsAny:
		return "any"
	case e.Answer != nil:
		return "ok: " + string(e.Answer)
	case e.AnswerPart != nil:
		return "ok, with " + string(e.AnswerPart)
	case !e.Refused:
		return "ok"
	case !e.hasText():
		return fmt.Sprintf("an error of kind %s", cmp.Or(e.Kind, cw721.KindContract))
	}

	description := strings.TrimSpace("error " + string(e.Kind))
	if e.Text != nil {
		return description + ", exactly: " + *e.Text
	}
	return description + ", a part: " + *e.TextPart
}

// hasText reports whether a text of the refusal or a part of it is expected.
func (e *Expect) hasText() bool { return e.Text != nil || e.TextPart != nil }

// expectRefusal returns the expectation to write into a scenario for a message that was
// refused. It includes the text if the contract or the chain refused the message. It leaves
// out the texts of other kinds, which depend on how the message was spelled.
func expectRefusal(kind cw721.Kind, text string) *Expect {
	e := &Expect{Refused: true, Kind: kind}
	if kind == cw721.KindContract || kind == chain.KindChain {
		e.Text = &text
	}
	return e
}
