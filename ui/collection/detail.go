package collection

import (
	"strings"

	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// detailLines returns the lines about a field: its full value, its explanation, and who
// may change it. A nil line is an empty one between two parts.
func (f *collectionFacts) detailLines(state *app.State, field collectionField) []widget.Line {
	lines := []widget.Line{
		widget.Styled(themes.Title, field.label),
		field.showValue(state, f.Collection),
	}
	if field.accountIn != nil {
		if address := field.accountIn(f.Collection); address != nil {
			lines = append(lines, widget.Faint(string(*address)))
		}
	}
	lines = append(lines, nil)
	if field.explain != nil {
		lines = append(lines, field.explain(state, f)...)
		lines = append(lines, nil)
	}
	if field.inquiries != nil {
		lines = append(lines, noRulesLines(state)...)
	}
	for _, result := range f.inquiryResults[field.key] {
		lines = append(lines, f.allowedAccountLines(state, result)...)
		lines = append(lines, nil)
	}
	if field.openForm == nil {
		return append(lines, widget.Muted("No message changes it."))
	}
	return append(lines, widget.Styled(themes.Key, "enter").
		Muted(" opens the form: it shows what would happen before anything does"))
}

// explainWithText returns a function that explains a field with the same text in
// every collection.
func explainWithText(text string) func(*app.State, *collectionFacts) []widget.Line {
	return func(*app.State, *collectionFacts) []widget.Line {
		return []widget.Line{widget.Muted(text)}
	}
}

// explainVersionAndTokens shows the name and version of the contract, and says what its
// tokens hold.
func explainVersionAndTokens(state *app.State, facts *collectionFacts) []widget.Line {
	tokensSentence := "A token's metadata are nine fields, kept on the chain."
	if state.Config.Flavour == cw721.FlavourBase {
		tokensSentence = "A token has no metadata on the chain, only a link to it."
	}
	return []widget.Line{
		widget.Plain(facts.Version.Contract),
		widget.Plain("version " + facts.Version.Number),
		nil,
		widget.Muted(tokensSentence),
	}
}

// explainRules says in one sentence where the rule set comes from, such as "Version 0.22.0 as it
// was released.", and lists what it permits.
func explainRules(state *app.State, _ *collectionFacts) []widget.Line {
	rules := state.Config.Rules
	if rules == "" {
		return noRulesLines(state)
	}
	summary := "Version " + strings.TrimPrefix(string(rules), "v") + " as it was released"
	switch {
	case rules == cw721.RulesStandard:
		summary = "The interface as it is documented, and the default."
	case rules.CanAnyoneChangeRoyalty():
		summary += ", mistakes included."
	default:
		summary += "."
	}
	lines := []widget.Line{widget.Plain(summary), nil, widget.Header("What it changes")}
	for _, text := range ruleSetEffects(rules) {
		lines = append(lines, widget.Muted(themes.GlyphDot+" ").Text(text))
	}

	origin := "The rule set is chosen when the collection is created."
	if state.Compiled {
		origin = "The compiled contract brings its rule set, and decides itself where it differs."
	}
	return append(lines, nil, widget.Muted(origin))
}

// noRulesLines says that no rule set is known for the contract. It returns no line if
// there is one.
func noRulesLines(state *app.State) []widget.Line {
	if state.NoRulesReason == "" {
		return nil
	}
	return []widget.Line{widget.Warning("").Text(state.NoRulesReason), nil}
}

// ruleSetEffects lists what a rule set permits where rule sets differ, such as who may
// change the royalty. Each text is one line.
func ruleSetEffects(rules cw721.Rules) []string {
	royaltyChange := "only the creator may change the royalty"
	if rules.CanAnyoneChangeRoyalty() {
		royaltyChange = "anyone may change the royalty: a hole that version 0.22.0 closed"
	}
	royaltyRaise := "one update may raise the royalty up to the cap at once"
	if maxIncrease, isLimited := rules.MaxShareIncrease(); isLimited {
		royaltyRaise = "one update may raise the royalty by at most " + maxIncrease.Percentage() + " %"
	}

	// These two are listed for every rule set, and the others only where they apply.
	effects := []string{royaltyChange, royaltyRaise}
	if rules.HasAdditionalMinters() {
		effects = append(effects,
			"the minter may let up to ten others mint",
			"an update of a token also reports its link")
	}
	if rules.HasBanner() {
		effects = append(effects, "a collection may have a banner, and a burn also reports the owner")
	}
	if rules.IgnoresUnknownMembers() {
		effects = append(effects, "unknown members of messages are ignored; the console names them")
	}
	return effects
}
