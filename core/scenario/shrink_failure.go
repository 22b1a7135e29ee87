package scenario

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ephemera/core/chain"
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
