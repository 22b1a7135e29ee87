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

// Run plays a scenario and compares every answer with the expected one. It continues after
// a mismatch, except if the clock could not move. If Run fails, the result is about the
// steps that were played before. Run fails with an [*Error] for a mistake in the file, for
// a scenario whose steps can never fail, and for one that does not fit [Options.Chain]. It
// also fails with the errors of the store.
func Run(ctx context.Context, reader *Reader, options Options) (result Result, err error) {
	defer func() { err = reader.locateError(err) }()
	result.Name = cmp.Or(reader.Header.Name, reader.File)
	var player *Player
	if options.Chain != nil {
		player, err = joinChain(options.Chain, reader.Header, options.Module)
	} else {
		newChain, openErr := options.Open()
		if openErr != nil {
			return result, openErr
		}
		defer func() { err = errors.Join(err, newChain.Close()) }()
		player, err = NewPlayer(newChain, reader.Header, options)
		_, isMistake := errors.AsType[*Error](err)
		if err != nil && !isMistake { // such as a wrong address in the header
			err = playErrorf("", "%w", err)
		}
	}
	if err != nil {
		return result, err
	}
	player.File = reader.File
	player.ctx = ctx
	err = player.playAll(reader, options, &result)
	return result, err
}

// Options set the chain that a scenario plays on. Exactly one of Open and Chain is set.
type Options struct {
	// Open creates an empty chain for the scenario. Run closes it.
	Open func() (*chain.Chain, error)
	// Chain is an existing chain. The scenario plays on it from its current block. If the
	// chain is empty, the scenario must begin with an instantiate message, which creates it.
	Chain  *chain.Chain
	Module *chain.Module    // of a chain that the scenario creates; nil is the built-in contract
	OnStep func(PlayedStep) // called after each step, when its changes are durable; can be nil
	// Import reads the dump that a scenario's header names. If Import is nil, a scenario with
	// a dump fails.
	Import   Importer
	FailFast bool // ends the run at the first mismatch
}

// Importer fills the empty chain c with the dump that a scenario's header names. g is the
// first state of the chain, and name is the path of the dump as the header has it.
type Importer func(c *chain.Chain, g chain.Genesis, name string) error

// PlayedStep is a step and its outcome. It is valid only during the call of
// [Options.OnStep].
type PlayedStep struct {
	File   string
	Number int // from 1
	Step   *Step
	Outcome

	chain *chain.Chain
}

// RefusalRules returns a line for each rule that the contract tried before it refused the
// message for lack of permission, such as "✗ owner          alice owns the token, not bob".
func (s PlayedStep) RefusalRules() ([]string, error) {
	if s.Refusal == nil {
		return nil, nil
	}
	return ruleLines(s.chain, s.Refusal.Decision)
}

// Result is the outcome of a run.
type Result struct {
	Name          string
	Rules         cw721.Rules // of the collection at the beginning
	Steps         int         // the number of steps that were played
	MessagesTried int         // sent to a compiled contract to show that nobody can do something
	FailedSteps   int         // the number of steps with a mismatch
	Mismatches    []Mismatch  // the first, at most [MaxMismatches]
}

// MaxMismatches is how many mismatches a [Result] lists.
const MaxMismatches = 100

// OK reports whether no step has a mismatch.
func (r Result) OK() bool { return r.FailedSteps == 0 }

// pruneInterval is the number of steps after which the history is removed from a chain that
// was opened for the scenario, so that a scenario of any length takes the same memory.
const pruneInterval = 1000

// playAll plays all steps and counts them in the result. It ends early if the clock cannot
// move, and at the first mismatch if [Options.FailFast] is set.
func (p *Player) playAll(reader *Reader, options Options, result *Result) error {
	// Look at the chain. If it cannot be read, the first step fails.
	hadCollection := false
	isCompiled, _ := chain.Read(p.chain, func(view *chain.View) (isCompiled bool, err error) {
		result.Rules = view.Rules
		hadCollection = view.HasCollection()
		_, isCompiled, err = view.Module()
		return isCompiled, err
	})
	if reader.yamlFile != nil {
		reader.checker = p.messageChecker(isCompiled || options.Module != nil)
	}

	// Play the steps. testsContract is about the invariants and the steps so far.
	testsContract := slices.ContainsFunc(reader.Header.Invariants, Step.CanFail)
	for {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		step, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		isFirstOnCollection := options.Chain != nil && hadCollection && result.Steps == 0
		if err := p.checkBeginning(&step, isFirstOnCollection); err != nil {
			return err
		}
		outcome, err := p.Play(&step)
		if err != nil {
			return err
		}

		// Count the step and tell the caller.
		testsContract = testsContract || step.CanFail()
		result.add(outcome)
		if options.OnStep != nil {
			options.OnStep(PlayedStep{
				File:    reader.File,
				Number:  result.Steps,
				Step:    &step,
				Outcome: outcome,
				chain:   p.chain,
			})
		}
		if outcome.ClockStuck || options.FailFast && outcome.Mismatch != nil {
			return nil
		}

		// Save memory, but leave the history of a user's chain alone.
		if options.Chain == nil && result.Steps%pruneInterval == 0 {
			if _, err := p.chain.Prune(1); err != nil { // keeps one node, the fewest possible
				return err
			}
		}
	}

	return p.checkTestsSomething(result.Steps, testsContract)
}

// checkTestsSomething fails if a run of stepCount steps could not have had a mismatch.
func (p *Player) checkTestsSomething(stepCount int, testsContract bool) (err error) {
	switch {
	case stepCount == 0:
		err = playErrorf(stepsMember, "there are none, expected at least one that can fail")
	case !testsContract:
		err = playErrorf(stepsMember,
			"none of them can fail, expected a message with an expectation other than any, or state")
	}

	// An invariant about a token that no step has created tests nothing either.
	for i, invariant := range p.invariants {
		if invariant.Kind == Nobody && !p.answeredInvariants[i] {
			text := "invariant %d is about a token that no step creates"
			return errors.Join(err, playErrorf("invariants", text, i+1))
		}
	}
	return err
}

// add counts a step in the result.
func (r *Result) add(outcome Outcome) {
	r.Steps++
	r.MessagesTried += outcome.MessagesTried
	if outcome.Mismatch == nil {
		return
	}
	r.FailedSteps++
	if len(r.Mismatches) < MaxMismatches {
		r.Mismatches = append(r.Mismatches, *outcome.Mismatch)
	}
}

// checkBeginning fails if a step sends a message before the chain has a collection, and if it
// creates a second one. isFirstOnCollection is set for the first step on a chain that had a
// collection before.
func (p *Player) checkBeginning(step *Step, isFirstOnCollection bool) error {
	hasCollection := p.pendingGenesis == nil // the message that creates the chain sets it to nil
	if !hasCollection && step.Kind != NoMessage && step.Kind != Instantiate {
		return playErrorf("", "%w", chain.ErrNoCollection)
	}
	createsCollection := step.Kind == Instantiate && (step.Expect == nil || !step.Expect.Refused)
	if createsCollection && isFirstOnCollection {
		return playErrorf("", "it begins with an instantiate message, and %w", chain.ErrCollectionExists)
	}
	return nil
}

// playErrorf returns an [*Error] with the reason why a scenario cannot be played. field is
// the dotted path of the member at fault in the header or the step, or "".
func playErrorf(field, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Field: field, Text: err.Error(), Err: errors.Unwrap(err)}
}

// locateError adds the place to an [*Error]: it sets the file, and the line if the error is
// about a member of the header of a YAML file. It returns other errors as they are.
func (r *Reader) locateError(err error) error {
	mistake, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	mistake.File = r.File
	isInHeader := mistake.Line == wholeFile && mistake.Step == 0 && mistake.Field != ""
	if isInHeader && r.yamlFile != nil {
		mistake.Line = r.yamlFile.lineOfField(r.yamlFile.root, mistake.Field)
	}
	return err
}

// locateError adds the place of the step to an error of playing it. A mistake in the file
// becomes an [*Error]. Any other error, such as one of the store, gets the file and the
// step in front of its text.
func (p *Player) locateError(step *Step, err error) error {
	mistake, isMistake := errors.AsType[*Error](err)
	unknown, isUnknownName := errors.AsType[*wire.UnknownNameError](err)
	_, isAboutContract := errors.AsType[*chain.FieldError](err)
	switch {
	case isUnknownName:
		mistake = &Error{
			Field: string(step.Kind) + "." + unknown.Field,
			Text:  fmt.Sprintf("no account is named %q", unknown.Name),
			Err:   err,
		}
	case isMistake: // only its place is missing
	case isAboutContract:
		mistake = &Error{Field: "contracts", Text: err.Error(), Err: err}
	default:
		return fmt.Errorf("%s: step %d: %w", p.File, p.stepCount, err)
	}
	mistake.File = p.File
	mistake.Line = step.Line
	mistake.Step = p.stepCount
	return mistake
}
