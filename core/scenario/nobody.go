package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/reach"
	"ephemera/core/wire"
)

// nobodyQuestion is the message of a [Nobody] step, which claims that no sequence of messages
// achieves something, such as that bob transfers ape-1. It is the JSON form of a question
// to package reach, which searches for such a sequence (a "way").
type nobodyQuestion struct {
	Can     string   `wire:"can"`
	Token   *string  `wire:"token"`
	As      string   `wire:"as,optional"`
	Passive []string `wire:"passive,optional"`
	Only    []string `wire:"only,optional"`
	After   *At      `wire:"after"`
	Until   *At      `wire:"until"`
	Unmoved bool     `wire:"unmoved,optional"`
	Depth   uint32   `wire:"depth,optional"`
	// Tried accepts an answer that holds only for the messages that were tried, because the
	// compiled contract is no known release; see [reach.Answer.Unproven].
	Tried bool `wire:"tried,optional"`
}

// ReadNobodyQuestion decodes the question of a step which claims that nobody can do something.
func ReadNobodyQuestion(raw []byte) (explain.WhoCouldQuestion, error) {
	q, err := decodeNobodyQuestion(raw)
	if err != nil {
		return explain.WhoCouldQuestion{}, err
	}
	return q.whoCould()
}

// decodeNobodyQuestion decodes the message of a [Nobody] step. It does not check the
// action and the moments.
func decodeNobodyQuestion(raw []byte) (q nobodyQuestion, err error) {
	if _, err := wire.DecodeWith(yamlOptions, raw, &q); err != nil {
		field, text := fieldAndText(err)
		return q, errors.New(strings.TrimPrefix(field+": "+text, ": "))
	}
	return q, nil
}

// whoCould returns the question "who could do this?", to which the step expects the answer
// "nobody". Accounts and moments are texts, which package explain resolves on a chain.
// whoCould fails with a [*reach.QuestionError] if there is no such action, or if its token
// is missing.
func (q nobodyQuestion) whoCould() (explain.WhoCouldQuestion, error) {
	asked, err := explain.NewWhoCouldQuestion(q.Can, q.Token)
	asked.As = q.As
	asked.Passive = q.Passive
	asked.Only = q.Only
	asked.Unmoved = q.Unmoved
	asked.Depth = int(q.Depth)
	asked.After = q.After.momentText()
	asked.Until = q.Until.momentText()
	return asked, err
}

// momentText returns the block as a user types it; see [explain.ParseMoment]. It returns
// "" for nil.
func (a *At) momentText() string {
	switch {
	case a == nil:
		return ""
	case a.ahead != nil:
		return fmt.Sprint(a.ahead.inWords())
	case a.Height != nil:
		return fmt.Sprintf("h%d", *a.Height)
	case a.Time != nil:
		return fmt.Sprintf("%d ns", *a.Time)
	}
	return ""
}

// momentAt returns a block by its height. It returns it by its time if the clock has
// another time at that height.
func momentAt(v *chain.View, b *cw721.Block) *At {
	if b == nil {
		return nil
	}
	if v.Clock.At(b.Height) == b.Time {
		return &At{Height: &b.Height}
	}
	return &At{Time: &b.Time}
}

// checkNobody searches for a way, which is a sequence of messages, to do what a step claims
// that nobody can do. It sets the mismatch of the outcome if there is a way, or if the
// search could not try everything, since then the claim is not proved. It adds the messages
// that it sent to a compiled contract to the outcome.
func (p *Player) checkNobody(s *Step, out *Outcome) error {
	claim, err := decodeNobodyQuestion(s.Message)
	if err != nil {
		return err
	}
	asked, err := claim.whoCould()
	if err != nil {
		return err
	}
	return p.chain.View(func(v *chain.View) error {
		question, err := asked.Question(v)
		if err != nil {
			return nobodyError(err)
		}

		// The code lets the search send messages to a compiled contract as well.
		question.Code = v.Code()
		answer, err := reach.Ask(p.ctx, v, question)
		if err != nil {
			return nobodyError(err)
		}

		// With tried, the claim is only about what the search could try.
		if claim.Tried {
			answer.Unproven = ""
		}
		out.Tried += answer.Tried
		out.Mismatch = nobodyMismatch(v, question, answer)
		return nil
	})
}

// nobodyError returns an [*Error] for a question that cannot be answered, and any
// other error as it is.
func nobodyError(err error) error {
	if wrong, ok := errors.AsType[*reach.QuestionError](err); ok {
		return &Error{Field: string(Nobody) + "." + wrong.Field, Text: wrong.Err.Error(), Err: err}
	}
	if cw721.AsError(err) != nil {
		return &Error{Field: string(Nobody), Text: err.Error(), Err: err}
	}
	return err
}

// nobodyMismatch returns nil if the search has tried everything and found no way, which is
// what the step claims. Otherwise it returns a mismatch that describes the way that was
// found, or what was not tried.
func nobodyMismatch(v *chain.View, q reach.Question, a reach.Answer) *Mismatch {
	if len(a.Refused) > 0 { // the compiled contract has other rules than the search
		return &Mismatch{Subject: "way", Expected: "what the rules allow", Got: explain.RefusedWay(v, a, 0)}
	}

	reason := a.NotTried(q)
	switch {
	case a.Verdict == reach.Way:
		reason = describeWay(v, a, 0)
	case reason == "" && a.Unproven != "":
		reason = a.Unproven + "; tried: true in the step accepts that"
	case reason == "":
		return nil
	}
	return &Mismatch{Subject: "answer", Expected: "nobody", Got: explain.WhoCould(v, q, a) + ": " + reason}
}

// describeWay describes one of the ways that a search found: its messages in their order,
// each with the height and the permission that allows it. way is the index of the way.
func describeWay(v *chain.View, a reach.Answer, way int) string {
	descriptions := make([]string, len(a.Ways[way]))
	for i, step := range a.Ways[way] {
		message, permission := explain.DescribeStep(v, a, step)
		height := human.Thousands(uint64(step.Block.Height))
		descriptions[i] = fmt.Sprintf("at height %s %s, allowed: %s", height, message, permission)
	}
	return strings.Join(descriptions, "; ")
}

// NobodyStep returns a step which claims that nobody can do what a search found a way
// to do. Its note describes the way. The step has a mismatch until the steps before it
// no longer allow the way.
func NobodyStep(v *chain.View, q reach.Question, a reach.Answer, way int) Step {
	claim := nobodyQuestion{
		Can:     q.Action.Name,
		Token:   &q.Token,
		As:      v.DisplayName(q.As),
		After:   momentAt(v, q.After),
		Until:   momentAt(v, q.Until),
		Unmoved: q.Unmoved,
		Depth:   uint32(cmp.Or(q.Depth, reach.DefaultDepth)),
	}

	// The claim names the same accounts as the question.
	for _, account := range a.Passive {
		claim.Passive = append(claim.Passive, v.DisplayName(account))
	}
	for _, account := range q.Only {
		claim.Only = append(claim.Only, v.DisplayName(account))
	}
	return Step{Kind: Nobody, Message: wire.Compact(claim), Note: "There was a way: " + describeWay(v, a, way)}
}

// ProbeSteps returns steps that preview a message at every block of a probe. All have the
// same members. ProbeSteps fails with a [*RecordError] if a block is before the clock, which
// never moves back.
func ProbeSteps(v *chain.View, sender cw721.Address, message []byte, rows []explain.ProbeRow) ([]Step, error) {
	now := v.Clock.Block()
	var steps []Step
	for _, row := range rows {
		block := row.Block
		if block.Height < now.Height || block.Time < now.Time {
			return nil, &RecordError{"the expiry is in the past, and a scenario cannot go back; undo to before it"}
		}

		// A preview changes nothing, so every step finds the same state.
		step := Step{
			At:      &At{Height: &block.Height, Time: &block.Time},
			As:      v.DisplayName(sender),
			Kind:    Preview,
			Message: message,
			Expect:  &Expect{},
		}
		if refusal := row.Receipt.Refusal; refusal != nil {
			step.Expect = expectRefusal(refusal.Kind, refusal.Text)
		}
		steps = append(steps, step)
	}
	return steps, nil
}
