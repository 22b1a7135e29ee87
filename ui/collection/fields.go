package collection

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// collectionField is a row of the screen: a field of the collection and the form
// that changes it.
type collectionField struct {
	key   string // identifies the row, such as "royalty_info"
	label string // names the field for people, such as "royalty"
	// showValue returns the value as the list shows it, in one line.
	showValue func(*app.State, chain.Collection) widget.Line
	// inquiries ask the contract who may change the field.
	inquiries []inquiry
	// openForm opens the form that changes the field. It is nil if no message
	// changes the field.
	openForm func(*app.State, chain.Collection) tea.Cmd
	// verb labels the key that opens the form; empty for "change".
	verb string
	// accountIn returns the account in the field, or nil if the field is empty. accountIn
	// itself is nil for a field that never holds an account.
	accountIn func(chain.Collection) *cw721.Address
	// explain returns the lines below the value in the detail. It can be nil.
	explain func(*app.State, *collectionFacts) []widget.Line
}

// These fields exist only under some rule sets.
const (
	bannerURLKey         = "banner_url"
	additionalMintersKey = "additional_minters"
)

// collectionFields are the rows of the screen in their order. Fields that can be
// changed come first.
var collectionFields = []collectionField{
	textField("name", "", func(m *cw721.CollectionInfoMsg) **string { return &m.Name }),
	textField("symbol", "", func(m *cw721.CollectionInfoMsg) **string { return &m.Symbol }),
	extensionTextField("description", "",
		func(m *cw721.CollectionExtensionMsg) **string { return &m.Description }),
	extensionTextField("image", "an absolute URL, like ipfs://bafy…/cover.png",
		func(m *cw721.CollectionExtensionMsg) **string { return &m.Image }),
	extensionTextField("external_link", "an absolute URL, like https://apes.example.com",
		func(m *cw721.CollectionExtensionMsg) **string { return &m.ExternalLink }),
	extensionTextField(bannerURLKey, "an absolute URL, like ipfs://bafy…/banner.png",
		func(m *cw721.CollectionExtensionMsg) **string { return &m.BannerURL }),
	{
		key:       "explicit_content",
		label:     "explicit content",
		showValue: explicitContentValue,
		inquiries: changeInquiries(newExtensionUpdate(cw721.CollectionExtensionMsg{
			ExplicitContent: new(true),
		})),
		openForm: openExplicitContentForm,
	},
	{
		key:       "start_trading_time",
		label:     "start of trading",
		showValue: tradingStartValue,
		inquiries: changeInquiries(newExtensionUpdate(cw721.CollectionExtensionMsg{
			StartTradingTime: new(cw721.Time(1)),
		})),
		openForm: openTradingStartForm,
		explain:  explainTradingStart,
	},
	{
		key:       "royalty_info",
		label:     "royalty",
		showValue: royaltyValue,
		inquiries: []inquiry{{action: "change it", newMessage: sameRoyaltyMessage}},
		openForm:  openRoyaltyForm,
		accountIn: royaltyAccount,
		explain:   explainRoyalty,
	},
	roleField(app.CreatorRole),
	roleField(app.MinterRole),
	{
		key:       additionalMintersKey,
		label:     "additional minters",
		showValue: additionalMintersValue,
		inquiries: []inquiry{
			{action: "mint", newMessage: mintMessage, onlyUsesField: true},
			{action: "add or remove one", newMessage: addMinterMessage},
		},
		openForm: func(state *app.State, _ chain.Collection) tea.Cmd { return openMintersForm(state, "add") },
		verb:     "add or remove",
	},
	{
		key:   "withdraw_address",
		label: "withdraw address",
		showValue: func(state *app.State, c chain.Collection) widget.Line {
			return accountLine(state, c.WithdrawAddress, "none")
		},
		inquiries: []inquiry{
			{action: "set it", newMessage: setWithdrawMessage},
			{action: "remove it", newMessage: alwaysMessage(&cw721.RemoveWithdrawAddress{})},
			{action: "withdraw funds to it", newMessage: alwaysMessage(withdrawOneCoin), onlyUsesField: true},
		},
		openForm: func(state *app.State, c chain.Collection) tea.Cmd {
			return openWithdrawForm(state, c, "set")
		},
		accountIn: func(c chain.Collection) *cw721.Address { return c.WithdrawAddress },
		explain:   explainWithText("Where withdraw_funds pays the coins that the contract holds. Anyone may send that message, as the coins can go nowhere else."),
	},
	{
		key:   "updated_at",
		label: "updated at",
		showValue: func(_ *app.State, c chain.Collection) widget.Line {
			return widget.Plain(human.TimeUTC(c.UpdatedAt))
		},
		explain: explainWithText("When the collection was created. Despite its name, an update does not change it."),
	},
	{
		key:   "tokens",
		label: "tokens",
		showValue: func(_ *app.State, c chain.Collection) widget.Line {
			return widget.Plain(human.Thousands(c.TokenCount))
		},
		explain: explainWithText("How many tokens there are now: those minted, less those burned."),
	},
	{
		key:   "rules",
		label: "rule set",
		showValue: func(state *app.State, _ chain.Collection) widget.Line {
			return widget.Plain(cmp.Or(string(state.Config.Rules), "none is known"))
		},
		explain: explainRules,
	},
	{
		key:       "version",
		label:     "contract",
		showValue: versionValue,
		explain:   explainVersionAndTokens,
	},
	{
		key:   "self",
		label: "contract address",
		showValue: func(state *app.State, _ chain.Collection) widget.Line {
			return widget.Plain(string(state.Config.Self))
		},
		explain: explainContractAddress,
	},
}

// fieldsBefore019 are the fields of a collection before 0.19, where only the minter's role
// could change.
var fieldsBefore019 = []string{"name", "symbol", "minter", "tokens", "rules", "version", "self"}

// fieldsOf returns the fields that a collection has under a rule set and in a layout of
// its storage, in the order of [collectionFields]. Before version 0.19 the layout has no
// creator.
func fieldsOf(rules cw721.Rules, layout *cw721.Layout) []collectionField {
	if !layout.HasCreator() {
		return oldFields()
	}

	isMissing := func(f collectionField) bool {
		switch f.key {
		case bannerURLKey:
			return !rules.HasBanner()
		case additionalMintersKey:
			return !rules.HasAdditionalMinters()
		}
		return false
	}
	return slices.DeleteFunc(slices.Clone(collectionFields), isMissing)
}

// oldFields returns the fields that a collection has before 0.19, where no message changes
// the collection info, only the minter's role.
func oldFields() (fields []collectionField) {
	for _, field := range collectionFields {
		if !slices.Contains(fieldsBefore019, field.key) {
			continue
		}
		if field.key != "minter" {
			field.inquiries = nil
			field.openForm = nil
		}
		fields = append(fields, field)
	}
	return fields
}

// changeInquiries returns the only inquiry of a field that one message changes: who may send
// msg? msg can set any valid value, because the permission does not depend on the value.
func changeInquiries(msg cw721.ExecuteMsg) []inquiry {
	return []inquiry{{action: "change it", newMessage: alwaysMessage(msg)}}
}

// newInfoUpdate returns the message that changes the collection's own fields.
func newInfoUpdate(info cw721.CollectionInfoMsg) cw721.ExecuteMsg {
	return &cw721.UpdateCollectionInfo{CollectionInfo: info}
}

// newExtensionUpdate returns the message that changes fields of the collection's
// extension.
func newExtensionUpdate(extension cw721.CollectionExtensionMsg) cw721.ExecuteMsg {
	return newInfoUpdate(cw721.CollectionInfoMsg{Extension: &extension})
}

// extensionOf returns the collection's extension, which is empty if the collection
// has none.
func extensionOf(collection chain.Collection) cw721.CollectionExtension {
	if collection.Extension == nil {
		return cw721.CollectionExtension{}
	}
	return *collection.Extension
}

// textsOf returns the texts of a collection in the form of a message that changes them. A
// text that was never set is nil.
func textsOf(collection chain.Collection) *cw721.CollectionInfoMsg {
	texts := &cw721.CollectionInfoMsg{Name: &collection.Name, Symbol: &collection.Symbol}

	// The texts of the extension exist only if the collection has one.
	if extension := collection.Extension; extension != nil {
		texts.Extension = &cw721.CollectionExtensionMsg{
			Description:  &extension.Description,
			Image:        &extension.Image,
			ExternalLink: extension.ExternalLink,
			BannerURL:    extension.BannerURL,
		}
	}
	return texts
}

// textField returns a field of the screen that holds a text, such as the name. textPointer
// returns a pointer to the member with this text in a message that changes the collection,
// so that the text can be read and set there.
func textField(key, hint string, textPointer func(*cw721.CollectionInfoMsg) **string) collectionField {
	member := textMember{key: key, hint: hint, textPointer: textPointer}
	return collectionField{
		key:   key,
		label: member.label(),
		showValue: func(_ *app.State, collection chain.Collection) widget.Line {
			return textValue(member.storedText(collection))
		},
		inquiries: changeInquiries(member.changeMessage("https://example.com")),
		openForm:  member.openForm,
	}
}

// textMember is a text of the collection that a message can change, such as its name.
type textMember struct {
	key  string // the key of its field, such as "external_link"
	hint string // what to type, such as "an absolute URL"
	// textPointer returns a pointer to the member with the text in a message, so that the
	// text can be read and set there.
	textPointer func(*cw721.CollectionInfoMsg) **string
}

// label returns the key in words, such as "external link".
func (t textMember) label() string { return strings.ReplaceAll(t.key, "_", " ") }

// storedText returns the text as a collection has it. It returns nil if it was never set.
func (t textMember) storedText(collection chain.Collection) *string {
	return *t.textPointer(textsOf(collection))
}

// changeMessage returns the message that replaces the text.
func (t textMember) changeMessage(text string) cw721.ExecuteMsg {
	var info cw721.CollectionInfoMsg
	*t.textPointer(&info) = &text
	return newInfoUpdate(info)
}

// openForm opens the form that replaces the text.
func (t textMember) openForm(state *app.State, collection chain.Collection) tea.Cmd {
	label := t.label()
	field := widget.Field{
		Name:  t.key,
		Label: strings.ToUpper(label[:1]) + label[1:],
		Hint:  t.hint,
		Value: textOrEmpty(t.storedText(collection)),
	}
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		return t.changeMessage(input.Values[t.key])
	}
	return openChangeForm(state, label, readMessage, field)
}

// extensionTextField returns a field that holds a text of the collection's extension, such
// as the description. textPointer returns a pointer to the member with the text in a message
// that changes the extension.
func extensionTextField(
	key, hint string,
	textPointer func(*cw721.CollectionExtensionMsg) **string,
) collectionField {
	// In a message that changes the whole collection, the extension may have to be added
	// first.
	textPointerInInfo := func(info *cw721.CollectionInfoMsg) **string {
		info.Extension = cmp.Or(info.Extension, &cw721.CollectionExtensionMsg{})
		return textPointer(info.Extension)
	}
	field := textField(key, hint, textPointerInInfo)
	field.explain = func(_ *app.State, facts *collectionFacts) []widget.Line {
		text := *textPointerInInfo(textsOf(facts.Collection))
		size := app.Plural(len(textOrEmpty(text)), "byte")
		return []widget.Line{widget.Muted(size + " of text. It can be replaced, never cleared.")}
	}
	return field
}

// textOrEmpty returns an optional text, or "" for nil.
func textOrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// textValue shows an optional text. nil, which means that it was never set, and the empty
// text are each shown as a word.
func textValue(text *string) widget.Line {
	switch {
	case text == nil:
		return widget.Faint("none")
	case *text == "":
		return widget.Faint("empty")
	}
	return widget.Plain(*text)
}

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

// versionValue shows the name and the version of the contract, as the contract stores
// them.
func versionValue(_ *app.State, collection chain.Collection) widget.Line {
	return widget.Plain(collection.Version.Contract + " " + collection.Version.Number)
}

// accountLine returns the name of an account, or the text placeholder if address is nil.
func accountLine(state *app.State, address *cw721.Address, placeholder string) widget.Line {
	if address == nil {
		return widget.Faint(placeholder)
	}
	return widget.Plain(state.DisplayName(*address))
}
