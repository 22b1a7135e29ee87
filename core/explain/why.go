package explain

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// Explanation explains the contract's decision about an account and a message. The
// decision is the one that execute makes.
type Explanation struct {
	Action   string
	Decision *cw721.Decision
	// Rules are the rules that the contract tried, in order.
	Rules []RuleText
	// Verdict is the outcome in one sentence, which ends with Otherwise.
	Verdict string
	// Otherwise is a clause which says that the compiled contract decides differently from
	// the rules; empty if it does not.
	Otherwise string
	// Counterfactual is the smallest change that would reverse the verdict.
	Counterfactual Counterfactual
}

// RuleText is one rule as the contract tried it, and what it found and compared in
// words.
type RuleText struct {
	Check cw721.Check
	Text  string
}

// DecidingRule returns the rule that the verdict depends on: the last one that passed or
// compared an expiry. ok is false if there is none.
func (e Explanation) DecidingRule() (rule RuleText, ok bool) {
	for _, rule := range slices.Backward(e.Rules) {
		if rule.Check.Passed || rule.Check.Expires != nil {
			return rule, true
		}
	}
	return RuleText{}, false
}

// String returns the rule in one line, with a mark for its outcome: "✗ approval       bob
// has an approval; height 1,110 ≥ 1,110: expired".
func (r RuleText) String() string {
	mark := "✗"
	if r.Check.Passed {
		mark = "✓"
	}
	return fmt.Sprintf("%s %-14s %s", mark, r.Check.Rule, r.Text)
}

// Counterfactual is a change that would reverse a decision. At or By is set if one
// expiry or one message is enough; neither is set if nothing can reverse the decision,
// or more than one step is needed.
type Counterfactual struct {
	Text string
	// At is the expiry that the clock must reach.
	At *cw721.Expiration
	// By is the account that must send Message.
	By      cw721.Address
	Message cw721.ExecuteMsg
}

// Why explains whether an account may do an action now. The token matters only for
// actions on tokens. Why fails with a [*cw721.Error] of kind not_found if there is no
// such token.
func Why(v *chain.View, who cw721.Address, action cw721.Action, token string) (Explanation, error) {
	return WhyMessage(v, who, action.Name, action.Message(token, who))
}

// WhyMessage explains the decision about a message that an account would send now.
// action names the message in the verdict. It fails like [Why].
func WhyMessage(v *chain.View, who cw721.Address, action string, msg cw721.ExecuteMsg) (Explanation, error) {
	decision, err := v.Decide(who, msg)
	if err != nil {
		return Explanation{}, err
	}

	explanation := ExplainDecision(v, decision)
	explanation.Action = action
	actor := v.DisplayName(who)
	deed := actionPhrase(action, decision.TokenID)
	if decision.Allowed {
		explanation.Verdict = fmt.Sprintf("%s may %s", actor, deed)
		explanation.Counterfactual = whatWouldRefuse(v, decision)
	} else {
		explanation.Verdict = fmt.Sprintf("%s may not %s: “%s”", actor, deed, decision.Refusal.Text)
		explanation.Counterfactual = whatWouldAllow(v, decision, msg)
	}

	explanation.Otherwise = overruling(v, decision)
	explanation.Verdict += explanation.Otherwise
	if decision.Overruled {
		explanation.Counterfactual = Counterfactual{} // the rules do not say what would change it
	}
	return explanation, nil
}

// ExplainDecision explains each rule of a decision. Only Decision and Rules are set in
// the result.
func ExplainDecision(v *chain.View, d *cw721.Decision) Explanation {
	explanation := Explanation{Decision: d}
	for _, check := range d.Checks {
		explanation.Rules = append(explanation.Rules, RuleText{Check: check, Text: checkText(v, d, check)})
	}
	return explanation
}

// overruling returns a clause about a decision that is the compiled contract's and not that
// of the rules, "; …, while the rules of v0.19.0 refuse it"; empty for other decisions.
func overruling(v *chain.View, d *cw721.Decision) string {
	switch {
	case !d.Overruled:
		return ""
	case d.Allowed:
		return fmt.Sprintf("; the compiled contract, which runs here, lets it happen, while the rules of %s refuse it", v.Rules)
	}
	return fmt.Sprintf("; the compiled contract, which runs here, refuses it, while the rules of %s allow it", v.Rules)
}

// checkText returns a sentence about what the contract found for one rule of a
// decision, and what it compared.
func checkText(v *chain.View, d *cw721.Decision, check cw721.Check) string {
	actor := v.DisplayName(d.Actor)
	switch check.Rule {
	case cw721.RuleAnyone:
		return "anyone may; no permission is needed"
	case cw721.RuleOwner:
		if check.Passed {
			return actor + " owns the token"
		}
		return fmt.Sprintf("%s owns the token, not %s", v.DisplayName(*check.Holder), actor)
	case cw721.RuleApproval:
		if check.Holder == nil {
			return actor + " has no approval on the token"
		}
		return fmt.Sprintf("%s has an approval; %s", actor, expiryComparison(check, d.Block))
	case cw721.RuleOperator:
		owner := v.DisplayName(*d.Owner)
		if check.Holder == nil {
			return fmt.Sprintf("%s is not an operator of %s", actor, owner)
		}
		return fmt.Sprintf("%s is an operator of %s; %s", actor, owner, expiryComparison(check, d.Block))
	case cw721.RulePendingOwner:
		return offerCheckText(v, d, check)
	case cw721.RuleAdditionalMinter:
		if check.Passed {
			return actor + " is an additional minter"
		}
		return actor + " is not an additional minter"
	}
	return roleCheckText(v, d, check)
}

// offerCheckText is [checkText] for the rule that a role must be offered to the actor.
func offerCheckText(v *chain.View, d *cw721.Decision, check cw721.Check) string {
	actor := v.DisplayName(d.Actor)
	switch {
	case check.Holder == nil:
		return "the role is offered to nobody"
	case *check.Holder != d.Actor:
		return fmt.Sprintf("the role is offered to %s, not to %s", v.DisplayName(*check.Holder), actor)
	case check.Expires == nil:
		return fmt.Sprintf("the role is offered to %s, and the offer never expires", actor)
	}
	return fmt.Sprintf("the role is offered to %s; %s", actor, expiryComparison(check, d.Block))
}

// roleCheckText is [checkText] for the rules that the actor must hold a role. It names
// the members of the message that need the role, if only some do.
func roleCheckText(v *chain.View, d *cw721.Decision, check cw721.Check) string {
	members := ""
	if len(check.Members) > 0 {
		members = " (needed for " + joinWithAnd(check.Members) + ")"
	}
	actor := v.DisplayName(d.Actor)
	switch {
	case check.Holder == nil:
		return fmt.Sprintf("nobody holds the %s role any more: it was renounced%s", check.Rule, members)
	case check.Passed:
		return fmt.Sprintf("%s holds the %s role%s", actor, check.Rule, members)
	}
	return fmt.Sprintf("%s holds the %s role, not %s%s", v.DisplayName(*check.Holder), check.Rule, actor, members)
}

// checkLabel returns in a few words the permission that a check found, or found
// expired: "owner", "approval until height 1,110", "operator expired at height 1,090".
// It is empty if the check found none.
func checkLabel(check cw721.Check) string {
	switch {
	case check.Passed && check.Expires == nil:
		return string(check.Rule)
	case check.Passed:
		return string(check.Rule) + " " + until(*check.Expires)
	case check.Expires != nil:
		return string(check.Rule) + " expired at " + human.Expiry(*check.Expires)
	}
	return ""
}

// actionPhrases are the phrases for the actions whose name is no phrase by itself. The
// id of the token takes the place of TOKEN.
var actionPhrases = map[string]string{
	"transfer": "transfer TOKEN", "burn": "burn TOKEN", "send": "send TOKEN to a contract",
	"approve": "approve a spender for TOKEN", "revoke": "revoke an approval on TOKEN", "update-token": "update TOKEN",
	"add-minter": "add additional minters", "remove-minter": "remove additional minters",
	"update-collection": "update the collection", "update-royalty": "change the royalty",
	"update-trading-time": "change the start of trading", "set-withdraw-address": "set the withdraw address",
}

// actionPhrase returns the phrase for an action that follows "may": "transfer rose",
// "accept the creator role". token is nil if the action is about no token.
func actionPhrase(action string, token *string) string {
	id := ""
	if token != nil {
		id = tokenName(*token)
	}
	if phrase, ok := actionPhrases[action]; ok {
		return strings.ReplaceAll(phrase, "TOKEN", id)
	}
	if verb, role, ok := strings.Cut(action, "-"); ok {
		return verb + " the " + role + " role" // offer-minter, accept-creator
	}
	return action
}

// expiryComparison returns the comparison that decides whether a grant has expired in a
// block: "height 1,110 ≥ 1,110: expired".
func expiryComparison(check cw721.Check, block cw721.Block) string {
	now, end, expires := check.Expires.NowAndEnd(block)
	if !expires {
		return "it never expires"
	}

	sign, outcome := "<", "live"
	if now >= end {
		sign, outcome = "≥", "expired"
	}
	if check.Expires.Axis == cw721.AtTime {
		return fmt.Sprintf("time %s %s %s: %s", human.Time(cw721.Time(now)), sign, human.Time(cw721.Time(end)), outcome)
	}
	return fmt.Sprintf("height %s %s %s: %s", human.Thousands(now), sign, human.Thousands(end), outcome)
}

// joinWithAnd joins words as a sentence lists them: "a, b and c".
func joinWithAnd(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
