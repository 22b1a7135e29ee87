package scenario

import (
	"cmp"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/whocan"
	"ephemera/core/wire"
)

// NobodyStep returns a [Nobody] step about something that a search found to be possible. The
// step claims that nobody can do it. So the step fails at first, and holds once the user has
// changed the steps before it. Its note describes the sequence of messages that was found,
// which is answer.Ways[wayIndex].
func NobodyStep(view *chain.View, question whocan.Question, answer whocan.Answer, wayIndex int) Step {
	claim := nobodyQuestion{
		Action:  question.Action.Name,
		Token:   &question.Token,
		Actor:   view.DisplayName(question.Actor),
		After:   momentAt(view, question.After),
		Until:   momentAt(view, question.Until),
		Unmoved: question.TokenMustStay,
		Depth:   uint32(cmp.Or(question.Depth, whocan.DefaultDepth)),

		// The claim names the same accounts as the question.
		PassiveAccounts: view.DisplayNames(answer.PassiveAccounts),
		ActiveAccounts:  view.DisplayNames(question.ActiveAccounts),
		OnlySenders:     view.DisplayNames(question.OnlySenders),
	}
	return Step{
		Kind:    Nobody,
		Message: wire.Compact(claim),
		Note:    "There was a way: " + describeSequence(view, answer, answer.Ways[wayIndex]),
	}
}

// momentAt returns a block in the form that a scenario has, and nil for nil. The height is
// enough if the clock will have the time of the block at that height. Otherwise the result
// has only the time.
func momentAt(view *chain.View, block *cw721.Block) *At {
	if block == nil {
		return nil
	}
	if view.Clock.EstimateTimeAt(block.Height) == block.Time {
		return &At{Height: &block.Height}
	}
	return &At{Time: &block.Time}
}

// ProbeSteps returns a step for each row of a probe, which previews a message in several
// blocks. A step previews the message in the block of its row and expects the outcome that
// the row has. All steps have the same members. ProbeSteps fails with a [*RecordError] if a
// block is before the clock, which never moves back.
func ProbeSteps(
	view *chain.View,
	sender cw721.Address,
	message []byte,
	rows []explain.ProbeRow,
) ([]Step, error) {
	currentBlock := view.Clock.Block()
	var steps []Step
	for _, row := range rows {
		block := row.Block
		if block.Height < currentBlock.Height || block.Time < currentBlock.Time {
			return nil, recordErrorf(
				"the expiry is in the past, and a scenario cannot go back; undo to before it")
		}

		// A preview changes nothing, so every step finds the same state.
		expect := &Expect{}
		if refusal := row.Receipt.Refusal; refusal != nil {
			expect = expectRefusal(refusal.Kind, refusal.Text)
		}
		steps = append(steps, Step{
			At:      &At{Height: &block.Height, Time: &block.Time},
			Sender:  view.DisplayName(sender),
			Kind:    Preview,
			Message: message,
			Expect:  expect,
		})
	}
	return steps, nil
}
