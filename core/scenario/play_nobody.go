package scenario

import (
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/whocan"
	"ephemera/core/wire"
)

// checkNobody searches for a sequence of messages that does what the step claims nobody can
// do. It sets out.Mismatch if there is such a sequence, or if the search could not try
// everything, because then the claim is not proved. It adds the number of messages that the
// search sent to a compiled contract to out.MessagesTried, and sets out.Unlisted.
func (p *Player) checkNobody(step *Step, out *Outcome) error {
	claim, whoCanQuestion, err := decodeNobodyQuestion(step.Message)
	if err != nil {
		return err
	}
	return p.chain.View(func(view *chain.View) error {
		question, err := whoCanQuestion.Resolve(view)
		if err != nil {
			return nobodyError(err)
		}

		// The code lets the search send messages to a compiled contract as well.
		question.Code = view.Code()
		answer, err := whocan.Ask(p.ctx, view, question)
		if err != nil {
			return nobodyError(err)
		}

		// With "tried" the step only claims what the search could try. So it does not matter
		// that more is not proved.
		if claim.AcceptsUnproven {
			answer.UnprovenReason = ""
		}
		out.MessagesTried += answer.MessagesTried
		if claim.PassiveAccounts != nil && len(answer.PassiveAccounts) > len(question.PassiveAccounts) {
			out.Unlisted = view.DisplayName(answer.PassiveAccounts[0])
		}
		out.Mismatch = nobodyMismatch(view, question, answer)
		return nil
	})
}

// nobodyQuestion is the message of a [Nobody] step: a question to package whocan, which searches
// for a sequence of messages that does something, such as transfer ape-1.
type nobodyQuestion struct {
	Action string  `wire:"can"`         // the name of the action, such as transfer
	Token  *string `wire:"token"`       // the ID of the token; nil for actions without a token
	Actor  string  `wire:"as,optional"` // must not be able to do the action; "" is any account
	// PassiveAccounts are accounts that send no message in the search, besides the account that
	// is permitted anyway: the token's owner or the holder of the role.
	PassiveAccounts []string `wire:"passive,optional"`
	ActiveAccounts  []string `wire:"active,optional"`  // send messages although they are permitted anyway
	OnlySenders     []string `wire:"only,optional"`    // alone send messages; empty for all accounts
	After           *At      `wire:"after"`            // the first block in which the action counts; nil is the current one
	Until           *At      `wire:"until"`            // the first block in which it counts no more; nil is no limit
	Unmoved         bool     `wire:"unmoved,optional"` // the token is neither transferred nor burned before
	Depth           uint32   `wire:"depth,optional"`   // the most messages in a sequence; 0 is the default
	// AcceptsUnproven accepts an answer that holds only for the messages that were tried.
	// Such an answer comes from a compiled contract that is no known release; see
	// [whocan.Answer.UnprovenReason].
	AcceptsUnproven bool `wire:"tried,optional"`
}

// ReadNobodyQuestion returns the question whose answer a [Nobody] step with this message claims
// to be "nobody". It fails with a [*whocan.QuestionError] for an unknown action or a missing
// token.
func ReadNobodyQuestion(raw []byte) (explain.WhoCanQuestion, error) {
	_, question, err := decodeNobodyQuestion(raw)
	return question, err
}

// decodeNobodyQuestion decodes the message of a [Nobody] step: the claim as it is written, and
// the question to which the claim expects the answer "nobody". It does not check that the
// blocks can be reached.
func decodeNobodyQuestion(raw []byte) (claim nobodyQuestion, question explain.WhoCanQuestion, err error) {
	if _, err := wire.DecodeWith(yamlOptions, raw, &claim); err != nil {
		field, text := splitDecodeError(err)
		return claim, question, errors.New(strings.TrimPrefix(field+": "+text, ": "))
	}
	question, err = explain.NewWhoCanQuestion(claim.Action, claim.Token)
	question.Actor = claim.Actor
	question.PassiveAccounts = claim.PassiveAccounts
	question.ActiveAccounts = claim.ActiveAccounts
	question.OnlySenders = claim.OnlySenders
	question.TokenMustStay = claim.Unmoved
	question.Depth = int(claim.Depth)
	question.After = claim.After.momentText()
	question.Until = claim.Until.momentText()
	return claim, question, err
}

// momentText returns the text that a user types for the block, such as "h1110" or "+10". It
// returns "" for nil. [explain.ParseMoment] reads such a text.
func (a *At) momentText() string {
	switch {
	case a == nil:
		return ""
	case a.amount != nil:
		return fmt.Sprint(a.amount.toWords())
	case a.Height != nil:
		return fmt.Sprintf("h%d", *a.Height)
	case a.Time != nil:
		return fmt.Sprintf("%d ns", *a.Time)
	}
	return ""
}

// nobodyError turns an error about a question that cannot be answered into an [*Error],
// since that is a mistake in the scenario. It returns any other error as it is.
func nobodyError(err error) error {
	if questionErr, ok := errors.AsType[*whocan.QuestionError](err); ok {
		return &Error{
			Field: string(Nobody) + "." + questionErr.Field,
			Text:  questionErr.Err.Error(),
			Err:   err,
		}
	}
	if cw721.AsError(err) != nil {
		return playErrorf(string(Nobody), "%w", err)
	}
	return err
}

// nobodyMismatch returns nil if the search proved that nobody can do what the question asks
// for. Otherwise it describes the sequence of messages that was found, or says why nothing is
// proved.
func nobodyMismatch(view *chain.View, question whocan.Question, answer whocan.Answer) *Mismatch {
	// The compiled contract refused what the rules allow, so the search followed other rules
	// than the contract has. The first refused sequence of messages shows that.
	if len(answer.RefusedWays) > 0 {
		return &Mismatch{
			Subject:  "way",
			Expected: "what the rules allow",
			Got:      explain.DescribeRefusedWay(view, answer, 0),
		}
	}

	// The claim is proved if no way was found and nothing was left untried. A way is a
	// sequence of messages; the first one is the shortest.
	var reason string
	untriedReason := answer.UntriedReason(question)
	switch {
	case answer.Verdict == whocan.WayExists:
		reason = describeSequence(view, answer, answer.Ways[0])
	case untriedReason != "":
		reason = untriedReason
	case answer.UnprovenReason != "":
		reason = answer.UnprovenReason + "; tried: true in the step accepts that"
	default:
		return nil
	}
	return &Mismatch{
		Subject:  "answer",
		Expected: "nobody",
		Got:      explain.DescribeWhoCan(view, question, answer) + ": " + reason,
	}
}

// describeSequence describes a way: "at height 1,110 …, allowed: …; at height …".
func describeSequence(view *chain.View, answer whocan.Answer, sequence []whocan.Step) string {
	var descriptions []string
	for _, step := range sequence {
		message, permission := explain.DescribeStep(view, answer, step)
		height := human.Thousands(uint64(step.Block.Height))
		description := fmt.Sprintf("at height %s %s, allowed: %s", height, message, permission)
		descriptions = append(descriptions, description)
	}
	return strings.Join(descriptions, "; ")
}
