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

// deedPhrase describes what a question is about, such as "transfer rose at height 1,200 or
// later".
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

// Deed describes what a question is about as a goal for the account that it names, such as
// "let mallory transfer rose at height 1,200 or later".
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

// WhoCould describes the outcome of a search in one sentence: "carol can transfer rose
// at height 1,200 or later, by 2 messages". If the search found no way, the sentence
// names the accounts that send nothing.
func WhoCould(v *chain.View, q reach.Question, a reach.Answer) string {
	deed := deedPhrase(q)
	if a.Verdict == reach.Way {
		way := a.Ways[0]
		last := way[len(way)-1]
		return fmt.Sprintf("%s can %s, by %s", v.DisplayName(last.As), deed, human.Plural(len(way), "message"))
	}

	nobody := "nobody"
	passive := describePassive(v, q, a.Passive)
	switch {
	case q.As != "" && passive != "":
		nobody = "there is no way in which " + v.DisplayName(q.As)
		deed += " without " + passive
	case q.As != "":
		nobody = "there is no way in which " + v.DisplayName(q.As)
	case passive != "":
		nobody = "nobody but " + passive
	}
	basis := ""
	if a.Tried > 0 {
		basis = fmt.Sprintf(", by the rules of %s; %s tried on the contract", v.Rules, human.Plural(a.Tried, "message"))
	}
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

// describePassive lists the accounts that send nothing, each with the rule by which it
// could do the action itself: "alice (owner, sends nothing here)". An account named
// like its role is "the creator". The text is empty if there are none.
func describePassive(v *chain.View, q reach.Question, passive []cw721.Address) string {
	var descriptions []string
	for _, account := range passive {
		name := v.DisplayName(account)
		rule := ""
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

// DescribeStep describes one step of a way: who sends which message, "bob sends {…}",
// and by which rule the sender may, "operator until height 1,100". In the message a
// "$name" stands in place of each address that has a name, so that a user can send it.
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

// RefusedWay describes the refused way at an index of a.Refused: the message that the
// compiled contract refused although the rules allow it.
func RefusedWay(v *chain.View, a reach.Answer, index int) string {
	way := a.Refused[index]
	last := way[len(way)-1]
	sends, allowedBy := DescribeStep(v, a, last)
	return fmt.Sprintf("the compiled contract does otherwise: it refuses message %d of a way, where %s, allowed: %s: “%s”",
		len(way), sends, allowedBy, last.Refusal.Text)
}

// RealEnd returns until when a grant really lets its spender or others move a token (see
// [reach.RealExpiry]), and describes it: "the approval for bob on rose: until height
// 1,100, really without expiry". It fails with the errors of the search.
func RealEnd(ctx context.Context, v *chain.View, g cw721.Grant) (really cw721.Expiration, text string, err error) {
	really, err = reach.RealExpiry(ctx, v, g)
	if err != nil {
		return really, "", err
	}
	text = grantName(v, g) + ": " + until(g.Expires)
	if really != g.Expires {
		text += ", really " + until(really)
	}
	return really, text, nil
}
