package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Options set the chain that a scenario plays on. Exactly one of Open and Chain is set.
type Options struct {
	// Open creates an empty chain for the scenario. Run closes it.
	Open func() (*chain.Chain, error)
	// Chain is an existing chain, which plays from its current block. An empty chain is
	// created by the scenario, which must begin with an instantiate message then.
	Chain *chain.Chain
	// Module is the contract of a chain that the scenario creates. nil is the built-in
	// contract.
	Module *chain.Module
	// OnStep, which can be nil, is called after each step, when its changes are durable.
	OnStep func(PlayedStep)
	// Import reads the dump of a scenario's header. If it is nil, such scenarios fail.
	Import Importer
	// FailFast ends the run at the first mismatch.
	FailFast bool
}

// PlayedStep is a step and its outcome. It is valid only during the call of
// [Options.OnStep].
type PlayedStep struct {
	File   string
	Number int // from 1
	Step   *Step
	Outcome

	chain *chain.Chain
}

// RefusalRules returns a line for each rule that the contract tried, if it refused the
// message because the sender lacks a permission: "✗ owner          alice owns the token, not
// bob". Otherwise it returns none. It fails with the errors of the store.
func (s PlayedStep) RefusalRules() ([]string, error) {
	if s.Refusal == nil {
		return nil, nil
	}
	return ruleLines(s.chain, s.Refusal.Decision)
}

// MaxMismatches is how many mismatches a [Result] lists.
const MaxMismatches = 100

// Result is the outcome of a run.
type Result struct {
	Name string
	// Rules is the rule set of the collection at the beginning.
	Rules cw721.Rules
	// Steps is the number of steps that were played.
	Steps int
	// Tried is how many messages were sent to a compiled contract to show that nobody can do
	// something.
	Tried int
	// Failed is the number of steps with a mismatch. Mismatches has the first of them.
	Failed     int
	Mismatches []Mismatch
}

// OK reports whether no step has a mismatch.
func (r Result) OK() bool { return r.Failed == 0 }

// pruneInterval is the number of steps after which a chain of the run's own forgets
// its history. A run of any length then takes the same memory.
const pruneInterval = 1000

// Run plays a scenario and compares every answer. It continues after a mismatch, but
// not if the clock cannot move. The result has the steps that were played before an
// error. Run fails with an [*Error] for a mistake in the file, if the scenario cannot
// fail, and if it does not fit [Options.Chain]. It also fails with the errors of the
// store.
func Run(ctx context.Context, reader *Reader, o Options) (Result, error) {
	result, err := runSteps(ctx, reader, o)
	return result, reader.withPlace(err)
}

// runSteps plays the steps of a scenario. It is [Run] without the place in errors.
func runSteps(ctx context.Context, reader *Reader, o Options) (result Result, err error) {
	result.Name = cmp.Or(reader.Header.Name, reader.File)
	player, err := o.newPlayer(reader.Header)
	if err != nil {
		return result, err
	}
	player.File = reader.File
	player.ctx = ctx
	if o.Chain == nil {
		defer func() { err = errors.Join(err, player.chain.Close()) }()
	}

	r := runner{Options: o, reader: reader, player: player, result: result}
	r.inspectChain()
	err = r.playAll(ctx)
	return r.result, err
}

// runner is a scenario that is being played.
type runner struct {
	Options
	reader *Reader
	player *Player
	result Result // of the steps so far
	// hadCollection is set if the chain had a collection before the first step.
	hadCollection bool
	// canFail is set if an invariant or a step so far depends on what the contract does.
	canFail bool
}

// inspectChain reads what the run needs to know of the chain before the first step. If that
// fails, the first step fails too, so it returns no error.
func (r *runner) inspectChain() {
	isCompiled := false
	_ = r.player.chain.View(func(v *chain.View) (err error) {
		r.result.Rules = v.Rules
		r.hadCollection = v.HasCollection()
		_, isCompiled, err = v.Module()
		return err
	})
	if r.reader.yaml != nil {
		r.reader.yaml.checker = r.player.messageChecker(isCompiled || r.Module != nil)
	}
}

// playAll plays all steps. It ends early if the clock cannot move, and at the first mismatch
// if [Options.FailFast] is set.
func (r *runner) playAll(ctx context.Context) error {
	r.canFail = slices.ContainsFunc(r.reader.Header.Invariants, func(s Step) bool { return s.canFail() })
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		step, err := r.reader.Next()
		if err == io.EOF {
			return errors.Join(checkCanFail(r.result.Steps, r.canFail), r.player.checkAnswered())
		}
		if err != nil {
			return err
		}

		// Play the step, and end if nothing after it can be true or if one mismatch is
		// enough.
		outcome, err := r.play(&step)
		if err != nil {
			return err
		}
		isFailFast := r.FailFast && outcome.Mismatch != nil
		if outcome.ClockStuck || isFailFast {
			return nil
		}
		if err := r.prune(); err != nil {
			return err
		}
	}
}

// play plays one step, counts it in the result, and calls [Options.OnStep].
func (r *runner) play(step *Step) (Outcome, error) {
	isFirstOnCollection := r.Chain != nil && r.hadCollection && r.result.Steps == 0
	if err := r.player.checkBeginning(step, isFirstOnCollection); err != nil {
		return Outcome{}, err
	}
	outcome, err := r.player.Play(step)
	if err != nil {
		return outcome, err
	}

	// Count the step and tell the caller.
	r.canFail = r.canFail || step.canFail()
	r.result.add(outcome)
	if r.OnStep != nil {
		r.OnStep(PlayedStep{
			File:    r.reader.File,
			Number:  r.result.Steps,
			Step:    step,
			Outcome: outcome,
			chain:   r.player.chain,
		})
	}
	return outcome, nil
}

// prune shortens the history of a chain of the run's own, after every [pruneInterval] steps.
func (r *runner) prune() error {
	isOwnChain := r.Chain == nil
	if !isOwnChain || r.result.Steps%pruneInterval != 0 {
		return nil
	}
	_, err := r.player.chain.Prune(1)
	return err
}

// add counts a step, and keeps its mismatch if there are not too many.
func (r *Result) add(outcome Outcome) {
	r.Steps++
	r.Tried += outcome.Tried
	if outcome.Mismatch == nil {
		return
	}
	r.Failed++
	if len(r.Mismatches) < MaxMismatches {
		r.Mismatches = append(r.Mismatches, *outcome.Mismatch)
	}
}

// checkBeginning returns why a step cannot be played because of how the scenario begins:
// it sends a message though no collection was created yet, or it is the first step and
// would create a collection although the chain has one.
func (p *Player) checkBeginning(s *Step, isFirstOnCollection bool) error {
	hasCollection := p.genesis == nil // the first message uses the genesis up
	if !hasCollection && s.Kind != NoMessage && s.Kind != Instantiate {
		return playErrorf("", "%w", chain.ErrNoCollection)
	}
	creates := s.Kind == Instantiate && (s.Expect == nil || !s.Expect.Refused)
	if creates && isFirstOnCollection {
		return playErrorf("", "it begins with an instantiate message, and %w", chain.ErrCollection)
	}
	return nil
}

// checkCanFail fails for a scenario that has no mismatch whatever the contract does.
func checkCanFail(steps int, canFail bool) error {
	if steps == 0 {
		return playErrorf(stepsMember, "there are none, expected at least one that can fail")
	}
	if !canFail {
		return playErrorf(stepsMember, "none of them can fail, expected a message with an expectation other than any, or state")
	}
	return nil
}

// playErrorf returns the reason why a scenario cannot be played. field is the dotted
// path of the header's member at fault, or "".
func playErrorf(field, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Field: field, Text: err.Error(), Err: errors.Unwrap(err)}
}

// newPlayer starts a scenario on the chain of the options, or on a new one.
func (o Options) newPlayer(h Header) (*Player, error) {
	if o.Chain != nil {
		return joinChain(o.Chain, h, o.Module)
	}
	c, err := o.Open()
	if err != nil {
		return nil, err
	}
	player, err := NewPlayer(c, h, o)
	if err == nil {
		return player, nil
	}
	if _, ok := errors.AsType[*Error](err); !ok {
		err = playErrorf("", "%w", err)
	}
	return nil, errors.Join(err, c.Close())
}

// withPlace sets the file of an [*Error], and the line of a member of the header.
func (r *Reader) withPlace(err error) error {
	located, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	located.File = r.File
	isInHeader := located.Line == 0 && located.Step == 0 && located.Field != ""
	if isInHeader && r.yaml != nil {
		located.Line = r.yaml.lineOfField(r.yaml.root, located.Field)
	}
	return err
}

// locateError returns an [*Error] with the place of the step for a mistake in the
// file. Any other error is trouble with the store.
func (p *Player) locateError(s *Step, err error) error {
	mistake, isMistake := errors.AsType[*Error](err)
	if unknown, ok := errors.AsType[*wire.UnknownNameError](err); ok {
		field := string(s.Kind) + "." + unknown.Field
		mistake = &Error{Field: field, Text: fmt.Sprintf("no account is named %q", unknown.Name), Err: err}
	} else if errors.As(err, new(*chain.FieldError)) && !isMistake {
		mistake = &Error{Field: "contracts", Text: err.Error(), Err: err}
	}
	if mistake == nil {
		return fmt.Errorf("%s: step %d: %w", p.File, p.stepCount, err)
	}
	mistake.File = p.File
	mistake.Line = s.Line
	mistake.Step = p.stepCount
	return mistake
}

// joinChain starts a scenario on an existing chain. It fails if the scenario is for another
// collection.
func joinChain(c *chain.Chain, h Header, module *chain.Module) (*Player, error) {
	if h.Import != "" {
		return nil, playErrorf("import", "the scenario begins with a dump, and is to be played on a collection that is there")
	}
	player := &Player{chain: c, invariants: h.Invariants, answered: map[int]bool{}}

	// Without a collection, the scenario's first message creates it later.
	if _, exists := c.Config(); !exists {
		genesis, err := h.laterGenesis(module)
		if err != nil {
			return nil, playErrorf("", "%w", err)
		}
		player.genesis = &genesis
		return player, nil
	}

	// With a collection, the scenario must be for it.
	config, err := chain.Read(c, func(v *chain.View) (chain.Config, error) { return v.Config, nil })
	if err != nil {
		return nil, err
	}
	if err := h.checkFits(config); err != nil {
		return nil, err
	}
	return player, addAccounts(c, config.Prefix, h)
}

// laterGenesis returns the first state of an empty chain. The first accepted message creates
// the chain, in its transaction, so that a refused one leaves it empty.
func (h Header) laterGenesis(module *chain.Module) (chain.Genesis, error) {
	genesis, err := h.Genesis()
	if err != nil {
		return genesis, err
	}
	genesis, err = genesis.WithDefaults() // its clock can move before the chain exists
	if err != nil {
		return genesis, err
	}
	genesis.Module = module
	if module != nil {
		genesis.Rules = h.Rules // without the default: a compiled contract has its own
	}
	return genesis, nil
}

// checkFits fails if the header names other rules, another prefix of addresses or another
// flavour than an existing chain has.
func (h Header) checkFits(config chain.Config) error {
	prefix := h.impliedPrefix()
	switch {
	case h.Rules != "" && h.Rules != config.Rules:
		return playErrorf("rules", "the scenario is for %s, and the collection has %s", h.Rules, config.Rules)
	case prefix != "" && prefix != config.Prefix:
		return playErrorf("prefix", "the scenario is for %s, and the collection has %s", prefix, config.Prefix)
	case h.Flavour != "" && h.Flavour != config.Flavour:
		return playErrorf("flavour", "the scenario is for %s, and the collection has %s", h.Flavour, config.Flavour)
	}
	return nil
}

// addAccounts adds the accounts of a scenario's header to the accounts of an existing chain.
// It adds none, and fails with an [*Error], if the chain has a name for another address, an
// address under another name, or another way in which the account receives tokens.
func addAccounts(c *chain.Chain, prefix string, h Header) error {
	existing, err := chain.Read(c, (*chain.View).Accounts)
	if err != nil {
		return err
	}
	byName := map[string]chain.Account{}
	nameOf := map[cw721.Address]string{}
	for _, account := range existing {
		byName[account.Name] = account
		nameOf[account.Address] = account.Name
	}

	// Check all accounts before the first one is added.
	var missing []chain.Account
	for _, account := range h.chainAccounts() {
		known, isKnown := byName[account.Name]
		if isKnown {
			if err := checkKnownAccount(account, known, prefix); err != nil {
				return err
			}
			continue
		}
		if otherName := nameOf[account.Address]; otherName != "" {
			return playErrorf("accounts."+account.Name, "the collection knows %s as %s", account.Address, otherName)
		}
		missing = append(missing, account)
	}
	for _, account := range missing {
		if _, err := c.AddAccount(account.Name, account.Address, account.Receiver); err != nil {
			return playErrorf("accounts."+account.Name, "%w", err)
		}
	}
	return nil
}

// checkKnownAccount fails if an account of a scenario has another address, or receives
// tokens in another way, than the account of the same name on the chain.
func checkKnownAccount(account, known chain.Account, prefix string) error {
	if account.Address != "" && account.Address != known.Address {
		return playErrorf("accounts."+account.Name, "the scenario means %s, and the collection has the name for %s", account.Address, known.Address)
	}
	if account.Receiver == chain.ReceiverDefault {
		return nil
	}
	receiver, err := known.ResolveReceiver(prefix)
	if err != nil {
		return err
	}
	if account.Receiver != receiver {
		return playErrorf("contracts."+account.Name, "the scenario needs %s, and the collection has %s", account.Receiver, receiver)
	}
	return nil
}
