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
	"strings"

	"ephemera/core/chain"
	"ephemera/core/wire"
)

// ErrNoFailure is the error of [ShrinkFailure] for a scenario in which every step meets its
// expectation.
var ErrNoFailure = errors.New("every step holds, expected a step that does not")

// ShrinkFailure returns a smaller scenario that fails like s. Its last step is the first
// failing step of s as it is written, and all steps before it hold. The step gets the same
// answer by the same decision, apart from heights and times; see [describeFailure]. All
// accounts that are named stay in the header.
//
// replays is the number of scenarios that were played to find the result. ShrinkFailure
// fails with [ErrNoFailure] if all steps of s hold, and otherwise as [Run] does.
func ShrinkFailure(
	ctx context.Context,
	s Scenario,
	options Options,
) (smallScenario Scenario, replays int, err error) {
	// play plays a scenario up to its first failing step. It returns a description of the
	// failure, or "" if all steps hold. It also returns the number of steps that were played.
	options.FailFast = true
	play := func(playedScenario *Scenario) (failure string, steps int, err error) {
		replays++
		options.OnStep = func(step PlayedStep) {
			if step.Mismatch != nil {
				failure = describeFailure(step)
			}
		}
		result, err := Run(ctx, playedScenario.NewReader(""), options)
		return failure, result.Steps, err
	}

	failure, steps, err := play(&s)
	if err != nil {
		return s, replays, err
	}
	if failure == "" {
		return s, replays, ErrNoFailure
	}

	// Steps after the first failure are not needed. A smaller scenario is as good as s if its
	// last step fails in the same way.
	s.Steps = s.Steps[:steps]
	smallScenario, err = Shrink(s, func(candidate *Scenario) (bool, error) {
		if candidate.lacksNamedAccount(s.chainAccounts()) {
			return false, nil
		}
		candidateFailure, playedSteps, err := play(candidate)
		return candidateFailure == failure && playedSteps == len(candidate.Steps), err
	})
	return smallScenario, replays, err
}

// lacksNamedAccount reports whether s names one of the accounts, and its header does not have
// the account. A name is a whole text, or stands in a text after a dollar sign; also if
// another name begins with it.
func (s *Scenario) lacksNamedAccount(accounts []chain.Account) bool {
	withoutAccounts := *s
	withoutAccounts.Accounts = nil
	text := string(withoutAccounts.json())
	for _, account := range accounts {
		hasAccount := slices.ContainsFunc(s.chainAccounts(), func(other chain.Account) bool {
			return other.Name == account.Name
		})
		isNamed := strings.Contains(text, `"`+account.Name+`"`) || strings.Contains(text, "$"+account.Name)
		if isNamed && !hasAccount {
			return true
		}
	}
	return false
}

var (
	// momentInAnswer matches a height or a time in an answer or a record.
	momentInAnswer = regexp.MustCompile(`(at_height|at_time)(\W+)[0-9]+`)
	// numberInWords matches a number or a date in a text for people and the character before
	// it, but no number in a name such as bob-2.
	numberInWords = regexp.MustCompile(`(^|[^\w.-])[0-9][0-9,]*(-[0-9]+-[0-9]+)?`)
)

// describeFailure describes how a step fails, so that two failures can be compared: its
// own text, its answer, the differences from the expected one, and the decision. It replaces
// heights and times in the answer by 0, because a smaller scenario has others. In texts for
// people, such as the rules of a decision, it replaces all numbers.
func describeFailure(step PlayedStep) string {
	mismatch := step.Mismatch
	checks, err := step.Checks()
	words := fmt.Sprintf("%s %v %v %v", mismatch.Subject, mismatch.Rules, checks, err)
	answer := mismatch.answer
	if answer == "" { // for people, such as a way that nobody should have
		words += mismatch.Got
	}
	answer += fmt.Sprint(mismatch.Differences, mismatch.MoreDifferences)
	return string(step.Step.AppendWire(nil)) + mismatch.invariantJSON +
		momentInAnswer.ReplaceAllString(answer, "$1${2}0") + numberInWords.ReplaceAllString(words, "${1}0")
}

// Shrink returns a smaller scenario for which hasProperty is still true. It must be true
// for s. Shrink drops steps, members and items of lists, and makes heights, times and
// durations smaller. It keeps each change after which hasProperty is true, until no
// single step, member or item can be dropped. If hasProperty returns an [*Error], the
// change is not kept. Shrink fails with any other error of hasProperty.
func Shrink(s Scenario, hasProperty func(*Scenario) (bool, error)) (Scenario, error) {
	sh := &shrinker{
		hasProperty: hasProperty,
		best:        s,
		isFromYAML:  slices.ContainsFunc(s.Steps, func(step Step) bool { return step.FromYAML }),
	}
	sh.tree, sh.err = parseJSON(s.json())

	for sh.err == nil {
		previousSize := len(sh.tree.json())
		sh.dropChildren(nil) // the path of the whole tree
		sh.shortenMoments()
		if len(sh.tree.json()) == previousSize {
			break
		}
	}
	return sh.best, sh.err
}

// shrinker searches for a smaller scenario. It changes the scenario as JSON: an object with
// the members of the header, and the steps under [stepsMember].
type shrinker struct {
	hasProperty func(*Scenario) (bool, error)
	best        Scenario  // the smallest scenario so far
	tree        jsonValue // best as JSON
	isFromYAML  bool      // messages can have expirations in words, such as "+10"
	err         error     // the error that ended the search, or nil
}

// json returns the scenario as one JSON object, with the steps as its last member.
func (s *Scenario) json() []byte {
	return appendObject(nil, append(membersToWrite(s.Header), memberValue{name: stepsMember, value: s.Steps}))
}

// decode returns the scenario that a JSON tree describes. It fails for a tree from which a
// needed part was dropped.
func (sh *shrinker) decode(tree jsonValue) (s Scenario, err error) {
	options := wire.Options{AllowsInvalidUnicode: true}
	if sh.isFromYAML {
		options = yamlOptions
	}
	steps, hasSteps := tree.member(stepsMember)
	if !hasSteps {
		return s, io.ErrUnexpectedEOF
	}

	// The steps are the last member, and all before it are the header.
	memberCount := len(tree.items)
	header := tree.without(nil, memberCount-1, memberCount)
	if _, err := wire.DecodeWith(options, header.json(), &s.Header); err != nil {
		return s, err
	}
	for _, item := range steps.items {
		step := Step{FromYAML: sh.isFromYAML}
		if _, err := wire.DecodeWith(options, item.json(), &step); err != nil {
			return s, err
		}
		s.Steps = append(s.Steps, step)
	}
	return s, nil
}

// keepIfHasProperty makes a smaller tree the best one if its scenario still has the property, and
// reports whether it did.
func (sh *shrinker) keepIfHasProperty(tree jsonValue) bool {
	candidate, err := sh.decode(tree)
	if sh.err != nil || err != nil {
		return false
	}

	// An error about the candidate only rules the candidate out. Any other ends the search.
	isKept, err := sh.hasProperty(&candidate)
	if _, isMistake := errors.AsType[*Error](err); isMistake {
		return false
	}
	sh.err = err
	if err != nil || !isKept {
		return false
	}
	sh.best = candidate
	sh.tree = tree
	return true
}

// dropChildren drops as many members or items as it can from the value at a path of indexes,
// and then from each child that remains.
func (sh *shrinker) dropChildren(path []int) {
	// First try to drop all children but one at once. Then try half as many at a time, and so
	// on down to single ones.
	childCount := len(sh.tree.valueAt(path).items)
	for dropCount := max(childCount-1, 1); dropCount > 0; dropCount /= 2 {
		for end := childCount; end > 0; end -= dropCount {
			first := max(end-dropCount, 0)
			if sh.keepIfHasProperty(sh.tree.without(path, first, end)) {
				childCount -= end - first
			}
		}
	}

	for i := len(sh.tree.valueAt(path).items) - 1; i >= 0; i-- {
		sh.dropChildren(append(slices.Clone(path), i))
	}
}

// valueAt returns the value at a path of indexes.
func (v jsonValue) valueAt(path []int) jsonValue {
	for _, i := range path {
		v = v.items[i]
	}
	return v
}

// without returns a copy of v in which the value at a path of indexes lacks its children from
// first to end-1.
func (v jsonValue) without(path []int, first, end int) jsonValue {
	if len(path) > 0 {
		child := path[0]
		v.items = slices.Clone(v.items)
		v.items[child] = v.items[child].without(path[1:], first, end)
		return v
	}

	// The path ends here, so the children are those of v itself.
	v.items = slices.Concat(v.items[:first], v.items[end:])
	if v.kind == '{' {
		v.names = slices.Concat(v.names[:first], v.names[end:])
	}
	return v
}

// shortenMoments makes the numbers in heights, times and durations of the scenario as small
// as hasProperty allows. It replaces a number in all places that have it. It finds the
// smallest number for which hasProperty is still true by bisection.
func (sh *shrinker) shortenMoments() {
	numbers := map[uint64]bool{}
	sh.tree.mapMoments(outsideMoment, func(n uint64) uint64 {
		numbers[n] = true
		return n
	})
	for _, smallest := range slices.Sorted(maps.Keys(numbers)) {
		for tooSmall := uint64(0); smallest-tooSmall > 1; {
			middle := tooSmall + (smallest-tooSmall)/2
			shorter := sh.tree.mapMoments(outsideMoment, func(n uint64) uint64 {
				if n == smallest {
					return middle
				}
				return n
			})
			if sh.keepIfHasProperty(shorter) {
				smallest = middle
			} else {
				tooSmall = middle
			}
		}
	}
}

// momentNumber matches a moment with a number: 1110, "+10", "+90m", "1h30m" or "h1110".
var momentNumber = regexp.MustCompile(`^([+h]?)([0-9]+)([a-z][a-z0-9]*)?$`)

// outsideMoment is for a value that is not inside a member for moments.
const outsideMoment = false

// mapMoments returns a copy of v in which change has replaced the number in each moment. A
// moment is a height, a time or a duration, such as {"expires": "+10"} or {"at": {"height":
// 1110}}. isMoment is set if v is inside a member for moments, such as "expires" or "at".
func (v jsonValue) mapMoments(isMoment bool, change func(uint64) uint64) jsonValue {
	parts := momentNumber.FindStringSubmatch(v.text)
	if isMoment && parts != nil {
		if number, err := strconv.ParseUint(parts[2], 10, 64); err == nil {
			v.text = parts[1] + strconv.FormatUint(change(number), 10) + parts[3]
		}
	}

	// Everything inside a member with one of these names is a moment.
	v.items = slices.Clone(v.items)
	for i, item := range v.items {
		isMomentMember := v.kind == '{' && slices.Contains(momentMembers, v.names[i])
		v.items[i] = item.mapMoments(isMoment || isMomentMember, change)
	}
	return v
}

// momentMembers are the names of the members in which everything is a moment.
var momentMembers = []string{"start", "at", "advance", "expires", "expiry", "after", "until"}
