package start

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
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

// creation is a collection as it was typed.
type creation struct {
	form.Result
	genesis chain.Genesis
	sender  cw721.Address
}

// readCreation makes a collection of what was typed.
func readCreation(st *app.State, v map[string]string) form.Result {
	var c creation
	c.genesis = readGenesis(v, wallClock(st), &c.Result)
	c.genesis.Flavour, c.genesis.Module = cw721.Flavour(v["flavour"]), st.Module
	you := strings.TrimSpace(v["you"])
	if you == "" {
		c.Fail("you", "you are: a name or an address is missing")
		return c.Result
	}
	c.sender = c.who("you", you)
	msg := &cw721.InstantiateMsg{Name: v["name"], Symbol: v["symbol"], Extension: c.extension(v)}
	msg.Minter, msg.Creator = c.optional(v, "minter"), c.optional(v, "creator")
	msg.WithdrawAddress = c.optional(v, "withdraw_address")
	if v["cast"] == "true" {
		c.cast()
	}
	if len(c.Problems) > 0 {
		return c.Result
	}
	c.Msg = cw721.Encode(msg)
	if text := strings.TrimSpace(v["message"]); text != "" {
		c.Msg = []byte(text)
	}
	file, readModule := strings.TrimSpace(v["contract"]), st.ReadModule
	c.Preview = func(e app.Engine) (chain.Receipt, error) {
		g, err := c.running(file, readModule)
		if err != nil {
			return chain.Receipt{}, err
		}
		return e.PreviewInstantiate(g, c.sender, c.Msg)
	}
	c.Outcome = func(r chain.Receipt) (lines []widget.Line) {
		for _, a := range r.Response.Attributes {
			lines = append(lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" the "+a.Key+" is ").And(themes.Text, c.call(cw721.Address(a.Value))))
		}
		return lines
	}
	opened := app.OpenedMsg{Engine: st.Engine, InMemory: st.InMemory, Actor: c.sender}
	c.Do = func(e app.Engine) form.Done {
		g, err := c.running(file, readModule)
		if err == nil {
			_, err = e.Create(g, c.sender, c.Msg)
		}
		return form.Done{Err: err, Then: func() tea.Msg { return opened }}
	}
	return c.Result
}

// running gives the genesis with the compiled contract in a file, if one is
// named. It runs in a command.
func (c creation) running(file string, readModule func(string) (*chain.Module, error)) (g chain.Genesis, err error) {
	if g = c.genesis; file != "" && readModule != nil {
		g.Module, err = readModule(file)
	}
	return g, err
}

// wallClock is where the clock begins unless a person says where: at the time of
// day to the second, in the first block.
func wallClock(st *app.State) chain.Clock {
	return chain.Clock{Height: 1, Time: cw721.Time(st.Wall().Truncate(time.Second).UnixNano())}
}

// readGenesis reads what a chain begins with: its rules, its prefix and its
// clock, which is what is not typed.
func readGenesis(v map[string]string, clock chain.Clock, out *form.Result) chain.Genesis {
	g := chain.Genesis{
		Config: chain.Config{Prefix: strings.TrimSpace(v["prefix"])},
		Clock:  clock,
	}
	if rules := cw721.Rules(v["rules"]); rules.Known() {
		g.Rules = rules
		g.RulesMustFit = true
	}
	if p := g.Prefix; p != "" {
		if a, err := chain.AddressFor(p, "", cw721.AccountBytes); err != nil || cw721.ValidateAddress(p, a) != nil {
			out.Fail("prefix", "address prefix: \""+p+"\" cannot begin an address, expected lower-case letters such as cosmos")
		}
	}
	if text := strings.NewReplacer(",", "", "_", "", " ", "").Replace(v["height"]); text != "" {
		h, err := strconv.ParseUint(text, 10, 64)
		if err != nil || h == 0 {
			out.Fail("height", "start height: expected a whole number from 1")
		}
		g.Clock.Height = cw721.Height(h)
	}
	if v["time"] != "" {
		if at := form.ReadTime(clock, v["time"], "time", "start time", out); at != nil {
			g.Clock.Time = *at
		}
	}
	return g
}

// prefix is the one that addresses are made with.
func (c *creation) prefix() string {
	return cmp.Or(c.genesis.Prefix, "cosmos")
}

// who gives the address that a text means. A name gets an account; what looks
// like an address is taken as typed, for the contract to judge.
func (c *creation) who(field, text string) cw721.Address {
	a := cw721.Address(text)
	_, foreign := cw721.PrefixOf(a)
	if foreign || strings.HasPrefix(text, c.prefix()+"1") {
		return a
	}
	name := strings.TrimPrefix(text, "$")
	named, err := chain.Account{Name: name}.Addressed(c.prefix())
	if errors.As(err, new(*chain.AccountError)) {
		c.Fail(field, err.Error())
	}
	if err != nil {
		return a // or the prefix is the problem, and said so
	}
	made := named.Address
	c.Note(field, widget.In(themes.Muted, string(made)))
	c.add(chain.Account{Name: name, Address: made})
	return made
}

// cast adds accounts to act as and contracts to send to.
func (c *creation) cast() {
	for _, a := range []chain.Account{
		{Name: "alice"}, {Name: "bob"}, {Name: "carol"},
		{Name: "market", Receiver: chain.ReceiverAccepts}, {Name: "vault", Receiver: chain.ReceiverRejects},
	} {
		if made, err := a.Addressed(c.prefix()); err == nil { // else the field of the prefix says so
			c.add(made)
		}
	}
}

// add adds an account, unless there is one of its name.
func (c *creation) add(a chain.Account) {
	if !slices.ContainsFunc(c.genesis.Accounts, func(x chain.Account) bool { return x.Name == a.Name }) {
		c.genesis.Accounts = append(c.genesis.Accounts, a)
	}
}

func (c *creation) optional(v map[string]string, field string) *cw721.Address {
	text := strings.TrimSpace(v[field])
	if text == "" {
		return nil
	}
	a := c.who(field, text)
	return &a
}

// extension gathers what was said of the collection beyond its name; nil when
// nothing was.
func (c *creation) extension(v map[string]string) *cw721.CollectionExtensionMsg {
	var e cw721.CollectionExtensionMsg
	text := func(field string) *string {
		if v[field] == "" {
			return nil
		}
		s := v[field]
		return &s
	}
	e.Description, e.Image, e.ExternalLink = text("description"), text("image"), text("external_link")
	if said := v["explicit_content"]; said != notSaid {
		yes := said == "yes"
		e.ExplicitContent = &yes
	}
	if v["start_trading_time"] != "" {
		e.StartTradingTime = form.ReadTime(c.genesis.Clock, v["start_trading_time"], "start_trading_time", "trading starts", &c.Result)
	}
	if v["share"] != "" {
		share, err := form.ParseShare(v["share"])
		if err != nil {
			c.Fail("share", err.Error())
		}
		c.Note("share", form.PercentSignWarning(v["share"], share)...)
		to := c.sender
		if a := c.optional(v, "payment_address"); a != nil {
			to = *a
		}
		e.RoyaltyInfo = &cw721.RoyaltyInfo{PaymentAddress: to, Share: share}
	}
	if e == (cw721.CollectionExtensionMsg{}) {
		return nil
	}
	return &e
}

// call names those who get a name with the collection.
func (c creation) call(a cw721.Address) string {
	for _, x := range c.genesis.Accounts {
		if x.Address == a {
			return x.Name
		}
	}
	return widget.Middle(string(a), app.AddressWidth)
}
