package start

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// read makes a creation of what was typed.
func (f *CreateForm) read() creation {
	v := f.Form.Values()
	c := creation{notes: map[string][]widget.Line{}}
	c.genesis = readGenesis(v, cw721.Time(f.opts.Wall().UnixNano()), &c.problems, c.notes)
	c.genesis.Flavour, c.genesis.Module = cw721.Flavour(v["flavour"]), f.opts.Module
	you := strings.TrimSpace(v["you"])
	if you == "" {
		c.problems = append(c.problems, form.Problem{Field: "you", Text: "you are: a name or an address is missing"})
		return c
	}
	c.sender = c.who("you", you)
	msg := &cw721.InstantiateMsg{Name: v["name"], Symbol: v["symbol"], Extension: c.extension(v)}
	msg.Minter, msg.Creator = c.optional(v, "minter"), c.optional(v, "creator")
	msg.WithdrawAddress = c.optional(v, "withdraw_address")
	if v["cast"] == "true" {
		c.cast()
	}
	if len(c.problems) == 0 {
		c.msg = cw721.Encode(msg)
	}
	return c
}

// readGenesis reads what a chain begins with: its rules, its prefix and its
// clock. now is the time where none is typed.
func readGenesis(v map[string]string, now cw721.Time, problems *[]form.Problem, notes map[string][]widget.Line) chain.Genesis {
	g := chain.Genesis{
		Config: chain.Config{Rules: cw721.Rules(v["rules"]), Prefix: strings.TrimSpace(v["prefix"])},
		Clock:  chain.Clock{Height: 1, Time: now},
	}
	fail := func(field, text string) { *problems = append(*problems, form.Problem{Field: field, Text: text}) }
	if p := g.Prefix; p != "" {
		if a, err := chain.AddressFor(p, "", cw721.AccountBytes); err != nil || cw721.ValidateAddress(p, a) != nil {
			fail("prefix", "address prefix: \""+p+"\" cannot begin an address, expected lower-case letters such as cosmos")
		}
	}
	if text := strings.NewReplacer(",", "", "_", "", " ", "").Replace(v["height"]); text != "" {
		h, err := strconv.ParseUint(text, 10, 64)
		if err != nil || h == 0 {
			fail("height", "start height: expected a whole number from 1")
		}
		g.Clock.Height = cw721.Height(h)
	}
	if v["time"] != "" {
		at, lines, found := form.ReadTime(chain.Clock{Height: 1, Time: now}, v["time"], "time", "start time")
		if *problems = append(*problems, found...); at != nil {
			g.Clock.Time, notes["time"] = *at, lines
		}
	}
	return g
}

// prefix is the one that addresses are made with.
func (c *creation) prefix() string {
	if c.genesis.Prefix == "" {
		return "cosmos"
	}
	return c.genesis.Prefix
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
		c.problems = append(c.problems, form.Problem{Field: field, Text: err.Error()})
	}
	if err != nil {
		return a // or the prefix is the problem, and said so
	}
	made := named.Address
	c.notes[field] = []widget.Line{widget.In(themes.Muted, string(made))}
	for _, x := range c.genesis.Accounts {
		if x.Name == name {
			return made
		}
	}
	c.genesis.Accounts = append(c.genesis.Accounts, chain.Account{Name: name, Address: made})
	return made
}

// cast adds accounts to act as and contracts to send to, but none of a name that
// is taken.
func (c *creation) cast() {
	for _, a := range []chain.Account{
		{Name: "alice"}, {Name: "bob"}, {Name: "carol"},
		{Name: "market", Receiver: chain.ReceiverAccepts}, {Name: "vault", Receiver: chain.ReceiverRejects},
	} {
		made, err := a.Addressed(c.prefix())
		taken := slices.ContainsFunc(c.genesis.Accounts, func(x chain.Account) bool { return x.Name == a.Name })
		if err == nil && !taken { // where the prefix is the problem, its field says so
			c.genesis.Accounts = append(c.genesis.Accounts, made)
		}
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
		at, lines, problems := form.ReadTime(c.genesis.Clock, v["start_trading_time"], "start_trading_time", "trading starts")
		e.StartTradingTime, c.notes["start_trading_time"] = at, lines
		c.problems = append(c.problems, problems...)
	}
	if v["share"] != "" {
		share, err := form.ParseShare(v["share"])
		if err != nil {
			c.problems = append(c.problems, form.Problem{Field: "share", Text: err.Error()})
		}
		c.notes["share"] = form.ShareSlip(v["share"], share)
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
