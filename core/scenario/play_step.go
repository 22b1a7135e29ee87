package scenario

import (
	"cmp"
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/wire"
)

// Play plays the next step. The changes of the step are durable when Play returns. A
// mismatch is part of the outcome and not an error. Play fails for an unknown name with an
// [*Error], and with the errors of the store.
func (p *Player) Play(step *Step) (Outcome, error) {
	p.stepCount++
	out, err := p.playStep(step)
	if err != nil {
		return out, p.locateError(step, err)
	}
	if out.Mismatch == nil {
		return out, nil
	}

	// Say where the mismatch is, with names such as "$alice" in place of addresses.
	mismatch := out.Mismatch
	mismatch.File = p.File
	mismatch.Line = step.Line
	mismatch.Step = p.stepCount
	mismatch.Action = step.Describe()
	mismatch.Message = clip(string(step.Message))
	replacer := nameReplacer(p.state().Accounts, "")
	mismatch.Expected = replacer.Replace(mismatch.Expected)
	mismatch.Got = replacer.Replace(mismatch.Got)
	mismatch.answer = replacer.Replace(mismatch.answer)
	for i := range mismatch.Differences {
		difference := &mismatch.Differences[i]
		difference.Expected = replacer.Replace(difference.Expected)
		difference.Got = replacer.Replace(difference.Got)
	}
	return out, nil
}

// Outcome is the outcome of a step.
type Outcome struct {
	Mismatch *Mismatch    // how the step differs from what it expects, or nil
	Refusal  *cw721.Error // the refusal of the step's message, or nil
	// Decision says whether the contract allowed an execute message and by which rules. It is
	// nil if the message was refused before a decision, and for a compiled contract.
	Decision *cw721.Decision
	// Corrected is an expectation that would match the outcome of the message. It is nil if
	// the step's own expectation matches.
	Corrected *Expect
	// MessagesTried is how many messages the searches of [Nobody] claims sent to a compiled
	// contract, for the step and for the invariants after it.
	MessagesTried int
	// Unlisted names the account that a [Nobody] claim leaves out although its member passive,
	// which once listed all such accounts, does not name it, or "".
	Unlisted string
	// ClockStuck is set if the clock could not move as the step says. The scenario ends then,
	// because later steps would be played in other blocks than their author meant.
	ClockStuck bool
}

// playStep does what a step says and compares what happens with what the step expects. It
// returns at the first mismatch.
func (p *Player) playStep(step *Step) (out Outcome, err error) {
	for _, contract := range step.Contracts {
		if _, err := p.chain.SetReceiver(contract.Name, contract.Receiver); err != nil {
			return out, err
		}
	}
	out.Mismatch, err = p.moveClock(step)
	if err != nil {
		return out, err
	}
	out.ClockStuck = out.Mismatch != nil
	if out.ClockStuck {
		return out, nil
	}

	switch step.Kind {
	case NoMessage: // there is nothing to send
	case Nobody:
		err = p.checkNobody(step, &out)
	default:
		err = p.playMessage(step, &out)
	}
	if err != nil || out.Mismatch != nil {
		return out, err
	}

	if step.State != nil {
		out.Mismatch, err = chain.Read(p.chain, func(view *chain.View) (*Mismatch, error) {
			return compareStorage(view, step.State)
		})
	}
	if err != nil || out.Mismatch != nil {
		return out, err
	}
	err = p.checkInvariants(&out)
	return out, err
}

// moveClock moves the clock to the block that the step names, or by the amount that it
// names. It returns a mismatch if the clock cannot move there, for example back in time.
func (p *Player) moveClock(step *Step) (*Mismatch, error) {
	var clockStep chain.ClockStep
	var wantedMove string
	switch {
	case step.At != nil:
		clockStep = chain.ClockStep{Height: step.At.Height, Time: step.At.Time}
		wantedMove = "at " + step.At.String()
	case step.Advance != nil:
		clockStep = chain.ClockStep{Blocks: step.Advance.Blocks, Duration: step.Advance.Time}
		wantedMove = "advance " + step.Advance.String()
	default:
		return nil, nil
	}

	// Before the chain exists, only the clock of its future first state moves.
	var err error
	if p.pendingGenesis != nil {
		p.pendingGenesis.Clock, err = p.pendingGenesis.Clock.AfterStep(clockStep)
	} else {
		_, err = p.chain.Advance(clockStep)
	}
	if rangeErr, ok := errors.AsType[*chain.RangeError](err); ok {
		return &Mismatch{Subject: clockSubject, Expected: wantedMove, Got: rangeErr.Error()}, nil
	}
	return nil, err
}

// playMessage sends the step's message and compares its outcome with the expected one. It
// sets the fields of out.
func (p *Player) playMessage(step *Step, out *Outcome) error {
	result, err := p.sendMessage(step)
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

	expect := cmp.Or(step.Expect, &Expect{}) // by default, the message must be accepted
	out.Mismatch = expect.compare(result, p.addressOf)
	if out.Mismatch == nil {
		return nil
	}

	// Say what would have been right, and by which rules the contract decided.
	out.Corrected = p.correct(expect, result)
	out.Mismatch.Rules, err = ruleLines(p.chain, out.Decision)
	return err
}

// sendMessage sends the step's message. A refusal is a result and not an error, also if the
// collection is missing, or exists already. sendMessage fails with an [*Error] if there is no
// account with the sender's name or address.
func (p *Player) sendMessage(step *Step) (result messageResult, err error) {
	var sender cw721.Address
	if step.Kind != Query {
		sender, err = p.resolve(step.Sender)
		_, isUnknown := errors.AsType[*chain.UnknownAccountError](err)
		if isUnknown || cw721.AsError(err) != nil {
			return result, playErrorf("as", "%w", err)
		}
		if err != nil {
			return result, err
		}
	}

	// The contract refuses what is no expiration, so the error of resolveExpirations is not
	// needed.
	message := []byte(step.Message)
	if step.FromYAML {
		message, _ = resolveExpirations(message, func() chain.Clock { return p.state().Clock })
	}
	switch {
	case step.Kind == Query:
		result.answer, err = p.chain.Query(message)
	case step.Kind == Execute:
		result.Receipt, err = p.chain.Execute(sender, message)
	case step.Kind == Preview:
		result.Receipt, err = p.chain.Preview(sender, message)
	case p.pendingGenesis == nil:
		result.Receipt, err = p.chain.Instantiate(sender, message)
	default: // the first instantiate message that is accepted creates the chain
		result.Receipt, err = p.chain.Create(*p.pendingGenesis, sender, message)
		if err == nil {
			p.pendingGenesis = nil
		}
	}

	// A refusal is an outcome of the message, and so is a difference between the built-in
	// contract and a compiled one.
	differenceErr, isDifference := errors.AsType[*chain.DifferenceError](err)
	refusal := cw721.AsError(err)
	switch {
	case isDifference:
		result.Difference = &differenceErr.Difference
	case errors.Is(err, chain.ErrNoCollection) || errors.Is(err, chain.ErrCollectionExists):
		result.Refusal = &cw721.Error{Kind: chain.KindChain, Text: err.Error()}
	case refusal != nil:
		result.Refusal = refusal
	default:
		return result, err
	}
	return result, nil
}

// messageResult is the outcome of a message: the answer to a query, or the receipt of an
// instantiate, execute or preview message. For a query, only Refusal and Difference of the
// receipt can be set.
type messageResult struct {
	chain.Receipt
	answer []byte // JSON of the answer to a query; nil for other messages and if refused
}

// answerJSON returns the answer to a query, or the response to another message, as JSON.
func (r messageResult) answerJSON() []byte {
	if r.answer != nil {
		return r.answer
	}
	return wire.Encode(r.Response)
}

// String returns the result in one line: "ok: {…}" or "error contract: …".
func (r messageResult) String() string {
	if r.Refusal == nil {
		return "ok: " + string(r.answerJSON())
	}
	return fmt.Sprintf("error %s: %s", r.Refusal.Kind, r.Refusal.Text)
}

// ruleLines returns a line for each rule that the contract tried for a decision, such as "✗
// owner  alice owns the token, not bob". It returns none if the decision is nil.
func ruleLines(c *chain.Chain, decision *cw721.Decision) (lines []string, err error) {
	if decision == nil {
		return nil, nil
	}
	err = c.View(func(view *chain.View) error {
		for _, rule := range explain.ExplainDecision(view, decision).Rules {
			lines = append(lines, rule.String())
		}
		return nil
	})
	return lines, err
}

// checkInvariants sets out.Mismatch for the first invariant that does not hold. It checks none
// before there is a collection.
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
			out.Mismatch.invariantJSON = string(p.invariants[i].AppendWire(nil))
			out.Mismatch.Subject = fmt.Sprintf("invariant %d, %s,", i+1, p.invariants[i].Describe())
			return nil
		}
	}
	return nil
}

// checkInvariant sets out.Mismatch if the invariant with an index does not hold.
func (p *Player) checkInvariant(index int, out *Outcome) (err error) {
	invariant := &p.invariants[index]
	if invariant.Kind == Query {
		out.Mismatch, err = invariant.compareQuery(p.chain.Query, p.addressOf)
		return err
	}

	// Nothing contradicts a claim about a token that does not exist yet.
	err = p.checkNobody(invariant, out)
	refusal := cw721.AsError(err)
	if refusal != nil && refusal.Kind == cw721.KindNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	p.answeredInvariants[index] = true
	return nil
}

// resolve returns the address of an account; see [chain.Book.Resolve].
func (p *Player) resolve(account string) (cw721.Address, error) {
	if p.pendingGenesis != nil {
		return chain.NewBook(p.pendingGenesis.Prefix, p.pendingGenesis.Accounts).Resolve(account)
	}
	return chain.Read(p.chain, func(view *chain.View) (cw721.Address, error) { return view.Resolve(account) })
}

// addressOf returns the address of the account with a name, or "".
func (p *Player) addressOf(name string) string {
	address, err := p.resolve("$" + name)
	if err != nil {
		return ""
	}
	return string(address)
}

// messageChecker returns a checker for messages to this chain.
func (p *Player) messageChecker(isCompiled bool) *messageChecker {
	state := p.state()
	return &messageChecker{
		contract:   state.Config.Contract(),
		isCompiled: isCompiled,
		accounts:   state.Accounts,
		hasAccount: func(name string) bool { return p.addressOf(name) != "" },
	}
}

// state returns the configuration with which the chain began, its clock and its accounts. It
// leaves out what the store fails to give, because the next message will fail for the same
// reason.
func (p *Player) state() (state chain.Genesis) {
	if p.pendingGenesis != nil {
		return *p.pendingGenesis
	}
	state.Config, _ = p.chain.Config()
	_ = p.chain.View(func(view *chain.View) (err error) {
		state.Clock = view.Clock
		state.Accounts, err = view.Accounts()
		return err
	})
	return state
}
