package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"ephemera/core/wire"
)

// ErrNoFailure is returned for a scenario whose steps all hold.
var ErrNoFailure = errors.New("every step holds, expected a step that does not")

// ShrinkFailure returns a smaller scenario whose last step fails as the first failing step
// of s does, while all other steps hold. The failures are alike if the message and its
// sender, the kind of mismatch and its members, the refusal, and the rules that the contract
// tried are the same, with the same kind of expiry and the same [CheckState]. replays is the
// number of scenarios that were played. ShrinkFailure fails with [ErrNoFailure] and as [Run]
// does.
func ShrinkFailure(ctx context.Context, s Scenario, o Options) (small Scenario, replays int, err error) {
	// play plays a scenario up to its first failing step. It returns a description of that
	// step, or "" if all steps hold, and the number of steps up to it.
	play := func(played *Scenario) (failure string, steps int, err error) {
		replays++
		o.FailFast = true
		o.OnStep = func(p PlayedStep) {
			if p.Mismatch != nil {
				failure = describeFailure(p)
			}
		}
		result, err := Run(ctx, played.NewReader(""), o)
		return failure, result.Steps, err
	}

	failure, steps, err := play(&s)
	if err != nil {
		return s, replays, err
	}
	if failure == "" {
		return s, replays, ErrNoFailure
	}
	s.Steps = s.Steps[:steps]
	small, err = Shrink(s, func(candidate *Scenario) (bool, error) {
		got, steps, err := play(candidate)
		return got == failure && steps == len(candidate.Steps), err
	})
	return small, replays, err
}

var digits = regexp.MustCompile(`[0-9]+`)

// describeFailure describes how a step fails, without any numbers: a smaller scenario has
// other moments and shorter lists.
func describeFailure(p PlayedStep) string {
	var refusal, expected string
	if p.Refusal != nil {
		refusal = string(p.Refusal.Kind) + ": " + p.Refusal.Text
	}
	if p.Step.Expect != nil {
		expected = p.Step.Expect.String()
	}
	var members []string
	for _, difference := range p.Mismatch.Differences {
		members = append(members, difference.Path)
	}
	checks, err := p.Checks()
	description := fmt.Sprintf("%s: %s: %s, not %s: %q, %q, %v", p.Step.Describe(), p.Mismatch.Subject, refusal, expected, members, checks, err)
	return digits.ReplaceAllString(description, "0")
}

// Shrink returns a smaller scenario for which isAlike is true, as it must be for s. It drops
// steps, members of steps and of the header, and items of lists, and shortens moments. It
// keeps each change after which isAlike is still true, until no step, member or item can be
// dropped alone. An [*Error] of isAlike means false. Shrink fails with its other errors.
func Shrink(s Scenario, isAlike func(*Scenario) (bool, error)) (Scenario, error) {
	x := &shrinker{isAlike: isAlike, best: s, fromYAML: slices.ContainsFunc(s.Steps, func(s Step) bool { return s.FromYAML })}
	members := append(memberValues(s.Header), memberValue{name: stepsMember, value: s.Steps})
	x.tree, x.err = parseJSON(appendObject(nil, members))
	for previousSize := -1; x.err == nil && len(x.tree.json()) != previousSize; {
		previousSize = len(x.tree.json())
		x.dropChildren(nil)
		x.shortenMoments()
	}
	return x.best, x.err
}

// shrinker holds the smallest scenario so far. It changes the scenario as JSON: an object
// with the members of the header, and the steps under [stepsMember].
type shrinker struct {
	isAlike  func(*Scenario) (bool, error)
	best     Scenario
	tree     jsonValue // best as JSON
	fromYAML bool      // whether messages have expirations in words
	err      error     // ends the search
}

// decode returns the scenario in a JSON tree.
func (x *shrinker) decode(tree jsonValue) (s Scenario, err error) {
	options := wire.Options{AnyText: true}
	if x.fromYAML {
		options = yamlOptions
	}
	steps, hasSteps := tree.member(stepsMember)
	if !hasSteps {
		return s, io.ErrUnexpectedEOF
	}

	// The steps are the last member, and all before it are the header.
	header := tree.without(nil, len(tree.items)-1, len(tree.items))
	if _, err := wire.DecodeWith(options, header.json(), &s.Header); err != nil {
		return s, err
	}
	for _, item := range steps.items {
		step := Step{FromYAML: x.fromYAML}
		if _, err := wire.DecodeWith(options, item.json(), &step); err != nil {
			return s, err
		}
		s.Steps = append(s.Steps, step)
	}
	return s, nil
}

// try makes a tree the smallest one if its scenario is alike, and reports whether it is.
func (x *shrinker) try(tree jsonValue) bool {
	candidate, err := x.decode(tree)
	if x.err != nil || err != nil {
		return false
	}
	isAlike, err := x.isAlike(&candidate)
	if _, isMistake := errors.AsType[*Error](err); err != nil && !isMistake {
		x.err = err
	}
	if err != nil || !isAlike {
		return false
	}
	x.best = candidate
	x.tree = tree
	return true
}

// dropChildren drops members or items of the value at a path of indexes, in parts that
// become smaller, and then within each child that is left. It drops nothing of an
// expectation, which would then expect less.
func (x *shrinker) dropChildren(path []int) {
	// Drop all children but one at once, then half as many at a time, down to single ones.
	count := len(x.tree.valueAt(path).items)
	for size := max(count-1, 1); size > 0; size /= 2 {
		for end := count; end > 0; end -= size {
			first := max(end-size, 0)
			if x.try(x.tree.without(path, first, end)) {
				count -= end - first
			}
		}
	}

	// Then the same in each child, from the last to the first.
	value := x.tree.valueAt(path)
	for i := len(value.items) - 1; i >= 0; i-- {
		isExpectation := value.kind == '{' && value.names[i] == "expect"
		if !isExpectation {
			x.dropChildren(append(slices.Clone(path), i))
		}
	}
}

// valueAt returns the value at a path of indexes: the path [0 2] leads to the third item of
// the first item of v.
func (v jsonValue) valueAt(path []int) jsonValue {
	for _, i := range path {
		v = v.items[i]
	}
	return v
}

// without returns a copy of v that lacks some children of the value at a path of indexes:
// those from first up to, but without, end.
func (v jsonValue) without(path []int, first, end int) jsonValue {
	v.items = slices.Clone(v.items)
	if len(path) > 0 {
		v.items[path[0]] = v.items[path[0]].without(path[1:], first, end)
		return v
	}
	v.items = slices.Delete(v.items, first, end)
	if v.kind == '{' {
		v.names = slices.Delete(slices.Clone(v.names), first, end)
	}
	return v
}

// shortenMoments replaces each number in the moments of the scenario by a smaller one.
func (x *shrinker) shortenMoments() {
	numbers := map[uint64]bool{}
	x.tree.mapMoments(false, func(n uint64) uint64 {
		numbers[n] = true
		return n
	})
	for _, number := range slices.Sorted(maps.Keys(numbers)) {
		x.shortenMoment(number)
	}
}

// shortenMoment replaces a number, wherever it occurs in a moment, by the smallest one with
// which the scenario still fails alike. It finds that number by bisection.
func (x *shrinker) shortenMoment(number uint64) {
	tooSmall := uint64(0)
	for smallest := number; smallest-tooSmall > 1; {
		middle := tooSmall + (smallest-tooSmall)/2
		shorter := x.tree.mapMoments(false, func(n uint64) uint64 {
			if n == smallest {
				return middle
			}
			return n
		})
		if x.try(shorter) {
			smallest = middle
		} else {
			tooSmall = middle
		}
	}
}

// momentNumber matches a moment with a number: 1110, "+10", "+90m", "1h30m" or "h1110".
var momentNumber = regexp.MustCompile(`^([+h]?)([0-9]+)([a-z][a-z0-9]*)?$`)

// mapMoments returns a copy of v in which change has replaced the numbers of all moments,
// such as the 10 of {"expires": "+10"} or the 1110 of {"at_height": 1110}. isMoment is set if
// v is within a member that holds a moment.
func (v jsonValue) mapMoments(isMoment bool, change func(uint64) uint64) jsonValue {
	if parts := momentNumber.FindStringSubmatch(v.text); isMoment && parts != nil {
		if number, err := strconv.ParseUint(parts[2], 10, 64); err == nil {
			v.text = parts[1] + strconv.FormatUint(change(number), 10) + parts[3]
		}
	}

	// The members of a moment are moments as well.
	v.items = slices.Clone(v.items)
	for i, item := range v.items {
		isInMoment := isMoment
		if v.kind == '{' {
			switch v.names[i] {
			case "start", "at", "advance", "expires", "expiry", "after", "until":
				isInMoment = true
			}
		}
		v.items[i] = item.mapMoments(isInMoment, change)
	}
	return v
}
