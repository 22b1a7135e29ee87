package explain

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// Explanation explains why the contract allows or refuses an account's message. The
// decision is the one that the contract makes when it executes the message.
type Explanation struct {
	Action   string // names what the message does, such as "transfer"
	Decision *cw721.Decision
	Rules    []RuleText // the rules that the contract tried, in order
	// Verdict is the outcome in one sentence. It includes OverrulingClause.
	Verdict string
	// OverrulingClause is a clause that says that a compiled contract decides differently
	// from the rules. It is empty if the contract decides like the rules.
	OverrulingClause string
	// Change is the smallest change that would reverse the verdict. Only [Why] sets it.
	Change DecisionChange
}

// RuleText is one rule that the contract tried. Text describes what the contract found and
// compared, such as "alice owns the token, not bob".
type RuleText struct {
	Check cw721.Check
	Text  string
}

// DecidingRule returns the rule that the verdict depends on; see [DecidingCheck]. ok is false
// if there is no such rule.
func (e Explanation) DecidingRule() (rule RuleText, ok bool) {
	index := DecidingCheck(e.Decision)
	if index < 0 {
		return RuleText{}, false
	}
	return e.Rules[index], true
}

// DecidingCheck returns the index of the check that a decision depends on. That is the last one
// that either passed or found a grant and compared its expiry. It is -1 if there is none.
func DecidingCheck(decision *cw721.Decision) int {
	for i, check := range slices.Backward(decision.Checks) {
		if check.Passed || check.Expires != nil {
			return i
		}
	}
	return -1
}

// String returns the rule in one line: "✗ approval       bob has an approval; height 1,110 ≥
// 1,110: expired".
func (r RuleText) String() string {
	mark := "✗"
	if r.Check.Passed {
		mark = "✓"
	}
	return fmt.Sprintf("%s %-14s %s", mark, r.Check.Rule, r.Text)
}

// DecisionChange is a change that would reverse a decision. The change is either that the
// clock reaches an expiry, or that an account sends a message. Only Text is set if nothing
// can reverse the decision, or if more than one step is needed. It was tried, by the function
// that executes messages; Text is empty if no change is known that works.
type DecisionChange struct {
	// Text describes the change.
	Text string
	// ClockTarget is the expiry that the clock must reach; nil if a message is needed.
	ClockTarget *cw721.Expiration
	Sender      cw721.Address    // the account that must send Message; empty if an expiry is enough
	Message     cw721.ExecuteMsg // the message that must be sent; nil if an expiry is enough
}

// Why explains why an account may or may not do an action now. token is ignored if the action
// is not on a token. Why fails with a [*cw721.Error] of kind not_found if there is no such
// token.
func Why(view *chain.View, account cw721.Address, action cw721.Action, token string) (Explanation, error) {
	msg := action.Message(token, account)
	explanation, err := WhyMessage(view, account, action.Name, msg)
	if err != nil {
		return Explanation{}, err
	}
	decisionExplainer := explainer{Decision: explanation.Decision, view: view}
	explanation.Change, err = decisionExplainer.whatWouldReverse(msg)
	return explanation, err
}

// WhyMessage explains the decision about a message that an account would send now, without
// what would reverse it. action names the message in the verdict. It fails like [Why].
func WhyMessage(
	view *chain.View,
	account cw721.Address,
	action string,
	msg cw721.ExecuteMsg,
) (Explanation, error) {
	decision, err := view.Decide(account, msg)
	if err != nil {
		return Explanation{}, err
	}

	explanation := ExplainDecision(view, decision)
	explanation.Action = action
	explanation.OverrulingClause = overrulingClause(view, decision)
	name := view.DisplayName(account)
	phrase := actionPhrase(action, decision.TokenID)
	verdict := name + " may " + phrase
	if !decision.Allowed {
		verdict = fmt.Sprintf("%s may not %s: “%s”", name, phrase, decision.Refusal.Text)
	}
	explanation.Verdict = verdict + explanation.OverrulingClause
	return explanation, nil
}

// ExplainDecision explains each rule of a decision. Only Decision and Rules are set in
// the result.
func ExplainDecision(view *chain.View, decision *cw721.Decision) Explanation {
	decisionExplainer := explainer{Decision: decision, view: view}
	explanation := Explanation{Decision: decision}
	for _, check := range decision.Checks {
		rule := RuleText{Check: check, Text: decisionExplainer.checkText(check)}
		explanation.Rules = append(explanation.Rules, rule)
	}
	return explanation
}

// overrulingClause says that a compiled contract decided differently from the rules; or
// nothing.
func overrulingClause(view *chain.View, decision *cw721.Decision) string {
	if !decision.Overruled {
		return ""
	}
	format := "; the compiled contract, which runs here, refuses it, while the rules of %s allow it"
	if decision.Allowed {
		format = "; the compiled contract, which runs here, allows it, while the rules of %s refuse it"
	}
	return fmt.Sprintf(format, view.Rules)
}

// explainer describes a decision. The texts call the sender of the message the actor.
type explainer struct {
	*cw721.Decision
	view *chain.View
}

// fillPlaceholders replaces ACTOR and OWNER, the token's, in a text by their names.
// replacements are pairs of another placeholder and the text to put in its place.
func (e explainer) fillPlaceholders(text string, replacements ...string) string {
	replacements = append(replacements, "ACTOR", e.view.DisplayName(e.Actor))
	if e.Owner != nil {
		replacements = append(replacements, "OWNER", e.view.DisplayName(*e.Owner))
	}
	return strings.NewReplacer(replacements...).Replace(text)
}

// checkText describes the check of one rule, such as "bob has an approval; height 1,110 ≥
// 1,110: expired".
func (e explainer) checkText(check cw721.Check) string {
	membersClause := ""
	if len(check.Members) > 0 {
		membersClause = " (needed for " + joinWithAnd(check.Members) + ")"
	}
	replacements := []string{"ROLE", string(check.Rule), "MEMBERS", membersClause}

	// The sentence depends on who has the permission that the rule looks for: nobody,
	// somebody else, or the actor.
	words := cw721.WordsOfRule(check.Rule)
	if check.Holder == nil {
		return e.fillPlaceholders(words.Nobody, replacements...)
	}
	if *check.Holder != e.Actor {
		replacements = append(replacements, "HOLDER", e.view.DisplayName(*check.Holder))
		return e.fillPlaceholders(words.Other, replacements...)
	}

	// Only the offer of a role can be stored without an expiry.
	comparisonClause := ", and the offer never expires"
	if check.Expires != nil {
		comparisonClause = "; " + expiryComparison(check, e.Block)
	}
	replacements = append(replacements, "COMPARISON", comparisonClause)
	return e.fillPlaceholders(words.Actor, replacements...)
}

// checkLabel names the permission that a check found, such as "owner", "approval until height
// 1,110", or "operator expired at height 1,090"; or nothing.
func checkLabel(check cw721.Check) string {
	switch {
	case check.Passed && check.Expires == nil:
		return string(check.Rule)
	case check.Passed:
		return string(check.Rule) + " " + untilText(*check.Expires)
	case check.Expires != nil:
		return string(check.Rule) + " expired at " + human.Expiry(*check.Expires)
	}
	return ""
}

// actionPhrase returns a phrase for an action that can follow the word "may". token is nil if
// the action is not about a token.
func actionPhrase(actionName string, token *string) string {
	action, isKnown := cw721.ActionNamed(actionName)
	switch {
	case actionName == cw721.OwnAction.Name:
		action = cw721.OwnAction
	case !isKnown: // it is a phrase already
		return actionName
	}
	id := ""
	if token != nil {
		id = human.TokenID(*token)
	}
	return strings.ReplaceAll(action.Phrase, "TOKEN", id)
}

// expiryComparison returns the comparison that decides whether a grant has expired in a
// block: "height 1,110 ≥ 1,110: expired".
func expiryComparison(check cw721.Check, block cw721.Block) string {
	now, end, canExpire := check.Expires.NowAndEnd(block)
	if !canExpire {
		return "it never expires"
	}

	comparison := "%s %s < %s: live"
	if now >= end {
		comparison = "%s %s ≥ %s: expired"
	}
	if check.Expires.Axis == cw721.AtHeight {
		return fmt.Sprintf(comparison, "height", human.Thousands(now), human.Thousands(end))
	}
	nowText := human.Time(cw721.Time(now))
	endText := human.Time(cw721.Time(end))
	return fmt.Sprintf(comparison, "time", nowText, endText)
}

// joinWithAnd joins the items of a list for a sentence: "a, b and c".
func joinWithAnd(items []string) string {
	lastIndex := len(items) - 1
	if lastIndex < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:lastIndex], ", ") + " and " + items[lastIndex]
}
