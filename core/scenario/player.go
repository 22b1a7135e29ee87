package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Player plays steps on a chain.
type Player struct {
	// File is the name that mismatches and errors carry.
	File string

	chain      *chain.Chain
	invariants []Step
	genesis    *chain.Genesis // of the chain to create with the first message; nil where there is one
	book       map[string]cw721.Address
	step       int
	ctx        context.Context // ends a search
}

// Importer fills an empty chain with the dump of a name that stands in a file.
type Importer func(c *chain.Chain, g chain.Genesis, name string) error

// NewPlayer begins a scenario on an empty chain.
func NewPlayer(c *chain.Chain, h Header, o Options) (*Player, error) {
	g, err := h.Genesis()
	if err != nil {
		return nil, err
	}
	g.Module = o.Module
	switch {
	case h.Import == "":
		err = c.Begin(g)
	case o.Import == nil:
		err = playErrorf("import", "a dump cannot be read here")
	default:
		if err = o.Import(c, g, h.Import); err != nil {
			err = playErrorf("import", "%w", err)
		}
	}
	if err != nil {
		return nil, err
	}
	return &Player{chain: c, book: map[string]cw721.Address{}, invariants: h.Invariants, ctx: context.Background()}, nil
}

// Outcome is what playing a step came to.
type Outcome struct {
	// Mismatch is why the step did not hold; nil when it did.
	Mismatch *Mismatch
	// Refusal is what the message was turned down with; nil when it was not.
	Refusal *cw721.Error
	// Corrected is what would have held in the place of what was expected of the
	// message; nil where that did.
	Corrected *Expect
	// ClockStuck tells that the clock could not go where the step is, so that what
	// follows would mean something else.
	ClockStuck bool
}

// Play plays the next step. What it changes is durable when Play returns. It
// fails with an [*Error] for a name that nobody has, and with the store's own
// error for trouble with that.
func (p *Player) Play(s *Step) (out Outcome, err error) {
	p.step++
	defer func() {
		if m := out.Mismatch; m != nil {
			m.File, m.Line, m.Step = p.File, s.Line, p.step
			m.Action, m.Message = s.Describe(), clip(string(s.Message))
			names := strings.NewReplacer(p.namesByAddress()...)
			m.Expected, m.Got = names.Replace(m.Expected), names.Replace(m.Got)
			for i, d := range m.Differences {
				m.Differences[i].Expected, m.Differences[i].Got = names.Replace(d.Expected), names.Replace(d.Got)
			}
		}
		if err != nil {
			err = p.locateError(s, err)
		}
	}()
	for _, c := range s.Contracts {
		if _, err := p.chain.SetReceiver(c.Name, c.Receiver); err != nil {
			return out, err
		}
		delete(p.book, c.Name)
	}
	if out.Mismatch, err = p.moveClock(s); err != nil || out.Mismatch != nil {
		out.ClockStuck = true
		return out, err
	}
	if s.Kind == Nobody {
		if out.Mismatch, err = p.checkNobody(s); err != nil {
			return out, err
		}
	} else if s.Kind != NoMessage {
		result, err := p.sendMessage(s)
		if err != nil {
			return out, err
		}
		out.Refusal = result.refusal
		expect := cmp.Or(s.Expect, &Expect{}) // to be carried out
		if result.difference != nil {
			out.Mismatch = contractMismatch(result.difference)
		} else if out.Mismatch = expect.compare(result, p.addressOf); out.Mismatch != nil {
			out.Corrected = expect.corrected(result, quotedReplacer(p.namesByAddress()))
		}
	}
	if s.State != nil && out.Mismatch == nil {
		out.Mismatch, err = chain.Read(p.chain, func(v *chain.View) (*Mismatch, error) { return compareStorage(v, s.State) })
	}
	if err == nil && out.Mismatch == nil {
		out.Mismatch, err = p.checkInvariants()
	}
	return out, err
}

// checkInvariants asks the queries of the header, once there is a collection.
func (p *Player) checkInvariants() (*Mismatch, error) {
	for i := range p.invariants {
		s := &p.invariants[i]
		m, err := s.compareQuery(p.chain.Query, p.addressOf)
		if errors.Is(err, chain.ErrNoCollection) {
			return nil, nil
		}
		if m != nil {
			m.Subject = fmt.Sprintf("invariant %d, %s,", i+1, s.Describe())
		}
		if m != nil || err != nil {
			return m, err
		}
	}
	return nil, nil
}

// locateError says where an error comes from: a name that nobody has is the
// file's, anything else is trouble with the store.
func (p *Player) locateError(s *Step, err error) error {
	e := &Error{File: p.File, Line: s.Line, Step: p.step, Text: err.Error(), Err: err}
	var (
		inMessage *wire.UnknownNameError
		inStep    *Error
		account   *chain.AccountError
	)
	switch {
	case errors.As(err, &inMessage):
		e.Field = string(s.Kind) + "." + inMessage.Field
		e.Text = fmt.Sprintf("no account is named %q", inMessage.Name)
	case errors.As(err, &inStep):
		e.Field, e.Text, e.Err = inStep.Field, inStep.Text, inStep.Err
	case errors.As(err, &account):
		e.Field = "contracts"
	default:
		return fmt.Errorf("%s: step %d: %w", p.File, p.step, err)
	}
	return e
}

// moveClock brings the clock to where the step is.
func (p *Player) moveClock(s *Step) (*Mismatch, error) {
	var step chain.ClockStep
	want := ""
	switch {
	case s.At != nil:
		step.Height, step.Time = s.At.Height, s.At.Time
		want = "at " + s.At.String()
	case s.Advance != nil:
		step.Blocks, step.Duration = s.Advance.Blocks, s.Advance.Time
		want = "advance " + s.Advance.String()
	}
	if want == "" {
		return nil, nil
	}
	var err error
	if p.genesis == nil {
		_, err = p.chain.Advance(step)
	} else {
		p.genesis.Clock, err = p.genesis.Clock.After(step)
	}
	if outside, ok := errors.AsType[*chain.RangeError](err); ok {
		return &Mismatch{Subject: clockSubject, Expected: want, Got: outside.Error()}, nil
	}
	return nil, err
}

// sendMessage runs the step's message.
func (p *Player) sendMessage(s *Step) (out messageResult, err error) {
	message := s.Message
	if s.FromYAML {
		message, _ = resolveExpirations(message, p.clock) // what is no moment is the contract's to refuse
	}
	if s.Kind == Query {
		out.answer, err = p.chain.Query(message)
		if other, ok := errors.AsType[*chain.DifferenceError](err); ok {
			out.difference, err = &other.Difference, nil
		}
	} else {
		var sender cw721.Address
		if sender, err = p.resolveSender(s.As); err != nil {
			return out, err
		}
		var r chain.Receipt
		switch {
		case s.Kind == Execute:
			r, err = p.chain.Execute(sender, message)
		case s.Kind == Preview:
			r, err = p.chain.Preview(sender, message)
		case p.genesis != nil:
			if r, err = p.chain.Create(*p.genesis, sender, message); err == nil {
				p.genesis = nil
			}
		default:
			r, err = p.chain.Instantiate(sender, message)
		}
		out.response, out.refusal, out.difference = &r.Response, r.Refusal, r.Difference
	}
	// That there is no collection, or one already, is an answer as well: it is
	// what a chain would say of a contract that is not there.
	if errors.Is(err, chain.ErrNoCollection) || errors.Is(err, chain.ErrCollection) {
		err = &cw721.Error{Kind: chain.KindChain, Text: err.Error()}
	}
	if refusal := cw721.AsError(err); refusal != nil {
		out.refusal, err = refusal, nil
	}
	return out, err
}

// resolveSender is resolve for whoever sends a message.
func (p *Player) resolveSender(as string) (cw721.Address, error) {
	a, err := p.resolve(as)
	if _, unknown := errors.AsType[*chain.UnknownAccountError](err); unknown || cw721.AsError(err) != nil {
		return a, &Error{Field: "as", Text: err.Error(), Err: err}
	}
	return a, err
}

// resolve gives the address of a name or an address.
func (p *Player) resolve(who string) (a cw721.Address, err error) {
	if a, ok := p.book[who]; ok {
		return a, nil
	}
	if p.genesis != nil {
		return p.genesis.Resolve(who)
	}
	if a, err = chain.Read(p.chain, func(v *chain.View) (cw721.Address, error) { return v.Resolve(who) }); err == nil {
		p.book[who] = a
	}
	return a, err
}

// addressOf is resolve for names in what is expected.
func (p *Player) addressOf(name string) string {
	a, err := p.resolve("$" + name)
	if err != nil {
		return ""
	}
	return string(a)
}

// namesByAddress are addresses, each with its name behind it as a file has it.
func (p *Player) namesByAddress() []string {
	var all []chain.Account
	if p.genesis != nil {
		all = p.genesis.Accounts
	} else {
		all, _ = chain.Read(p.chain, (*chain.View).Accounts) // an address is as good as a name where the store fails
	}
	var pairs []string
	for _, a := range all {
		pairs = append(pairs, string(a.Address), "$"+a.Name)
	}
	return pairs
}

// messageChecker is what messages to the chain are made of.
func (p *Player) messageChecker(compiled bool) *messageChecker {
	cfg, _ := p.chain.Config()
	accounts, _ := chain.Read(p.chain, (*chain.View).Accounts) // trouble with the store is met again
	if p.genesis != nil {
		cfg, accounts = p.genesis.Config, p.genesis.Accounts
	}
	knows := func(name string) bool { return p.addressOf(name) != "" }
	return &messageChecker{contract: cfg.Contract(), isCompiled: compiled, accounts: accounts, isKnown: knows}
}

// clock is where the clock stands.
func (p *Player) clock() (c chain.Clock) {
	if p.genesis != nil {
		return p.genesis.Clock
	}
	// Trouble with the store is met again by the message.
	_ = p.chain.View(func(v *chain.View) error {
		c = v.Clock
		return nil
	})
	return c
}
