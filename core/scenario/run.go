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
)

// Options say what a scenario runs on. Exactly one of Open and Chain is set.
type Options struct {
	// Open makes an empty chain for the scenario alone; it is closed after.
	Open func() (*chain.Chain, error)
	// Chain is played on as it stands, from its own block on. An empty one
	// begins with the scenario, if that begins with instantiate.
	Chain *chain.Chain
	// Module is the contract that the scenario's own chain runs; nil for the
	// built-in one.
	Module *chain.Module
	// OnStep, when set, is told of each step once all that it changed is durable.
	OnStep func(PlayedStep)
	// Import reads the dump that a scenario begins with; nil where none can be.
	Import Importer
	// FailFast ends the run at the first step that does not hold.
	FailFast bool
}

// PlayedStep is one step that was played, and what came of it. The step holds only
// during the call.
type PlayedStep struct {
	File   string
	Number int // from 1
	Step   *Step
	Outcome
}

// MaxMismatches is how many mismatches a [Result] lists.
const MaxMismatches = 100

// Result is how a run ended.
type Result struct {
	Name  string
	Steps int // that were played
	// Failed is how many steps did not hold; Mismatches are the first of them.
	Failed     int
	Mismatches []Mismatch
}

// OK tells that every step held.
func (r Result) OK() bool { return r.Failed == 0 }

// Run plays a scenario and compares every answer. It goes on after a step that
// did not hold, except when the clock cannot go where a step is. The error is
// an [*Error] for a file that cannot be read on or a name that nobody has, a
// sentence where the scenario and [Options.Chain] do not fit, or trouble with
// the store; the result holds what was played until then.
func Run(ctx context.Context, r *Reader, o Options) (res Result, err error) {
	defer func() { err = r.withPlace(err) }()
	res.Name = cmp.Or(r.Header.Name, r.File)
	player, err := o.player(r.Header)
	if err != nil {
		return res, err
	}
	player.File, player.ctx = r.File, ctx
	var begun, compiled bool
	_ = player.chain.View(func(v *chain.View) (err error) { // trouble with the store is met again
		begun = v.HasCollection()
		_, compiled, err = v.Module()
		return err
	})
	if r.yaml != nil {
		r.yaml.checker = player.messageChecker(compiled || o.Module != nil)
	}
	if o.Chain == nil {
		defer func() { err = errors.Join(err, player.chain.Close()) }()
	}
	canFail := slices.ContainsFunc(r.Header.Invariants, func(s Step) bool { return s.canFail() })
	for {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		step, err := r.Next()
		if err == io.EOF {
			return res, checkCanFail(res.Steps, canFail)
		}
		if err != nil {
			return res, err
		}
		if player.genesis != nil && step.Kind != NoMessage && step.Kind != Instantiate {
			return res, playErrorf("", "%w", chain.ErrNoCollection)
		}
		// A step that would create a collection must not even be tried on somebody's.
		begins := step.Kind == Instantiate && (step.Expect == nil || !step.Expect.Refused)
		if o.Chain != nil && res.Steps == 0 && begins && begun {
			return res, playErrorf("", "it begins with an instantiate message, and %w", chain.ErrCollection)
		}
		out, err := player.Play(&step)
		if err != nil {
			return res, err
		}
		res.Steps++
		canFail = canFail || step.canFail()
		if out.Mismatch != nil {
			if res.Failed++; len(res.Mismatches) < MaxMismatches {
				res.Mismatches = append(res.Mismatches, *out.Mismatch)
			}
		}
		if o.OnStep != nil {
			o.OnStep(PlayedStep{File: r.File, Number: res.Steps, Step: &step, Outcome: out})
		}
		if out.ClockStuck || o.FailFast && out.Mismatch != nil {
			return res, nil
		}
		if o.Chain == nil && res.Steps%forgetEvery == 0 {
			if _, err := player.chain.Prune(1); err != nil {
				return res, err
			}
		}
	}
}

// checkCanFail fails for a scenario that holds whatever the contract does.
func checkCanFail(steps int, canFail bool) error {
	switch {
	case steps == 0:
		return playErrorf(stepsMember, "there are none, expected at least one that can fail")
	case !canFail:
		return playErrorf(stepsMember, "none of them can fail, expected a message with an expectation other than any, or state")
	}
	return nil
}

// forgetEvery is after how many steps a chain of the run's own forgets its
// history: nobody goes back in it, and a run of any length must stay small.
const forgetEvery = 1000

// playErrorf says why a scenario cannot be played where it should be.
func playErrorf(field, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Field: field, Text: err.Error(), Err: errors.Unwrap(err)}
}

func (o Options) player(h Header) (*Player, error) {
	if o.Chain != nil {
		return joinChain(o.Chain, h, o.Module)
	}
	c, err := o.Open()
	if err != nil {
		return nil, err
	}
	p, err := NewPlayer(c, h, o)
	if err != nil {
		if _, ok := errors.AsType[*Error](err); !ok {
			err = playErrorf("", "%w", err)
		}
		return nil, errors.Join(err, c.Close())
	}
	return p, nil
}

// withPlace gives an error of this package the name of its file, and one about the
// header its line.
func (r *Reader) withPlace(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	e.File = r.File
	if r.yaml != nil && e.Line == 0 && e.Step == 0 && e.Field != "" {
		e.Line = r.yaml.json.lineOfField(r.yaml.root, e.Field)
	}
	return err
}

// joinChain plays on a chain as it stands. An empty one is begun by the first
// message, in the same transaction, so that a refused one leaves it empty.
func joinChain(c *chain.Chain, h Header, module *chain.Module) (*Player, error) {
	p := &Player{chain: c, book: map[string]cw721.Address{}, invariants: h.Invariants}
	if h.Import != "" {
		return nil, playErrorf("import", "the scenario begins with a dump, and is to be played on a collection that is there")
	}
	if _, ok := c.Config(); !ok {
		g, err := h.Genesis()
		if err == nil {
			g, err = g.WithDefaults() // the clock of it can be moved before it is made
		}
		if err != nil {
			return nil, playErrorf("", "%w", err)
		}
		g.Module = module
		p.genesis = &g
		return p, nil
	}
	cfg, err := chain.Read(c, func(v *chain.View) (chain.Config, error) { return v.Config, nil })
	if err != nil {
		return nil, err
	}
	prefix := h.impliedPrefix()
	switch {
	case h.Rules != "" && h.Rules != cfg.Rules:
		return nil, playErrorf("rules", "the scenario is for %s, and the collection has %s", h.Rules, cfg.Rules)
	case prefix != "" && prefix != cfg.Prefix:
		return nil, playErrorf("prefix", "the scenario is for %s, and the collection has %s", prefix, cfg.Prefix)
	case h.Flavour != "" && h.Flavour != cfg.Flavour:
		return nil, playErrorf("flavour", "the scenario is for %s, and the collection has %s", h.Flavour, cfg.Flavour)
	}
	return p, addAccounts(c, cfg, h)
}

// addAccounts makes the scenario's names known to a chain that has names of its
// own. A name that means something else there is an error: nothing is renamed,
// and before the first such error nothing is added.
func addAccounts(c *chain.Chain, cfg chain.Config, h Header) error {
	known := map[string]chain.Account{}
	named := map[cw721.Address]string{}
	err := c.View(func(v *chain.View) error {
		all, err := v.Accounts()
		for _, a := range all {
			known[a.Name], named[a.Address] = a, a.Name
		}
		return err
	})
	if err != nil {
		return err
	}
	var strangers []chain.Account
	for _, a := range h.chainAccounts() {
		k, there := known[a.Name]
		other := named[a.Address]
		switch {
		case !there && other != "":
			return playErrorf("accounts."+a.Name, "the collection knows %s as %s", a.Address, other)
		case !there:
			strangers = append(strangers, a)
		case a.Address != "" && a.Address != k.Address:
			return playErrorf("accounts."+a.Name, "the scenario means %s, and the collection has the name for %s", a.Address, k.Address)
		case a.Receiver != chain.ReceiverDefault:
			found, err := k.Found(cfg.Prefix)
			if err != nil {
				return err
			}
			if a.Receiver != found {
				return playErrorf("contracts."+a.Name, "the scenario needs %s, and the collection has %s", a.Receiver, found)
			}
		}
	}
	for _, a := range strangers {
		if _, err := c.AddAccount(a.Name, a.Address, a.Receiver); err != nil {
			return playErrorf("accounts."+a.Name, "%w", err)
		}
	}
	return nil
}
