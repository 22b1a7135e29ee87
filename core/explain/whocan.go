package explain

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/whocan"
)

// DescribeGoal describes what a question asks about as a goal: "let mallory transfer rose at
// height 1,200 or later".
func DescribeGoal(view *chain.View, question whocan.Question) string {
	actorName := "anybody"
	if question.Actor != "" {
		actorName = view.DisplayName(question.Actor)
	}
	text := "let " + actorName + " " + describeQuestionedAction(question)
	if question.TokenMustStay {
		text += ", with the token unmoved until then"
	}
	return text
}

// DescribeWhoCan describes the answer to a question: "carol can transfer rose at height 1,200
// or later, by 2 messages". If the search found no way, the sentence names the passive
// accounts and the limit of the search.
func DescribeWhoCan(view *chain.View, question whocan.Question, answer whocan.Answer) string {
	if answer.Verdict == whocan.WayExists {
		// The sender of the last message does the action. A token's new owner is its recipient.
		steps := answer.Ways[0]
		actor := steps[len(steps)-1].Sender
		transfer, isTransfer := steps[len(steps)-1].Message.(*cw721.TransferNft)
		if isTransfer && question.Action.Name == cw721.OwnAction.Name {
			actor = transfer.Recipient
		}
		return fmt.Sprintf("%s can %s, by %s",
			view.DisplayName(actor),
			describeQuestionedAction(question),
			human.Plural(len(steps), "message"))
	}

	noWay := describeNoWay(view, question, answer.PassiveAccounts)
	basisClause := ""
	if answer.MessagesTried > 0 {
		basisClause = fmt.Sprintf(", by the rules of %s; %s tried on the contract",
			view.Rules,
			human.Plural(answer.MessagesTried, "message"))
	}

	// Only a search that visited every state may say "by any number".
	if answer.Verdict == whocan.None {
		return noWay + ", by any number of messages" + basisClause
	}
	limitClause := cmp.Or(answer.CutReason, "more were not tried")
	return fmt.Sprintf("%s by at most %s%s; %s",
		noWay,
		human.Plural(answer.Depth, "message"),
		basisClause,
		limitClause)
}

// DescribeNow says who can do what a question asks about by one message: "2 accounts can now,
// by one message:". Each of the lines has one of them, and the rule that permits it: "bob
// (approval until height 1,110)". The last line can say how many accounts were not tried.
func DescribeNow(view *chain.View, question whocan.Question, answer whocan.Answer) (heading string, lines []string) {
	can := " can now, by one message"
	if question.After != nil {
		can = " can at " + blockText(*question.After) + ", by one message"
	}
	for _, step := range answer.Now {
		if step.Sender == answer.Anyone {
			return whocan.AnyoneName + can, nil
		}
		_, allowedBy := DescribeStep(view, answer, step)
		lines = append(lines, fmt.Sprintf("%s (%s)", view.DisplayName(step.Sender), allowedBy))
	}
	heading = human.Plural(len(lines), "account") + can + ":"
	if len(lines) == 0 {
		heading = "none of the accounts that were tried" + can
	}
	if answer.UntriedNow > 0 {
		lines = append(lines, human.Plural(answer.UntriedNow, "more account")+" not tried")
	}
	return heading, lines
}

// describeQuestionedAction returns a text such as "transfer rose at height 1,200 or later".
func describeQuestionedAction(question whocan.Question) string {
	phrase := actionPhrase(question.Action.Name, &question.Token)
	if question.After != nil {
		phrase += " at " + blockText(*question.After) + " or later"
	}
	if question.Until != nil {
		phrase += " before " + blockText(*question.Until)
	}
	return phrase
}

// describeNoWay says who cannot do the action of a question, and who sent messages: "nobody
// but alice can transfer rose by messages of bob alone". If one account is to do it, the
// text begins with "there is no way in which bob can".
func describeNoWay(view *chain.View, question whocan.Question, passiveAccounts []cw721.Address) string {
	action := " can " + describeQuestionedAction(question)
	if len(question.OnlySenders) > 0 {
		action += " by messages of " + joinWithAnd(view.DisplayNames(question.OnlySenders)) + " alone"
	}

	passiveNames := describePassiveAccounts(view, question, passiveAccounts)
	noWay := "there is no way in which " + view.DisplayName(question.Actor) + action
	switch {
	case question.Actor == "" && passiveNames == "":
		return "nobody" + action
	case question.Actor == "":
		return "nobody but " + passiveNames + action
	case passiveNames == "":
		return noWay
	}
	return noWay + " without " + passiveNames
}

func blockText(block cw721.Block) string {
	return fmt.Sprintf("height %s (%s)",
		human.Thousands(uint64(block.Height)),
		human.TimeUTC(block.Time))
}

// describePassiveAccounts lists the passive accounts: "alice (owner, sends nothing here)". The
// word before the comma is the rule by which the account could do the action itself, if it
// could. If an account is named like its rule, it is listed as "the creator".
func describePassiveAccounts(
	view *chain.View,
	question whocan.Question,
	passiveAccounts []cw721.Address,
) string {
	var descriptions []string
	for _, account := range passiveAccounts {
		name := view.DisplayName(account)

		attempt := question.Action.Message(question.Token, account)
		decision, err := view.Decide(account, attempt)
		var rule cw721.Rule
		if err == nil && decision.Allowed {
			rule = decision.GrantingCheck().Rule
		}
		switch rule {
		case "", cw721.RuleAnyone:
			descriptions = append(descriptions, name+" (sends nothing here)")
		case cw721.Rule(name):
			descriptions = append(descriptions, "the "+name)
		default:
			descriptions = append(descriptions, fmt.Sprintf("%s (%s, sends nothing here)", name, rule))
		}
	}
	return joinWithAnd(descriptions)
}

// DescribeStep describes one message of a way: "bob sends {…}", and the rule by which the sender may,
// such as "operator until height 1,100". In the message, each address with a name is written
// as "$name", a form that users can send.
func DescribeStep(
	view *chain.View,
	answer whocan.Answer,
	step whocan.Step,
) (senderAndMessage, allowedBy string) {
	message := string(cw721.Encode(step.Message))
	for _, actor := range answer.Actors {
		name := view.NameOf(actor)
		if name != "" && actor != answer.Anyone {
			message = strings.ReplaceAll(message, `"`+string(actor)+`"`, `"$`+name+`"`)
		}
	}
	senderAndMessage = fmt.Sprintf("%s sends %s", view.DisplayName(step.Sender), message)
	if step.Decision.Overruled {
		return senderAndMessage, fmt.Sprintf("by the compiled contract, not by the rules of %s", view.Rules)
	}
	return senderAndMessage, checkLabel(step.Decision.GrantingCheck())
}

// DescribeRefusedWay describes answer.RefusedWays[index] in a sentence.
func DescribeRefusedWay(view *chain.View, answer whocan.Answer, index int) string {
	steps := answer.RefusedWays[index]
	lastStep := steps[len(steps)-1]
	senderAndMessage, allowedBy := DescribeStep(view, answer, lastStep)
	return fmt.Sprintf(
		"the compiled contract differs: it refuses message %d of a way, where %s, allowed: %s: “%s”",
		len(steps),
		senderAndMessage,
		allowedBy,
		lastStep.Refusal.Text)
}

// DescribeAccessEnd returns until when the spender of a grant can really move the token.
// That can be later than the expiry of the grant, if the spender can renew the grant. text
// says so: "the approval for bob on rose: until height 1,100, but bob can renew it without
// alice". DescribeAccessEnd fails like [whocan.RealExpiry].
func DescribeAccessEnd(
	ctx context.Context,
	view *chain.View,
	grant cw721.Grant,
) (accessEnd cw721.Expiration, text string, err error) {
	accessEnd, err = whocan.RealExpiry(ctx, view, grant)
	if err != nil {
		return accessEnd, "", err
	}
	text = grantName(view, grant) + ": " + untilText(grant.Expires)
	if accessEnd != grant.Expires {
		text += fmt.Sprintf(", but %s can renew it without %s",
			view.DisplayName(grant.Spender),
			view.DisplayName(grant.Owner))
	}
	return accessEnd, text, nil
}
