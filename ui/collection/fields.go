package collection

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// collectionField is a line of the screen.
type collectionField struct {
	key   string
	label string
	value func(*app.State, chain.Collection) widget.Line
	// asks are the inquiries about who may change the field.
	asks []inquiry
	// edit opens the form that changes the field; nil if no message does. verb
	// labels its key.
	edit func(*app.State, chain.Collection) tea.Cmd
	verb string
	// account returns the account in the field; nil for a field without one.
	account func(chain.Collection) *cw721.Address
	// about says more than the value; nil if there is nothing to say.
	about func(*app.State, *collectionFacts) []widget.Line
}

// Values for inquiries. Any valid value will do: who may send a message does not
// depend on them.
var (
	anyText = "https://example.com"
	anyFlag = true
	anyTime = cw721.Time(1)
)

// asksInfo asks who may send an update of the collection.
func asksInfo(m cw721.CollectionInfoMsg) []inquiry {
	return []inquiry{{text: "change it", msg: constant(&cw721.UpdateCollectionInfo{CollectionInfo: m})}}
}

// asksExtension asks who may send an update of the extension.
func asksExtension(e cw721.CollectionExtensionMsg) []inquiry {
	return asksInfo(cw721.CollectionInfoMsg{Extension: &e})
}

// sameRoyalty sets the royalty to its present value, which every rule set accepts.
func sameRoyalty(now chain.Collection, account cw721.Address) cw721.ExecuteMsg {
	royalty := cmp.Or(extension(now).RoyaltyInfo, &cw721.RoyaltyInfo{PaymentAddress: account})
	return extended(cw721.CollectionExtensionMsg{RoyaltyInfo: royalty})
}

func mintFor(_ chain.Collection, account cw721.Address) cw721.ExecuteMsg {
	return &cw721.Mint{TokenID: "any", Owner: account}
}

// collectionFields are the lines of the screen. Fields that can be changed come
// first.
var collectionFields = []collectionField{
	textField("name", "", func(c chain.Collection) *string { return &c.Name },
		func(text *string) cw721.CollectionInfoMsg { return cw721.CollectionInfoMsg{Name: text} }),
	textField("symbol", "", func(c chain.Collection) *string { return &c.Symbol },
		func(text *string) cw721.CollectionInfoMsg { return cw721.CollectionInfoMsg{Symbol: text} }),
	extensionText("description", "", func(e *cw721.CollectionExtension) *string { return &e.Description },
		func(text *string) cw721.CollectionExtensionMsg {
			return cw721.CollectionExtensionMsg{Description: text}
		}),
	extensionText("image", "an absolute URL, like ipfs://bafy…/cover.png", func(e *cw721.CollectionExtension) *string { return &e.Image },
		func(text *string) cw721.CollectionExtensionMsg { return cw721.CollectionExtensionMsg{Image: text} }),
	extensionText("external_link", "an absolute URL, like https://apes.example.com", func(e *cw721.CollectionExtension) *string { return e.ExternalLink },
		func(text *string) cw721.CollectionExtensionMsg {
			return cw721.CollectionExtensionMsg{ExternalLink: text}
		}),
	extensionText(bannerURL, "an absolute URL, like ipfs://bafy…/banner.png", func(e *cw721.CollectionExtension) *string { return e.BannerURL },
		func(text *string) cw721.CollectionExtensionMsg { return cw721.CollectionExtensionMsg{BannerURL: text} }),
	{
		key: "explicit_content", label: "explicit content", verb: "change", edit: explicitForm, value: explicitValue,
		asks: asksExtension(cw721.CollectionExtensionMsg{ExplicitContent: &anyFlag}),
	},
	{
		key: "start_trading_time", label: "start of trading", verb: "change", edit: tradingForm, value: tradingValue, about: aboutTrading,
		asks: asksExtension(cw721.CollectionExtensionMsg{StartTradingTime: &anyTime}),
	},
	{
		key: "royalty_info", label: "royalty", verb: "change", edit: royaltyForm, value: royaltyValue, about: aboutRoyalty,
		asks: []inquiry{{text: "change it", msg: sameRoyalty}},
		account: func(c chain.Collection) *cw721.Address {
			if r := extension(c).RoyaltyInfo; r != nil {
				return &r.PaymentAddress
			}
			return nil
		},
	},
	roleField(app.CreatorRole, "creator"),
	roleField(app.MinterRole, "minter"),
	{
		key: additionalMinters, label: "additional minters", verb: "add or remove",
		edit: func(st *app.State, _ chain.Collection) tea.Cmd { return mintersForm(st, "add") },
		value: func(st *app.State, c chain.Collection) widget.Line {
			var names []string
			for _, a := range c.AdditionalMinters {
				names = append(names, st.DisplayName(a))
			}
			return widget.Plain(cmp.Or(strings.Join(names, ", "), "none"))
		},
		asks: []inquiry{
			{text: "mint", msg: mintFor, keeps: true},
			{text: "add or remove one", msg: func(_ chain.Collection, account cw721.Address) cw721.ExecuteMsg {
				return &cw721.AddMinter{Minter: account}
			}},
		},
	},
	{
		key: "withdraw_address", label: "withdraw address", verb: "change", about: aboutInWords(aboutWithdraw),
		edit:  func(st *app.State, c chain.Collection) tea.Cmd { return withdrawForm(st, c, "set") },
		value: func(st *app.State, c chain.Collection) widget.Line { return accountLine(st, c.Withdraw, "none") },
		asks: []inquiry{
			{text: "set it", msg: func(_ chain.Collection, account cw721.Address) cw721.ExecuteMsg {
				return &cw721.SetWithdrawAddress{Address: account}
			}},
			{text: "remove it", msg: constant(&cw721.RemoveWithdrawAddress{})},
			{text: "withdraw funds to it", msg: constant(&cw721.WithdrawFunds{Amount: cw721.Coin{Denom: "uatom", Amount: "1"}}), keeps: true},
		},
		account: func(c chain.Collection) *cw721.Address { return c.Withdraw },
	},
	{
		key: "updated_at", label: "updated at", about: aboutInWords("When the collection was created. The name promises more: an update does not change it."),
		value: func(_ *app.State, c chain.Collection) widget.Line { return widget.Plain(chain.InUTC(c.UpdatedAt)) },
	},
	{
		key: "tokens", label: "tokens",
		value: func(_ *app.State, c chain.Collection) widget.Line { return widget.Plain(chain.Thousands(c.Tokens)) },
		about: aboutInWords("How many there are now: those that were minted less those that were burned."),
	},
	{
		key: "rules", label: "rule set", about: aboutRules,
		value: func(st *app.State, _ chain.Collection) widget.Line { return widget.Plain(string(st.Config.Rules)) },
	},
	{
		key: "version", label: "contract", about: aboutVersion,
		value: func(_ *app.State, c chain.Collection) widget.Line {
			return widget.Plain(c.Version.Contract + " " + c.Version.Version)
		},
	},
	{
		key: "self", label: "contract address",
		value: func(st *app.State, _ chain.Collection) widget.Line { return widget.Plain(string(st.Config.Self)) },
		about: func(st *app.State, _ *collectionFacts) []widget.Line {
			return []widget.Line{widget.Plain("Where the contract lives on this chain. All addresses begin with " + st.Config.Prefix + "1; others are refused.")}
		},
	},
}

// The fields that only some rule sets have.
const bannerURL, additionalMinters = "banner_url", "additional_minters"

// fieldsOf returns the fields that a rule set has.
func fieldsOf(rules cw721.Rules) []collectionField {
	return slices.DeleteFunc(slices.Clone(collectionFields), func(f collectionField) bool {
		return (f.key == bannerURL || f.key == additionalMinters) && !rules.HasAdditionalMinters()
	})
}

func explicitValue(_ *app.State, c chain.Collection) widget.Line {
	switch explicit := extension(c).ExplicitContent; {
	case explicit == nil:
		return widget.In(themes.Faint, "not said")
	case *explicit:
		return widget.Plain("yes")
	}
	return widget.Plain("no")
}

func tradingValue(st *app.State, c chain.Collection) widget.Line {
	at := extension(c).StartTradingTime
	switch {
	case at == nil:
		return widget.In(themes.Faint, "not said")
	case st.Times == app.Calendar:
		return widget.Plain(chain.InUTC(*at))
	case st.Times == app.Exact:
		return widget.Plain(app.Decimal(uint64(*at)) + " ns")
	}
	return widget.Plain(form.FromNow(*at, st.Clock.Time))
}

func royaltyValue(st *app.State, c chain.Collection) widget.Line {
	r := extension(c).RoyaltyInfo
	if r == nil {
		return widget.In(themes.Faint, "none")
	}
	return widget.In(themes.Strong, r.Share.Percentage()+" %").And(themes.Muted, " to ").And(themes.Text, st.DisplayName(r.PaymentAddress))
}

// accountLine writes an account; nobody is written for nil.
func accountLine(st *app.State, a *cw721.Address, nobody string) widget.Line {
	if a == nil {
		return widget.In(themes.Faint, nobody)
	}
	return widget.Plain(st.DisplayName(*a))
}

// roleField returns the line of a role: its holder, and its offer.
func roleField(r app.RoleKind, label string) collectionField {
	return collectionField{
		key: label, label: label, verb: "hand on",
		value: func(st *app.State, c chain.Collection) widget.Line {
			role := r.Of(c)
			line := accountLine(st, role.Owner, "nobody, renounced for good")
			if role.PendingOwner == nil {
				return line
			}
			candidate := st.DisplayName(*role.PendingOwner)
			expires := role.PendingExpiry
			if expires != nil && expires.Expired(st.Block()) {
				return line.And(themes.Expired, " "+themes.GlyphExpired+" offer to "+candidate+" expired")
			}
			line = line.And(themes.Live, " "+themes.GlyphLive).And(themes.Text, " offered to "+candidate)
			if expires == nil {
				return line
			}
			return line.And(themes.Muted, ", "+st.When(*expires))
		},
		asks: []inquiry{
			{text: "offer it", msg: func(_ chain.Collection, account cw721.Address) cw721.ExecuteMsg {
				return r.Message(cw721.Offer(account, nil))
			}},
			{text: "accept the offer", msg: constant(r.Message(cw721.Accept))},
			{text: "renounce it", msg: constant(r.Message(cw721.Renounce))},
		},
		edit:    func(st *app.State, c chain.Collection) tea.Cmd { return roleForm(st, c, r, "") },
		account: func(c chain.Collection) *cw721.Address { return r.Of(c).Owner },
		about: func(st *app.State, f *collectionFacts) []widget.Line {
			return aboutRole(st, r, r.Of(f.Collection))
		},
	}
}
