package command

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/core/wire"
)

// ParseClockSettings parses the flags that set the clock. An empty text leaves the height
// or the time unchanged.
func ParseClockSettings(heightText, timeText string) (step chain.ClockStep, err error) {
	if heightText == "" && timeText == "" {
		return step, UsageErrorf("clock set: expected --height, --time or both")
	}
	if heightText != "" {
		parsed, err := chain.ParseHeight(heightText)
		if err != nil {
			return step, UsageErrorf("--%v", err)
		}
		step.Height = &parsed
	}
	if timeText != "" {
		parsed, err := ParseTime("--time", timeText)
		if err != nil {
			return step, err
		}
		step.Time = &parsed
	}
	return step, nil
}

// UnknownCommand returns the error for an unknown command. It names a similar one.
func UnknownCommand(parent *cobra.Command, word string) error {
	var words []string
	names := map[string]string{} // of commands, by the words that people try
	for _, c := range parent.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		for _, w := range append(c.SuggestFor, c.Name()) {
			words = append(words, w)
			names[w] = c.Name()
		}
	}
	near := names[wire.Nearest(strings.ToLower(word), words)]
	return UsageErrorf("%q is no command of %s%s; `%s --help` lists them", word, parent.CommandPath(), InsteadOf(word, near), parent.CommandPath())
}

// replacements says what to use instead of the commands, flags and help topics of
// earlier versions.
var replacements = map[string]string{
	"matrix": "`why TOKEN` says who may do what with a token",
	"--man":  "`help COMMAND` prints what the man pages held",
	"speed":  "the measured figures are in .github/CONTRIBUTING.md",
}

// InsteadOf ends a sentence about an unknown command, flag or topic with what to use
// instead: the replacement of a removed one, or else whether near was meant, a known
// one. It is empty if there is neither.
func InsteadOf(word, near string) string {
	if replacement, isRemoved := replacements[word]; isRemoved {
		return ": " + replacement
	}
	if near == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %s?", near)
}

// ArgCount returns a check that a command has from least to most arguments. A most of -1
// means no upper limit. expected describes the arguments for the error, such as "one
// FILE".
func ArgCount(least, most int, expected string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		isTooMany := most >= 0 && len(args) > most
		if len(args) >= least && !isTooMany {
			return nil
		}
		if most == 0 && cmd.HasAvailableSubCommands() {
			return UnknownCommand(cmd, args[0])
		}
		got := fmt.Sprintf("%d arguments", len(args))
		switch len(args) {
		case 0:
			got = "nothing"
		case 1:
			got = "one argument"
		}
		path := cmd.CommandPath()
		return UsageErrorf("%s: expected %s, got %s; `%s --help` says more", strings.TrimPrefix(path, "ephemera "), expected, got, path)
	}
}

// requireTextInFlags refuses a flag that was given with an empty text, as a script does when
// its variable is empty. Otherwise the command would run as if the flag were missing.
func requireTextInFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			expected, _ := pflag.UnquoteUsage(f)
			err = UsageErrorf("--%s: expected %s, got an empty text", f.Name, expected)
		}
	})
	return err
}

// ParseTime parses a block time of a flag: nanoseconds, or a date and time.
func ParseTime(flag, text string) (cw721.Time, error) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return cw721.Time(n), nil
	}
	t, ok := human.ParseDate(text)
	if !ok {
		return 0, UsageErrorf("%s: %q is no block time, expected nanoseconds since 1970 (up to %d) or a time such as 2026-11-21T12:00:05Z or \"2026-11-21 12:00\"",
			flag, text, uint64(math.MaxUint64))
	}
	at, ok := human.BlockTime(t)
	if !ok {
		return 0, UsageErrorf("%s: %s cannot be a block time, expected one from 1970 to July 2554", flag, text)
	}
	return at, nil
}

// ParseStep parses how far the clock moves: blocks as 10blocks, a duration as 90m, or one
// of each.
func ParseStep(words []string) (step chain.ClockStep, err error) {
	hasBlocks := false
	hasDuration := false
	for _, word := range strings.Fields(joinUnits.Replace(strings.Join(words, " "))) {
		number, isBlocks := strings.CutSuffix(strings.TrimSuffix(word, "s"), "block")
		switch {
		case isBlocks && hasBlocks, !isBlocks && hasDuration:
			return step, distanceError(word)
		case isBlocks:
			step.Blocks, err = parseBlocks(word, number)
			hasBlocks = true
		default:
			step.Duration, err = parseDuration(word)
			hasDuration = true
		}
		if err != nil {
			return step, err
		}
	}
	if !hasBlocks && !hasDuration {
		return step, distanceError("")
	}
	return step, nil
}

// distanceError is the usage error for a word that is neither a number of blocks nor a
// duration. An empty word means that there was none.
func distanceError(word string) error {
	return UsageErrorf("clock advance: %q is no distance, expected blocks as in 10blocks, a duration as in 90m or 1h30m, or one of each", word)
}

// parseBlocks parses the number of a word such as 10blocks.
func parseBlocks(word, number string) (uint64, error) {
	blocks, err := strconv.ParseUint(number, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, UsageErrorf("clock advance: %q is too many blocks, expected at most %d", word, uint64(math.MaxUint64))
	case err != nil:
		return 0, distanceError(word)
	}
	return blocks, nil
}

// parseDuration parses a word such as 1h30m, in whole nanoseconds.
func parseDuration(word string) (time.Duration, error) {
	duration, err := time.ParseDuration(word)
	switch {
	case err != nil && durationForm.MatchString(word):
		return 0, UsageErrorf("clock advance: %q is too long, expected at most %d hours; blocks go further", word, math.MaxInt64/time.Hour)
	case err != nil:
		return 0, distanceError(word)
	case duration == 0 && strings.ContainsAny(word, "123456789"):
		return 0, UsageErrorf("clock advance: %q is less than a nanosecond, expected a whole number of them", word)
	}
	return duration, nil
}

// durationForm matches a duration of any length.
var durationForm = regexp.MustCompile(`^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`)

// joinUnits writes "10 blocks" as "10blocks".
var joinUnits = strings.NewReplacer(" blocks", "blocks", " block", "block")

// ParseNumber parses the text of an argument as a number of units, which is 1 or more.
func ParseNumber(arg, text, units string) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0:
		return 0, UsageErrorf("%s: %q is too many %s, expected at most %d", arg, text, units, math.MaxInt)
	case err != nil, n < 1:
		return 0, UsageErrorf("%s: %q is no number of %s, expected a whole number from 1", arg, text, units)
	}
	return n, nil
}

// Resolve returns the address of a WHO, which a flag holds. It fails with a [*UsageError]
// for an unknown name.
func Resolve(v *chain.View, flag, who string) (cw721.Address, error) {
	if who == "" {
		return "", UsageErrorf("%s: expected WHO, the name of an account or an address", flag)
	}
	address, err := v.Resolve(who)
	if explain.IsNameError(err) {
		return "", UsageErrorf("%s: %v", flag, err)
	}
	return address, err
}
