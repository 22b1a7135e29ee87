package collection

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// choiceHint is shown below a field with a choice.
const choiceHint = "← → choose"

// openChangeForm opens the form that changes the field with a label, such as "royalty". The
// form has the given fields, and sends the message that readMessage reads from them.
func openChangeForm(
	state *app.State,
	label string,
	readMessage func(*form.Input) cw721.ExecuteMsg,
	fields ...widget.Field,
) tea.Cmd {
	return form.Open(state, form.NewMessage("Change the "+label, readMessage, fields...))
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

	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		isExplicit := input.Values[name] == "yes"
		return newExtensionUpdate(cw721.CollectionExtensionMsg{ExplicitContent: &isExplicit})
	}
	return openChangeForm(state, "explicit content", readMessage, field)
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

	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		// A text that is no time becomes a problem in input.Result.
		tradingStart := form.ReadTime(state.Clock, input.Values[name], name, "trading starts", &input.Result)
		return newExtensionUpdate(cw721.CollectionExtensionMsg{StartTradingTime: tradingStart})
	}
	return openChangeForm(state, "start of trading", readMessage, field)
}

// messageChoice is one of the messages that a form can send. The form's first field
// chooses it.
type messageChoice struct {
	name        string   // identifies the message in the form, such as "offer"
	title       string   // the entry in the palette
	description string   // says beside the name what the message does
	inputNames  []string // the names of the fields that the message is read from
}

// openActionForm opens a form that sends one of several messages. In its first field,
// "action", the user chooses which one. At first this is the one named chosenName. The
// form shows only the inputs that the message of the chosen action needs.
func openActionForm(
	state *app.State,
	title string,
	actions []messageChoice,
	chosenName string,
	readMessage func(*form.Input) cw721.ExecuteMsg,
	inputs ...widget.Field,
) tea.Cmd {
	actionField := widget.Field{
		Name:  "action",
		Label: "Action",
		Kind:  widget.ChoiceField,
		Value: chosenName,
		Hint:  choiceHint,
	}
	inputNamesOf := map[string][]string{} // the names of the inputs, by the name of the action
	for _, action := range actions {
		option := widget.Candidate{Value: action.name, Detail: action.description}
		actionField.Options = append(actionField.Options, option)
		inputNamesOf[action.name] = action.inputNames
	}

	fields := append([]widget.Field{actionField}, inputs...)
	dialog := form.NewMessage(title, readMessage, fields...)

	// When another action is chosen, other fields show.
	dialog.OnChange = func(shownForm *widget.Form, _ string) {
		shownNames := inputNamesOf[shownForm.Value("action")]
		for _, input := range inputs {
			shownForm.SetShown(input.Name, slices.Contains(shownNames, input.Name))
		}
	}

	// Begin with the inputs of the chosen action, and with the cursor in the first of them.
	dialog.OnChange(dialog.Form, "")
	if shownNames := inputNamesOf[chosenName]; len(shownNames) > 0 {
		dialog.Form.Focus(shownNames[0])
	}
	return form.Open(state, dialog)
}

// withdrawActions are the messages about the coins that the contract holds.
var withdrawActions = []messageChoice{
	{
		name:        "set",
		title:       "Withdraw address: set",
		description: "the creator says where coins go",
		inputNames:  []string{"address"},
	},
	{
		name:        "remove",
		title:       "Withdraw address: remove",
		description: "coins stay in the contract until another is set",
	},
	{
		name:        "withdraw",
		title:       "Withdraw funds",
		description: "pays coins of the contract to the address",
		inputNames:  []string{"amount", "denom"},
	},
}

// openWithdrawForm opens the form that sets or removes the withdraw address, or
// pays coins to it.
func openWithdrawForm(state *app.State, collection chain.Collection, actionName string) tea.Cmd {
	address := form.AccountField(state, "address", "Address")
	if collection.WithdrawAddress != nil {
		address.Value = state.InputText(*collection.WithdrawAddress)
	}
	amount := widget.Field{Name: "amount", Label: "Amount", Placeholder: "1000000"}
	denom := widget.Field{Name: "denom", Label: "Coin", Value: "uatom"} // as on the Cosmos Hub
	return openActionForm(state, "Withdraw address", withdrawActions, actionName,
		readWithdrawMessage, address, amount, denom)
}

// readWithdrawMessage reads the form of [openWithdrawForm]. It returns the message of the
// chosen action.
func readWithdrawMessage(input *form.Input) cw721.ExecuteMsg {
	switch input.Values["action"] {
	case "remove":
		return &cw721.RemoveWithdrawAddress{}
	case "withdraw":
		coin := cw721.Coin{Denom: input.Values["denom"], Amount: readAmount(input)}
		return &cw721.WithdrawFunds{Amount: coin}
	default: // "set"
		return &cw721.SetWithdrawAddress{Address: input.ReadAddress("address")}
	}
}

// readAmount reads the amount to withdraw. An amount that is no whole number is a problem of
// the input.
func readAmount(input *form.Input) cw721.Uint128 {
	amount := withoutSeparators(input.Values["amount"])
	isNumber := amount != "" && strings.Trim(amount, "0123456789") == ""
	if !isNumber {
		input.Fail("amount", "amount: expected a whole number of the coin's smallest unit")
	}
	return cw721.Uint128(amount)
}

// withoutSeparators removes what people put between the digits of a long number:
// commas, underscores and spaces.
func withoutSeparators(number string) string {
	return strings.NewReplacer(",", "", "_", "", " ", "").Replace(number)
}

// withdrawOneCoin pays one coin to the withdraw address.
var withdrawOneCoin = &cw721.WithdrawFunds{Amount: cw721.Coin{Denom: "uatom", Amount: "1"}}

// setWithdrawMessage returns the message that sets the withdraw address to an account.
func setWithdrawMessage(_ chain.Collection, account cw721.Address) cw721.ExecuteMsg {
	return &cw721.SetWithdrawAddress{Address: account}
}
