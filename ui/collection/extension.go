package collection

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// explicitContentValue shows whether the collection declares explicit content: yes, no or
// not set.
func explicitContentValue(_ *app.State, collection chain.Collection) widget.Line {
	isExplicit := extensionOf(collection).ExplicitContent
	switch {
	case isExplicit == nil:
		return widget.Faint("not set")
	case *isExplicit:
		return widget.Plain("yes")
	}
	return widget.Plain("no")
}

// openExplicitContentForm opens the form that declares whether the collection has
// explicit content.
func openExplicitContentForm(state *app.State, collection chain.Collection) tea.Cmd {
	const name = "explicit_content"
	field := widget.Field{
		Name:    name,
		Label:   "Explicit content",
		Kind:    widget.ChoiceField,
		Options: []widget.Candidate{{Value: "no"}, {Value: "yes"}},
		Value:   "no",
		Hint:    choiceHint,
	}
	if isExplicit := extensionOf(collection).ExplicitContent; isExplicit != nil && *isExplicit {
		field.Value = "yes"
	}

	return openChangeForm(state, "explicit content", func(input *form.Input) cw721.ExecuteMsg {
		isExplicit := input.Values[name] == "yes"
		return newExtensionUpdate(cw721.CollectionExtensionMsg{ExplicitContent: &isExplicit})
	}, field)
}

// tradingStartValue returns the start of trading in the form that the user chose
// for times.
func tradingStartValue(state *app.State, collection chain.Collection) widget.Line {
	tradingStart := extensionOf(collection).StartTradingTime
	switch {
	case tradingStart == nil:
		return widget.Faint("not set")
	case state.Times == app.Calendar:
		return widget.Plain(human.TimeUTC(*tradingStart))
	case state.Times == app.Exact:
		return widget.Plain(app.Decimal(uint64(*tradingStart)) + " ns")
	}
	return widget.Plain(form.FromNow(*tradingStart, state.Clock.Time))
}

// explainTradingStart shows the start of trading in all its forms, and what it is for.
func explainTradingStart(state *app.State, facts *collectionFacts) []widget.Line {
	purpose := widget.Muted("Marketplaces read it. The contract itself allows transfers before and after it.")
	tradingStart := extensionOf(facts.Collection).StartTradingTime
	if tradingStart == nil {
		return []widget.Line{purpose}
	}
	return []widget.Line{
		widget.Plain(human.TimeUTC(*tradingStart)),
		widget.Plain(form.FromNow(*tradingStart, state.Clock.Time)),
		widget.Plain(app.Decimal(uint64(*tradingStart)) + " ns"),
		nil,
		purpose,
	}
}

// openTradingStartForm opens the form that sets when trading starts. The user can type a
// time or a distance from the clock.
func openTradingStartForm(state *app.State, collection chain.Collection) tea.Cmd {
	const name = "start_trading_time"
	examples := form.TimeExamples(state.Clock)
	field := widget.Field{Name: name, Label: "Trading starts", Placeholder: examples, Hint: examples}
	if tradingStart := extensionOf(collection).StartTradingTime; tradingStart != nil {
		field.Value = form.FormatExpiry(cw721.UntilTime(*tradingStart))
	}

	return openChangeForm(state, "start of trading", func(input *form.Input) cw721.ExecuteMsg {
		tradingStart := input.ReadTime(state.Clock, input.Values[name], name, "trading starts")
		return newExtensionUpdate(cw721.CollectionExtensionMsg{StartTradingTime: tradingStart})
	}, field)
}
