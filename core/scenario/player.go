package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

// Player plays steps on a chain.
type Player struct {
	// File is the file name in mismatches and errors.
	File string

	chain      *chain.Chain
	invariants Invariants // what the header claims to hold after every step
	// answered has the indexes of the invariants of kind [Nobody] that a search has answered.
	answered map[int]bool
	// genesis is the first state of the chain, until the first message creates it. It is
	// nil once the chain exists.
	genesis   *chain.Genesis
	stepCount int // the steps that were played, with the one that is being played
	// ctx cancels the search for a way that a [Nobody] claim starts.
	ctx context.Context
}

// Importer fills an empty chain with the dump that a scenario's header names.
type Importer func(c *chain.Chain, g chain.Genesis, name string) error

// NewPlayer starts a scenario on an empty chain: with an empty collection, or with that of a
// dump if the header names one. It fails with an [*Error] for a dump that cannot be read.
func NewPlayer(c *chain.Chain, h Header, o Options) (*Player, error) {
	genesis, err := h.Genesis()
	if err != nil {
		return nil, err
	}
	genesis.Module = o.Module

	// The chain begins empty, or with the records of the dump.
	switch {
	case h.Import == "":
		err = c.Begin(genesis)
	case o.Import == nil:
		err = playErrorf("import", "a dump cannot be read here")
	default:
		if err = o.Import(c, genesis, h.Import); err != nil {
			err = playErrorf("import", "%w", err)
		}
	}
	if err != nil {
		return nil, err
	}
	return &Player{
		chain:      c,
		invariants: h.Invariants,
		answered:   map[int]bool{},
		ctx:        context.Background(),
	}, nil
}

// Outcome is the outcome of a step.
type Outcome struct {
	// Mismatch is how the step differs from what it expects, or nil.
	Mismatch *Mismatch
	// Refusal is the refusal of the step's message, or nil.
	Refusal *cw721.Error
	// Decision is the contract's decision about an execute message. It is nil if the
	// message was refused before a decision, and for a compiled contract.
	Decision *cw721.Decision
	// Corrected is the expectation that would match the outcome of the message. It is
	// nil if the step's own matches.
	Corrected *Expect
	// Tried is how many messages the searches of [Nobody] claims sent to a compiled contract,
	// for the step and for the invariants after it.
	Tried int
	// ClockStuck is set if the clock could not move as the step says. The run ends then,
	// because the steps that follow would run in other blocks than they mean.
	ClockStuck bool
}

// Play plays the next step. Its changes are durable when Play returns. Play fails for
// an unknown name with an [*Error], and with the errors of the store.
func (p *Player) Play(s *Step) (Outcome, error) {
	p.stepCount++
	out, err := p.playStep(s)
	if m := out.Mismatch; m != nil {
		p.completeMismatch(m, s)
	}
	if err != nil {
		err = p.locateError(s, err)
	}
	return out, err
}

// playStep plays a step in this order: it sets how contracts receive tokens, moves the clock,
// sends the message and compares its outcome, compares the storage, and checks the invariants
// of the header. The first mismatch ends the step.
func (p *Player) playStep(s *Step) (out Outcome, err error) {
	for _, contract := range s.Contracts {
		if _, err := p.chain.SetReceiver(contract.Name, contract.Receiver); err != nil {
			return out, err
		}
	}
	out.Mismatch, err = p.moveClock(s)
	out.ClockStuck = err != nil || out.Mismatch != nil
	if out.ClockStuck {
		return out, err
	}

	// Send the message, or check the claim.
	switch s.Kind {
	case NoMessage:
	case Nobody:
		err = p.checkNobody(s, &out)
	default:
		err = p.playMessage(s, &out)
	}
	if err != nil || out.Mismatch != nil {
		return out, err
	}

	// Compare the storage, and check last what holds after every step.
	if s.State != nil {
		out.Mismatch, err = chain.Read(p.chain, func(v *chain.View) (*Mismatch, error) { return compareStorage(v, s.State) })
	}
	if err != nil || out.Mismatch != nil {
		return out, err
	}
	err = p.checkInvariants(&out)
	return out, err
}

// playMessage sends the step's message and compares its outcome.
func (p *Player) playMessage(s *Step, out *Outcome) error {
	result, err := p.sendMessage(s)
	if err != nil {
		return err
	}
	out.Refusal = result.Refusal
	out.Decision = result.Decision

	// A compiled contract that differs from the built-in one is a mismatch, whatever the
	// step expects.
	if result.Difference != nil {
		out.Mismatch = contractMismatch(result.Difference)
		return nil
	}

	expect := cmp.Or(s.Expect, &Expect{})
	out.Mismatch = expect.compare(result, p.addressOf)
	if out.Mismatch == nil {
		return nil
	}

	// Say what would have been right, and by which rules the contract decided.
	out.Corrected = expect.corrected(result, quotedReplacer(p.addressesAndNames()))
	out.Mismatch.Rules, err = ruleLines(p.chain, out.Decision)
	return err
}

// ruleLines returns a line for each rule of a decision: its outcome, the stored value and
// the comparison with the block. It returns none if the decision is nil.
func ruleLines(c *chain.Chain, decision *cw721.Decision) (lines []string, err error) {
	if decision == nil {
		return nil, nil
	}
	err = c.View(func(v *chain.View) error {
		for _, rule := range explain.ExplainDecision(v, decision).Rules {
			lines = append(lines, rule.String())
		}
		return nil
	})
	return lines, err
}

// completeMismatch sets the place and the message of a mismatch, and replaces
// addresses by names.
func (p *Player) completeMismatch(m *Mismatch, s *Step) {
	m.File = p.File
	m.Line = s.Line
	m.Step = p.stepCount
	m.Action = s.Describe()
	m.Message = clip(string(s.Message))

	names := strings.NewReplacer(p.addressesAndNames()...)
	m.Expected = names.Replace(m.Expected)
	m.Got = names.Replace(m.Got)
	for i := range m.Differences {
		d := &m.Differences[i]
		d.Expected = names.Replace(d.Expected)
		d.Got = names.Replace(d.Got)
	}
}

// checkInvariants checks the invariants of the header, once there is a collection. The
// first one that does not hold is the mismatch of the outcome.
func (p *Player) checkInvariants(out *Outcome) error {
	for i := range p.invariants {
		err := p.checkInvariant(i, out)
		if errors.Is(err, chain.ErrNoCollection) {
			return nil
		}
		if err != nil {
			return err
		}
		if out.Mismatch != nil {
			out.Mismatch.Subject = fmt.Sprintf("invariant %d, %s,", i+1, p.invariants[i].Describe())
			return nil
		}
	}
	return nil
}

// checkInvariant checks one invariant by its index: a query, or a claim that nobody can do
// something. A claim about a token that does not exist yet cannot be answered and counts as
// held. That it was answered is noted, because [Player.checkAnswered] fails at the end for a
// claim that never was.
func (p *Player) checkInvariant(i int, out *Outcome) (err error) {
	invariant := &p.invariants[i]
	if invariant.Kind == Query {
		out.Mismatch, err = invariant.compareQuery(p.chain.Query, p.addressOf)
		return err
	}

	err = p.checkNobody(invariant, out)
	refusal := cw721.AsError(err)
	if refusal != nil && refusal.Kind == cw721.KindNotFound {
		return nil
	}
	if err == nil {
		p.answered[i] = true
	}
	return err
}

// checkAnswered fails for an invariant about a token that no step has created. Such an
// invariant would hold whatever the contract does.
func (p *Player) checkAnswered() error {
	for i := range p.invariants {
		if p.invariants[i].Kind == Nobody && !p.answered[i] {
			return playErrorf("invariants", "invariant %d is about a token that no step creates", i+1)
		}
	}
	return nil
}

// moveClock moves the clock to the block of the step. It returns a mismatch if the
// clock cannot go there.
func (p *Player) moveClock(s *Step) (*Mismatch, error) {
	var clockStep chain.ClockStep
	var description string
	switch {
	case s.At != nil:
		clockStep = chain.ClockStep{Height: s.At.Height, Time: s.At.Time}
		description = "at " + s.At.String()
	case s.Advance != nil:
		clockStep = chain.ClockStep{Blocks: s.Advance.Blocks, Duration: s.Advance.Time}
		description = "advance " + s.Advance.String()
	default:
		return nil, nil
	}

	// Before the collection exists, only the clock of its genesis moves.
	var err error
	if p.genesis == nil {
		_, err = p.chain.Advance(clockStep)
	} else {
		p.genesis.Clock, err = p.genesis.Clock.After(clockStep)
	}
	if outside, ok := errors.AsType[*chain.RangeError](err); ok {
		return &Mismatch{Subject: clockSubject, Expected: description, Got: outside.Error()}, nil
	}
	return nil, err
}

// sendMessage sends the step's message and returns its result. A missing collection,
// and one that exists already, are refusals, as on a chain without the contract.
func (p *Player) sendMessage(s *Step) (result messageResult, err error) {
	var sender cw721.Address
	if s.Kind != Query {
		sender, err = p.resolveSender(s)
		if err != nil {
			return result, err
		}
	}
	message := []byte(s.Message)
	if s.FromYAML {
		message, _ = resolveExpirations(message, p.clock) // the contract refuses what is no expiration
	}

	// A refusal is a result here, and not an error.
	if s.Kind == Query {
		result.answer, err = p.chain.Query(message)
	} else {
		result.Receipt, err = p.execute(s.Kind, sender, message)
	}
	err = result.noteOutcome(err)
	return result, err
}

// noteOutcome notes an error of sending the message in the result, if the error is an outcome
// of the message: a refusal, or a difference between two contracts. It returns any other
// error.
func (r *messageResult) noteOutcome(err error) error {
	if different, ok := errors.AsType[*chain.DifferenceError](err); ok {
		r.Difference = &different.Difference
		return nil
	}
	if errors.Is(err, chain.ErrNoCollection) || errors.Is(err, chain.ErrCollection) {
		r.Refusal = &cw721.Error{Kind: chain.KindChain, Text: err.Error()}
		return nil
	}
	if refusal := cw721.AsError(err); refusal != nil {
		r.Refusal = refusal
		return nil
	}
	return err
}

// resolveSender returns the address of the step's sender. It fails with an [*Error] if there
// is no such account, and with the errors of the store.
func (p *Player) resolveSender(s *Step) (cw721.Address, error) {
	sender, err := p.resolve(s.As)
	_, isUnknown := errors.AsType[*chain.UnknownAccountError](err)
	if isUnknown || cw721.AsError(err) != nil {
		return "", &Error{Field: "as", Text: err.Error(), Err: err}
	}
	return sender, err
}

// execute sends an execute, preview or instantiate message. The first instantiate
// message that is accepted creates the chain.
func (p *Player) execute(kind Kind, sender cw721.Address, message []byte) (chain.Receipt, error) {
	switch {
	case kind == Execute:
		return p.chain.Execute(sender, message)
	case kind == Preview:
		return p.chain.Preview(sender, message)
	case p.genesis == nil:
		return p.chain.Instantiate(sender, message)
	}
	receipt, err := p.chain.Create(*p.genesis, sender, message)
	if err == nil {
		p.genesis = nil
	}
	return receipt, err
}

// resolve returns the address of a name or an address.
func (p *Player) resolve(who string) (cw721.Address, error) {
	if p.genesis != nil {
		return chain.NewBook(p.genesis.Prefix, p.genesis.Accounts).Resolve(who)
	}
	return chain.Read(p.chain, func(v *chain.View) (cw721.Address, error) { return v.Resolve(who) })
}

// addressOf returns the address of a name in an expectation, or "".
func (p *Player) addressOf(name string) string {
	address, err := p.resolve("$" + name)
	if err != nil {
		return ""
	}
	return string(address)
}

// accounts returns the accounts of the chain. It returns none if the store fails,
// which the next message reports.
func (p *Player) accounts() []chain.Account {
	if p.genesis != nil {
		return p.genesis.Accounts
	}
	accounts, _ := chain.Read(p.chain, (*chain.View).Accounts)
	return accounts
}

// addressesAndNames returns each account's address followed by its "$name". A
// [strings.NewReplacer] of them writes names in place of addresses.
func (p *Player) addressesAndNames() []string {
	var pairs []string
	for _, account := range p.accounts() {
		pairs = append(pairs, string(account.Address), "$"+account.Name)
	}
	return pairs
}

// messageChecker returns a checker for messages to this chain.
func (p *Player) messageChecker(isCompiled bool) *messageChecker {
	config, _ := p.chain.Config()
	if p.genesis != nil {
		config = p.genesis.Config
	}
	return &messageChecker{
		contract:   config.Contract(),
		isCompiled: isCompiled,
		accounts:   p.accounts(),
		isKnown:    func(name string) bool { return p.addressOf(name) != "" },
	}
}

// clock returns the chain's clock. It is zero if the store fails, which the next
// message reports.
func (p *Player) clock() chain.Clock {
	if p.genesis != nil {
		return p.genesis.Clock
	}
	clock, _ := chain.Read(p.chain, func(v *chain.View) (chain.Clock, error) { return v.Clock, nil })
	return clock
}
