package start

import (
	"cmp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// creation is the new collection that the form describes, while the form is being read. The
// fields of the form are in create.go.
type creation struct {
	form.Result                   // what the form shows and does
	values      map[string]string // the text of each field of the form
	genesis     chain.Genesis     // the first block, the accounts and the rules of the new chain
	sender      cw721.Address     // sends the instantiate message
	moduleFile  string            // the path of a compiled contract to run; empty for the built-in one
}

// readCreation reads the form. A wrong value becomes a problem of its field. If no value is
// wrong, the form first previews the instantiate message, and then creates the collection
// with it.
func readCreation(state *app.State, values map[string]string) form.Result {
	draft := creation{values: values, moduleFile: strings.TrimSpace(values["contract"])}

	// Read the chain. An empty time means now.
	now := wallClock(state)
	draft.genesis = readGenesis(values, now, &draft.Result)
	draft.genesis.Clock.Time = cmp.Or(draft.genesis.Clock.Time, now.Time)
	draft.genesis.Prefix = cmp.Or(draft.genesis.Prefix, chain.DefaultPrefix)
	draft.genesis.Module = state.Module

	// Without a sender nothing can be previewed.
	sender := strings.TrimSpace(values["you"])
	if sender == "" {
		draft.Fail("you", "you are: a name or an address is missing")
		return draft.Result
	}

	// Read the message, and stop if a field is wrong.
	draft.sender = draft.readAccount("you", sender)
	isCompiled := state.Module != nil || draft.moduleFile != ""
	msg := draft.readMessage(isCompiled)
	if values["cast"] == "true" {
		draft.addCast()
	}
	if len(draft.Problems) > 0 {
		return draft.Result
	}

	draft.Msg = msg
	draft.Preview = func(engine app.Engine) (chain.Receipt, error) {
		return draft.runInstantiate(state, engine.PreviewInstantiate)
	}
	draft.Outcome = draft.attributeLines
	openedMsg := app.OpenedMsg{Engine: state.Engine, InMemory: state.InMemory, Actor: draft.sender}
	draft.Do = func(engine app.Engine) form.WorkOutcome {
		_, err := draft.runInstantiate(state, engine.Create)
		return form.WorkOutcome{Err: err, Then: app.Send(openedMsg)}
	}
	return draft.Result
}

// readAccount returns the address of the account in a field of the form. text is a name
// or an address. A new name becomes an account of the new chain. If text is wrong,
// readAccount adds a problem to the field and returns "".
func (c *creation) readAccount(field, text string) cw721.Address {
	address, err := c.genesis.ResolveOrAdd(text)
	if err != nil {
		c.Fail(field, err.Error())
		return ""
	}
	if string(address) != text { // it is a name
		c.Note(field, widget.Muted(string(address)))
	}
	return address
}

// readOptionalAccount returns the address of the account in a field of the form. It
// returns nil if the field is empty.
func (c *creation) readOptionalAccount(field string) *cw721.Address {
	text := strings.TrimSpace(c.values[field])
	if text == "" {
		return nil
	}
	address := c.readAccount(field, text)
	return &address
}

// readMessage returns the instantiate message: the one that the user has typed, or else one
// that is made of the other fields. For a compiled contract the latter always names the
// minter, because contracts before 0.19 require that. Wrong fields become problems.
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

	// The fields above were read all the same, so that their problems are shown.
	if typedMessage := strings.TrimSpace(c.values["message"]); typedMessage != "" {
		return []byte(typedMessage)
	}
	return cw721.Encode(msg)
}

// readExtension reads the extension of the collection, which has its description, its
// image and further optional data. It returns nil if all these fields are empty.
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
		extension.StartTradingTime = c.ReadTime(c.genesis.Clock, text, "start_trading_time", "trading starts")
	}

	if extension == (cw721.CollectionExtensionMsg{}) {
		return nil
	}
	return &extension
}

// optionalText returns the text of a field of the form. It returns nil if the field is
// empty.
func (c *creation) optionalText(field string) *string {
	text := c.values[field]
	if text == "" {
		return nil
	}
	return &text
}

// readRoyalty reads the royalty of the collection. It returns nil if the share is empty.
// The royalty is paid to the sender, unless the form names another account.
func (c *creation) readRoyalty() *cw721.RoyaltyInfo {
	text := c.values["share"]
	if text == "" {
		return nil
	}
	share, err := form.ParseShare(text)
	if err != nil {
		c.Fail("share", err.Error())
	} else {
		c.Note("share", form.PercentSignWarning(text, share)...)
	}

	payee := c.sender
	if address := c.readOptionalAccount("payment_address"); address != nil {
		payee = *address
	}
	return &cw721.RoyaltyInfo{PaymentAddress: payee, Share: share}
}

// addCast adds accounts that make a new collection easy to try out: three people, a
// contract that accepts tokens, and one that rejects them. It leaves out an account if
// the collection has one of the same name already.
func (c *creation) addCast() {
	cast := []chain.Account{
		{Name: "alice"},
		{Name: "bob"},
		{Name: "carol"},
		{Name: "market", Receiver: chain.ReceiverAccepts},
		{Name: "vault", Receiver: chain.ReceiverRejects},
	}
	for _, member := range cast {
		if !slices.ContainsFunc(c.genesis.Accounts, func(a chain.Account) bool { return a.Name == member.Name }) {
			c.genesis.Accounts = append(c.genesis.Accounts, member) // Create derives the address
		}
	}
}

// runInstantiate previews the creation of the collection or carries it out, as instantiate does.
// It first reads the file of a compiled contract, so it must be called in the background.
func (c *creation) runInstantiate(
	state *app.State,
	instantiate func(chain.Genesis, cw721.Address, []byte) (chain.Receipt, error),
) (chain.Receipt, error) {
	genesis := c.genesis
	if c.moduleFile != "" {
		module, err := state.ReadModule(c.moduleFile)
		if err != nil {
			return chain.Receipt{}, err
		}
		genesis.Module = module
	}
	return instantiate(genesis, c.sender, c.Msg)
}

// attributeLines returns a line for each attribute of the contract's response, such as
// "the minter is creator". An address of the new collection has its name, and any other is
// shortened.
func (c *creation) attributeLines(receipt chain.Receipt) (lines []widget.Line) {
	for _, attribute := range receipt.Response.Attributes {
		value := widget.Shorten(attribute.Value, app.AddressWidth)
		for _, account := range c.genesis.Accounts {
			if string(account.Address) == attribute.Value {
				value = account.Name
				break
			}
		}
		lines = append(lines, widget.Muted("  "+themes.GlyphDot+" the "+attribute.Key+" is ").Text(value))
	}
	return lines
}
