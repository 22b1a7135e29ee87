package explain

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// Explanation is the contract's decision about someone and something, in words. The
// decision is the one that execute makes; the words only read it out.
type Explanation struct {
	Action   string
	Decision *cw721.Decision
	// Rules says of each rule what was found and compared.
	Rules []RuleText
	// Verdict is the outcome in one sentence, which ends with Otherwise.
	Verdict string
	// Otherwise says where the compiled contract that runs decides otherwise than
	// these rules; empty where it does not.
	Otherwise string
	// Counterfactual is the smallest change that would turn the verdict around.
	Counterfactual Counterfactual
}

// RuleText is one rule as it was tried.
type RuleText struct {
	Check cw721.Check
	Text  string
}

// DecidingRule is the rule that a verdict hangs on: the last that passed, or had an expiry to
// compare. There is none where no rule has anything to say.
func (e Explanation) DecidingRule() (rule RuleText, ok bool) {
	for _, r := range slices.Backward(e.Rules) {
		if r.Check.Passed || r.Check.Expires != nil {
			return r, true
		}
	}
	return RuleText{}, false
}

// Counterfactual is a change that turns a decision around. Either time does it, or
// someone does with a message; neither when nothing can.
type Counterfactual struct {
	Text string
	// At is set when the clock alone does it.
	At *cw721.Expiration
	// By and Message are set when a message does it.
	By      cw721.Address
	Message cw721.ExecuteMsg
}

// Why explains whether an account may do something, and why. token is looked
// at only for actions on tokens. It fails with a [*cw721.Error] of kind
// not_found when there is no such token.
func Why(v *chain.View, who cw721.Address, action cw721.Action, token string) (Explanation, error) {
	return WhyMessage(v, who, action.Name, action.Message(token, who))
}

// WhyMessage explains the decision that a message meets.
func WhyMessage(v *chain.View, who cw721.Address, action string, msg cw721.ExecuteMsg) (Explanation, error) {
	d, err := v.Decide(who, msg)
	if err != nil {
		return Explanation{}, err
	}
	w := ExplainDecision(v, d)
	w.Action = action
	if d.Allowed {
		w.Verdict = fmt.Sprintf("%s may %s", v.DisplayName(who), doing(action, d.TokenID))
		w.Counterfactual = takeAway(v, d)
	} else {
		w.Verdict = fmt.Sprintf("%s may not %s: “%s”", v.DisplayName(who), doing(action, d.TokenID), d.Refusal.Text)
		w.Counterfactual = give(v, d, msg)
	}
	w.Otherwise, err = otherwise(v, who, msg)
	w.Verdict += w.Otherwise
	return w, err
}

// ExplainDecision says of each rule of a decision what was found and compared, and
// no more than that.
func ExplainDecision(v *chain.View, d *cw721.Decision) Explanation {
	w := Explanation{Decision: d}
	for _, c := range d.Checks {
		w.Rules = append(w.Rules, RuleText{c, ruleText(v, d, c)})
	}
	return w
}

// otherwise has the compiled contract that runs carry the message out, and says
// what decides otherwise there.
func otherwise(v *chain.View, who cw721.Address, msg cw721.ExecuteMsg) (string, error) {
	d, err := v.Compare(who, cw721.Encode(msg))
	if err != nil || d == nil {
		return "", err
	}
	switch compiled, builtIn := d.Refusals(); compiled {
	case builtIn: // it decides the same, and tells of it otherwise
		return "", nil
	case "":
		return "; but the compiled contract, which runs here, lets it happen", nil
	default:
		return "; but the compiled contract, which runs here, refuses it: “" + compiled + "”", nil
	}
}

func ruleText(v *chain.View, d *cw721.Decision, c cw721.Check) string {
	actor, block := v.DisplayName(d.Actor), d.Block
	switch c.Rule {
	case cw721.RuleAnyone:
		return "anyone may; no permission is needed"
	case cw721.RuleOwner:
		if c.Passed {
			return actor + " owns the token"
		}
		return fmt.Sprintf("%s owns the token, not %s", v.DisplayName(*c.Holder), actor)
	case cw721.RuleApproval:
		if c.Holder == nil {
			return actor + " has no approval on the token"
		}
		return fmt.Sprintf("%s has an approval; %s", actor, compared(c, block))
	case cw721.RuleOperator:
		if c.Holder == nil {
			return fmt.Sprintf("%s is not an operator of %s", actor, v.DisplayName(*d.Owner))
		}
		return fmt.Sprintf("%s is an operator of %s; %s", actor, v.DisplayName(*d.Owner), compared(c, block))
	case cw721.RulePendingOwner:
		return offerText(v, d, c)
	case cw721.RuleAdditionalMinter:
		if c.Passed {
			return actor + " is an additional minter"
		}
		return actor + " is not an additional minter"
	}
	members := ""
	if len(c.Members) > 0 {
		members = " (needed for " + list(c.Members) + ")"
	}
	switch {
	case c.Holder == nil:
		return fmt.Sprintf("nobody holds the %s role any more: it was renounced%s", c.Rule, members)
	case c.Passed:
		return fmt.Sprintf("%s holds the %s role%s", actor, c.Rule, members)
	}
	return fmt.Sprintf("%s holds the %s role, not %s%s", v.DisplayName(*c.Holder), c.Rule, actor, members)
}

// inBrief says in a few words what a check found: the permission that it gives, or
// gave until it expired; "" where there is none.
func inBrief(c cw721.Check) string {
	switch {
	case c.Passed && c.Expires == nil:
		return string(c.Rule)
	case c.Passed:
		return string(c.Rule) + " " + until(*c.Expires)
	case c.Expires != nil:
		return string(c.Rule) + " expired at " + human.Expiry(*c.Expires)
	}
	return ""
}

func offerText(v *chain.View, d *cw721.Decision, c cw721.Check) string {
	switch {
	case c.Holder == nil:
		return "the role is offered to nobody"
	case *c.Holder != d.Actor:
		return fmt.Sprintf("the role is offered to %s, not to %s", v.DisplayName(*c.Holder), v.DisplayName(d.Actor))
	case c.Expires == nil:
		return fmt.Sprintf("the role is offered to %s, and the offer never expires", v.DisplayName(d.Actor))
	}
	return fmt.Sprintf("the role is offered to %s; %s", v.DisplayName(d.Actor), compared(c, d.Block))
}

// actionWords are those of the actions whose names do not say them.
var actionWords = map[string]string{
	"transfer": "transfer TOKEN", "burn": "burn TOKEN", "send": "send TOKEN to a contract",
	"approve": "approve a spender for TOKEN", "revoke": "revoke an approval on TOKEN", "update-token": "update TOKEN",
	"add-minter": "add additional minters", "remove-minter": "remove additional minters",
	"update-collection": "update the collection", "update-royalty": "change the royalty",
	"update-trading-time": "change the start of trading", "set-withdraw-address": "set the withdraw address",
}

// doing names an action as the end of "may …".
func doing(action string, token *string) string {
	id := ""
	if token != nil {
		if id = *token; id == "" {
			id = `""` // the empty text is an id too
		}
	}
	if words, ok := actionWords[action]; ok {
		return strings.ReplaceAll(words, "TOKEN", id)
	}
	if verb, role, ok := strings.Cut(action, "-"); ok {
		return verb + " the " + role + " role" // offer-minter, accept-creator
	}
	return action
}

// compared reads out the comparison that decides: "1,110 ≥ 1,110: expired".
func compared(c cw721.Check, b cw721.Block) string {
	now, end, ends := c.Expires.NowAndEnd(b)
	if !ends {
		return "it never expires"
	}
	what, show := "height", human.Thousands
	if c.Expires.Axis == cw721.AtTime {
		what = "time"
		show = func(n uint64) string { return human.Time(cw721.Time(n)) }
	}
	if now >= end {
		return fmt.Sprintf("%s %s ≥ %s: expired", what, show(now), show(end))
	}
	return fmt.Sprintf("%s %s < %s: live", what, show(now), show(end))
}

func list(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
