package explain

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/reach"
)

// deedPhrase describes the action and the range of blocks that a question asks about, such
// as "transfer rose at height 1,200 or later".
func deedPhrase(q reach.Question) string {
	deed := actionPhrase(q.Action.Name, &q.Token)
	if q.After != nil {
		deed += " at " + blockText(*q.After) + " or later"
	}
	if q.Until != nil {
		deed += " before " + blockText(*q.Until)
	}
	return deed
}

// Deed describes a question as a goal for the account that it names: "let mallory transfer
// rose at height 1,200 or later".
func Deed(v *chain.View, q reach.Question) string {
	who := "anybody"
	if q.As != "" {
		who = v.DisplayName(q.As)
	}
	text := "let " + who + " " + deedPhrase(q)
	if q.Unmoved {
		text += ", with the token unmoved until then"
	}
	return text
}

// WhoCould describes the answer to the question who could do an action: "carol can transfer
// rose at height 1,200 or later, by 2 messages". If the search found no way, the sentence
// names the accounts that it left out because they are passive, and the limit it reached.
func WhoCould(v *chain.View, q reach.Question, a reach.Answer) string {
	deed := deedPhrase(q)
	if a.Verdict == reach.Way {
		way := a.Ways[0]

		// The last message is the act. In a question about owning, its recipient is the one
		// who gets the token.
		last := way[len(way)-1]
		who := last.As
		if gift, ok := last.Message.(*cw721.TransferNft); ok && q.Action == cw721.OwnAction {
			who = gift.Recipient
		}
		return fmt.Sprintf("%s can %s, by %s", v.DisplayName(who), deed, human.Plural(len(way), "message"))
	}
	if len(q.Only) > 0 {
		deed += " by messages of " + describeAccounts(v, q.Only) + " alone"
	}

	// Name whom the answer leaves out, since passive accounts send nothing.
	nobody := "nobody"
	passive := describePassive(v, q, a.Passive)
	if q.As != "" {
		nobody = "there is no way in which " + v.DisplayName(q.As)
		if passive != "" {
			deed += " without " + passive
		}
	} else if passive != "" {
		nobody = "nobody but " + passive
	}

	// Say what the answer rests on.
	basis := ""
	if a.Tried > 0 {
		basis = fmt.Sprintf(", by the rules of %s; %s tried on the contract", v.Rules, human.Plural(a.Tried, "message"))
	}

	// Only a search that tried everything may say "by any number".
	if a.Verdict == reach.None {
		return fmt.Sprintf("%s can %s, by any number of messages%s", nobody, deed, basis)
	}
	limit := cmp.Or(a.Cut, "more were not tried")
	return fmt.Sprintf("%s can %s by at most %s%s; %s", nobody, deed, human.Plural(a.Depth, "message"), basis, limit)
}

// blockText returns the height and time of a block.
func blockText(block cw721.Block) string {
	return fmt.Sprintf("height %s (%s)", human.Thousands(uint64(block.Height)), human.TimeUTC(block.Time))
}

// describeAccounts lists accounts by their names: "alice and bob".
func describeAccounts(v *chain.View, accounts []cw721.Address) string {
	var names []string
	for _, account := range accounts {
		names = append(names, v.DisplayName(account))
	}
	return joinWithAnd(names)
}

// describePassive lists the passive accounts, which send nothing in the search, each with
// the rule by which it could do the action itself: "alice (owner, sends nothing here)". An
// account named like its role is "the creator". The text is empty if there are none.
func describePassive(v *chain.View, q reach.Question, passive []cw721.Address) string {
	var descriptions []string
	for _, account := range passive {
		name := v.DisplayName(account)
		rule := ""

		// Say by which rule the account could do it itself.
		decision, err := v.Decide(account, q.Action.Message(q.Token, account))
		if err == nil && decision.Allowed && decision.GrantingCheck().Rule != cw721.RuleAnyone {
			rule = string(decision.GrantingCheck().Rule)
		}
		switch rule {
		case name:
			descriptions = append(descriptions, "the "+name)
		case "":
			descriptions = append(descriptions, name+" (sends nothing here)")
		default:
			descriptions = append(descriptions, fmt.Sprintf("%s (%s, sends nothing here)", name, rule))
		}
	}
	return joinWithAnd(descriptions)
}

// DescribeStep describes one message of a found way: who sends it, "bob sends {…}", and by
// which rule the sender may, "operator until height 1,100". Each address in the message that
// has a name is written as "$name", so that a user can send the message.
func DescribeStep(v *chain.View, a reach.Answer, s reach.Step) (sends, allowedBy string) {
	message := string(cw721.Encode(s.Message))
	for _, actor := range a.Actors {
		name := v.NameOf(actor)
		if name != "" && actor != a.Anyone {
			message = strings.ReplaceAll(message, `"`+string(actor)+`"`, `"$`+name+`"`)
		}
	}
	sends = fmt.Sprintf("%s sends %s", v.DisplayName(s.As), message)
	if s.Decision.Overruled {
		return sends, fmt.Sprintf("by the compiled contract, not by the rules of %s", v.Rules)
	}
	return sends, checkLabel(s.Decision.GrantingCheck())
}

// RefusedWay describes a.Refused[index], a way that failed because the compiled contract
// refused its last message although the rules allow it.
func RefusedWay(v *chain.View, a reach.Answer, index int) string {
	way := a.Refused[index]
	last := way[len(way)-1]
	sends, allowedBy := DescribeStep(v, a, last)
	return fmt.Sprintf("the compiled contract differs: it refuses message %d of a way, where %s, allowed: %s: “%s”",
		len(way), sends, allowedBy, last.Refusal.Text)
}

// RealEnd returns until when a grant in fact lets its spender move a token, for
// example because the spender can grant itself more (see [reach.RealExpiry]). text describes
// that: "the approval for bob on rose: until height 1,100, but bob can renew it without
// alice". It fails with the errors of the search.
func RealEnd(ctx context.Context, v *chain.View, g cw721.Grant) (really cw721.Expiration, text string, err error) {
	really, err = reach.RealExpiry(ctx, v, g)
	if err != nil {
		return really, "", err
	}
	text = grantName(v, g) + ": " + untilText(g.Expires)
	if really != g.Expires {
		text += fmt.Sprintf(", but %s can renew it without %s", v.DisplayName(g.Spender), v.DisplayName(g.Owner))
	}
	return really, text, nil
}
