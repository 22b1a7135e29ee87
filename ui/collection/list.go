package collection

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// collectionField is a row of the screen: a field of the collection and the form
// that changes it.
type collectionField struct {
	key   string // identifies the row, such as "royalty_info"
	label string // names the field for people, such as "royalty"
	// showValue returns the value in one line, for the list.
	showValue func(*app.State, chain.Collection) widget.Line
	// inquiries returns what is asked of the contract about who may change the field. account
	// is an address for the members of messages that need one. It is nil if nothing is asked.
	inquiries func(collection chain.Collection, account cw721.Address) []inquiry
	// openForm opens the form that changes the field. It is nil if no message
	// changes the field.
	openForm func(*app.State, chain.Collection) tea.Cmd
	verb     string // labels the key that opens the form; empty for "change"
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
		inquiries: royaltyInquiries,
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
		inquiries: func(_ chain.Collection, account cw721.Address) []inquiry {
			return []inquiry{
				{action: "mint", msg: &cw721.Mint{TokenID: "any", Owner: account}, onlyUsesField: true},
				{action: "add or remove one", msg: &cw721.AddMinter{Minter: account}},
			}
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
		inquiries: func(_ chain.Collection, account cw721.Address) []inquiry {
			oneCoin := &cw721.WithdrawFunds{Amount: cw721.Coin{Denom: "uatom", Amount: "1"}}
			return []inquiry{
				{action: "set it", msg: &cw721.SetWithdrawAddress{Address: account}},
				{action: "remove it", msg: &cw721.RemoveWithdrawAddress{}},
				{action: "withdraw funds to it", msg: oneCoin, onlyUsesField: true},
			}
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
		key:   "version",
		label: "contract",
		showValue: func(_ *app.State, c chain.Collection) widget.Line {
			return widget.Plain(c.Version.Contract + " " + c.Version.Number)
		},
		explain: explainVersionAndTokens,
	},
	{
		key:   "self",
		label: "contract address",
		showValue: func(state *app.State, _ chain.Collection) widget.Line {
			return widget.Plain(string(state.Config.Self))
		},
		explain: func(state *app.State, _ *collectionFacts) []widget.Line {
			return []widget.Line{widget.Plain("Where the contract lives on this chain. All addresses begin with " +
				state.Config.Prefix + "1; others are refused.")}
		},
	},
}

// fieldsBefore019 are the fields of a collection before 0.19, where only the minter's role
// could change.
var fieldsBefore019 = []string{"name", "symbol", "minter", "tokens", "rules", "version", "self"}

// fieldsOf returns the fields that a collection has under a rule set and in a layout of
// its storage, in the order of [collectionFields]. Before version 0.19 the layout has no
// creator.
func fieldsOf(rules cw721.Rules, layout *cw721.Layout) (fields []collectionField) {
	isOld := !layout.HasCreator()
	for _, field := range collectionFields {
		isMissing := false
		switch {
		case isOld:
			isMissing = !slices.Contains(fieldsBefore019, field.key)
		case field.key == bannerURLKey:
			isMissing = !rules.HasBanner()
		case field.key == additionalMintersKey:
			isMissing = !rules.HasAdditionalMinters()
		}
		if isMissing {
			continue
		}
		if isOld && field.key != "minter" { // no message changes it
			field.inquiries = nil
			field.openForm = nil
		}
		fields = append(fields, field)
	}
	return fields
}

// collectionFacts is what the screen shows, as of one revision of the chain: the
// collection, and for each field who may change it.
type collectionFacts struct {
	chain.Collection
	actor          cw721.Address              // the account that messages are sent as
	fields         []collectionField          // the rows of the screen
	offers         map[string]expiry.Entry    // the offer of a role, by the role's name
	inquiryResults map[string][]inquiryResult // who may change a field, by the key of the field
}

// readCollection reads the collection, and for every field who may change it. If no rule
// set is known, it leaves out who may change the fields.
func readCollection(view *chain.View, facts app.Facts) (*collectionFacts, error) {
	f := &collectionFacts{
		Collection:     facts.Collection,
		actor:          facts.FactsActor,
		fields:         fieldsOf(facts.Config.Rules, facts.Layout),
		offers:         map[string]expiry.Entry{},
		inquiryResults: map[string][]inquiryResult{},
	}
	for _, role := range []app.RoleKind{app.MinterRole, app.CreatorRole} {
		for _, offer := range role.OwnershipIn(f.Collection).Offers(role.Grant) {
			entry, err := view.WithBlock(offer)
			if err != nil {
				return nil, err
			}
			f.offers[role.Name] = entry
		}
	}
	if facts.NoRulesReason != "" {
		return f, nil
	}

	accounts := accountsToAskAbout(f.Collection, f.actor)
	for _, field := range f.fields {
		if field.inquiries == nil {
			continue
		}
		for _, question := range field.inquiries(f.Collection, f.actor) {
			verdicts, err := question.findVerdicts(view, accounts)
			if err != nil {
				return nil, err
			}
			result := inquiryResult{inquiry: question, verdicts: verdicts}
			f.inquiryResults[field.key] = append(f.inquiryResults[field.key], result)
		}
	}
	return f, nil
}
