package start

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// creation is the collection that the form describes.
type creation struct {
	form.Result                   // what the form shows and does
	values      map[string]string // the texts of the form's fields, by their names
	genesis     chain.Genesis     // the block, the accounts and the rules to begin with
	sender      cw721.Address     // who sends the instantiate message
	moduleFile  string            // the path of a compiled contract to run; empty for none
}

// readCreation turns the values of the form, by the name of the field, into what the form
// shows and does. What is wrong with them becomes problems of their fields. If nothing is,
// the form previews the instantiate message, and then creates the collection with it.
func readCreation(st *app.State, values map[string]string) form.Result {
	c := creation{values: values, moduleFile: strings.TrimSpace(values["contract"])}
	now := wallClock(st)
	c.genesis = readGenesis(values, now, &c.Result)
	c.genesis.Clock.Time = cmp.Or(c.genesis.Clock.Time, now.Time)
	c.genesis.Prefix = cmp.Or(c.genesis.Prefix, chain.DefaultPrefix)
	c.genesis.Module = st.Module

	// Without a sender, nothing can be previewed.
	you := strings.TrimSpace(values["you"])
	if you == "" {
		c.Fail("you", "you are: a name or an address is missing")
		return c.Result
	}

	// Read the message, and stop if a field is wrong.
	c.sender = c.readAccount("you", you)
	isCompiled := st.Module != nil || c.moduleFile != ""
	msg := c.readMessage(isCompiled)
	if values["cast"] == "true" {
		c.addCast()
	}
	if len(c.Problems) > 0 {
		return c.Result
	}

	// The form shows what the message does before it is sent.
	c.Msg = msg
	c.Preview = func(e app.Engine) (chain.Receipt, error) { return c.run(st, e.PreviewInstantiate) }
	c.Outcome = c.attributeLines
	opened := app.OpenedMsg{Engine: st.Engine, InMemory: st.InMemory, Actor: c.sender}
	c.Do = func(e app.Engine) form.Done {
		_, err := c.run(st, e.Create)
		return form.Done{Err: err, Then: func() tea.Msg { return opened }}
	}
	return c.Result
}

// run calls create, which previews or creates the collection, with the genesis and the
// instantiate message. It first reads the file of a compiled contract, if there is one. That
// can take a while, so run is only called in the background.
func (c creation) run(st *app.State, create func(chain.Genesis, cw721.Address, []byte) (chain.Receipt, error)) (chain.Receipt, error) {
	genesis := c.genesis
	if c.moduleFile != "" {
		var err error
		if genesis.Module, err = st.ReadModule(c.moduleFile); err != nil {
			return chain.Receipt{}, err
		}
	}
	return create(genesis, c.sender, c.Msg)
}

// attributeLines lists the attributes of the response, with names for addresses.
func (c creation) attributeLines(r chain.Receipt) (lines []widget.Line) {
	for _, a := range r.Response.Attributes {
		lines = append(lines, widget.Muted("  "+themes.GlyphDot+" the "+a.Key+" is ").Text(c.displayName(cw721.Address(a.Value))))
	}
	return lines
}

// displayName returns the name that an account gets with the collection, or the
// two ends of its address.
func (c creation) displayName(a cw721.Address) string {
	for _, account := range c.genesis.Accounts {
		if account.Address == a {
			return account.Name
		}
	}
	return widget.ElideMiddle(string(a), app.AddressWidth)
}

// wallClock returns the first block of a new chain, at the time of day to the
// second.
func wallClock(st *app.State) chain.Clock {
	return chain.Clock{Height: 1, Time: cw721.Time(st.Wall().Truncate(time.Second).UnixNano())}
}

// readGenesis reads the rules, the flavour, the prefix and the block of a new chain from the
// fields of a form. It adds what is wrong with a field to result. An empty time stays 0. now
// is the block that a typed time such as "+90m" counts from.
func readGenesis(values map[string]string, now chain.Clock, result *form.Result) chain.Genesis {
	genesis, problems := chain.ParseGenesis(chain.GenesisFields{
		Rules:   values["rules"],
		Flavour: values["flavour"],
		Prefix:  strings.TrimSpace(values["prefix"]),
		Height:  strings.NewReplacer(",", "", "_", "", " ", "").Replace(values["height"]),
	})
	for _, problem := range problems {
		if wrong, isWrong := errors.AsType[*chain.FieldError](problem); isWrong {
			result.Fail(wrong.Field, wrong.Error())
		}
	}

	// A time can be typed as a moment, which the form reads itself.
	if values["time"] != "" {
		if at := form.ReadTime(now, values["time"], "time", "start time", result); at != nil {
			genesis.Clock.Time = *at
		}
	}
	return genesis
}

// readAccount returns the address of an account. A new name becomes an account of the
// new chain.
func (c *creation) readAccount(field, text string) cw721.Address {
	address, err := c.genesis.ResolveOrAdd(text)
	if err != nil {
		c.Fail(field, err.Error())
		return ""
	}
	isName := string(address) != text // the address that a name gets is shown
	if isName {
		c.Note(field, widget.Muted(string(address)))
	}
	return address
}

// readOptionalAccount reads an account; nil for an empty field.
func (c *creation) readOptionalAccount(field string) *cw721.Address {
	text := strings.TrimSpace(c.values[field])
	if text == "" {
		return nil
	}
	a := c.readAccount(field, text)
	return &a
}

// addCast adds accounts to act as, and contracts to send tokens to. It leaves out those whose
// name an account of the collection has already.
func (c *creation) addCast() {
	for _, member := range []chain.Account{
		{Name: "alice"},
		{Name: "bob"},
		{Name: "carol"},
		{Name: "market", Receiver: chain.ReceiverAccepts},
		{Name: "vault", Receiver: chain.ReceiverRejects},
	} {
		hasName := func(a chain.Account) bool { return a.Name == member.Name }
		if !slices.ContainsFunc(c.genesis.Accounts, hasName) {
			c.genesis.Accounts = append(c.genesis.Accounts, member) // Create derives the address
		}
	}
}

// readMessage returns the instantiate message: the one that was typed, or else one made of
// the other fields. For a compiled contract it always names the minter, as contracts before
// 0.19 require.
func (c *creation) readMessage(isCompiled bool) []byte {
	msg := &cw721.InstantiateMsg{
		Name:            c.values["name"],
		Symbol:          c.values["symbol"],
		Extension:       c.readExtension(),
		Minter:          c.readOptionalAccount("minter"),
		Creator:         c.readOptionalAccount("creator"),
		WithdrawAddress: c.readOptionalAccount("withdraw_address"),
	}
	if isCompiled && msg.Minter == nil {
		msg.Minter = &c.sender
	}
	if typed := strings.TrimSpace(c.values["message"]); typed != "" {
		return []byte(typed)
	}
	return cw721.Encode(msg)
}

// readExtension reads the collection's extension; nil if all its fields are empty.
func (c *creation) readExtension() *cw721.CollectionExtensionMsg {
	extension := cw721.CollectionExtensionMsg{
		Description:  c.optionalText("description"),
		Image:        c.optionalText("image"),
		ExternalLink: c.optionalText("external_link"),
		RoyaltyInfo:  c.readRoyalty(),
	}
	if choice := c.optionalText("explicit_content"); choice != nil {
		extension.ExplicitContent = new(*choice == "yes")
	}
	if text := c.values["start_trading_time"]; text != "" {
		extension.StartTradingTime = form.ReadTime(c.genesis.Clock, text, "start_trading_time", "trading starts", &c.Result)
	}
	if extension == (cw721.CollectionExtensionMsg{}) {
		return nil
	}
	return &extension
}

// optionalText returns the text of a field; nil if it is empty.
func (c *creation) optionalText(field string) *string {
	text := c.values[field]
	if text == "" {
		return nil
	}
	return &text
}

// readRoyalty reads the royalty; nil if it is empty. It is paid to the sender
// unless another account is named.
func (c *creation) readRoyalty() *cw721.RoyaltyInfo {
	text := c.values["share"]
	if text == "" {
		return nil
	}
	share, err := form.ParseShare(text)
	if err != nil {
		c.Fail("share", err.Error())
	}
	c.Note("share", form.PercentSignWarning(text, share)...)
	payee := c.sender
	if a := c.readOptionalAccount("payment_address"); a != nil {
		payee = *a
	}
	return &cw721.RoyaltyInfo{PaymentAddress: payee, Share: share}
}
